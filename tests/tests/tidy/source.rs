//! Reads the workspace's own sources and documents, and Rust as far as the rules need it: words and paths of the code,
//! without comments and literals. It judges nothing.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// Folders that hold no sources of ours.
const FOREIGN: [&str; 4] = ["target", "data", "node_modules", ".git"];

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    // At run time: two clones may share a target folder, and what was compiled in is then another clone's.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).parent().unwrap().to_owned()
}

/// One Rust file.
pub(crate) struct Source {
    /// Its path from the workspace's folder.
    pub(crate) name: String,
    /// As it is.
    pub(crate) text: String,
    /// Its code: comments and literals are blank, lines are where they were.
    code: String,
}

impl Source {
    /// Reads code that stands at `name`.
    pub(crate) fn new(name: String, text: String) -> Self {
        let code = blank_comments_and_literals(&text);
        Self { name, text, code }
    }

    /// How many lines it has.
    pub(crate) fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// Whether it is in that folder, or below it.
    pub(crate) fn is_within(&self, folder: &str) -> bool {
        self.name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether it belongs to a layer: `CRATE/src/LAYER.rs` or `CRATE/src/LAYER/…`.
    pub(crate) fn is_in_layer(&self, layer: &str) -> bool {
        let inner = self.name.split_once("/src/").map(|(_, inner)| inner);
        inner.is_some_and(|inner| inner == format!("{layer}.rs") || inner.starts_with(&format!("{layer}/")))
    }

    /// Each word of the code with its line.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.code.lines()).flat_map(|(number, line)| words(line).map(move |word| (number, word)))
    }

    /// Each pair of words that `::` joins, with its line.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        (1..).zip(self.code.lines()).flat_map(|(number, line)| {
            line.match_indices("::").filter_map(move |(at, _)| {
                let first = words(&line[..at]).last()?;
                let second = words(&line[at + 2..]).next()?;
                Some((number, first, second))
            })
        })
    }
}

fn words(line: &str) -> impl DoubleEndedIterator<Item = &str> {
    line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Every Rust file of the workspace.
pub(crate) fn sources() -> impl Iterator<Item = &'static Source> {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
        let read = |path: PathBuf| {
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            Source::new(name, fs::read_to_string(&path).unwrap())
        };
        files("rs").into_iter().map(read).collect()
    });
    SOURCES.iter()
}

/// Every Markdown document of the workspace.
pub(crate) fn documents() -> Vec<PathBuf> {
    files("md")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name());
            let foreign = FOREIGN.iter().any(|foreign| name == *foreign);
            if entry.file_type().unwrap().is_dir() && !foreign {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The targets of inline links of a Markdown text, outside of code.
pub(crate) fn links(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    let prose = text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    });
    prose.flat_map(|line| {
        let starts = line.match_indices("](");
        starts.filter_map(|(at, _)| line[at + 2..].split(')').next()).filter(|link| !link.contains('`'))
    })
}

/// Replaces comments, strings and character literals by spaces and keeps line ends.
fn blank_comments_and_literals(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = literal_or_comment(rest, code.chars().last());
        let taken = length.unwrap_or(first.len_utf8());
        let piece = &rest[..taken];
        match length {
            Some(_) => code.extend(piece.chars().map(|letter| if letter == '\n' { '\n' } else { ' ' })),
            None => code.push(first),
        }
        rest = &rest[taken..];
    }
    code
}

/// The length of the comment or literal that `rest` begins with, if it does.
fn literal_or_comment(rest: &str, before: Option<char>) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    if rest.starts_with('"') {
        return Some(quoted(rest, '"'));
    }
    let in_word = before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    if rest.starts_with('r') && !in_word {
        return raw_string(rest);
    }
    if let Some(inner) = rest.strip_prefix('\'') {
        // Otherwise it is a lifetime.
        let is_character = inner.starts_with('\\') || inner.chars().nth(1) == Some('\'');
        return is_character.then(|| quoted(rest, '\''));
    }
    None
}

/// The length of what stands between two quotes, both included.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest[1..].chars().take_while(|letter| *letter == '#').count();
    let body = rest[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let opening = 1 + hashes + 1;
    Some(body.find(&end).map_or(rest.len(), |at| opening + at + end.len()))
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "/// async\nfn f<'a>(x: &'a str) { // tokio\n  g(\"redis \\\" \", r#\"sea_orm\"#, 'x', '\\'', b\"tonic\"); /* prost */ h::k() }\n";
    let source = Source::new("a/src/domain/f.rs".to_owned(), text.to_owned());
    let words: Vec<_> = source.words().collect();
    let second = ["fn", "f", "a", "x", "a", "str"].map(|word| (2, word));
    assert_eq!(words, [&second[..], &[(3, "g"), (3, "b"), (3, "h"), (3, "k")]].concat());
    assert_eq!(source.paths().collect::<Vec<_>>(), [(3, "h", "k")]);
}

#[test]
fn layers_are_told_by_their_folder() {
    let layer = |name: &str, layer: &str| Source::new(name.to_owned(), String::new()).is_in_layer(layer);
    assert!(layer("match-svc/src/domain/clock.rs", "domain") && layer("match-svc/src/domain.rs", "domain"));
    assert!(!layer("match-svc/src/store/domain.rs", "domain") && !layer("match-svc/tests/domain/x.rs", "domain"));
}

#[test]
fn links_in_code_are_no_links() {
    let text = "[a](b.md) and [c](d.md#e)\n```\n[x](y.md)\n```\n";
    assert_eq!(links(text).collect::<Vec<_>>(), ["b.md", "d.md#e"]);
}
