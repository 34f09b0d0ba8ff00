//! Boards as SVG: any game's public body becomes a picture with coordinates and a text alternative, as large as a page
//! wants it, as a miniature, or as a diagram with dots and rings.
//!
//! A board that is played on (`live`) has every square as a group of its own, which scripts only ever set attributes of;
//! so this is the one place that knows what a board looks like. Not here: legal moves, and whose turn it is.

use std::fmt::Write as _;

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

/// Side of a square in the picture's own unit.
const SQUARE: usize = 48;
/// Room for coordinates at the left and below.
const MARGIN: usize = 22;
/// Room above and at the right.
const PAD: usize = 3;

/// How a board is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View<'a> {
    /// Seat 2's side is at the bottom.
    pub turned: bool,
    /// Every square can be acted on by scripts.
    pub live: bool,
    /// Small and without coordinates.
    pub mini: bool,
    /// What was played last, as the API's `last_move` has it in `move`, and the ply before it.
    pub last: Option<(&'a Value, u32)>,
    /// Squares with a dot: a pawn can step there.
    pub steps: &'a [&'a str],
    /// Squares with a ring: a pawn there can be captured.
    pub captures: &'a [&'a str],
}

/// One drawn board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The seat whose board this is, where each has its own.
    pub seat: Option<u32>,
    /// A done board in words; empty while it is played on.
    pub note: String,
    /// The picture, safe to put into a page.
    pub svg: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Body {
    Pawns { size: usize, cells: Vec<Vec<u8>> },
    Makers { boards: Makers },
}

#[derive(Deserialize)]
struct Makers {
    #[serde(rename = "1")]
    one: MakerBoard,
    #[serde(rename = "2")]
    two: MakerBoard,
}

#[derive(Deserialize)]
struct MakerBoard {
    cells: Vec<Vec<Option<String>>>,
    status: String,
    rounds: Option<u32>,
}

#[derive(Template)]
#[template(path = "board.svg")]
struct Picture {
    kind: &'static str,
    seat: Option<u32>,
    mini: bool,
    live: bool,
    turned: bool,
    label: String,
    size: usize,
    extent: usize,
    inner: usize,
    corner: (usize, usize),
    shade: String,
    files: Vec<Coordinate>,
    ranks: Vec<Coordinate>,
    rows: Vec<Vec<Cell>>,
}

struct Coordinate {
    text: String,
    at: usize,
}

struct Cell {
    square: String,
    piece: String,
    x: usize,
    y: usize,
    is_last: bool,
    can_step: bool,
    can_capture: bool,
}

impl Cell {
    fn is_bare(&self) -> bool {
        self.piece.is_empty() && !self.is_last && !self.can_step && !self.can_capture
    }
}

/// A position that no game stands at: rows of pieces from the bottom up, `1` and `2` for pawns, else `X` and `O`.
pub(crate) fn sketch(pieces: &[Vec<String>], view: &View<'_>) -> String {
    let has_marks = pieces.iter().flatten().any(|piece| matches!(piece.as_str(), "X" | "O"));
    let kind = if has_marks { "marks" } else { "pawns" };
    let mut label = if has_marks { describe_marks(pieces) } else { describe_pawns(pieces.len(), pieces) };
    for (what, squares) in [("Can step to", view.steps), ("Can be captured", view.captures)] {
        if !squares.is_empty() {
            let _ = write!(label, " {what}: {}.", squares.join(" "));
        }
    }
    picture(kind, None, pieces, &[], label, view)
}

/// Draws the boards of a body: one for pawn games, one for each maker otherwise; none when the body is no board.
pub(crate) fn draw(body: &Value, view: &View<'_>) -> Vec<Drawn> {
    match Body::deserialize(body) {
        Ok(Body::Pawns { size, cells }) => {
            let pieces: Vec<Vec<String>> = cells.iter().map(|row| row.iter().map(pawn).collect()).collect();
            let last = view.last.map(|(played, _)| squares(played)).unwrap_or_default();
            let label = describe_pawns(size, &pieces);
            vec![Drawn { seat: None, note: String::new(), svg: picture("pawns", None, &pieces, &last, label, view) }]
        }
        Ok(Body::Makers { boards }) => {
            vec![maker(1, &boards.one, view), maker(2, &boards.two, view)]
        }
        Err(_) => Vec::new(),
    }
}

fn pawn(cell: &u8) -> String {
    if *cell == 0 { String::new() } else { cell.to_string() }
}

