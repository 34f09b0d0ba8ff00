//! The guide for agents is true: its every command is carried out in order, by one who knows nothing else.
//!
//! The commands are curl's; this reads the few flags that the guide uses, so that no curl is needed.

use std::collections::HashMap;

use reqwest::Method;
use serde_json::Value;

use crate::harness::{Platform, name};

/// What a line `# NAME = .path` keeps of the last answer.
fn kept(answer: &Value, path: &str) -> String {
    let parts = path.trim_start_matches('.').split('.');
    let found = parts.fold(answer, |value, part| match part.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[part],
    });
    assert!(!found.is_null(), "{path} is not in {answer}");
    found.as_str().map_or_else(|| found.to_string(), str::to_owned)
}

/// Stands for a dollar sign that a shell takes as it is.
const PLAIN_DOLLAR: char = '\0';

/// Splits a command into words, with quotes as a shell has them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, ' ') => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            (Some('\''), '$') => word.push(PLAIN_DOLLAR),
            _ => word.push(letter),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

fn filled(text: &str, variables: &HashMap<String, String>) -> String {
    let mut names: Vec<_> = variables.keys().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let text =
        names.into_iter().fold(text.to_owned(), |text, name| text.replace(&format!("${name}"), &variables[name]));
    text.replace(PLAIN_DOLLAR, "$")
}

/// Carries out one curl command.
async fn carry_out(command: &[String]) -> Value {
    let (mut url, mut method, mut body, mut headers) = (None, None, None, Vec::new());
    let mut words = command.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-s" => {}
            "-X" => method = Some(words.next().unwrap().parse::<Method>().unwrap()),
            "-H" => headers.push(words.next().unwrap().split_once(": ").unwrap()),
            "-d" => body = Some(words.next().unwrap().clone()),
            _ => url = Some(word.clone()),
        }
    }
    let method = method.unwrap_or(if body.is_some() { Method::POST } else { Method::GET });
    let mut request = reqwest::Client::new().request(method, url.unwrap());
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let response = request.body(body.unwrap_or_default()).send().await.unwrap();
    let status = response.status();
    let text = response.text().await.unwrap();
    assert!(status.is_success(), "{command:?}: {status} {text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_guide_works() {
    let platform = Platform::start().await;
    let guide = platform.anyone().request(Method::GET, "/agents.md").send().await.unwrap().text().await.unwrap();
    let guide = guide.replace("NAME", &name());
    let mut variables = HashMap::from([("FARSIDE".to_owned(), platform.url.clone())]);
    let (mut answer, mut carried_out) = (Value::Null, 0);
    for block in guide.split("```sh\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            if let Some((name, path)) = line.strip_prefix("# ").and_then(|line| line.split_once(" = ")) {
                variables.insert(name.to_owned(), kept(&answer, path));
            } else {
                let command: Vec<_> = words(line).iter().map(|word| filled(word, &variables)).collect();
                answer = carry_out(&command).await;
                carried_out += 1;
            }
        }
    }
    assert!(carried_out >= 10, "{carried_out}");
    assert_eq!(answer["status"], "active", "the set of the guide goes on: {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_guide_explains_the_codes_that_a_bot_meets() {
    let platform = Platform::start().await;
    let guide = platform.anyone().request(Method::GET, "/agents.md").send().await.unwrap().text().await.unwrap();
    for code in
        ["illegal_move", "not_your_turn", "stale_ply", "game_over", "challenge_closed", "rate_limited", "unavailable"]
    {
        assert!(guide.contains(&format!("`{code}`")), "{code}");
    }
}
