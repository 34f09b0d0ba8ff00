//! The methods of the contract.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use farside_kit::fault::{Fault, Kind, status};
use farside_kit::grpc::AllowList;
use farside_kit::operator::{LIST_OPERATIONS, Operation, OperatorLog};
use farside_kit::time::UnixMs;
use farside_proto::matches::v1 as proto;
use futures::{Stream, StreamExt as _};
use proto::match_service_server::MatchService;
use serde_json::json;
use tonic::{Request, Response, Status};

use super::{parse, show};
use crate::domain::fault::{MatchFault, Refusal};
use crate::domain::ids::{ChallengeId, GameId, GameNumber, OwnerId, ParticipantId, Ply, Seq, SetId};
use crate::domain::standing::Subject;
use crate::engine::{ActorRequest, Engine, MoveRequest, ParticipantItem, SetAnswer, SetItem, WatchEnd};
use crate::store::{ChallengeFilter, SetFilter};

/// Longest wait for a turn.
const WAIT_MAX_MS: u32 = 60_000;

/// The service.
#[derive(Clone, Debug)]
pub struct Service {
    engine: Arc<Engine>,
    log: OperatorLog,
}

/// Who may call what: play is the gateway's, what everybody may see is for every service; operators abort, suspend and
/// read.
#[must_use]
pub fn allow_list() -> AllowList {
    AllowList::new()
        .methods(
            &[
                "/farside.match.v1.MatchService/CreateChallenge",
                "/farside.match.v1.MatchService/GetChallenge",
                "/farside.match.v1.MatchService/ListChallenges",
                "/farside.match.v1.MatchService/AcceptChallenge",
                "/farside.match.v1.MatchService/DeclineChallenge",
                "/farside.match.v1.MatchService/CancelChallenge",
                "/farside.match.v1.MatchService/GetSet",
                "/farside.match.v1.MatchService/PlayMove",
                "/farside.match.v1.MatchService/Resign",
                "/farside.match.v1.MatchService/PauseSet",
                "/farside.match.v1.MatchService/ResumeSet",
                "/farside.match.v1.MatchService/ListTurns",
                "/farside.match.v1.MatchService/WatchSet",
                "/farside.match.v1.MatchService/WatchParticipant",
                "/farside.match.v1.MatchService/GetStanding",
                "/farside.match.v1.MatchService/Beat",
            ],
            &["gateway"],
        )
        .every_service(&[
            "/farside.match.v1.MatchService/ListSets",
            "/farside.match.v1.MatchService/GetRecord",
            "/farside.match.v1.MatchService/ListKeys",
        ])
        .operators_only("/farside.match.v1.MatchService/AbortSet")
        .operators_only("/farside.match.v1.MatchService/Suspend")
        .operators_only("/farside.match.v1.MatchService/Unsuspend")
        .operators_too("/farside.match.v1.MatchService/GetSet")
        .operators_too("/farside.match.v1.MatchService/GetStanding")
        .operators_only(LIST_OPERATIONS)
}

impl Service {
    /// The service of this engine, which logs what operators ask for.
    #[must_use]
    pub fn new(engine: Arc<Engine>, log: OperatorLog) -> Self {
        Self { engine, log }
    }

    /// Carries out a change to its end even when the caller goes away.
    async fn change<T, F, Fut>(&self, work: F) -> Result<T, Status>
    where
        T: Send + 'static,
        F: FnOnce(Arc<Engine>) -> Fut,
        Fut: Future<Output = Result<T, MatchFault>> + Send + 'static,
    {
        Engine::uncancelled(work(Arc::clone(&self.engine))).await.map_err(|fault| status(&fault))
    }

    /// Carries out what an operator asks for, and has a refusal logged.
    async fn operate<T, F, Fut>(&self, operation: Operation, work: F) -> Result<T, Status>
    where
        T: Send + 'static,
        F: FnOnce(Arc<Engine>, OperatorLog, Operation) -> Fut,
        Fut: Future<Output = Result<T, MatchFault>> + Send + 'static,
    {
        let (log, asked) = (self.log.clone(), operation.clone());
        let outcome = match operation.check() {
            Ok(()) => self.change(|engine| work(engine, log, asked)).await,
            Err(fault) => Err(status(&fault)),
        };
        self.log.answered(&operation, outcome).await
    }
}

