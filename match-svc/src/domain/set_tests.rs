//! Sets: points, tiebreak, ends and their effects, over a made-up game in which a position is a number of plies.

use super::*;
use crate::domain::ids::OwnerId;
use crate::domain::position::PlayedMove;

fn participant(name: &str) -> Participant {
    Participant {
        id: ParticipantId(format!("bot_{name}")),
        name: name.to_owned(),
        kind: ParticipantKind::Bot,
        owner_id: OwnerId(format!("player_{name}")),
        owner_name: name.to_owned(),
        max_stake_points: 500,
        accepts: None,
    }
}

fn info(staked: bool, simultaneous: bool) -> Arc<SetInfo> {
    let stakes = staked.then(|| StakeHolds {
        stake: Stake { currency: "PTS".to_owned(), amount_points: 10 },
        winnings_points: 10,
        hold_ids: ["one".to_owned(), "two".to_owned()],
    });
    Arc::new(SetInfo {
        id: SetId::from("set_1"),
        challenge_id: ChallengeId::from("chal_1"),
        kind: ChallengeKind::Open,
        game: GameId::from("breakthrough"),
        contract_version: 1,
        simultaneous,
        options_json: "{}".to_owned(),
        clock: Some(if simultaneous {
            ClockSetting::PerRound { per_round_s: 30 }
        } else {
            ClockSetting::Fischer { initial_s: 60, increment_s: 2, first_move_s: 30 }
        }),
        stakes,
        rated: true,
        unrated_reason: String::new(),
        games_total: if simultaneous { 1 } else { 2 },
        creator_seat: Seat::Two,
        format: Format::Set,
        creator: participant("creator"),
        acceptor: participant("acceptor"),
        seed_hash: [0; 32],
        secrets: Secrets { server_seed: [1; 32], seed: [2; 32], creator_nonce: None, acceptor_nonce: None },
        created_at_ms: 0,
    })
}

fn position(ply: u32, to_act: &[Seat], outcome: Option<GameResult>) -> Arc<Position> {
    Arc::new(Position {
        state: vec![u8::try_from(ply).unwrap_or(u8::MAX)],
        to_act: if outcome.is_some() { Vec::new() } else { to_act.to_vec() },
        ply: Ply(ply),
        body_json: "{}".to_owned(),
        legal_moves_json: [Vec::new(), Vec::new()],
        outcome,
        board_text: String::new(),
    })
}

fn first() -> Arc<Position> {
    position(0, &[Seat::One], None)
}

fn begun(staked: bool) -> Set {
    Set::begin(info(staked, false), first(), UnixMs(0)).next
}

fn move_of(seat: Seat, received_ms: i64) -> PlayedMove {
    PlayedMove { seat, move_json: "1".to_owned(), notation: "1".to_owned(), received_ms }
}

/// Plays the next ply one second after the last thing that happened.
fn ply(set: &Set, outcome: Option<GameResult>) -> Decision {
    let game = set.current().unwrap();
    let (seat, now) = (game.to_act()[0], UnixMs(set.logged_ms + 1_000));
    let step =
        Step { played: vec![move_of(seat, now.0)], position: position(game.ply().0 + 1, &[seat.other()], outcome) };
    let next_start = set.has_next_game().then(first);
    set.play(Play { step, received: now, completed_by: None, waited_since: None, next_start }, now).unwrap()
}

fn win(seat: Seat) -> Option<GameResult> {
    Some(GameResult { winner: Some(seat), reason: "far_row".to_owned() })
}

/// Plays a game of so many plies to this outcome.
fn play_game(mut set: Set, plies: u32, outcome: Option<GameResult>) -> Decision {
    for _ in 1..plies {
        set = ply(&set, None).next;
    }
    ply(&set, outcome)
}

fn draw() -> Option<GameResult> {
    Some(GameResult { winner: None, reason: "max_moves".to_owned() })
}

