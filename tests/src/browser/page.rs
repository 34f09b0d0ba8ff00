//! What a person does with a page: open it, find things by what they are called, point, type, wait for what comes.

use fantoccini::{
    Locator,
    actions::{InputSource as _, KeyAction, KeyActions},
    elements::{Element, ElementRef},
    error::CmdError,
    key::Key,
};
use serde_json::{Value, json};

use super::Browser;
use crate::wait;

/// How WebDriver writes an element in JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// More than any page has places for the focus.
const TABS: usize = 200;

impl Browser {
    /// Opens a page of the platform by its path.
    pub async fn open(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.site)).await.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        self.client.refresh().await.expect("the page loads again");
    }

    /// Path, query and fragment of the page that is open.
    pub async fn path(&self) -> String {
        let url = self.client.current_url().await.expect("a page is open");
        url.as_str().strip_prefix(&self.site).unwrap_or(url.as_str()).to_owned()
    }

    /// Waits until the path is as wished, and returns it.
    pub async fn arrive(&self, what: &str, wished: impl Fn(&str) -> bool) -> String {
        wait::until(what, async || {
            let path = self.path().await;
            wished(&path).then_some(path)
        })
        .await
    }

    /// Runs a script in the page and returns what it returns.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap_or_else(|error| panic!("{script:.300}: {error}"))
    }

    /// Waits until an expression is true in the page, and returns its value.
    pub async fn until(&self, what: &str, expression: &str) -> Value {
        let script = format!("return {expression}");
        wait::until(what, async || {
            let value = self.client.execute(&script, vec![]).await.ok()?;
            let is_true = !matches!(&value, Value::Null | Value::Bool(false)) && value != 0 && value != "";
            is_true.then_some(value)
        })
        .await
    }

    /// Waits for an element that can be seen.
    pub async fn see(&self, selector: &str) -> Element {
        wait::until(&format!("{selector} to be seen"), async || {
            let element = self.client.find(Locator::Css(selector)).await.ok()?;
            element.is_displayed().await.ok()?.then_some(element)
        })
        .await
    }

    /// Waits until the page says something, wherever on it.
    pub async fn see_text(&self, text: &str) {
        let expression = format!("document.body.innerText.includes({})", json!(text));
        self.until(&format!("the page to say {text:?}"), &expression).await;
    }

    /// What an element says, once it can be seen.
    pub async fn text(&self, selector: &str) -> String {
        wait::until(&format!("{selector} to be read"), async || {
            let element = self.client.find(Locator::Css(selector)).await.ok()?;
            if element.is_displayed().await.ok()? { element.text().await.ok() } else { None }
        })
        .await
    }

    /// Where the link with that name leads: path, query and fragment.
    pub async fn target(&self, name: &str) -> String {
        let look = async || self.named(include_str!("control.js"), name).await?.prop("href").await.ok()?;
        let address: String = wait::until(&format!("the link {name}"), look).await;
        address.strip_prefix(&self.site).unwrap_or(&address).to_owned()
    }

    /// How many elements there are now.
    pub async fn count(&self, selector: &str) -> usize {
        self.client.find_all(Locator::Css(selector)).await.expect("a selector").len()
    }

    /// Clicks with the mouse, once the element is there and nothing is in front of it.
    pub async fn click(&self, selector: &str) {
        self.click_when(selector, async || self.client.find(Locator::Css(selector)).await.ok()).await;
    }

    /// Clicks a link or button by its name, as a screen reader says it.
    pub async fn press(&self, name: &str) {
        self.click_when(name, async || self.named(include_str!("control.js"), name).await).await;
    }

    /// Waits until there is a link or button with that name.
    pub async fn see_control(&self, name: &str) -> Element {
        wait::until(&format!("{name} to be seen"), async || self.named(include_str!("control.js"), name).await).await
    }

    /// Fills in the field with that label; chooses the option with that text where it is a list.
    pub async fn fill(&self, label: &str, text: &str) {
        let field =
            wait::until(&format!("the field {label:?}"), async || self.named(include_str!("field.js"), label).await)
                .await;
        if field.tag_name().await.expect("a field") == "select" {
            return field.select_by_label(text).await.unwrap_or_else(|error| panic!("{label} {text}: {error}"));
        }
        field.clear().await.expect("a field can be emptied");
        field.send_keys(text).await.expect("a field takes text");
    }

    /// Ticks or clears a box, or chooses a radio button, by clicking its label.
    pub async fn choose(&self, label: &str) {
        self.click_when(label, async || self.named(include_str!("label.js"), label).await).await;
    }

    /// Presses keys one after the other, wherever the focus is.
    pub async fn keys(&self, keys: impl IntoIterator<Item = char>) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for value in keys {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.expect("keys can be pressed");
    }

    /// Presses one key that has no character.
    pub async fn key(&self, key: Key) {
        self.keys([char::from(key)]).await;
    }

    /// Presses a key while another one is held.
    pub async fn chord(&self, held: Key, value: char) {
        let held = char::from(held);
        let actions = KeyActions::new("keyboard".to_owned()).then(KeyAction::Down { value: held });
        let actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        self.client.perform_actions(actions.then(KeyAction::Up { value: held })).await.expect("keys can be pressed");
    }

    /// Whether what has the focus is such an element.
    pub async fn has_focus(&self, selector: &str) -> bool {
        self.run("return document.activeElement.matches(arguments[0])", vec![json!(selector)]).await == true
    }

    /// Presses Tab until such an element has the focus.
    ///
    /// # Panics
    ///
    /// When none gets it, however often.
    pub async fn tab_to(&self, selector: &str) {
        for _ in 0..TABS {
            self.key(Key::Tab).await;
            if self.has_focus(selector).await {
                return;
            }
        }
        panic!("{selector} cannot be reached with Tab");
    }

    async fn click_when(&self, what: &str, find: impl AsyncFn() -> Option<Element>) {
        wait::until(&format!("{what} to be clicked"), async || {
            let element = find().await?;
            match element.click().await {
                Ok(()) => Some(()),
                Err(error) if is_passing(&error) => None,
                Err(error) => panic!("{what} cannot be clicked: {error}"),
            }
        })
        .await;
    }

    /// The element that a script finds for a name.
    async fn named(&self, script: &str, name: &str) -> Option<Element> {
        let found = self.client.execute(script, vec![json!(name)]).await.ok()?;
        let id = found[ELEMENT].as_str()?;
        Some(Element::from_element_id(self.client.clone(), ElementRef::from(id.to_owned())))
    }
}

/// Whether it may be different in a moment: the page is being changed, or something is in front.
fn is_passing(error: &CmdError) -> bool {
    let text = error.to_string();
    let passing = ["stale element", "click intercepted", "not interactable", "does not belong to the document"];
    passing.iter().any(|passing| text.contains(passing))
}
