//! Domain types to messages: what each viewer may see, and no more. Not here: decisions about it (`domain/view`).

use farside_proto::matches::v1 as proto;

use crate::domain::challenge::{Challenge, ChallengeStatus};
use crate::domain::clock::ClockSetting;
use crate::domain::event::{DecidedBy, Event, Logged, SetEnd, SetResult, SetStatus};
use crate::domain::game::{Game, GameStatus};
use crate::domain::ids::{ParticipantId, Side};
use crate::domain::offer::{ChallengeKind, Format, Stake};
use crate::domain::participant::{Participant, ParticipantKind};
use crate::domain::position::{GameResult, PlayedPly};
use crate::domain::set::{SetInfo, total_half_points};
use crate::domain::view::{GameView, Viewer, game_view};
use crate::engine::SetAnswer;
use crate::store::{SetSummary, SettlementMark};

pub(super) fn participant(who: &Participant) -> proto::Participant {
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
        max_stake_points: who.max_stake_points,
        accepts: who.accepts.as_ref().map(|accepts| proto::AcceptancePolicy {
            games: accepts.games.iter().map(|game| game.0.clone()).collect(),
            stake_max_points: accepts.stake_max_points,
            rated: accepts.rated,
            humans: accepts.humans,
        }),
    }
}

fn clock(setting: ClockSetting) -> proto::ClockSetting {
    use proto::clock_setting::Kind;
    let kind = match setting {
        ClockSetting::Fischer { initial_s, increment_s, .. } => {
            Kind::Fischer(proto::FischerClock { initial_s, increment_s })
        }
        ClockSetting::PerRound { per_round_s } => Kind::PerRound(proto::PerRoundClock { per_round_s }),
    };
    proto::ClockSetting { kind: Some(kind) }
}

fn stake(stake: &Stake) -> proto::Stake {
    proto::Stake { currency: stake.currency.clone(), amount_points: stake.amount_points }
}

fn kind(kind: ChallengeKind) -> proto::ChallengeKind {
    match kind {
        ChallengeKind::Open => proto::ChallengeKind::Open,
        ChallengeKind::Private => proto::ChallengeKind::Private,
        ChallengeKind::Practice => proto::ChallengeKind::Practice,
    }
}

pub(super) fn challenge(challenge: &Challenge) -> proto::Challenge {
    let offer = &challenge.offer;
    let status = match challenge.status {
        ChallengeStatus::Pending => proto::ChallengeStatus::Unspecified,
        ChallengeStatus::Open => proto::ChallengeStatus::Open,
        ChallengeStatus::Accepted => proto::ChallengeStatus::Accepted,
        ChallengeStatus::Declined => proto::ChallengeStatus::Declined,
        ChallengeStatus::Cancelled => proto::ChallengeStatus::Cancelled,
        ChallengeStatus::Expired => proto::ChallengeStatus::Expired,
    };
    let format = match offer.format {
        Format::Set => proto::Format::Set,
        Format::Single => proto::Format::Single,
    };
    proto::Challenge {
        id: challenge.id.0.clone(),
        kind: kind(offer.kind).into(),
        status: status.into(),
        game: offer.game.0.clone(),
        options_json: offer.options_json.clone(),
        clock: offer.clock.map(clock),
        stake: offer.stake.as_ref().map(stake),
        rated: offer.rated,
        format: format.into(),
        creator: Some(participant(&offer.creator)),
        opponent: challenge.acceptor.as_ref().or(offer.opponent.as_ref()).map(participant),
        seed_hash: offer.seed_hash.to_vec(),
        set_id: challenge.set_id.as_ref().map(|id| id.0.clone()).unwrap_or_default(),
        expires_at_ms: challenge.expires_at.0,
        created_at_ms: challenge.created_at.0,
        declined_reason: offer.declined_reason.clone(),
        unrated_reason: offer.unrated_reason.clone(),
    }
}