fn maker(seat: u32, board: &MakerBoard, view: &View<'_>) -> Drawn {
    let piece = |cell: &Option<String>| cell.clone().unwrap_or_default();
    let pieces: Vec<Vec<String>> = board.cells.iter().map(|row| row.iter().map(piece).collect()).collect();
    let last = view.last.map(|(played, ply)| placed_on(seat, played, ply)).unwrap_or_default();
    let label = format!("Board {seat}. {}", describe_marks(&pieces));
    // Nobody marches on these boards, so they are never turned.
    let view = View { turned: false, ..*view };
    Drawn { seat: Some(seat), note: note(board), svg: picture("marks", Some(seat), &pieces, &last, label, &view) }
}

fn note(board: &MakerBoard) -> String {
    match (board.status.as_str(), board.rounds) {
        ("made", Some(round)) => format!("Made in round {round}"),
        ("held", _) => "Full without a line: held".to_owned(),
        _ => String::new(),
    }
}

fn picture(
    kind: &'static str,
    seat: Option<u32>,
    pieces: &[Vec<String>],
    last: &[String],
    label: String,
    view: &View<'_>,
) -> String {
    let size = pieces.len();
    let corner = if view.mini { (0, 0) } else { (MARGIN, PAD) };
    let place = |row: usize, col: usize| place(row, col, size, corner, view.turned);
    let cell = |row: usize, col: usize, piece: &String| {
        let (square, (x, y)) = (square(row, col), place(row, col));
        Cell {
            piece: piece.clone(),
            x,
            y,
            is_last: last.contains(&square),
            can_step: view.steps.contains(&square.as_str()),
            can_capture: view.captures.contains(&square.as_str()),
            square,
        }
    };
    let row = |row: usize| pieces[row].iter().enumerate().map(|(col, piece)| cell(row, col, piece)).collect();
    let rows = (0..size).rev().map(row).collect();
    let centre = |at: usize| at + SQUARE / 2;
    Picture {
        kind,
        seat,
        mini: view.mini,
        live: view.live,
        turned: view.turned,
        label,
        size,
        extent: size * SQUARE + corner.0 + corner.1,
        inner: size * SQUARE,
        corner,
        shade: shade(kind, size, corner),
        files: (0..size).map(|col| Coordinate { text: file(col), at: centre(place(0, col).0) }).collect(),
        ranks: (0..size).map(|row| Coordinate { text: (row + 1).to_string(), at: centre(place(row, 0).1) }).collect(),
        rows,
    }
    .render()
    .unwrap_or_default()
}

/// Where a square is drawn: row 0 at the bottom, unless the board is turned.
fn place(row: usize, col: usize, size: usize, (left, top): (usize, usize), turned: bool) -> (usize, usize) {
    let (across, down) = if turned { (size - 1 - col, row) } else { (col, size - 1 - row) };
    (left + across * SQUARE, top + down * SQUARE)
}

