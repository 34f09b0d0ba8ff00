//! From the domain to the contract's messages.

use farside_kit::time::UnixMs;
use farside_proto::rating::v1 as pb;

use crate::domain::board::Row;
use crate::domain::glicko::Rating;
use crate::domain::ids::{GameId, ParticipantKind};
use crate::domain::set::Participant;
use crate::domain::standing::Standing;
use crate::engine::{BoardPage, HistoryPage};
use crate::store::{HistoryPoint, PracticeStatistics, Rebuilt, Recorded};

/// The answer to a recorded set: as of the set's end, so that a replay gives the same.
pub(super) fn recorded(game: &GameId, recorded: &Recorded) -> pb::RecordSetResponse {
    let convert = |it: &Standing| standing(game.as_str(), it, it.rated.rating);
    let (creator, acceptor) =
        recorded.standings.as_ref().map(|(creator, acceptor)| (convert(creator), convert(acceptor))).unzip();
    pb::RecordSetResponse { creator, acceptor }
}

/// Standings as of now.
pub(super) fn standings(standings: &[(GameId, Standing)], now: UnixMs) -> pb::GetStandingsResponse {
    let convert = |(game, it): &(GameId, Standing)| standing(game.as_str(), it, it.rated.as_of(now));
    pb::GetStandingsResponse { standings: standings.iter().map(convert).collect() }
}

fn standing(game: &str, standing: &Standing, rating: Rating) -> pb::Standing {
    let tally = standing.tally;
    pb::Standing {
        game: game.to_owned(),
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
        provisional: rating.is_provisional(),
        sets: tally.sets(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        won_points: tally.won_points,
        net_points: tally.net_points(),
        last_set_at_ms: standing.rated.at.map_or(0, |at| at.0),
    }
}

/// A page of a leaderboard, deviations as of now.
pub(super) fn leaderboard(game: &str, page: BoardPage, now: UnixMs) -> pb::ListLeaderboardResponse {
    let convert = |Row { rank, entry }: Row| {
        let standing = standing(game, &entry.standing, entry.standing.rated.as_of(now));
        pb::LeaderboardRow { rank, participant: Some(participant(entry.participant)), standing: Some(standing) }
    };
    pb::ListLeaderboardResponse {
        rows: page.page.rows.into_iter().map(convert).collect(),
        next_cursor: page.next_cursor,
    }
}

fn participant(participant: Participant) -> pb::Participant {
    let kind = match ParticipantKind::of(&participant.id) {
        Some(ParticipantKind::Bot) => pb::ParticipantKind::Bot,
        Some(ParticipantKind::Human) => pb::ParticipantKind::Human,
        Some(ParticipantKind::House) => pb::ParticipantKind::House,
        None => pb::ParticipantKind::Unspecified,
    };
    pb::Participant {
        id: participant.id.to_string(),
        name: participant.name,
        kind: kind.into(),
        owner_id: participant.owner_id,
        owner_name: participant.owner_name,
    }
}

/// A page of a history.
pub(super) fn history(page: HistoryPage) -> pb::ListHistoryResponse {
    let convert = |HistoryPoint { order, rating }: HistoryPoint| pb::HistoryPoint {
        set_id: order.set.to_string(),
        rating: rating.rating,
        deviation: rating.deviation,
        at_ms: order.finished_at.0,
    };
    pb::ListHistoryResponse { points: page.points.into_iter().map(convert).collect(), next_cursor: page.next_cursor }
}

/// Practice statistics.
pub(super) fn practice(statistics: Vec<PracticeStatistics>) -> pb::GetPracticeResponse {
    let convert = |it: PracticeStatistics| pb::PracticeStatistics {
        game: it.game.to_string(),
        board: it.board,
        level: it.level,
        wins: it.tally.wins,
        losses: it.tally.losses,
        current_streak: it.tally.current_streak,
        best_streak: it.tally.best_streak,
    };
    pb::GetPracticeResponse { statistics: statistics.into_iter().map(convert).collect() }
}

/// What a rebuild found. Wrong points of histories count too.
pub(super) fn rebuilt(rebuilt: Rebuilt) -> pb::RebuildResponse {
    let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    pb::RebuildResponse {
        sets: count(rebuilt.sets),
        corrected: count(rebuilt.corrected.saturating_add(rebuilt.corrected_points)),
    }
}