fn result(result: GameResult) -> proto::GameResult {
    proto::GameResult { winner_seat: result.winner.map_or(0, |seat| seat.number()), reason: result.reason }
}

fn ply(played: PlayedPly) -> proto::PlayedPly {
    let one = |played: crate::domain::position::PlayedMove| proto::PlayedMove {
        seat: played.seat.number(),
        move_json: played.move_json,
        notation: played.notation,
    };
    proto::PlayedPly { ply: played.ply.0, at_ms: played.at_ms, moves: played.moves.into_iter().map(one).collect() }
}

pub(super) fn game(view: GameView) -> proto::Game {
    let status = match view.status {
        GameStatus::Active => proto::GameStatus::Active,
        GameStatus::Finished => proto::GameStatus::Finished,
        GameStatus::Aborted => proto::GameStatus::Aborted,
        GameStatus::Paused => proto::GameStatus::Paused,
    };
    let clocks = view.remaining_ms.map(|[one, two]| {
        vec![proto::SeatClock { seat: 1, remaining_ms: one }, proto::SeatClock { seat: 2, remaining_ms: two }]
    });
    let [seat_1, seat_2] = view.seats;
    proto::Game {
        number: view.number,
        status: status.into(),
        seat_1: seat_1.0,
        seat_2: seat_2.0,
        ply: view.ply,
        to_move: view.to_move,
        body_json: view.body_json,
        legal_moves_json: view.legal_moves_json,
        clocks: clocks.unwrap_or_default(),
        deadline_ms: view.deadline_ms,
        last_move: view.last_move.map(ply),
        result: view.result.map(result),
        board_text: view.board_text,
        submitted: view.submitted,
    }
}

fn set_status(status: SetStatus) -> proto::SetStatus {
    match status {
        SetStatus::Active => proto::SetStatus::Active,
        SetStatus::Finished => proto::SetStatus::Finished,
        SetStatus::Aborted => proto::SetStatus::Aborted,
    }
}

fn set_result(result: SetResult) -> proto::SetResult {
    let winner = match result.winner {
        None => proto::Side::Unspecified,
        Some(Side::Creator) => proto::Side::Creator,
        Some(Side::Acceptor) => proto::Side::Acceptor,
    };
    let by = match result.by {
        DecidedBy::Points => proto::DecidedBy::Points,
        DecidedBy::Tiebreak => proto::DecidedBy::Tiebreak,
        DecidedBy::Draw => proto::DecidedBy::Draw,
    };
    proto::SetResult { winner: winner.into(), by: by.into() }
}

fn settlement(mark: SettlementMark) -> proto::Settlement {
    match mark {
        SettlementMark::None => proto::Settlement::None,
        SettlementMark::Pending => proto::Settlement::Pending,
        SettlementMark::Settled => proto::Settlement::Settled,
        SettlementMark::Split => proto::Settlement::Split,
        SettlementMark::Refunded => proto::Settlement::Refunded,
    }
}

/// What there is to say of a set besides its games; seeds only after its end.
struct Outline {
    status: SetStatus,
    end: Option<SetEnd>,
    half_points: [u32; 2],
    last_seq: i64,
    settlement: SettlementMark,
}

