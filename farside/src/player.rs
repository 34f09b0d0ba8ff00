//! A bot that plays every game in which it is to act: long poll, engine, move.
//!
//! It keeps nothing between turns: after a restart the platform tells it again whose turn it is.

use std::time::Duration;

use serde_json::{Value, json};
use tracing::debug;

use crate::{
    chooser,
    client::{Client, ClientError, text},
};

/// Time until the next try after a fault.
const BACK_OFF: Duration = Duration::from_secs(1);

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
    let (seat, ply) = (turn["seat"].as_u64(), turn["ply"].as_u64());
    let (seat, ply) = (seat.ok_or(ClientError::Missing("seat"))?, ply.ok_or(ClientError::Missing("ply"))?);
    let choice = chooser::choose(&turn["state"], seat, ply).ok_or(ClientError::Missing("legal_moves"))?;
    let body = json!({ "game": turn["game"], "ply": ply, "move": choice });
    let set_id = text(&turn["set_id"], "set_id")?;
    me.post(&format!("/v1/sets/{set_id}/moves"), body).await?;
    Ok(())
}
