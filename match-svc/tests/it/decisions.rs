//! Decisions alone over a made-up game: replicas with stale caches, lost and repeated messages,
//! crashes, outages, sweeps that come late, against an independent account of what must be true. A failing seed prints
//! itself. The whole engine is simulated in `simulation`.

use std::sync::Arc;

use farside_kit::time::{DurationMs, UnixMs};
use farside_match::domain::clock::{ClockSetting, charged_at};
use farside_match::domain::event::{Event, Logged, SetStatus};
use farside_match::domain::game::Step;
use farside_match::domain::ids::{ChallengeId, GameId, GameNumber, OwnerId, ParticipantId, Ply, Seat, Seq, SetId};
use farside_match::domain::offer::{ChallengeKind, Format, Stake};
use farside_match::domain::participant::{Participant, ParticipantKind};
use farside_match::domain::position::{GameResult, PlayedMove, Position};
use farside_match::domain::set::{Decision, Effect, Meeting, Play, Secrets, Set, SetInfo, StakeHolds};

const SEEDS: u64 = 50;
const STEPS: u32 = 600;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// The database: a log whose numbers are the fence, and what follows from it.
struct Store {
    set: Set,
    log: Vec<Logged>,
    effects: Vec<Effect>,
}

impl Store {
    /// Commits a decision; false when its first number is taken.
    fn commit(&mut self, decision: &Decision) -> bool {
        if decision.events[0].seq != self.set.seq.next() {
            return false;
        }
        self.log.extend(decision.events.iter().cloned());
        self.effects.extend(decision.effects.iter().copied());
        self.set = decision.next.clone();
        true
    }
}

fn participant(name: &str) -> Participant {
    Participant {
        id: ParticipantId(format!("bot_{name}")),
        name: name.to_owned(),
        kind: ParticipantKind::Bot,
        owner_id: OwnerId(name.to_owned()),
        owner_name: name.to_owned(),
        max_stake_points: 500,
        accepts: None,
    }
}

fn info() -> Arc<SetInfo> {
    Arc::new(SetInfo {
        id: SetId::from("set_1"),
        challenge_id: ChallengeId::from("chal_1"),
        kind: ChallengeKind::Open,
        game: GameId::from("breakthrough"),
        contract_version: 1,
        simultaneous: false,
        options_json: "{}".to_owned(),
        clock: Some(ClockSetting::Fischer { initial_s: 10, increment_s: 1, first_move_s: 30 }),
        stakes: Some(StakeHolds {
            stake: Stake { currency: "PTS".to_owned(), amount_points: 10 },
            winnings_points: 10,
            hold_ids: ["one".to_owned(), "two".to_owned()],
        }),
        rated: true,
        unrated_reason: String::new(),
        games_total: 2,
        creator_seat: Seat::Two,
        format: Format::Set,
        creator: participant("creator"),
        acceptor: participant("acceptor"),
        seed_hash: [0; 32],
        secrets: Secrets { server_seed: [1; 32], seed: [2; 32], creator_nonce: None, acceptor_nonce: None },
        created_at_ms: 0,
    })
}

/// A game in which a position is a number of plies, and chance says when it is over.
fn position(ply: u32, outcome: Option<GameResult>) -> Arc<Position> {
    let next = if ply.is_multiple_of(2) { Seat::One } else { Seat::Two };
    Arc::new(Position {
        state: ply.to_be_bytes().to_vec(),
        to_act: if outcome.is_some() { Vec::new() } else { vec![next] },
        ply: Ply(ply),
        body_json: String::new(),
        legal_moves_json: [Vec::new(), Vec::new()],
        outcome,
        board_text: String::new(),
    })
}

struct World {
    chance: Chance,
    now: UnixMs,
    store: Store,
    replicas: Vec<Set>,
    /// Moves that were acknowledged: game, ply, seat.
    acknowledged: Vec<(GameNumber, Ply, Seat)>,
    credited_ms: i64,
}

impl World {
    fn new(seed: u64) -> Self {
        let begun = Set::begin(info(), position(0, None), UnixMs(0));
        let store = Store { set: begun.next.clone(), log: begun.events, effects: Vec::new() };
        let replicas = vec![begun.next; 3];
        Self { chance: Chance(seed), now: UnixMs(0), store, replicas, acknowledged: Vec::new(), credited_ms: 0 }
    }

    fn step(&mut self) {
        let replica = usize::try_from(self.chance.below(3)).unwrap();
        match self.chance.below(20) {
            0..=11 => self.play(replica),
            12..=14 => self.now = self.now.plus(DurationMs(i64::try_from(self.chance.below(6_000)).unwrap())),
            15..=16 => self.sweep(replica),
            17 => self.replicas[replica] = self.store.set.clone(),
            18 => self.outage(replica),
            _ => self.resign(replica),
        }
    }

    fn next_start(set: &Set) -> Option<Arc<Position>> {
        set.has_next_game().then(|| position(0, None))
    }

    /// Commits; a crash before the answer, or a lost fence, leaves the caller to read again.
    fn commit(&mut self, replica: usize, decision: &Decision) -> bool {
        let won = self.store.commit(decision);
        let crashed = self.chance.below(10) == 0;
        self.replicas[replica] = if won && !crashed { decision.next.clone() } else { self.store.set.clone() };
        won && !crashed
    }