/// The dark squares of a pawn board, which look the same from both sides, or the lines between the squares of another.
fn shade(kind: &str, size: usize, (left, top): (usize, usize)) -> String {
    let mut path = String::new();
    let length = size * SQUARE;
    for step in 0..size {
        if kind == "pawns" {
            for col in (0..size).filter(|col| (step + col).is_multiple_of(2)) {
                let (x, y) = (left + col * SQUARE, top + (size - 1 - step) * SQUARE);
                let _ = write!(path, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
            }
        } else if step > 0 {
            let (across, down) = (left + step * SQUARE, top + step * SQUARE);
            let _ = write!(path, "M{left} {down}h{length}M{across} {top}v{length}");
        }
    }
    path
}

fn file(col: usize) -> String {
    u8::try_from(col).ok().filter(|col| *col < 26).map_or_else(String::new, |col| char::from(b'a' + col).to_string())
}

/// A square's name, for example `c2`.
pub(crate) fn square(row: usize, col: usize) -> String {
    format!("{}{}", file(col), row + 1)
}

/// The squares that a move of the API names.
fn squares(played: &Value) -> Vec<String> {
    ["from", "to", "at"].iter().filter_map(|end| named(&played[*end])).collect()
}

fn named(at: &Value) -> Option<String> {
    let index = |place: usize| at.get(place)?.as_u64()?.try_into().ok();
    Some(square(index(0)?, index(1)?))
}

/// Where the pieces of a round came down on the board of `maker`: in odd rounds each seat places on its own board.
fn placed_on(maker: u32, played: &Value, ply: u32) -> Vec<String> {
    let placer = if ply.is_multiple_of(2) { maker } else { 3 - maker };
    let of_seat = played.get(placer.to_string()).or_else(|| played.get("at").map(|_| played));
    of_seat.map(squares).unwrap_or_default()
}

fn describe_pawns(size: usize, pieces: &[Vec<String>]) -> String {
    format!("Board of {size} by {size}. Red: {}. Blue: {}.", places(pieces, "1"), places(pieces, "2"))
}

fn describe_marks(pieces: &[Vec<String>]) -> String {
    format!("X: {}. O: {}.", places(pieces, "X"), places(pieces, "O"))
}

fn places(pieces: &[Vec<String>], piece: &str) -> String {
    let mut found = Vec::new();
    for (row, cells) in pieces.iter().enumerate() {
        found.extend((0..cells.len()).filter(|&col| cells[col] == piece).map(|col| square(row, col)));
    }
    if found.is_empty() { "none".to_owned() } else { found.join(" ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pawns() -> Value {
        let mut cells = vec![vec![0; 6]; 6];
        (cells[1][2], cells[4][3]) = (1, 2);
        json!({"size": 6, "cells": cells, "captured": {"1": 0, "2": 0}})
    }

    fn makers() -> Value {
        let empty = vec![vec![Value::Null; 6]; 6];
        let mut crossed = empty.clone();
        crossed[0][1] = json!("X");
        json!({"round": 2, "boards": {
            "1": {"cells": crossed, "status": "made", "rounds": 9}, "2": {"cells": empty, "status": "open", "rounds": null}}})
    }

    #[test]
    fn a_board_says_in_words_where_the_pieces_are() {
        let [drawn] = draw(&pawns(), &View::default()).try_into().unwrap();
        assert!(drawn.svg.contains(r#"aria-label="Board of 6 by 6. Red: c2. Blue: d5.""#), "{}", drawn.svg);
        assert!(drawn.svg.contains(r#"data-square="c2""#) && drawn.svg.contains(">f</text>"), "{}", drawn.svg);
    }

    #[test]
    fn a_turned_board_has_seat_two_at_the_bottom() {
        assert_eq!(place(0, 0, 6, (0, 0), false), (0, 240));
        assert_eq!(place(0, 0, 6, (0, 0), true), (240, 0));
        let [drawn] = draw(&pawns(), &View { turned: true, ..View::default() }).try_into().unwrap();
        assert!(drawn.svg.contains("data-turned"), "{}", drawn.svg);
    }

    #[test]
    fn only_a_live_board_has_its_empty_squares() {
        let count = |live| draw(&pawns(), &View { live, ..View::default() })[0].svg.matches("data-square").count();
        assert_eq!((count(false), count(true)), (2, 36));
    }

    #[test]
    fn a_sketch_has_dots_and_rings_and_says_where() {
        let pieces = [["1", ""], ["2", ""]].map(|row| row.map(str::to_owned).to_vec());
        let svg = sketch(&pieces, &View { steps: &["b2"], captures: &["a2"], ..View::default() });
        assert!(svg.contains("can-step") && svg.contains("can-capture"), "{svg}");
        assert!(svg.contains("Red: a1. Blue: a2. Can step to: b2. Can be captured: a2."), "{svg}");
        let marks = sketch(&[vec!["X".to_owned()]], &View::default());
        assert!(marks.contains("board-marks") && marks.contains("X: a1. O: none."), "{marks}");
    }

    #[test]
    fn the_last_round_is_marked_on_the_board_that_it_was_played_on() {
        let round = json!({"1": {"at": [0, 1], "piece": "X"}, "2": {"at": [3, 3], "piece": "O"}});
        assert_eq!((placed_on(1, &round, 0), placed_on(1, &round, 1)), (vec!["b1".to_owned()], vec!["d4".to_owned()]));
        let boards = draw(&makers(), &View { last: Some((&round, 0)), ..View::default() });
        assert_eq!(boards.iter().map(|board| board.svg.matches("is-last").count()).collect::<Vec<_>>(), [1, 1]);
        assert_eq!((boards[0].note.as_str(), boards[1].seat), ("Made in round 9", Some(2)));
    }

    #[test]
    fn what_is_no_board_is_not_drawn() {
        assert_eq!(draw(&json!({"text": "x"}), &View::default()), []);
    }
}
