//! rating-svc: telling it of finished sets. It records each once, however often it is told.

use farside_kit::fault::Remote;
use farside_kit::grpc::client::Traced;
use farside_proto::rating::v1 as proto;
use proto::rating_service_client::RatingServiceClient;

use crate::domain::event::{SetEnd, SetResult};
use crate::domain::fault::MatchFault;
use crate::domain::ids::Side;
use crate::domain::participant::{Participant, ParticipantKind};
use crate::domain::set::Set;

/// A client of rating-svc.
#[derive(Clone, Debug)]
pub struct Rating {
    client: RatingServiceClient<Traced>,
}

/// A finished set as ratings and tables see it.
#[derive(Clone, Copy, Debug)]
pub struct RatedSet<'a> {
    /// The set.
    pub set: &'a Set,
    /// How it ended.
    pub end: SetEnd,
    /// Its result.
    pub result: SetResult,
}

impl Rating {
    /// A client on this channel.
    #[must_use]
    pub fn new(channel: Traced) -> Self {
        Self { client: RatingServiceClient::new(channel) }
    }

    /// Tells of a finished set.
    ///
    /// # Errors
    ///
    /// Those of rating-svc.
    pub async fn record(&self, request_id: &str, rated: RatedSet<'_>) -> Result<(), MatchFault> {
        self.client.clone().record_set(request(request_id, rated)).await.map_err(Remote::from)?;
        Ok(())
    }
}

fn request(request_id: &str, rated: RatedSet<'_>) -> proto::RecordSetRequest {
    let info = &rated.set.info;
    let stakes = info.stakes.as_ref().filter(|_| rated.result.winner.is_some());
    let outcome = match rated.result.winner {
        Some(Side::Creator) => proto::SetOutcome::CreatorWon,
        Some(Side::Acceptor) => proto::SetOutcome::AcceptorWon,
        None => proto::SetOutcome::Drawn,
    };
    proto::RecordSetRequest {
        request_id: request_id.to_owned(),
        set_id: info.id.0.clone(),
        game: info.game.0.clone(),
        rated: info.rated,
        creator: Some(participant(&info.creator)),
        acceptor: Some(participant(&info.acceptor)),
        outcome: outcome.into(),
        lost_points: stakes.map_or(0, |stakes| stakes.stake.amount_points),
        won_points: stakes.map_or(0, |stakes| stakes.winnings_points),
        finished_at_ms: rated.end.at_ms,
        practice: practice(rated.set),
    }
}

fn participant(who: &Participant) -> proto::Participant {
    let kind = match who.kind {
        ParticipantKind::Bot => proto::ParticipantKind::Bot,
        ParticipantKind::Human => proto::ParticipantKind::Human,
        ParticipantKind::House => proto::ParticipantKind::House,
    };
    proto::Participant {
        id: who.id.0.clone(),
        name: who.name.clone(),
        kind: kind.into(),
        owner_id: who.owner_id.0.clone(),
        owner_name: who.owner_name.clone(),
    }
}

/// Present when a person played a house bot.
fn practice(set: &Set) -> Option<proto::Practice> {
    let info = &set.info;
    let (side, level) = Side::BOTH.into_iter().find_map(|side| {
        let is_person = info.participant(side).kind == ParticipantKind::Human;
        info.participant(side.other()).house_level().filter(|_| is_person).map(|level| (side, level))
    })?;
    let games = set.games.iter().filter_map(|game| {
        let winner = game.result.as_ref()?.winner?;
        Some(proto::PracticeGame { number: game.number.0, won: game.side_of(winner) == side })
    });
    Some(proto::Practice {
        player_id: info.participant(side).id.0.clone(),
        board: board(&info.options_json),
        level: level.to_owned(),
        games: games.collect(),
    })
}

/// The board of these options, for example `6x6`; one word for games without a size.
fn board(options_json: &str) -> String {
    let options: serde_json::Value = serde_json::from_str(options_json).unwrap_or_default();
    options
        .get("size")
        .and_then(serde_json::Value::as_u64)
        .map_or_else(|| "standard".to_owned(), |size| format!("{size}x{size}"))
}
