//! rules-svc: games, moves, house bots and records.

use std::time::Duration;

use farside_kit::fault::Remote;
use farside_kit::grpc::client::{RetryPolicy, Traced, retry};
use farside_proto::rules::v1 as proto;
use proto::rules_service_client::RulesServiceClient;

use crate::domain::fault::MatchFault;
use crate::domain::game::Step;
use crate::domain::ids::{GameId, GameNumber, Ply, Seat};
use crate::domain::offer::{ClockRanges, GameFacts, Range};
use crate::domain::position::{GameResult, PlayedMove, Position};

const PATIENCE: RetryPolicy = RetryPolicy {
    first_pause: Duration::from_millis(10),
    last_pause: Duration::from_millis(200),
    deadline: Duration::from_secs(2),
};

/// A client of rules-svc.
#[derive(Clone, Debug)]
pub struct Rules {
    client: RulesServiceClient<Traced>,
}

/// What a game begins from.
#[derive(Clone, Debug)]
pub struct Start<'a> {
    /// The game.
    pub game: &'a GameId,
    /// Complete options.
    pub options_json: &'a str,
    /// The set's seed.
    pub seed: [u8; 32],
    /// Which game of the set.
    pub number: GameNumber,
    /// Where the challenge's creator sits.
    pub creator_seat: Seat,
}

/// A legal move.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Canonical JSON.
    pub move_json: String,
    /// The game's notation.
    pub notation: String,
}

impl Rules {
    /// A client on this channel.
    #[must_use]
    pub fn new(channel: Traced) -> Self {
        Self { client: RulesServiceClient::new(channel) }
    }

    /// What the lobby needs to know of a game.
    ///
    /// # Errors
    ///
    /// No such game.
    pub async fn game(&self, game: &GameId) -> Result<GameFacts, MatchFault> {
        let request = proto::GetGameRequest { game: game.0.clone() };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.get_game(request).await }
        });
        answer.await?.contract.and_then(game_facts).ok_or_else(|| garbled("a contract"))
    }

    /// Whether rules-svc answers.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<(), MatchFault> {
        let request = proto::DeriveSetSeedRequest { server_seed: vec![0; 32], ..Default::default() };
        self.client.clone().derive_set_seed(request).await.map_err(Remote::from)?;
        Ok(())
    }

    /// Checks options and fills in the defaults.
    ///
    /// # Errors
    ///
    /// Those of the options.
    pub async fn resolve_options(&self, game: &GameId, options_json: &str) -> Result<String, MatchFault> {
        let request = proto::ResolveOptionsRequest { game: game.0.clone(), options_json: options_json.to_owned() };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.resolve_options(request).await }
        });
        Ok(answer.await?.options_json)
    }

    /// Derives a set's seed.
    ///
    /// # Errors
    ///
    /// Those of the nonces.
    pub async fn set_seed(
        &self,
        server_seed: [u8; 32],
        creator_nonce: Option<&str>,
        acceptor_nonce: Option<&str>,
    ) -> Result<[u8; 32], MatchFault> {
        let request = proto::DeriveSetSeedRequest {
            server_seed: server_seed.to_vec(),
            creator_nonce: creator_nonce.unwrap_or_default().to_owned(),
            acceptor_nonce: acceptor_nonce.unwrap_or_default().to_owned(),
        };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.derive_set_seed(request).await }
        });
        <[u8; 32]>::try_from(answer.await?.seed.as_slice()).map_err(|_| garbled("a seed of another length"))
    }

    /// The first position of a game.
    ///
    /// # Errors
    ///
    /// Those of rules-svc.
    pub async fn new_game(&self, start: Start<'_>) -> Result<Position, MatchFault> {
        let request = proto::NewGameRequest {
            start: Some(proto::GameStart {
                game: start.game.0.clone(),
                options_json: start.options_json.to_owned(),
                seed: start.seed.to_vec(),
                game_number: start.number.0,
                creator_seat: start.creator_seat.number(),
            }),
        };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.new_game(request).await }
        });
        answer.await?.position.and_then(position).ok_or_else(|| garbled("a position"))
    }

    /// Checks one seat's move without playing it.
    ///
    /// # Errors
    ///
    /// Malformed, over, not the seat's turn, illegal.
    pub async fn check_move(
        &self,
        game: &GameId,
        state: &[u8],
        seat: Seat,
        move_json: &str,
    ) -> Result<Checked, MatchFault> {
        let request = proto::CheckMoveRequest {
            game: game.0.clone(),
            state: state.to_vec(),
            r#move: Some(seat_move(seat, move_json)),
        };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.check_move(request).await }
        });
        let answer = answer.await?;
        Ok(Checked { move_json: answer.move_json, notation: answer.notation })
    }

    /// Plays one ply.
    ///
    /// # Errors
    ///
    /// As [`Rules::check_move`].
    pub async fn apply(&self, game: &GameId, state: &[u8], moves: &[(Seat, &str, i64)]) -> Result<Step, MatchFault> {
        let request = proto::ApplyRequest {
            game: game.0.clone(),
            state: state.to_vec(),
            moves: moves.iter().map(|(seat, move_json, _)| seat_move(*seat, move_json)).collect(),
        };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.apply(request).await }
        });
        let answer = answer.await?;
        let received = |seat: Seat| moves.iter().find(|played| played.0 == seat).map_or(0, |played| played.2);
        let played = answer.played.into_iter().map(|played| {
            let seat = Seat::from_number(played.seat)?;
            let (move_json, notation) = (played.move_json, played.notation);
            Some(PlayedMove { seat, move_json, notation, received_ms: received(seat) })
        });
        let step = played.collect::<Option<Vec<_>>>().zip(answer.position.and_then(position));
        let (played, position) = step.ok_or_else(|| garbled("a step"))?;
        Ok(Step { played, position: position.into() })
    }

    /// Describes a state.
    ///
    /// # Errors
    ///
    /// Those of rules-svc.
    pub async fn describe(&self, game: &GameId, state: &[u8]) -> Result<Position, MatchFault> {
        let request = proto::DescribeRequest { game: game.0.clone(), state: state.to_vec() };
        let answer = retry(PATIENCE, || {
            let (mut client, request) = (self.client.clone(), request.clone());
            async move { client.describe(request).await }
        });
        answer.await?.position.and_then(position).ok_or_else(|| garbled("a position"))
    }

    /// Chooses a house bot's move.
    ///
    /// # Errors
    ///
    /// Those of rules-svc; busy when too many searches run.
    pub async fn choose_move(
        &self,
        start: Start<'_>,
        state: &[u8],
        seat: Seat,
        level: &str,
    ) -> Result<String, MatchFault> {
        let request = proto::ChooseMoveRequest {
            game: start.game.0.clone(),
            state: state.to_vec(),
            seat: seat.number(),
            level: level.to_owned(),
            seed: start.seed.to_vec(),
            game_number: start.number.0,
        };
        let mut request = tonic::Request::new(request);
        request.set_timeout(Duration::from_secs(20));
        let answer = self.client.clone().choose_move(request).await.map_err(Remote::from)?;
        Ok(answer.into_inner().move_json)
    }

    /// Seals a record: its canonical text without signature, and the head of its chain.
    ///
    /// # Errors
    ///
    /// Those of the facts.
    pub async fn seal(&self, facts_json: String) -> Result<(String, Vec<u8>), MatchFault> {
        let answer = retry(PATIENCE, || {
            let (mut client, request) =
                (self.client.clone(), proto::SealRecordRequest { facts_json: facts_json.clone() });
            async move { client.seal_record(request).await }
        });
        let answer = answer.await?;
        Ok((answer.record_json, answer.head))
    }
}

