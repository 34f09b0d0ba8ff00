//! Markdown of contracts and guides as HTML, with boards drawn from fenced blocks.
//!
//! HTML inside of the Markdown is shown as text, and links lead nowhere but to this site. Not here: what the texts say.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};

use super::diagram;

/// What begins the info of a block that draws a board.
const BOARD: &str = "board";

/// The text as HTML.
pub(super) fn render(text: &str) -> String {
    let mut page = Page::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        page.take(event);
    }
    let mut text = String::new();
    html::push_html(&mut text, page.events.into_iter());
    text
}

/// The events of a page: every board drawn, an id on every heading, no HTML, and no link that leads elsewhere.
#[derive(Default)]
struct Page<'a> {
    events: Vec<Event<'a>>,
    /// The block of a board that is being read.
    board: Option<Board>,
    /// Where the heading that is being read begins, and its words so far.
    heading: Option<(usize, String)>,
    /// Whether a link is being read that is left out.
    leads_elsewhere: bool,
}

impl<'a> Page<'a> {
    fn take(&mut self, event: Event<'a>) {
        match self.board.take() {
            Some(board) => self.go_on_with(board, &event),
            None => self.read(event),
        }
    }

    fn go_on_with(&mut self, mut board: Board, event: &Event<'_>) {
        match event {
            Event::End(TagEnd::CodeBlock) => {
                self.events.push(Event::Html(diagram::draw(&board.caption, &board.cells).into()));
                return;
            }
            Event::Text(text) => board.cells.push_str(text),
            _ => {}
        }
        self.board = Some(board);
    }

    fn read(&mut self, event: Event<'a>) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_board(&info) => {
                self.board = Some(Board { caption: info[BOARD.len()..].trim().to_owned(), cells: String::new() });
            }
            // What may scroll sideways can be reached by keyboard.
            Event::Start(Tag::CodeBlock(_)) => self.events.push(Event::Html("<pre tabindex=\"0\"><code>".into())),
            Event::End(TagEnd::CodeBlock) => self.events.push(Event::Html("</code></pre>\n".into())),
            Event::Start(Tag::Link { dest_url, .. }) if !dest_url.starts_with(['/', '#']) => {
                self.leads_elsewhere = true;
            }
            Event::End(TagEnd::Link) if self.leads_elsewhere => self.leads_elsewhere = false,
            Event::Html(text) | Event::InlineHtml(text) => self.say(Event::Text(text)),
            event => self.say(event),
        }
    }

    /// Takes an event as it is; of a heading, it keeps the words for its id.
    fn say(&mut self, event: Event<'a>) {
        match &event {
            Event::Start(Tag::Heading { .. }) => self.heading = Some((self.events.len(), String::new())),
            Event::End(TagEnd::Heading(_)) => self.end_heading(),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, words)) = &mut self.heading {
                    words.push_str(text);
                }
            }
            _ => {}
        }
        self.events.push(event);
    }

    fn end_heading(&mut self) {
        let Some((at, words)) = self.heading.take() else { return };
        if let Event::Start(Tag::Heading { id, .. }) = &mut self.events[at] {
            *id = Some(anchor(&words).into());
        }
    }
}

/// An id as links within a text expect it: `## 5. The loop` is `#5-the-loop`.
fn anchor(words: &str) -> String {
    let kept = words.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// A block that draws a board, as far as it has been read.
struct Board {
    caption: String,
    cells: String,
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