fn told<T>(outcome: Result<T, impl Fault>) -> Result<T, Status> {
    outcome.map_err(|fault| status(&fault))
}

type Answer<T> = Result<Response<T>, Status>;
type Streamed<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// A reader that does not keep up.
#[derive(Debug, thiserror::Error)]
#[error("the reader does not keep up; resume from what it has")]
struct SlowReader;

impl Fault for SlowReader {
    fn kind(&self) -> Kind {
        Kind::ResourceExhausted
    }

    fn reason(&self) -> &'static str {
        "SLOW_READER"
    }
}

fn ended(end: WatchEnd) -> Status {
    match end {
        WatchEnd::SlowReader => status(&SlowReader),
        WatchEnd::Fault(fault) => status(&fault),
    }
}

#[tonic::async_trait]
impl MatchService for Service {
    type WatchSetStream = Streamed<proto::WatchSetResponse>;
    type WatchParticipantStream = Streamed<proto::WatchParticipantResponse>;

    async fn create_challenge(
        &self,
        request: Request<proto::CreateChallengeRequest>,
    ) -> Answer<proto::CreateChallengeResponse> {
        let request = told(parse::create(request.into_inner()))?;
        let answer = self.change(|engine| async move { engine.create_challenge(request).await }).await?;
        Ok(Response::new(proto::CreateChallengeResponse {
            challenge: Some(show::challenge(&answer.challenge)),
            set: answer.set.as_ref().map(show::set),
            as_of_ms: answer.set.as_ref().and_then(as_of_ms),
        }))
    }

    async fn get_challenge(&self, request: Request<proto::GetChallengeRequest>) -> Answer<proto::GetChallengeResponse> {
        let challenge = told(self.engine.challenge(&ChallengeId(request.into_inner().challenge_id)).await)?;
        Ok(Response::new(proto::GetChallengeResponse { challenge: Some(show::challenge(&challenge)) }))
    }

    async fn list_challenges(
        &self,
        request: Request<proto::ListChallengesRequest>,
    ) -> Answer<proto::ListChallengesResponse> {
        let request = request.into_inner();
        let limit = told(parse::page_limit(request.limit))?;
        let filter = ChallengeFilter {
            status: parse::challenge_status(request.status()),
            game: parse::text(request.game).map(GameId),
            participant: parse::text(request.participant_id).map(ParticipantId),
            below: told(parse::cursor(request.cursor, "chal_"))?,
            limit,
        };
        let page = told(self.engine.list_challenges(&filter).await)?;
        let next_cursor = next_cursor(page.len(), limit, page.last().map(|challenge| challenge.id.0.clone()));
        let challenges = page.iter().map(show::challenge).collect();
        Ok(Response::new(proto::ListChallengesResponse { challenges, next_cursor }))
    }

    async fn accept_challenge(
        &self,
        request: Request<proto::AcceptChallengeRequest>,
    ) -> Answer<proto::AcceptChallengeResponse> {
        let proto::AcceptChallengeRequest { request_id, actor, challenge_id, nonce } = request.into_inner();
        let request = told(parse::accept("AcceptChallenge", request_id, actor, challenge_id, nonce))?;
        let answer = self.change(|engine| async move { engine.accept_challenge(request).await }).await?;
        Ok(Response::new(proto::AcceptChallengeResponse {
            challenge: Some(show::challenge(&answer.challenge)),
            set: answer.set.as_ref().map(show::set),
            as_of_ms: answer.set.as_ref().and_then(as_of_ms),
        }))
    }

    async fn decline_challenge(
        &self,
        request: Request<proto::DeclineChallengeRequest>,
    ) -> Answer<proto::DeclineChallengeResponse> {
        let proto::DeclineChallengeRequest { request_id, actor, challenge_id } = request.into_inner();
        let request = told(parse::accept("DeclineChallenge", request_id, actor, challenge_id, None))?;
        let challenge = self.change(|engine| async move { engine.decline_challenge(request).await }).await?;
        Ok(Response::new(proto::DeclineChallengeResponse { challenge: Some(show::challenge(&challenge)) }))
    }

