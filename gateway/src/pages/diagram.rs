//! Diagrams of guides: a board of characters as a figure that looks like any board.
//!
//! Not here: what a board looks like.

use askama::Template;

use super::board::{self, View};

#[derive(Template)]
#[template(path = "diagram.html")]
struct Figure<'a> {
    svg: String,
    caption: &'a str,
}

/// A board with its caption. Each line is a row, topmost first: `.` empty, `1` and `2` pawns, `X` and `O` pieces, `o` a square
/// to step to, `@` a pawn of seat 2 that can be taken.
pub(super) fn draw(caption: &str, cells: &str) -> String {
    let lines = cells.lines().map(str::trim).filter(|line| !line.is_empty());
    let rows: Vec<Vec<char>> = lines.rev().map(|line| line.chars().collect()).collect();
    let pieces: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| piece(*cell)).collect()).collect();
    let (steps, captures) = (marked(&rows, 'o'), marked(&rows, '@'));
    let (steps, captures) = (texts(&steps), texts(&captures));
    let svg = board::sketch(&pieces, &View { steps: &steps, captures: &captures, ..View::default() });
    Figure { svg, caption }.render().unwrap_or_default()
}

fn piece(cell: char) -> String {
    match cell {
        '1' | '2' | 'X' | 'O' => cell.to_string(),
        '@' => "2".to_owned(),
        _ => String::new(),
    }
}

fn marked(rows: &[Vec<char>], mark: char) -> Vec<String> {
    let of_row = |(row, cells): (usize, &Vec<char>)| {
        let marked = cells.iter().enumerate().filter(|(_, cell)| **cell == mark);
        marked.map(|(col, _)| board::square(row, col)).collect::<Vec<_>>()
    };
    rows.iter().enumerate().flat_map(of_row).collect()
}

fn texts(squares: &[String]) -> Vec<&str> {
    squares.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_is_a_board_with_what_its_characters_say() {
        let drawn = draw("Red \"steps\" <b>.", ".o@\n1..\n...\n");
        assert!(drawn.contains("Board of 3 by 3. Red: a2. Blue: c3. Can step to: b3. Can be captured: c3."), "{drawn}");
        assert!(drawn.contains("data-size=\"3\"") && drawn.contains("board-pawns"), "{drawn}");
        assert!(drawn.contains("Red ") && !drawn.contains("<b>"), "{drawn}");
    }
}