#[test]
fn seats_are_swapped_and_the_second_game_starts_when_the_first_ends() {
    let set = begun(false);
    assert_eq!(set.games[0].side_of(Seat::One), Side::Acceptor);
    let decision = play_game(set, 3, win(Seat::One));
    let names: Vec<bool> =
        decision.events.iter().map(|logged| matches!(logged.event, Event::GameStarted { .. })).collect();
    assert_eq!(names, [false, false, true], "move, end of the game, start of the next");
    assert_eq!(decision.next.games[1].side_of(Seat::One), Side::Creator);
    assert!(decision.effects.is_empty() && decision.next.status == SetStatus::Active);
}

#[test]
fn a_set_is_decided_by_points_then_by_own_moves_in_games_not_lost() {
    // Seat 1 is the acceptor in game 1 and the creator in game 2.
    for (one, two, winner, by) in [
        ((3, win(Seat::One)), (4, win(Seat::Two)), Some(Side::Acceptor), DecidedBy::Points),
        ((4, win(Seat::Two)), (3, win(Seat::One)), Some(Side::Creator), DecidedBy::Points),
        ((3, draw()), (3, win(Seat::One)), Some(Side::Creator), DecidedBy::Points),
        ((5, win(Seat::One)), (3, win(Seat::One)), Some(Side::Creator), DecidedBy::Tiebreak),
        ((3, win(Seat::One)), (5, win(Seat::One)), Some(Side::Acceptor), DecidedBy::Tiebreak),
        ((5, win(Seat::One)), (5, win(Seat::One)), None, DecidedBy::Draw),
        ((5, draw()), (4, draw()), Some(Side::Creator), DecidedBy::Tiebreak),
        ((4, draw()), (4, draw()), None, DecidedBy::Draw),
    ] {
        let set = play_game(begun(true), one.0, one.1.clone()).next;
        let decision = play_game(set, two.0, two.1.clone());
        let end = decision.next.end.unwrap();
        assert_eq!(end.result, Some(SetResult { winner, by }), "{one:?} {two:?}");
        assert_eq!(end.half_points.iter().sum::<u32>(), 4);
        let settles = winner.map_or(Effect::Split, Effect::Settle);
        assert_eq!(decision.effects, [settles, Effect::Rate]);
    }
}

#[test]
fn a_missed_first_move_loses_one_game_and_strikes_in_a_staked_set() {
    for staked in [true, false] {
        let set = begun(staked);
        assert_eq!(set.flag(&[], Some(first()), UnixMs(30_000)), None, "in time means elapsed no more than remaining");
        let decision = set.flag(&[], Some(first()), UnixMs(30_051)).unwrap();
        let game = &decision.next.games[0];
        assert_eq!(game.result, Some(GameResult::lost_by(Seat::One, "first_move_timeout")));
        assert_eq!(decision.events[0].at, UnixMs(30_001), "it ended at the deadline, whenever the sweep came");
        assert_eq!(decision.next.games.len(), 2, "the next game is still played");
        let strikes = if staked { vec![Effect::Strike(Side::Acceptor, GameNumber(1))] } else { Vec::new() };
        assert_eq!(decision.effects, strikes);
    }
}

#[test]
fn a_late_move_never_counts() {
    let set = ply(&ply(&begun(true), None).next, None).next;
    let step = Step { played: vec![move_of(Seat::One, 0)], position: position(3, &[Seat::Two], None) };
    let late = UnixMs(set.logged_ms + 60_001);
    let play = Play { step, received: late, completed_by: None, waited_since: None, next_start: None };
    assert_eq!(set.play(play, late), Err(Late));
    let flagged = set.flag(&[], Some(first()), late).unwrap();
    assert_eq!(flagged.next.games[0].result, Some(GameResult::lost_by(Seat::One, "timeout")));
    assert_eq!(flagged.next.games[0].clock.unwrap().remaining_ms(), Some([0, 60_000]));
}

