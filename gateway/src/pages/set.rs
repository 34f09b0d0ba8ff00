//! The page of a set: the game that is played, or any position of one that was; points, stakes, seeds, the record.
//!
//! Not here: playing practice by hand, which has a page of its own.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::frame::{Frame, show};
use super::table::{Place, Table};
use super::words;
use crate::api::extract::{Path, Query, Viewer};
use crate::api::json::challenge::ChallengeKind;
use crate::api::json::scalar::HalfPoints;
use crate::api::json::set::{DecidedBy, SetStatus, Side};
use crate::app::SharedApp;
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "set.html")]
struct SetPage {
    frame: Frame,
    table: Table,
    game_name: String,
}

/// Which position to show.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct SetQuery {
    game: Option<u32>,
    ply: Option<u32>,
}

/// The page of a set.
pub(super) async fn set(
    State(app): State<SharedApp>,
    frame: Frame,
    viewer: Viewer,
    Path(set_id): Path<String>,
    Query(query): Query<SetQuery>,
) -> Result<Response, Problem> {
    let table = app.table(set_id, viewer.id(), Place { game: query.game, ply: query.ply }).await?;
    let game_name = app.game_names().await.of(&table.set.game);
    Ok(show(&SetPage { frame, table, game_name }))
}

impl SetPage {
    fn points(&self) -> String {
        let HalfPoints(creator) = self.table.set.points.creator;
        let HalfPoints(acceptor) = self.table.set.points.acceptor;
        format!("{} : {}", words::half(creator), words::half(acceptor))
    }

    /// The set's result as a sentence, when there is one.
    fn result(&self) -> Option<String> {
        let set = &self.table.set;
        if set.status == SetStatus::Aborted {
            return Some("The set was ended without a result.".to_owned());
        }
        let result = set.result?;
        let winner = match result.winner {
            None => return Some("The set is drawn.".to_owned()),
            Some(Side::Creator) => &set.creator.name,
            Some(Side::Acceptor) => &set.acceptor.name,
        };
        Some(match result.by {
            DecidedBy::Tiebreak => format!("{winner} wins the set on the tiebreak: level points, fewer moves."),
            DecidedBy::Points | DecidedBy::Draw => format!("{winner} wins the set."),
        })
    }

    /// Whether the viewer may let the game wait: untimed practice.
    fn can_pause(&self) -> bool {
        self.table.set.kind == ChallengeKind::Practice && self.table.set.clock.is_none()
    }

    fn stake(&self) -> String {
        words::stake(self.table.set.stake.as_ref())
    }

    fn settlement(&self) -> &'static str {
        words::settlement(self.table.set.settlement)
    }

    fn clock(&self) -> String {
        words::clock(self.table.set.clock)
    }

    fn rated(&self) -> String {
        match &self.table.set.unrated_reason {
            Some(reason) => format!("no: {}", words::unrated(reason)),
            None => "yes".to_owned(),
        }
    }

    fn kind(&self) -> &'static str {
        match self.table.set.kind {
            ChallengeKind::Open => "open challenge",
            ChallengeKind::Private => "private challenge",
            ChallengeKind::Practice => "practice",
        }
    }

    fn started(&self) -> String {
        words::moment(self.table.set.created_at)
    }

    fn ended(&self) -> Option<String> {
        self.table.set.finished_at.map(words::moment)
    }

    /// Options other than the defaults matter to who looks, so all of them are named.
    fn options(&self) -> String {
        let options: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(self.table.set.options.get()).unwrap_or_default();
        let option = |(name, value): (&String, &serde_json::Value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{} {text}", name.replace('_', " "))
        };
        options.iter().map(option).collect::<Vec<_>>().join(", ")
    }

    fn creator_nonce(&self) -> Option<&str> {
        self.table.set.nonces.as_ref()?.creator.as_deref()
    }

    fn acceptor_nonce(&self) -> Option<&str> {
        self.table.set.nonces.as_ref()?.acceptor.as_deref()
    }
}