    async fn cancel_challenge(
        &self,
        request: Request<proto::CancelChallengeRequest>,
    ) -> Answer<proto::CancelChallengeResponse> {
        let proto::CancelChallengeRequest { request_id, actor, challenge_id } = request.into_inner();
        let request = told(parse::accept("CancelChallenge", request_id, actor, challenge_id, None))?;
        let challenge = self.change(|engine| async move { engine.cancel_challenge(request).await }).await?;
        Ok(Response::new(proto::CancelChallengeResponse { challenge: Some(show::challenge(&challenge)) }))
    }

    async fn get_set(&self, request: Request<proto::GetSetRequest>) -> Answer<proto::GetSetResponse> {
        let request = request.into_inner();
        let viewer = parse::text(request.viewer_id).map(ParticipantId);
        let answer = told(self.engine.set_for(&SetId(request.set_id), viewer).await)?;
        Ok(Response::new(proto::GetSetResponse { set: Some(show::set(&answer)) }))
    }

    async fn list_sets(&self, request: Request<proto::ListSetsRequest>) -> Answer<proto::ListSetsResponse> {
        let request = request.into_inner();
        let limit = told(parse::page_limit(request.limit))?;
        let filter = SetFilter {
            status: parse::set_status(request.status()),
            game: parse::text(request.game).map(GameId),
            participant: parse::text(request.participant_id).map(ParticipantId),
            below: told(parse::cursor(request.cursor, "set_"))?,
            limit,
        };
        let page = told(self.engine.list_sets(&filter).await)?;
        let next_cursor = next_cursor(page.len(), limit, page.last().map(|set| set.info().id.0.clone()));
        Ok(Response::new(proto::ListSetsResponse { sets: page.iter().map(show::summary).collect(), next_cursor }))
    }

    async fn play_move(&self, request: Request<proto::PlayMoveRequest>) -> Answer<proto::PlayMoveResponse> {
        let request = request.into_inner();
        let request = MoveRequest {
            actor: ParticipantId(request.actor_id),
            set_id: SetId(request.set_id),
            number: GameNumber(request.game),
            ply: Ply(request.ply),
            move_json: request.move_json,
            received_at: (request.received_at_ms > 0).then_some(UnixMs(request.received_at_ms)),
        };
        let answer = self.change(|engine| async move { engine.play_move(request).await }).await?;
        let as_of_ms = Some(answer.as_of.0);
        Ok(Response::new(proto::PlayMoveResponse { game: Some(show::game(answer.game)), as_of_ms }))
    }

    async fn resign(&self, request: Request<proto::ResignRequest>) -> Answer<proto::ResignResponse> {
        let proto::ResignRequest { request_id, actor_id, set_id, game } = request.into_inner();
        let request = actor_request(&format!("Resign {game}"), request_id, actor_id, set_id);
        let number = GameNumber(game);
        let answer = self.change(|engine| async move { engine.resign(request, number).await }).await?;
        Ok(Response::new(proto::ResignResponse { set: Some(show::set(&answer)), as_of_ms: as_of_ms(&answer) }))
    }

    async fn pause_set(&self, request: Request<proto::PauseSetRequest>) -> Answer<proto::PauseSetResponse> {
        let proto::PauseSetRequest { request_id, actor_id, set_id } = request.into_inner();
        let request = actor_request("PauseSet", request_id, actor_id, set_id);
        let answer = self.change(|engine| async move { engine.set_paused(request, true).await }).await?;
        Ok(Response::new(proto::PauseSetResponse { set: Some(show::set(&answer)), as_of_ms: as_of_ms(&answer) }))
    }

    async fn resume_set(&self, request: Request<proto::ResumeSetRequest>) -> Answer<proto::ResumeSetResponse> {
        let proto::ResumeSetRequest { request_id, actor_id, set_id } = request.into_inner();
        let request = actor_request("ResumeSet", request_id, actor_id, set_id);
        let answer = self.change(|engine| async move { engine.set_paused(request, false).await }).await?;
        Ok(Response::new(proto::ResumeSetResponse { set: Some(show::set(&answer)), as_of_ms: as_of_ms(&answer) }))
    }

