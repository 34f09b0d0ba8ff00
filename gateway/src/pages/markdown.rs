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
    html::push_html(&mut page, drawn(Parser::new_ext(text, Options::ENABLE_TABLES)).into_iter());
    page
}

/// The events with every board drawn and every piece of HTML made harmless.
fn drawn<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let (mut all, mut board) = (Vec::new(), None::<(String, String)>);
    for event in events {
        match (event, &mut board) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), _) if is_board(&info) => {
                board = Some((info[BOARD.len()..].trim().to_owned(), String::new()));
            }
            (Event::Text(text), Some((_, cells))) => cells.push_str(&text),
            (Event::End(TagEnd::CodeBlock), Some((caption, cells))) => {
                all.push(Event::Html(diagram::draw(caption, cells).into()));
                board = None;
            }
            (Event::Html(text) | Event::InlineHtml(text), _) => all.push(Event::Text(text)),
            (Event::Start(Tag::Link { dest_url, .. }), _) if !dest_url.starts_with(['/', '#']) => {}
            (event, _) => all.push(event),
        }
    }
    all
}

fn is_board(info: &str) -> bool {
    info.strip_prefix(BOARD).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_drawn_and_html_is_text() {
        let page = render("## Title\n\n<script>x</script>\n\n```board A step.\n.o\n1.\n```\n\n```\n<b>\n```\n");
        assert!(page.contains("<h2>Title</h2>") && page.contains("<svg") && page.contains("A step."), "{page}");
        assert!(!page.contains("<script>") && !page.contains("<b>"), "{page}");
    }
}
