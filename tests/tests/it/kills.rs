//! Processes are killed (SIGKILL) again and again while staked sets are played: no acknowledged move is lost, no log
//! has a gap or a fork, every set ends, every stake ends once, every set is rated once.
//!
//! `FARSIDE_KILLS` says how many kills (20), `FARSIDE_SEED` which ones.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use farside::client::Client;
use farside_proto::{ledger::v1 as ledger, matches::v1 as proto, rating::v1 as rating};
use farside_tests::{
    apart::Apart,
    callers::Callers,
    dice::Dice,
    event_log,
    pair::{GRANT, Pair, PlayedSet, STAKE, Style, newcomer, wish},
    replicas::Replicas,
    wait,
};
use futures::future::join_all;
use ledger::EntryKind;
use proto::set_event::Event;
use tokio::task::JoinSet;

pub(crate) const REPLICAS: usize = 3;
const PAIRS: usize = 4;

/// A number from the environment.
fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a number"))
}

pub(crate) fn dice() -> Dice {
    Dice::new(u64::try_from(number("FARSIDE_SEED", 1)).unwrap())
}

/// What a pair has done.
pub(crate) struct Evening {
    pub(crate) creator: proto::Participant,
    pub(crate) acceptor: proto::Participant,
    pub(crate) sets: Vec<PlayedSet>,
}

/// Pairs that play until they are told to stop.
pub(crate) struct Play {
    pairs: JoinSet<Evening>,
    acknowledged: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl Play {
    pub(crate) async fn start(callers: &Callers, dice: &mut Dice, style: Style) -> Self {
        let (acknowledged, is_over) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let mut pairs = JoinSet::new();
        for _ in 0..PAIRS {
            let pair = Pair::join(callers, dice.fork(), &acknowledged).await;
            pairs.spawn(evening(pair, style, Arc::clone(&is_over)));
        }
        Self { pairs, acknowledged, is_over }
    }

    /// Waits until so much more is acknowledged.
    pub(crate) async fn goes_on(&mut self, moves: usize) {
        let before = self.acknowledged.load(Ordering::Relaxed);
        wait::until("play to go on", async || {
            if let Some(ended) = self.pairs.try_join_next() {
                panic!("a pair does not play any more: {:?}", ended.err());
            }
            (self.acknowledged.load(Ordering::Relaxed) >= before + moves).then_some(())
        })
        .await;
    }

    pub(crate) async fn end(self) -> Vec<Evening> {
        self.is_over.store(true, Ordering::Relaxed);
        self.pairs.join_all().await
    }
}

async fn evening(mut pair: Pair, style: Style, is_over: Arc<AtomicBool>) -> Evening {
    let mut sets = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        sets.push(pair.play_set(style).await);
    }
    Evening { creator: pair.creator, acceptor: pair.acceptor, sets }
}

/// What must come of sets for one of their sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    wins: i64,
    draws: i64,
    losses: i64,
}

impl Tally {
    pub(crate) fn count(&mut self, set: &proto::Set, side: proto::Side) {
        match set.result.as_ref().unwrap().winner() {
            proto::Side::Unspecified => self.draws += 1,
            winner if winner == side => self.wins += 1,
            _ => self.losses += 1,
        }
    }

    fn sets(self) -> i64 {
        self.wins + self.draws + self.losses
    }
}

/// Checks everything that must follow from what was played.
pub(crate) async fn all_adds_up(platform: &Apart, callers: &Callers, evenings: Vec<Evening>) {
    for evening in evenings {
        let (mut creator, mut acceptor) = (Tally::default(), Tally::default());
        for played in evening.sets {
            let set = finished(callers, &played.id).await;
            record_holds(platform, callers, &played.id).await;
            log_holds(callers, played).await;
            creator.count(&set, proto::Side::Creator);
            acceptor.count(&set, proto::Side::Acceptor);
        }
        for (who, tally) in [(&evening.creator, creator), (&evening.acceptor, acceptor)] {
            stakes_ended_once(callers, &who.owner_id, tally).await;
            rated_once(callers, &who.id, tally).await;
        }
    }
    let audit = callers.ledger.clone().run_audit(ledger::RunAuditRequest {}).await.unwrap().into_inner().audit.unwrap();
    assert!(audit.ok, "{:?}", audit.violations);
    let totals = audit.totals.iter().find(|totals| totals.currency == "PTS").unwrap();
    assert_eq!((totals.open_holds, totals.players_held_points), (0, 0));
    assert_eq!(totals.players_posted_points, totals.issued_points - totals.fees_points, "nothing is made or lost");
}

