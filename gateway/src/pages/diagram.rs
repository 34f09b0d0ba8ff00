//! Diagrams of guides: a board of characters as a figure, in shapes that take the page's colours.
//!
//! Not here: boards of running games, whose body has a schema of its own.

use std::fmt::Write;

/// Length of a square's side.
const SIDE: usize = 40;

/// A board with its caption. Each line is a row, topmost first: `.` empty, `1` and `2` pawns, `X` and `O` pieces, `o` a square
/// to step to, `@` a pawn of seat 2 that can be taken.
pub(super) fn draw(caption: &str, cells: &str) -> String {
    let rows: Vec<&str> = cells.lines().filter(|line| !line.trim().is_empty()).collect();
    let (height, width) = (rows.len(), rows.iter().map(|row| row.chars().count()).max().unwrap_or(0));
    let mut shapes = String::new();
    for (row, line) in rows.iter().enumerate() {
        for (col, cell) in line.chars().enumerate() {
            shapes.push_str(&square(row, col));
            shapes.push_str(&content(row, col, cell));
        }
    }
    let (caption, described) = (escape(caption), escape(&described(&rows)));
    format!(
        "<figure class=\"diagram\"><svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" \
         aria-label=\"{described}\">{shapes}</svg><figcaption>{caption}</figcaption></figure>\n",
        width * SIDE,
        height * SIDE,
        width * SIDE,
        height * SIDE,
    )
}

fn square(row: usize, col: usize) -> String {
    let shade = if (row + col).is_multiple_of(2) { "light" } else { "dark" };
    format!(
        "<rect class=\"square-{shade}\" x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{SIDE}\"/>",
        col * SIDE,
        row * SIDE
    )
}

fn content(row: usize, col: usize, cell: char) -> String {
    let (x, y) = (col * SIDE + SIDE / 2, row * SIDE + SIDE / 2);
    match cell {
        '1' => format!("<circle class=\"pawn-1\" cx=\"{x}\" cy=\"{y}\" r=\"13\"/>"),
        '2' => {
            format!("<rect class=\"pawn-2\" x=\"{}\" y=\"{}\" width=\"24\" height=\"24\" rx=\"5\"/>", x - 12, y - 12)
        }
        '@' => format!("{}<circle class=\"mark-take\" cx=\"{x}\" cy=\"{y}\" r=\"18\"/>", content(row, col, '2')),
        'o' => format!("<circle class=\"mark-step\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>"),
        'X' => format!("<path class=\"sign-x\" d=\"M{} {}l22 22m0 -22l-22 22\"/>", x - 11, y - 11),
        'O' => format!("<circle class=\"sign-o\" cx=\"{x}\" cy=\"{y}\" r=\"12\"/>"),
        _ => String::new(),
    }
}

/// The rows in words, for whoever does not see them.
fn described(rows: &[&str]) -> String {
    let mut text = String::from("Board, from the top row down:");
    for row in rows {
        let cells: Vec<&str> = row.chars().map(word).collect();
        let _ = write!(text, " {};", cells.join(", "));
    }
    text.trim_end_matches(';').to_owned()
}

fn word(cell: char) -> &'static str {
    match cell {
        '1' => "red pawn",
        '2' => "blue pawn",
        '@' => "blue pawn that can be taken",
        'o' => "open square",
        'X' => "X",
        'O' => "O",
        _ => "empty",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_has_a_square_for_each_character_and_says_what_it_shows() {
        let drawn = draw("Red \"steps\".", ".o@\n1..\n");
        assert_eq!(drawn.matches("class=\"square-").count(), 6);
        assert!(drawn.contains("empty, open square, blue pawn that can be taken; red pawn, empty, empty"), "{drawn}");
        assert!(drawn.contains("Red &quot;steps&quot;."), "{drawn}");
    }
}