    async fn list_turns(&self, request: Request<proto::ListTurnsRequest>) -> Answer<proto::ListTurnsResponse> {
        let request = request.into_inner();
        let wait = Duration::from_millis(request.wait_ms.min(WAIT_MAX_MS).into());
        let who = ParticipantId(request.participant_id);
        let turns = told(self.engine.list_turns(&who, &request.after_cursor, wait).await)?;
        let shown = turns.turns.into_iter().map(|turn| proto::Turn {
            set_id: turn.set.info.id.0.clone(),
            seat: turn.seat.number(),
            game_id: turn.set.info.game.0.clone(),
            game: Some(show::game(turn.game)),
        });
        Ok(Response::new(proto::ListTurnsResponse { turns: shown.collect(), cursor: turns.cursor }))
    }

    async fn watch_set(&self, request: Request<proto::WatchSetRequest>) -> Answer<Self::WatchSetStream> {
        let request = request.into_inner();
        let after = match request.after_seq.map(i64::try_from).transpose() {
            Ok(after) => after.map(Seq),
            Err(_) => return told(Err(Refusal::CursorInvalid)),
        };
        let viewer = parse::text(request.viewer_id).map(ParticipantId);
        let watching = told(self.engine.watch_set(SetId(request.set_id), after, viewer).await)?;
        let shown = watching.into_stream().map(|item| item.map(set_item).map_err(ended));
        Ok(Response::new(Box::pin(shown)))
    }

    async fn watch_participant(
        &self,
        request: Request<proto::WatchParticipantRequest>,
    ) -> Answer<Self::WatchParticipantStream> {
        let request = request.into_inner();
        let who = ParticipantId(request.participant_id);
        let watching = told(self.engine.watch_participant(who, &request.after_cursor).await)?;
        let shown =
            watching.into_stream().map(|item| item.map(|(cursor, item)| participant_item(cursor, item)).map_err(ended));
        Ok(Response::new(Box::pin(shown)))
    }

    async fn get_record(&self, request: Request<proto::GetRecordRequest>) -> Answer<proto::GetRecordResponse> {
        let record_json = told(self.engine.record(&SetId(request.into_inner().set_id)).await)?;
        Ok(Response::new(proto::GetRecordResponse { record_json }))
    }

    async fn list_keys(&self, _: Request<proto::ListKeysRequest>) -> Answer<proto::ListKeysResponse> {
        let keys = self.engine.public_keys().iter().map(|key| proto::SigningKey {
            id: key.id.clone(),
            ed25519: key.ed25519.to_vec(),
            created_at_ms: key.created_at.0,
        });
        Ok(Response::new(proto::ListKeysResponse { keys: keys.collect() }))
    }

    async fn get_standing(&self, request: Request<proto::GetStandingRequest>) -> Answer<proto::GetStandingResponse> {
        let proto::GetStandingRequest { participant_id, owner_id } = request.into_inner();
        let owner = parse::text(owner_id).map(OwnerId);
        let standing = told(self.engine.standing(&ParticipantId(participant_id), owner.as_ref()).await)?;
        let strikes = standing.strikes.into_iter();
        let strikes = strikes.map(|strike| proto::Strike { set_id: strike.set_id.0, at_ms: strike.at.0 }).collect();
        Ok(Response::new(proto::GetStandingResponse {
            strikes,
            suspended_until_ms: standing.suspended_until.map(|until| until.0),
            active_sets: standing.active_sets,
            suspended_since_ms: standing.suspended_since.map(|since| since.0),
        }))
    }

    async fn beat(&self, _: Request<proto::BeatRequest>) -> Answer<proto::BeatResponse> {
        let at = self.change(|engine| async move { engine.beat().await }).await?;
        Ok(Response::new(proto::BeatResponse { at_ms: at.0 }))
    }