    fn play(&mut self, replica: usize) {
        let set = self.replicas[replica].clone();
        let Some(game) = set.current() else { return };
        let (number, ply) = (game.number, game.ply());
        let seat = if self.chance.below(8) == 0 { Seat::Two } else { *game.to_act().first().unwrap_or(&Seat::One) };
        if set.meet(number, seat, ply) != Meeting::Ready {
            return;
        }
        let stamp = self.now.minus(DurationMs(i64::try_from(self.chance.below(100)).unwrap()));
        let received = charged_at(Some(stamp), self.now);
        let outcome = match self.chance.below(12) {
            0 => Some(GameResult { winner: Some(seat), reason: "far_row".to_owned() }),
            1 => Some(GameResult { winner: None, reason: "max_moves".to_owned() }),
            _ => None,
        };
        let played =
            vec![PlayedMove { seat, move_json: "1".to_owned(), notation: "1".to_owned(), received_ms: received.0 }];
        let step = Step { played, position: position(ply.0 + 1, outcome) };
        let play = Play { step, received, completed_by: None, waited_since: None, next_start: Self::next_start(&set) };
        match set.play(play, self.now) {
            Ok(decision) => {
                if self.commit(replica, &decision) {
                    self.acknowledged.push((number, ply, seat));
                }
            }
            Err(_) => self.sweep(replica),
        }
    }

    fn sweep(&mut self, replica: usize) {
        let set = self.replicas[replica].clone();
        if let Some(decision) = set.flag(&[], Self::next_start(&set), self.now) {
            self.commit(replica, &decision);
        }
    }

    fn outage(&mut self, replica: usize) {
        let from = self.now;
        self.now = self.now.plus(DurationMs(i64::try_from(2_000 + self.chance.below(20_000)).unwrap()));
        let set = self.store.set.clone();
        if let Some(decision) = set.credit(from, self.now, self.now) {
            let before = self.store.set.due_at();
            if self.commit(replica, &decision) {
                let moved = self.store.set.due_at().unwrap().since(before.unwrap());
                assert_eq!(moved, self.now.since(from), "the whole outage is given back");
                self.credited_ms += moved.0;
            }
        }
    }

    fn resign(&mut self, replica: usize) {
        if self.chance.below(20) > 0 {
            return;
        }
        let set = self.replicas[replica].clone();
        if let Some(decision) = set.resign(Seat::One, Self::next_start(&set), self.now) {
            self.commit(replica, &decision);
        }
    }

    fn check(&self) {
        let log = &self.store.log;
        assert!(log.iter().zip(1..).all(|(logged, seq)| logged.seq == Seq(seq)), "a gap");
        assert!(log.windows(2).all(|pair| pair[0].at <= pair[1].at), "time goes back");
        let mut plies = Vec::new();
        let mut half_points = [0, 0];
        for logged in log {
            match &logged.event {
                Event::MovePlayed { game, .. } => {
                    let played = game.last_move.as_ref().unwrap();
                    plies.push((game.number, played.ply, played.moves[0].seat));
                    assert!(game.clock.unwrap().remaining_ms().unwrap().iter().all(|left_ms| *left_ms >= 0));
                }
                Event::GameFinished { game, .. } => {
                    let winner = game.result.as_ref().unwrap().winner.map(|seat| game.side_of(seat).index());
                    match winner {
                        Some(side) => half_points[side] += 2,
                        None => half_points = [half_points[0] + 1, half_points[1] + 1],
                    }
                }
                _ => {}
            }
        }
        for moved in &self.acknowledged {
            assert_eq!(plies.iter().filter(|ply| *ply == moved).count(), 1, "an acknowledged move is in the log once");
        }
        self.check_end(half_points);
    }

    fn check_end(&self, half_points: [u32; 2]) {
        let set = &self.store.set;
        let ends = self
            .store
            .effects
            .iter()
            .filter(|effect| matches!(effect, Effect::Settle(_) | Effect::Split | Effect::Refund));
        let is_over = set.status != SetStatus::Active;
        assert_eq!(ends.count(), usize::from(is_over), "stakes end exactly once, with the set");
        assert_eq!(self.store.effects.iter().filter(|effect| **effect == Effect::Rate).count(), usize::from(is_over));
        if let Some(end) = set.end {
            assert_eq!(end.half_points, half_points);
            assert_eq!(half_points.iter().sum::<u32>(), 4, "two games, two half points each");
        } else {
            assert!(set.due_at().is_some(), "an active set has a deadline");
        }
    }
}

#[test]
fn whatever_fails_the_log_is_whole_and_stakes_end_once() {
    let seeds = SEEDS;
    let mut finished = 0;
    for seed in 0..seeds {
        let outcome = std::panic::catch_unwind(|| {
            let mut world = World::new(seed);
            for _ in 0..STEPS {
                world.step();
                world.check();
            }
            world.store.set.status != SetStatus::Active
        });
        finished += u64::from(outcome.unwrap_or_else(|_| panic!("seed {seed} fails")));
    }
    assert!(finished * 2 > seeds, "most sets come to an end: {finished} of {seeds}");
}