#[test]
fn whoever_has_not_placed_by_the_deadline_loses_the_round() {
    let set = Set::begin(info(true, true), position(0, &Seat::BOTH, None), UnixMs(0)).next;
    for (submitted, result) in [
        (vec![], Some(GameResult { winner: None, reason: "both_timeout".to_owned() })),
        (vec![Seat::One], Some(GameResult::lost_by(Seat::Two, "timeout"))),
        (vec![Seat::Two], Some(GameResult::lost_by(Seat::One, "timeout"))),
        (vec![Seat::One, Seat::Two], None),
    ] {
        let decision = set.flag(&submitted, None, UnixMs(30_001));
        assert_eq!(
            decision.as_ref().and_then(|decision| decision.next.games[0].result.clone()),
            result,
            "{submitted:?}"
        );
        if let Some(decision) = decision {
            assert_eq!(decision.next.status, SetStatus::Finished);
            assert!(!decision.effects.iter().any(|effect| matches!(effect, Effect::Strike(..))), "no strikes here");
        }
    }
}

#[test]
fn an_abort_gives_stakes_back_and_rates_nothing() {
    let decision = begun(true).abort(UnixMs(5)).unwrap();
    assert_eq!((decision.next.status, decision.next.games[0].status), (SetStatus::Aborted, GameStatus::Aborted));
    assert_eq!(decision.effects, [Effect::Refund]);
    assert_eq!(decision.next.abort(UnixMs(6)), None);
    assert_eq!(decision.next.due_at(), None);
}

#[test]
fn an_outage_is_given_back_once() {
    let set = begun(false);
    let decision = set.credit(UnixMs(1_000), UnixMs(6_000), UnixMs(6_500)).unwrap();
    assert_eq!(decision.next.due_at(), Some(UnixMs(35_000)));
    assert_eq!(decision.next.credit(UnixMs(1_000), UnixMs(6_000), UnixMs(6_500)), None);
    let overlapping = decision.next.credit(UnixMs(4_000), UnixMs(8_000), UnixMs(8_500)).unwrap();
    assert_eq!(overlapping.next.due_at(), Some(UnixMs(37_000)), "only what lies beyond the first is given");
}

#[test]
fn a_move_meets_its_game_in_the_order_of_checks() {
    let set = ply(&begun(false), None).next;
    let (one, two) = (GameNumber(1), GameNumber(2));
    assert_eq!(set.meet(one, Seat::One, Ply(0)), Meeting::Played);
    assert_eq!(set.meet(one, Seat::Two, Ply(1)), Meeting::Ready);
    assert_eq!(set.meet(one, Seat::One, Ply(1)), Meeting::NotToAct);
    assert_eq!(set.meet(one, Seat::One, Ply(2)), Meeting::Stale);
    assert_eq!(set.meet(two, Seat::One, Ply(0)), Meeting::Stale);
    let over = set.resign(Seat::Two, Some(first()), UnixMs(9_000)).unwrap().next;
    assert_eq!(over.meet(one, Seat::Two, Ply(1)), Meeting::Over);
    assert_eq!(over.meet(one, Seat::One, Ply(0)), Meeting::Played, "a retry comes before the end");
}

#[test]
fn events_are_numbered_without_gaps_and_in_order_of_time() {
    let mut set = begun(true);
    let mut seqs = vec![set.seq];
    let mut logged_ms = set.logged_ms;
    for _ in 0..3 {
        let decision = play_game(set, 4, win(Seat::Two));
        for logged in &decision.events {
            assert!(logged.at.0 >= logged_ms);
            logged_ms = logged.at.0;
        }
        seqs.push(decision.next.seq);
        set = decision.next;
        if set.status != SetStatus::Active {
            break;
        }
    }
    assert_eq!(seqs.last(), Some(&Seq(1 + 4 + 1 + 1 + 4 + 1 + 1)));
}
