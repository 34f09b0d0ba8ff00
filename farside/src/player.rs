//! A bot that plays every pawn game in which it is to act: long poll, house engine, move.
//!
//! It keeps nothing between turns: after a restart the platform tells it again whose turn it is.

use std::time::Duration;

use farside_kit::ids::{SystemIds, random_bytes};
use farside_rules::domain::{
    engines::pawns::{Level, choose},
    pawns::{PawnBoard, PawnMove, Seat},
    seed::{Purpose, SetSeed},
};
use serde_json::{Value, json};
use tracing::debug;

use crate::client::{Client, ClientError, text};

/// Time until the next try after a fault.
const BACK_OFF: Duration = Duration::from_secs(1);

/// How strong the bots play: quick to decide, and worth watching.
const LEVEL: Level = Level::Normal;

/// Plays for ever, `pace` a move.
pub(crate) async fn play_all(me: Client, pace: Duration) {
    loop {
        if let Err(fault) = play_turns(&me, pace).await {
            debug!(error = %fault, "a bot could not play its turn");
            tokio::time::sleep(BACK_OFF).await;
        }
    }
}

/// Waits for turns and plays each of them once.
async fn play_turns(me: &Client, pace: Duration) -> Result<(), ClientError> {
    let answer = me.get("/v1/me/turns?wait=30").await?;
    let turns = answer["turns"].as_array().cloned().unwrap_or_default();
    if !turns.is_empty() {
        tokio::time::sleep(pace).await;
    }
    for turn in &turns {
        play_turn(me, turn).await?;
    }
    Ok(())
}

async fn play_turn(me: &Client, turn: &Value) -> Result<(), ClientError> {
    let seat = seat(turn).ok_or(ClientError::Missing("seat"))?;
    let board = board(&turn["state"]["body"]).ok_or(ClientError::Missing("body.cells"))?;
    let step = decide(&board, seat).ok_or(ClientError::Missing("legal_moves"))?;
    let body = json!({ "game": turn["game"], "ply": turn["ply"], "move": written(step) });
    let set_id = text(&turn["set_id"], "set_id")?;
    me.post(&format!("/v1/sets/{set_id}/moves"), body).await?;
    Ok(())
}

fn seat(turn: &Value) -> Option<Seat> {
    Seat::from_number(turn["seat"].as_u64()?.try_into().ok()?)
}

/// Reads the board that a state shows.
fn board(body: &Value) -> Option<PawnBoard> {
    let rows = body["cells"].as_array()?.iter().map(row).collect::<Option<Vec<_>>>()?;
    PawnBoard::from_rows(&rows).ok()
}

fn row(cells: &Value) -> Option<String> {
    cells
        .as_array()?
        .iter()
        .map(|cell| Some(if cell == 0 { '.' } else { char::from_digit(cell_seat(cell)?, 10)? }))
        .collect()
}

fn cell_seat(cell: &Value) -> Option<u32> {
    cell.as_u64()?.try_into().ok()
}

/// The engine's choice, with chance of its own: the set's seed is secret while it runs.
fn decide(board: &PawnBoard, seat: Seat) -> Option<PawnMove> {
    let chance = SetSeed(random_bytes(&SystemIds));
    choose(LEVEL, &mut chance.stream(Purpose::HouseStrength), board, seat, &|| false)
}

fn written(step: PawnMove) -> Value {
    let square = |square: farside_rules::domain::pawns::Square| json!([square.row, square.col]);
    json!({ "from": square(step.from), "to": square(step.to) })
}

#[cfg(test)]
mod tests {
    use farside_rules::domain::pawns::Seat;
    use serde_json::json;

    use super::{board, decide, written};

    #[test]
    fn the_engine_wins_on_the_board_that_a_state_shows() {
        let mut cells = vec![vec![0; 6]; 6];
        cells[4][2] = 1;
        cells[5][2] = 2;
        cells[1][5] = 2;
        let board = board(&json!({ "size": 6, "cells": cells })).unwrap();
        let step = written(decide(&board, Seat::One).unwrap());
        assert_eq!(step["from"], json!([4, 2]));
        assert_eq!(step["to"][0], 5, "it takes a win in one");
    }

    #[test]
    fn a_body_without_cells_shows_no_board() {
        assert!(board(&json!({ "round": 1 })).is_none());
    }
}