fn outlined(info: &SetInfo, outline: &Outline) -> proto::Set {
    let secrets = outline.end.map(|_| &info.secrets);
    let [creator_half_points, acceptor_half_points] = outline.half_points;
    proto::Set {
        id: info.id.0.clone(),
        game: info.game.0.clone(),
        status: set_status(outline.status).into(),
        rated: info.rated,
        unrated_reason: info.unrated_reason.clone(),
        stake: info.stakes.as_ref().map(|stakes| stake(&stakes.stake)),
        clock: info.clock.map(clock),
        options_json: info.options_json.clone(),
        creator: Some(participant(&info.creator)),
        acceptor: Some(participant(&info.acceptor)),
        creator_half_points,
        acceptor_half_points,
        result: outline.end.and_then(|end| end.result).map(set_result),
        settlement: settlement(outline.settlement).into(),
        seed_hash: info.seed_hash.to_vec(),
        server_seed: secrets.map(|secrets| secrets.server_seed.to_vec()).unwrap_or_default(),
        seed: secrets.map(|secrets| secrets.seed.to_vec()).unwrap_or_default(),
        creator_nonce: secrets.and_then(|secrets| secrets.creator_nonce.clone()),
        acceptor_nonce: secrets.and_then(|secrets| secrets.acceptor_nonce.clone()),
        games: Vec::new(),
        created_at_ms: info.created_at_ms,
        finished_at_ms: outline.end.map(|end| end.at_ms),
        last_seq: u64::try_from(outline.last_seq).unwrap_or(0),
        games_total: info.games_total,
        kind: kind(info.kind).into(),
    }
}

pub(super) fn set(answer: &SetAnswer) -> proto::Set {
    let set = &answer.set;
    let outline = Outline {
        status: set.status,
        end: set.end,
        half_points: total_half_points(&set.games),
        last_seq: set.seq.0,
        settlement: answer.settlement,
    };
    let view = |one: &Game| game(game_view(&set.info, one, viewer(&set.info, one, answer)));
    proto::Set { games: set.games.iter().map(view).collect(), ..outlined(&set.info, &outline) }
}

fn viewer(info: &SetInfo, game: &Game, answer: &SetAnswer) -> Viewer {
    let side = answer.viewer.as_ref().and_then(|id: &ParticipantId| info.side_of(id));
    Viewer { seat: side.map(|side| game.seat_of(side)), submitted: answer.submitted }
}

pub(super) fn summary(summary: &SetSummary) -> proto::Set {
    let framed = &summary.framed;
    let outline = Outline {
        status: framed.status(),
        end: framed.end(),
        half_points: framed.half_points(),
        last_seq: framed.seq().0,
        settlement: summary.settlement,
    };
    outlined(summary.info(), &outline)
}

pub(super) fn event(info: &SetInfo, logged: Logged) -> proto::SetEvent {
    use proto::set_event::Event as Shown;
    let seq = logged.seq.0;
    let seen = |one: &Game| Some(game(game_view(info, one, Viewer::SPECTATOR)));
    let shown = match logged.event {
        Event::GameStarted { game } => Shown::GameStarted(proto::GameStarted { game: seen(&game) }),
        Event::MovePlayed { game, round, .. } => {
            Shown::MovePlayed(proto::MovePlayed { played: game.last_move.clone().map(ply), game: seen(&game), round })
        }
        Event::GameFinished { game, half_points: [creator_half_points, acceptor_half_points] } => {
            Shown::GameFinished(proto::GameFinished { game: seen(&game), creator_half_points, acceptor_half_points })
        }
        Event::SetFinished { end } => Shown::SetFinished(proto::SetFinished { set: Some(ended(info, end, seq)) }),
        Event::ClockCredited { game, credit_ms } => {
            Shown::ClockCredited(proto::ClockCredited { game: seen(&game), credit_ms })
        }
        Event::PauseChanged { game, paused } => Shown::PauseChanged(proto::PauseChanged { paused, game: seen(&game) }),
    };
    proto::SetEvent {
        set_id: info.id.0.clone(),
        seq: u64::try_from(seq).unwrap_or(0),
        at_ms: logged.at.0,
        event: Some(shown),
    }
}

/// The set at its end: its stakes have not reached the ledger yet.
fn ended(info: &SetInfo, end: SetEnd, seq: i64) -> proto::Set {
    let outline = Outline {
        status: if end.result.is_some() { SetStatus::Finished } else { SetStatus::Aborted },
        end: Some(end),
        half_points: end.half_points,
        last_seq: seq,
        settlement: if info.stakes.is_some() { SettlementMark::Pending } else { SettlementMark::None },
    };
    outlined(info, &outline)
}
