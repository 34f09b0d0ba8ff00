//! Markdown of contracts and guides as HTML, with boards drawn from fenced blocks.
//!
//! HTML inside of the Markdown is shown as text, and links lead nowhere but to this site. Not here: what the texts say.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};

use super::diagram;

/// What begins the info of a block that draws a board.
const BOARD: &str = "board";

/// The text as HTML.
pub(super) fn render(text: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, anchored(drawn(Parser::new_ext(text, Options::ENABLE_TABLES))).into_iter());
    page
}

/// The events with an id on every heading, made of its words as links within a text expect it: `## 5. The loop` is
/// `#5-the-loop`.
fn anchored(mut events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    for at in 0..events.len() {
        if matches!(events[at], Event::Start(Tag::Heading { .. })) {
            let heading = events[at..].iter().take_while(|event| !is_end_of_heading(event));
            let anchor = anchor(&heading.filter_map(words).collect::<String>());
            if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                *id = Some(anchor.into());
            }
        }
    }
    events
}

fn is_end_of_heading(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

fn words<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

fn anchor(words: &str) -> String {
    let kept = words.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The events with every board drawn, and without HTML and links that lead elsewhere.
fn drawn<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let (mut all, mut board, mut leads_elsewhere) = (Vec::new(), None::<Board>, false);
    for event in events {
        if let Some(open) = board.take() {
            match open.with(event) {
                Ok(open) => board = Some(open),
                Err(figure) => all.push(Event::Html(figure.into())),
            }
            continue;
        }
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_board(&info) => {
                board = Some(Board { caption: info[BOARD.len()..].trim().to_owned(), cells: String::new() });
            }
            // What may scroll sideways can be reached by keyboard.
            Event::Start(Tag::CodeBlock(_)) => all.push(Event::Html("<pre tabindex=\"0\"><code>".into())),
            Event::End(TagEnd::CodeBlock) => all.push(Event::Html("</code></pre>\n".into())),
            Event::Html(text) | Event::InlineHtml(text) => all.push(Event::Text(text)),
            Event::Start(Tag::Link { dest_url, .. }) if !dest_url.starts_with(['/', '#']) => leads_elsewhere = true,
            Event::End(TagEnd::Link) if leads_elsewhere => leads_elsewhere = false,
            event => all.push(event),
        }
    }
    all
}

/// A block that draws a board, as far as it has been read.
struct Board {
    caption: String,
    cells: String,
}

impl Board {
    /// The block with what follows, or its figure at the end.
    fn with(mut self, event: Event<'_>) -> Result<Self, String> {
        match event {
            Event::Text(text) => self.cells.push_str(&text),
            Event::End(TagEnd::CodeBlock) => return Err(diagram::draw(&self.caption, &self.cells)),
            _ => {}
        }
        Ok(self)
    }
}

fn is_board(info: &str) -> bool {
    info.strip_prefix(BOARD).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_can_be_linked_to_by_their_words() {
        let page = render("## 5. The `loop`, again\n\nText.\n");
        assert!(page.contains("<h2 id=\"5-the-loop-again\">"), "{page}");
    }

    #[test]
    fn boards_are_drawn_and_html_is_text() {
        let page = render(
            "## Title\n\n<script>x</script>\n\n```board A step.\n.o\n1.\n```\n\n```\n<b>\n```\n\n[out](http://evil.test) [in](/docs)\n",
        );
        assert!(
            page.contains("<h2 id=\"title\">Title</h2>") && page.contains("<svg") && page.contains("A step."),
            "{page}"
        );
        assert!(!page.contains("<script>") && !page.contains("<b>"), "{page}");
        assert!(page.contains("out <a href=\"/docs\">in</a>"), "{page}");
    }
}
