//! A table of cases for clocks, and what holds for every clock.

use proptest::prelude::*;

use super::*;

const FISCHER: ClockSetting = ClockSetting::Fischer { initial_s: 60, increment_s: 2, first_move_s: 30 };
const ROUNDS: ClockSetting = ClockSetting::PerRound { per_round_s: 30 };

fn at(ms: i64) -> PlyTimes {
    PlyTimes { received: UnixMs(ms), next_turn: UnixMs(ms) }
}

fn fischer() -> Clock {
    Clock::start(FISCHER, &[Seat::One], UnixMs(0))
}

/// Both seats have made their first moves; seat 1's time runs from 20 s.
fn under_way() -> Clock {
    let clock = fischer().after_ply(at(10_000), &[Seat::Two]).unwrap();
    clock.after_ply(at(20_000), &[Seat::One]).unwrap()
}

#[test]
fn a_stamp_is_trusted_two_seconds_back_and_never_ahead() {
    let now = UnixMs(10_000);
    for (stamp, charged) in [
        (None, 10_000),
        (Some(9_500), 9_500),
        (Some(8_000), 8_000),
        (Some(7_999), 8_000),
        (Some(0), 8_000),
        (Some(10_001), 10_000),
    ] {
        assert_eq!(charged_at(stamp.map(UnixMs), now), UnixMs(charged), "{stamp:?}");
    }
}

#[test]
fn first_moves_have_a_deadline_of_their_own_and_are_free() {
    let clock = fischer();
    assert_eq!((clock.deadline(), clock.flag_reason(Seat::One)), (Some(UnixMs(30_000)), FlagReason::FirstMoveTimeout));
    let clock = clock.after_ply(at(29_000), &[Seat::Two]).unwrap();
    assert_eq!(clock.remaining_ms(), Some([60_000, 60_000]), "neither charged nor given the increment");
    assert_eq!(clock.deadline(), Some(UnixMs(59_000)), "seat 2's deadline starts with seat 1's first move");
    let clock = clock.after_ply(at(59_000), &[Seat::One]).unwrap();
    assert_eq!((clock.deadline(), clock.flag_reason(Seat::One)), (Some(UnixMs(119_000)), FlagReason::Timeout));
}

#[test]
fn later_moves_are_charged_and_earn_the_increment() {
    for (received_ms, left_ms) in
        [(20_000, 62_000), (20_001, 61_999), (25_000, 57_000), (79_999, 2_001), (80_000, 2_000)]
    {
        let after = under_way().after_ply(at(received_ms), &[Seat::Two]).unwrap();
        assert_eq!(after.remaining_ms(), Some([left_ms, 60_000]), "received at {received_ms}");
    }
}

#[test]
fn in_time_means_elapsed_no_more_than_remaining() {
    assert!(under_way().after_ply(at(80_000), &[Seat::Two]).is_ok());
    assert_eq!(under_way().after_ply(at(80_001), &[Seat::Two]), Err(Late));
    assert_eq!(fischer().after_ply(at(30_001), &[Seat::Two]), Err(Late));
}

#[test]
fn a_move_that_ends_the_game_earns_no_increment() {
    let after = under_way().after_ply(at(25_000), &[]).unwrap();
    assert_eq!((after.remaining_ms(), after.deadline()), (Some([55_000, 60_000]), None));
}

#[test]
fn a_stamp_before_the_turn_began_charges_nothing() {
    let times = PlyTimes { received: UnixMs(19_000), next_turn: UnixMs(20_000) };
    let after = under_way().after_ply(times, &[Seat::Two]).unwrap();
    assert_eq!((after.remaining_ms(), after.deadline()), (Some([62_000, 60_000]), Some(UnixMs(80_000))));
}

#[test]
fn a_fallen_flag_leaves_nothing_but_a_missed_first_move_leaves_the_budget() {
    assert_eq!(under_way().flagged().remaining_ms(), Some([0, 60_000]));
    assert_eq!(fischer().flagged().remaining_ms(), Some([60_000, 60_000]));
    assert_eq!(under_way().flagged().deadline(), None);
}

#[test]
fn an_outage_gives_back_what_it_took_from_the_running_turn() {
    for (from_ms, to_ms, credit_ms) in
        [(22_000, 30_000, Some(8_000)), (10_000, 30_000, Some(10_000)), (5_000, 20_000, None), (5_000, 10_000, None)]
    {
        let credited = under_way().credited(UnixMs(from_ms), UnixMs(to_ms));
        assert_eq!(credited.map(|(_, credit)| credit.0), credit_ms, "{from_ms} to {to_ms}");
        if let Some((clock, credit)) = credited {
            assert_eq!(clock.deadline(), under_way().deadline().map(|deadline| deadline.plus(credit)));
            assert_eq!(clock.remaining_ms(), under_way().remaining_ms());
        }
    }
}

#[test]
fn a_round_has_one_deadline_and_the_next_begins_with_the_reveal() {
    let clock = Clock::start(ROUNDS, &Seat::BOTH, UnixMs(1_000));
    assert_eq!((clock.deadline(), clock.remaining_ms()), (Some(UnixMs(31_000)), None));
    assert_eq!(clock.flag_reason(Seat::One), FlagReason::Timeout, "there is no first-move deadline");
    let clock = clock.after_ply(at(12_000), &Seat::BOTH).unwrap();
    assert_eq!(clock.deadline(), Some(UnixMs(42_000)));
    assert_eq!(clock.after_ply(at(42_001), &Seat::BOTH), Err(Late));
    assert_eq!(clock.after_ply(at(42_000), &[]).unwrap().deadline(), None);
}

proptest! {
    #[test]
    fn no_clock_is_ever_negative_or_grows_by_being_late(steps in proptest::collection::vec(0_i64..70_000, 1..60)) {
        let (mut clock, mut now_ms, mut seat) = (fischer(), 0, Seat::One);
        for step in steps {
            now_ms += step;
            let before = clock.remaining_ms().unwrap();
            let in_time = clock.is_in_time(UnixMs(now_ms));
            match clock.after_ply(at(now_ms), &[seat.other()]) {
                Ok(after) => {
                    prop_assert!(in_time);
                    let left = after.remaining_ms().unwrap();
                    prop_assert!(left.iter().all(|left_ms| *left_ms >= 0));
                    prop_assert!(left[seat.index()] <= before[seat.index()] + 2_000);
                    prop_assert_eq!(left[seat.other().index()], before[seat.other().index()]);
                    (clock, seat) = (after, seat.other());
                }
                Err(Late) => {
                    prop_assert!(!in_time);
                    let left = clock.flagged().remaining_ms().unwrap();
                    prop_assert!(left.iter().zip(before).all(|(left_ms, before_ms)| *left_ms <= before_ms));
                    return Ok(());
                }
            }
        }
    }

    #[test]
    fn a_credit_moves_the_deadline_by_as_much(from_ms in 0_i64..100_000, length_ms in 0_i64..100_000) {
        let clock = under_way();
        let (from, to) = (UnixMs(from_ms), UnixMs(from_ms + length_ms));
        match clock.credited(from, to) {
            None => prop_assert!(to.0 <= 20_000 || length_ms == 0),
            Some((credited, credit)) => {
                prop_assert!(credit.0 > 0 && credit.0 <= length_ms);
                prop_assert_eq!(credited.deadline().unwrap(), clock.deadline().unwrap().plus(credit));
            }
        }
    }
}