/// The set once its stakes are where they belong.
async fn finished(callers: &Callers, id: &str) -> proto::Set {
    let set = wait::until("the set to be settled", async || {
        let request = proto::GetSetRequest { set_id: id.to_owned(), viewer_id: String::new() };
        let set = callers.matches[0].clone().get_set(request).await.unwrap().into_inner().set.unwrap();
        (set.settlement() != proto::Settlement::Pending).then_some(set)
    })
    .await;
    let is_drawn = set.result.as_ref().unwrap().winner() == proto::Side::Unspecified;
    let expected = if is_drawn { proto::Settlement::Split } else { proto::Settlement::Settled };
    assert_eq!((set.status(), set.settlement(), set.rated), (proto::SetStatus::Finished, expected, true));
    set
}

async fn record_holds(platform: &Apart, callers: &Callers, id: &str) {
    let request = proto::GetRecordRequest { set_id: id.to_owned() };
    let record = callers.matches[0].clone().get_record(request).await.unwrap().into_inner().record_json;
    let verified = Client::new(platform.url()).unwrap();
    let found = verified.post("/v1/records/verify", serde_json::from_str(&record).unwrap()).await.unwrap();
    assert_eq!(found["ok"], true, "{found}");
}

/// A set's log, the same whoever is asked for it, and with one end.
pub(crate) async fn one_log(callers: &Callers, id: &str) -> Vec<proto::SetEvent> {
    let logs = callers.matches.iter().map(|client| event_log::whole(client.clone(), id));
    let mut logs = join_all(logs).await;
    let log = logs.pop().unwrap();
    assert!(logs.iter().all(|other| *other == log), "one log, whoever is asked: {logs:?}, {log:?}");
    assert_eq!(log.iter().filter(|event| event_log::is_end(event)).count(), 1);
    log
}

/// Every reader gets the same events, and they hold every acknowledged move once, in order.
async fn log_holds(callers: &Callers, played: PlayedSet) {
    let log = one_log(callers, &played.id).await;
    assert_eq!(played.watched.await.unwrap(), log, "who watched through all kills has missed nothing");
    let logged: Vec<_> = log.iter().filter_map(played_ply).collect();
    let acknowledged: Vec<_> = played
        .moves
        .iter()
        .map(|sent| {
            let move_json = sent.answer.last_move.as_ref().unwrap().moves[0].move_json.clone();
            (sent.request.game, sent.request.ply, move_json)
        })
        .collect();
    assert_eq!(logged, acknowledged, "what is logged is what was acknowledged");
    let ends = log.iter().filter(|event| matches!(event.event, Some(Event::GameFinished(_)))).count();
    assert_eq!(ends, 2, "each game ends once");
}

/// Game, ply and move of an event that is one.
fn played_ply(event: &proto::SetEvent) -> Option<(u32, u32, String)> {
    let Some(Event::MovePlayed(played)) = &event.event else { return None };
    let ply = played.played.as_ref().unwrap();
    Some((played.game.as_ref().unwrap().number, ply.ply, ply.moves[0].move_json.clone()))
}

pub(crate) async fn stakes_ended_once(callers: &Callers, account: &str, tally: Tally) {
    let expected = GRANT + STAKE * (tally.wins - tally.losses);
    wait::until(&format!("{account} to have {expected} points and nothing held"), async || {
        let request = ledger::GetBalanceRequest { account_id: account.to_owned() };
        let balances = callers.ledger.clone().get_balance(request).await.unwrap().into_inner().balances;
        let points = balances.iter().find(|balance| balance.currency == "PTS").unwrap();
        (points.held_points == 0).then(|| assert_eq!(points.posted_points, expected, "{account}: {tally:?}"))
    })
    .await;
    let kinds = entry_kinds(callers, account).await;
    let count = |kind: EntryKind| i64::try_from(kinds.iter().filter(|found| **found == kind).count()).unwrap();
    let ended = Tally { wins: count(EntryKind::Win), draws: count(EntryKind::Split), losses: count(EntryKind::Loss) };
    assert_eq!(ended, tally, "each set of {account} has one end in its statement");
    assert_eq!(count(EntryKind::Hold), tally.sets() + count(EntryKind::Release), "a hold ends once: {kinds:?}");
}

async fn entry_kinds(callers: &Callers, account: &str) -> Vec<EntryKind> {
    let (mut kinds, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = ledger::ListEntriesRequest { account_id: account.to_owned(), limit: 100, cursor };
        let page = callers.ledger.clone().list_entries(request).await.unwrap().into_inner();
        kinds.extend(page.entries.iter().map(ledger::Entry::kind));
        cursor = page.next_cursor;
        if cursor.is_empty() {
            return kinds;
        }
    }
}

