//! A table of proposals with the first thing that is wrong with each.

use super::*;
use crate::domain::ids::{OwnerId, ParticipantId};
use crate::domain::participant::{AcceptancePolicy, ParticipantKind};
use farside_kit::fault::Fault as _;

fn participant(name: &str, owner: &str, kind: ParticipantKind) -> Participant {
    Participant {
        id: ParticipantId(name.to_owned()),
        name: name.to_owned(),
        kind,
        owner_id: OwnerId(owner.to_owned()),
        owner_name: owner.to_owned(),
        max_stake_points: 500,
        accepts: None,
    }
}

fn range(min: u32, max: u32, default: u32) -> Range {
    Range { min, max, default }
}

fn facts() -> GameFacts {
    GameFacts {
        id: GameId::from("breakthrough"),
        version: 1,
        ranked: true,
        games_per_set: 2,
        simultaneous: false,
        clock: ClockRanges::Fischer { initial_s: range(10, 600, 60), increment_s: range(0, 10, 2), first_move_s: 30 },
        house_levels: vec!["easy".to_owned()],
    }
}

fn limits() -> CurrencyLimits {
    CurrencyLimits { code: "PTS".to_owned(), min_points: 10, max_points: 1_000 }
}

fn proposal() -> Proposal {
    Proposal {
        creator: participant("bot_a", "anna", ParticipantKind::Bot),
        opponent: None,
        clock: ClockChoice::Default,
        stake: None,
        rated: None,
        format: Format::Set,
        nonce: None,
        expires_in_s: None,
    }
}

fn stake(amount_points: i64) -> Option<Stake> {
    Some(Stake { currency: "PTS".to_owned(), amount_points })
}

fn against(name: &str, owner: &str, kind: ParticipantKind) -> Option<Participant> {
    Some(participant(name, owner, kind))
}

fn outcome(proposal: &Proposal, facts: &GameFacts) -> Result<Terms, &'static str> {
    let limits = proposal.stake.as_ref().map(|_| limits());
    let terms = proposal.check_form(facts).and_then(|()| proposal.terms(facts, limits.as_ref()));
    terms.map_err(|refusal| refusal.reason())
}

#[test]
fn the_first_thing_that_is_wrong_is_told() {
    use ParticipantKind::{Bot, House};
    let casual = GameFacts { ranked: false, ..facts() };
    for (proposal, facts, expected) in [
        (Proposal { nonce: Some("n".repeat(65)), ..proposal() }, facts(), "MALFORMED_REQUEST"),
        (Proposal { expires_in_s: Some(0), ..proposal() }, facts(), "MALFORMED_REQUEST"),
        (Proposal { format: Format::Single, ..proposal() }, facts(), "MALFORMED_REQUEST"),
        (Proposal { clock: ClockChoice::Untimed, ..proposal() }, facts(), "MALFORMED_REQUEST"),
        (Proposal { rated: Some(true), ..proposal() }, casual, "MALFORMED_REQUEST"),
        (Proposal { opponent: against("house:x", "house", House), ..proposal() }, facts(), "MALFORMED_REQUEST"),
        (
            Proposal { opponent: against("house:easy", "house", House), stake: stake(10), ..proposal() },
            facts(),
            "MALFORMED_REQUEST",
        ),
        (Proposal { clock: ClockChoice::Fischer(9, 0), stake: stake(1), ..proposal() }, facts(), "CLOCK_INVALID"),
        (Proposal { clock: ClockChoice::PerRound(30), ..proposal() }, facts(), "CLOCK_INVALID"),
        (Proposal { stake: stake(9), ..proposal() }, facts(), "STAKE_OUT_OF_RANGE"),
        (Proposal { stake: stake(501), ..proposal() }, facts(), "STAKE_ABOVE_MAX"),
        (Proposal { opponent: against("bot_b", "anna", Bot), stake: stake(10), ..proposal() }, facts(), "SAME_OWNER"),
        (Proposal { opponent: against("bot_a", "anna", Bot), rated: Some(true), ..proposal() }, facts(), "SAME_OWNER"),
        (Proposal { opponent: against("bot_a", "anna", Bot), ..proposal() }, facts(), "OWN_CHALLENGE"),
    ] {
        assert_eq!(outcome(&proposal, &facts), Err(expected), "{proposal:?}");
    }
}

#[test]
fn kind_and_rating_follow_from_opponent_and_game() {
    use ChallengeKind::{Open, Practice, Private};
    use ParticipantKind::{Bot, House, Human};
    let casual = GameFacts { ranked: false, ..facts() };
    for (proposal, facts, kind, rated, reason) in [
        (proposal(), facts(), Open, true, ""),
        (Proposal { rated: Some(false), ..proposal() }, facts(), Open, false, "requested"),
        (proposal(), casual, Open, false, "casual_game"),
        (Proposal { opponent: against("bot_b", "otto", Bot), ..proposal() }, facts(), Private, true, ""),
        (Proposal { opponent: against("otto", "otto", Human), ..proposal() }, facts(), Private, true, ""),
        (Proposal { opponent: against("bot_b", "anna", Bot), ..proposal() }, facts(), Practice, false, "practice"),
        (
            Proposal { opponent: against("house:easy", "house", House), ..proposal() },
            facts(),
            Practice,
            false,
            "practice",
        ),
    ] {
        let terms = outcome(&proposal, &facts).unwrap();
        assert_eq!((terms.kind, terms.rated, terms.unrated_reason), (kind, rated, reason), "{proposal:?}");
    }
}

#[test]
fn a_private_challenge_outside_the_policy_is_declined_with_its_reason() {
    let picky = Participant {
        accepts: Some(AcceptancePolicy { rated: Some(false), ..AcceptancePolicy::default() }),
        ..participant("bot_b", "otto", ParticipantKind::Bot)
    };
    let terms = outcome(&Proposal { opponent: Some(picky), ..proposal() }, &facts()).unwrap();
    assert_eq!(terms.declined_reason, Some("rated_not_accepted"));
}