    async fn abort_set(&self, request: Request<proto::AbortSetRequest>) -> Answer<proto::AbortSetResponse> {
        let proto::AbortSetRequest { request_id, set_id, reason } = request.get_ref();
        let operation = Operation::of(&request, "abort-set", &json!({ "set_id": set_id })).because(request_id, reason);
        let id = SetId(set_id.clone());
        let answer = self
            .operate(operation, |engine, log, operation| async move { engine.abort(&log, operation, id).await })
            .await?;
        Ok(Response::new(proto::AbortSetResponse { set: Some(show::set(&answer)), as_of_ms: as_of_ms(&answer) }))
    }

    async fn suspend(&self, request: Request<proto::SuspendRequest>) -> Answer<proto::SuspendResponse> {
        let proto::SuspendRequest { request_id, subject_id, reason } = request.get_ref();
        let operation = suspending(&request, "suspend", subject_id).because(request_id, reason);
        let subject = Subject::new(subject_id.clone());
        let suspended =
            |engine: Arc<Engine>, log, operation| async move { engine.suspend(&log, operation, subject?).await };
        self.operate(operation, suspended).await?;
        Ok(Response::new(proto::SuspendResponse {}))
    }

    async fn unsuspend(&self, request: Request<proto::UnsuspendRequest>) -> Answer<proto::UnsuspendResponse> {
        let proto::UnsuspendRequest { request_id, subject_id, reason } = request.get_ref();
        let operation = suspending(&request, "unsuspend", subject_id).because(request_id, reason);
        let subject = Subject::new(subject_id.clone());
        let taken_back =
            |engine: Arc<Engine>, log, operation| async move { engine.unsuspend(&log, operation, subject?).await };
        self.operate(operation, taken_back).await?;
        Ok(Response::new(proto::UnsuspendResponse {}))
    }
}

fn suspending<T>(request: &Request<T>, name: &'static str, subject_id: &str) -> Operation {
    Operation::of(request, name, &json!({ "subject_id": subject_id }))
}

/// The moment that the answer to a change speaks of.
fn as_of_ms(answer: &SetAnswer) -> Option<i64> {
    answer.as_of.map(|as_of| as_of.0)
}

fn actor_request(method: &str, request_id: String, actor_id: String, set_id: String) -> ActorRequest {
    let content = proto::GetSetRequest { set_id: set_id.clone(), viewer_id: String::new() };
    ActorRequest {
        fingerprint: parse::fingerprint(method, &content),
        request_id,
        actor: ParticipantId(actor_id),
        set_id: SetId(set_id),
    }
}

/// The last id of a full page; a page that is not full is the last one.
fn next_cursor(found: usize, limit: u32, last: Option<String>) -> String {
    let is_full = u32::try_from(found).is_ok_and(|found| found >= limit);
    last.filter(|_| is_full).unwrap_or_default()
}

fn set_item(item: SetItem) -> proto::WatchSetResponse {
    use proto::watch_set_response::Item;
    let item = match item {
        SetItem::Snapshot(answer) => Item::Snapshot(show::set(&answer)),
        SetItem::Event(info, logged) => Item::Event(show::event(&info, *logged)),
        SetItem::Heartbeat(at) => Item::Heartbeat(proto::Heartbeat { at_ms: at.0 }),
        SetItem::Reset(reason) => Item::Reset(proto::Reset { reason: reason.to_owned() }),
    };
    proto::WatchSetResponse { item: Some(item) }
}

fn participant_item(cursor: String, item: ParticipantItem) -> proto::WatchParticipantResponse {
    use proto::watch_participant_response::Item;
    let item = match item {
        ParticipantItem::Snapshot(sets, challenges) => Item::Snapshot(proto::ParticipantSnapshot {
            sets: sets.iter().map(show::set).collect(),
            challenges: challenges.iter().map(show::challenge).collect(),
        }),
        ParticipantItem::Event(info, logged) => Item::Event(show::event(&info, *logged)),
        ParticipantItem::Challenge(challenge) => Item::Challenge(show::challenge(&challenge)),
        ParticipantItem::Heartbeat(at) => Item::Heartbeat(proto::Heartbeat { at_ms: at.0 }),
        ParticipantItem::Reset(reason) => Item::Reset(proto::Reset { reason: reason.to_owned() }),
    };
    proto::WatchParticipantResponse { cursor, item: Some(item) }
}
