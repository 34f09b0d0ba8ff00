//! The first page: what this is, what is being played now, and where to go on.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use farside_proto::matches::v1::{ListSetsRequest, Set, SetStatus};
use farside_proto::rating::v1::{LeaderboardRow, ListLeaderboardRequest};

use super::frame::{Frame, show};
use crate::api::json::contract::GameSummary;
use crate::app::{App, SharedApp};

/// Rows of each table.
const ROWS: u32 = 10;
/// The game whose leaderboard is shown.
const MAIN_GAME: &str = "breakthrough";

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    games: Vec<GameSummary>,
    running: Vec<SetRow>,
    recent: Vec<SetRow>,
    top: Vec<TopRow>,
    is_partial: bool,
}

struct SetRow {
    id: String,
    game: String,
    creator: String,
    acceptor: String,
    points: String,
    stake: String,
}

struct TopRow {
    rank: u32,
    name: String,
    owner: String,
    rating: String,
    sets: i64,
    net: i64,
}

/// The first page. What a service does not answer is left out, and the page says so.
pub(super) async fn home(State(app): State<SharedApp>, frame: Frame) -> Response {
    let (games, running, recent, top) =
        tokio::join!(app.games(), app.sets_with(SetStatus::Active), app.sets_with(SetStatus::Finished), app.top());
    let is_partial = games.is_err() || running.is_none() || recent.is_none() || top.is_none();
    let home = Home {
        frame,
        games: games.map(|games| games.iter().map(GameSummary::from).collect()).unwrap_or_default(),
        running: running.unwrap_or_default(),
        recent: recent.unwrap_or_default(),
        top: top.unwrap_or_default(),
        is_partial,
    };
    show(&home)
}

impl App {
    async fn sets_with(&self, status: SetStatus) -> Option<Vec<SetRow>> {
        let request = ListSetsRequest { status: status.into(), limit: ROWS, ..ListSetsRequest::default() };
        let answer = self.upstream.matches.list_sets(request).await.ok()?;
        Some(answer.sets.into_iter().map(SetRow::from).collect())
    }

    async fn top(&self) -> Option<Vec<TopRow>> {
        let request = ListLeaderboardRequest { game: MAIN_GAME.to_owned(), limit: ROWS, cursor: String::new() };
        let answer = self.upstream.rating.list_leaderboard(request).await.ok()?;
        Some(answer.rows.into_iter().map(TopRow::from).collect())
    }
}

fn half(points: u32) -> String {
    let whole = points / 2;
    match (whole, points % 2) {
        (0, 1) => "½".to_owned(),
        (_, 1) => format!("{whole}½"),
        _ => whole.to_string(),
    }
}

impl From<Set> for SetRow {
    fn from(set: Set) -> Self {
        let stake =
            set.stake.map_or_else(|| "–".to_owned(), |stake| format!("{} {}", stake.amount_points, stake.currency));
        Self {
            id: set.id,
            game: set.game,
            creator: set.creator.unwrap_or_default().name,
            acceptor: set.acceptor.unwrap_or_default().name,
            points: format!("{} – {}", half(set.creator_half_points), half(set.acceptor_half_points)),
            stake,
        }
    }
}

impl From<LeaderboardRow> for TopRow {
    fn from(row: LeaderboardRow) -> Self {
        let (participant, standing) = (row.participant.unwrap_or_default(), row.standing.unwrap_or_default());
        let mark = if standing.provisional { "?" } else { "" };
        Self {
            rank: row.rank,
            name: participant.name,
            owner: participant.owner_name,
            rating: format!("{:.0}{mark}", standing.rating),
            sets: standing.sets,
            net: standing.net_points,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_are_written_as_fractions() {
        assert_eq!([half(0), half(1), half(2), half(3)], ["0", "½", "1", "1½"]);
    }
}