fn garbled(what: &str) -> MatchFault {
    MatchFault::internal(format!("rules-svc answered {what} that cannot be read"))
}

fn seat_move(seat: Seat, move_json: &str) -> proto::SeatMove {
    proto::SeatMove { seat: seat.number(), move_json: move_json.to_owned() }
}

fn position(position: proto::Position) -> Option<Position> {
    let mut legal_moves_json = [Vec::new(), Vec::new()];
    for of_seat in position.legal_moves {
        legal_moves_json[Seat::from_number(of_seat.seat)?.index()] = of_seat.moves_json;
    }
    let to_act = position.to_act.into_iter().map(Seat::from_number).collect::<Option<Vec<_>>>()?;
    Some(Position {
        state: position.state.to_vec(),
        to_act,
        ply: Ply(position.ply),
        body_json: position.body_json,
        legal_moves_json,
        outcome: position
            .outcome
            .map(|outcome| GameResult { winner: Seat::from_number(outcome.winner), reason: outcome.reason }),
        board_text: position.board_text,
    })
}

fn game_facts(contract: proto::GameContract) -> Option<GameFacts> {
    let clock = contract.clock.as_ref()?;
    let clock = match clock.kind() {
        proto::ClockKind::Fischer => ClockRanges::Fischer {
            initial_s: range(clock.initial_s?),
            increment_s: range(clock.increment_s?),
            first_move_s: clock.first_move_s,
        },
        proto::ClockKind::PerRound => ClockRanges::PerRound { per_round_s: range(clock.per_round_s?) },
        proto::ClockKind::Unspecified => return None,
    };
    Some(GameFacts {
        version: contract.version,
        ranked: contract.tier() == proto::Tier::Ranked,
        games_per_set: contract.games_per_set,
        simultaneous: contract.information() == proto::Information::HiddenUntilReveal,
        clock,
        id: GameId(contract.id),
        house_levels: contract.house_levels,
    })
}

fn range(range: proto::Range) -> Range {
    Range { min: range.min, max: range.max, default: range.default }
}