async fn rated_once(callers: &Callers, participant: &str, tally: Tally) {
    let standing = wait::until(&format!("every set of {participant} to be rated"), async || {
        let request = rating::GetStandingsRequest { participant_id: participant.to_owned() };
        let standings = callers.rating.clone().get_standings(request).await.unwrap().into_inner().standings;
        let found = standings.into_iter().find(|standing| standing.game == "breakthrough");
        found.filter(|standing| standing.sets >= tally.sets())
    })
    .await;
    assert_eq!(Tally { wins: standing.wins, draws: standing.draws, losses: standing.losses }, tally, "rated once");
    assert_eq!(standing.net_points, STAKE * (tally.wins - tally.losses));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_replicas_are_killed_again_and_again() {
    let mut replicas = Replicas::start(REPLICAS).await;
    let (callers, mut dice) = (replicas.callers(), dice());
    let mut play = Play::start(&callers, &mut dice, Style::Moves).await;
    for _ in 0..number("FARSIDE_KILLS", 20) {
        play.goes_on(1 + dice.below(20)).await;
        let victim = replicas.replica(dice.below(REPLICAS));
        victim.kill();
        victim.spawn();
        // Otherwise the next kill may meet it while it starts.
        if !dice.one_in(4) {
            victim.ready().await;
        }
    }
    let evenings = play.end().await;
    for index in 0..REPLICAS {
        replicas.replica(index).ready().await;
    }
    all_adds_up(&replicas.platform, &callers, evenings).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stakes_end_once_when_the_ledger_is_killed_while_sets_settle() {
    let mut replicas = Replicas::start(1).await;
    let (callers, mut dice) = (replicas.callers(), dice());
    let mut play = Play::start(&callers, &mut dice, Style::Resigns).await;
    for _ in 0..number("FARSIDE_KILLS", 20) / 2 {
        play.goes_on(1 + dice.below(8)).await;
        replicas.platform.ledger.kill();
        replicas.platform.ledger.start().await;
    }
    let evenings = play.end().await;
    all_adds_up(&replicas.platform, &callers, evenings).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_pass_once_with_nobody_connected_and_a_replica_gone() {
    let mut replicas = Replicas::start(REPLICAS).await;
    let callers = replicas.callers();
    let (creator, acceptor) = (newcomer(&callers).await, newcomer(&callers).await);
    let per_round = proto::PerRoundClock { per_round_s: 5 };
    let clock = proto::ClockSetting { kind: Some(proto::clock_setting::Kind::PerRound(per_round)) };
    let request = proto::CreateChallengeRequest {
        game: "maker-breaker".to_owned(),
        options_json: String::new(),
        clock_choice: Some(proto::create_challenge_request::ClockChoice::Clock(clock)),
        stake: Some(proto::Stake { currency: "PTS".to_owned(), amount_points: STAKE }),
        ..wish(&creator)
    };
    let mut first = callers.matches[2].clone();
    let challenge = first.create_challenge(request).await.unwrap().into_inner().challenge.unwrap();
    let request = proto::AcceptChallengeRequest {
        request_id: "accept".to_owned(),
        actor: Some(acceptor.clone()),
        challenge_id: challenge.id,
        nonce: None,
    };
    let set = first.accept_challenge(request).await.unwrap().into_inner().set.unwrap();
    replicas.replica(2).kill();

    // From here on nobody asks match-svc anything: that the set has ended is seen at the ledger.
    wait::until("the stakes to come back", async || {
        let request = ledger::GetBalanceRequest { account_id: creator.owner_id.clone() };
        let balances = callers.ledger.clone().get_balance(request).await.unwrap().into_inner().balances;
        balances.iter().any(|points| points.currency == "PTS" && points.held_points == 0).then_some(())
    })
    .await;
    let log = event_log::whole(callers.matches[0].clone(), &set.id).await;
    assert_eq!(event_log::whole(callers.matches[1].clone(), &set.id).await, log);
    let ended = finished_games(&log);
    let numbers: Vec<u32> = ended.iter().map(|(_, game)| game.number).collect();
    assert_eq!(numbers, (1..=set.games_total).collect::<Vec<_>>(), "each game ends once");
    assert!(ended[0].0 >= set.games[0].deadline_ms.unwrap(), "no sooner than its deadline");
    assert!(ended.iter().all(|(_, game)| game.result.as_ref().unwrap().reason == "both_timeout"), "{ended:?}");
}

/// When each game ended, and how it stood then.
fn finished_games(log: &[proto::SetEvent]) -> Vec<(i64, proto::Game)> {
    let game = |event: &proto::SetEvent| match &event.event {
        Some(Event::GameFinished(finished)) => Some((event.at_ms, finished.game.clone()?)),
        _ => None,
    };
    log.iter().filter_map(game).collect()
}
