//! Challenges: refusals with their codes, races with one outcome, stakes that end exactly once.

use farside_proto::matches::v1 as proto;
use futures::future::join_all;

use crate::harness::{Backend, World, bot, challenge, house, request_id, staked};

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_that_cannot_be_made_is_refused_with_its_code() {
    use proto::create_challenge_request::ClockChoice;
    let world = World::start(Backend::Sqlite).await;
    let anna = world.bot("anna", 100).await;
    let base = || challenge(&anna);
    let fischer = |initial_s, increment_s| {
        let kind = Some(proto::clock_setting::Kind::Fischer(proto::FischerClock { initial_s, increment_s }));
        Some(ClockChoice::Clock(proto::ClockSetting { kind }))
    };
    let sibling = bot("anna2", "anna");
    for (request, expected) in [
        (proto::CreateChallengeRequest { game: "chess".to_owned(), ..base() }, "GAME_NOT_FOUND"),
        (proto::CreateChallengeRequest { format: proto::Format::Single.into(), ..base() }, "MALFORMED_REQUEST"),
        (
            proto::CreateChallengeRequest { clock_choice: Some(ClockChoice::Untimed(true)), ..base() },
            "MALFORMED_REQUEST",
        ),
        (proto::CreateChallengeRequest { nonce: Some("x".repeat(65)), ..base() }, "MALFORMED_REQUEST"),
        (proto::CreateChallengeRequest { opponent: Some(house("godlike")), ..base() }, "MALFORMED_REQUEST"),
        (proto::CreateChallengeRequest { opponent: Some(house("easy")), ..staked(&anna, 10) }, "MALFORMED_REQUEST"),
        (proto::CreateChallengeRequest { options_json: r#"{"size":99}"#.to_owned(), ..base() }, "OPTIONS_INVALID"),
        (proto::CreateChallengeRequest { clock_choice: fischer(5, 0), ..base() }, "CLOCK_INVALID"),
        (proto::CreateChallengeRequest { clock_choice: fischer(60, 11), ..base() }, "CLOCK_INVALID"),
        (staked(&anna, 9), "STAKE_OUT_OF_RANGE"),
        (staked(&anna, 1_001), "STAKE_OUT_OF_RANGE"),
        (staked(&anna, 501), "STAKE_ABOVE_MAX"),
        (proto::CreateChallengeRequest { opponent: Some(sibling.clone()), ..staked(&anna, 10) }, "SAME_OWNER"),
        (proto::CreateChallengeRequest { opponent: Some(sibling), rated: Some(true), ..base() }, "SAME_OWNER"),
        (proto::CreateChallengeRequest { opponent: Some(anna.clone()), ..base() }, "OWN_CHALLENGE"),
        (staked(&anna, 101), "INSUFFICIENT_BALANCE"),
    ] {
        let refused = world.create(request.clone()).await;
        assert_eq!(refused.unwrap_err().reason, expected, "{request:?}");
    }
    assert_eq!(world.balance("anna").await, (100, 0));
    let list = proto::ListChallengesRequest::default();
    let listed = world.client.clone().list_challenges(list).await.unwrap().into_inner().challenges;
    assert_eq!(listed, Vec::new(), "a refused challenge leaves nothing behind");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_makes_one_challenge() {
    let world = World::start(Backend::Sqlite).await;
    let anna = world.bot("anna", 100).await;
    let request = staked(&anna, 10);
    let answers = join_all((0..8).map(|_| world.create(request.clone()))).await;
    let ids: Vec<String> = answers.into_iter().map(|answer| answer.unwrap().challenge.unwrap().id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(world.balance("anna").await, (90, 10));
    let other = proto::CreateChallengeRequest { nonce: Some("y".to_owned()), ..request };
    assert_eq!(world.create(other).await.unwrap_err().reason, "IDEMPOTENCY_MISMATCH");
    world.stop().await;
}

async fn one_outcome_of_a_race(backend: Backend) {
    let world = World::start(backend).await;
    for round in 0..4 {
        let creator = world.bot(&format!("creator{round}"), 100).await;
        let made = world.create(staked(&creator, 10)).await.unwrap().challenge.unwrap();
        let mut bots = Vec::new();
        for number in 0..6 {
            bots.push(world.bot(&format!("rival{round}x{number}"), 100).await);
        }
        let cancel = async {
            let request = proto::CancelChallengeRequest {
                request_id: request_id(),
                actor: Some(creator.clone()),
                challenge_id: made.id.clone(),
            };
            world.client.clone().cancel_challenge(request).await.is_ok()
        };
        let accepts = join_all(bots.iter().map(|bot| world.accept(bot, &made.id)));
        let (cancelled, accepted) = tokio::join!(cancel, accepts);
        let winners: Vec<usize> =
            accepted.iter().enumerate().filter(|(_, set)| set.is_ok()).map(|(at, _)| at).collect();
        assert_eq!(winners.len() + usize::from(cancelled), 1, "exactly one outcome");
        for (number, set) in accepted.iter().enumerate().filter(|(number, _)| !winners.contains(number)) {
            assert_eq!(set.as_ref().unwrap_err().reason, "CHALLENGE_CLOSED");
            assert_eq!(
                world.balance(&format!("rival{round}x{number}")).await,
                (100, 0),
                "a loser's stake is untouched"
            );
        }
        for number in &winners {
            assert_eq!(world.balance(&format!("rival{round}x{number}")).await, (90, 10));
        }
    }
    assert!(world.audit_is_ok().await);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_and_a_cancel_at_once_have_one_outcome_on_sqlite() {
    one_outcome_of_a_race(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accepts_and_a_cancel_at_once_have_one_outcome_on_postgres() {
    one_outcome_of_a_race(Backend::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acceptor_is_refused_with_its_code() {
    let world = World::start_with(Backend::Sqlite, |config| config.play.set_limit = 2, None).await;
    let (anna, otto) = (world.bot("anna", 1_000).await, world.bot("otto", 15).await);
    let open = world.create(staked(&anna, 20)).await.unwrap().challenge.unwrap();
    let accept =
        async |actor: &proto::Participant, id: &str| world.accept(actor, id).await.map(|_| ()).unwrap_err().reason;
    assert_eq!(accept(&otto, "chal_01ARZ3NDEKTSV4RRFFQ69G5FAV").await, "CHALLENGE_NOT_FOUND");
    assert_eq!(accept(&anna, &open.id).await, "OWN_CHALLENGE");
    assert_eq!(accept(&bot("anna2", "anna"), &open.id).await, "SAME_OWNER");
    let modest = proto::Participant { max_stake_points: 19, ..otto.clone() };
    assert_eq!(accept(&modest, &open.id).await, "STAKE_ABOVE_MAX");
    assert_eq!(accept(&otto, &open.id).await, "INSUFFICIENT_BALANCE");
    assert_eq!(world.balance("otto").await, (15, 0));
    let request = proto::CreateChallengeRequest { opponent: Some(bot("eve", "eve")), ..challenge(&anna) };
    let private = world.create(request).await.unwrap().challenge.unwrap();
    assert_eq!(accept(&otto, &private.id).await, "NOT_CHALLENGED");
    assert_eq!(world.create(challenge(&anna)).await.unwrap_err().reason, "TOO_MANY_SETS");
    let rich = world.bot("rich", 100).await;
    world.accept(&rich, &open.id).await.unwrap();
    assert_eq!(accept(&otto, &open.id).await, "CHALLENGE_CLOSED");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_declines_at_once_and_holds_nothing() {
    let world = World::start(Backend::Sqlite).await;
    let anna = world.bot("anna", 100).await;
    let accepts = proto::AcceptancePolicy { stake_max_points: Some(5), ..Default::default() };
    let picky = proto::Participant { accepts: Some(accepts), ..bot("picky", "picky") };
    let request = proto::CreateChallengeRequest { opponent: Some(picky), ..staked(&anna, 10) };
    let made = world.create(request).await.unwrap().challenge.unwrap();
    assert_eq!(
        (made.status(), made.declined_reason.as_str()),
        (proto::ChallengeStatus::Declined, "stake_not_accepted")
    );
    assert_eq!(world.balance("anna").await, (100, 0));
    world.stop().await;
}
