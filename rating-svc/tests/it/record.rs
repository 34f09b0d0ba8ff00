//! Recording a set: what it changes, and that it does so once.

use farside_kit::fault::Kind;
use farside_kit::time::DurationMs;
use farside_proto::rating::v1 as pb;

use crate::service::{GAME, Service, bot, drawn, house, human, on_both, won};

on_both!(
    a_first_set_moves_both_sides,
    a_replay_gives_the_first_answer_and_changes_nothing,
    other_content_under_the_same_set_is_refused,
    an_invalid_set_names_what_is_wrong_and_changes_nothing,
    an_unrated_set_moves_no_rating,
    deviation_grows_with_time_away,
);

async fn a_first_set_moves_both_sides(service: Service) {
    let answer = service.record(won(1, &bot("A"), &bot("B"), 1_000)).await.unwrap();
    let (winner, loser) = (answer.creator.unwrap(), answer.acceptor.unwrap());
    assert!((winner.rating - 1362.3).abs() < 0.1 && (loser.rating - 1037.7).abs() < 0.1, "{winner:?} {loser:?}");
    assert!(winner.provisional && winner.deviation < 291.0);
    assert_eq!([winner.sets, winner.wins, winner.won_points, winner.net_points], [1, 1, 39, 39]);
    assert_eq!([loser.sets, loser.losses, loser.won_points, loser.net_points], [1, 1, 0, -40]);
    assert_eq!(service.standing("bot_A").await.unwrap().rating.to_bits(), winner.rating.to_bits());
    let board = service.board(10, "").await.unwrap();
    let rows: Vec<_> = board.rows.into_iter().map(|row| (row.rank, row.participant.unwrap())).collect();
    assert_eq!(rows, [(1, bot("A")), (2, bot("B"))]);
    let history = service.history("bot_B", 10, "").await.unwrap().points;
    assert_eq!(history.len(), 1);
    assert_eq!((history[0].set_id.as_str(), history[0].rating.to_bits()), ("set_00000001", loser.rating.to_bits()));
    assert!(service.standing("bot_Z").await.is_none());
}

async fn a_replay_gives_the_first_answer_and_changes_nothing(service: Service) {
    let set = won(1, &bot("A"), &bot("B"), 1_000);
    let first = service.record(set.clone()).await.unwrap();
    assert_eq!(service.record(set.clone()).await.unwrap(), first);
    let draw = drawn(won(2, &bot("B"), &bot("A"), 2_000));
    let second = service.record(draw).await.unwrap();
    service.clock.advance(DurationMs(86_400_000));
    assert_eq!(service.record(set).await.unwrap(), first);
    let now = service.standing("bot_A").await.unwrap();
    assert_eq!((now.sets, now.wins, now.draws), (2, 1, 1));
    assert_eq!(now.rating.to_bits(), second.acceptor.unwrap().rating.to_bits());
    assert_eq!(service.history("bot_A", 10, "").await.unwrap().points.len(), 2);
}

async fn other_content_under_the_same_set_is_refused(service: Service) {
    let set = won(1, &bot("A"), &bot("B"), 1_000);
    let first = service.record(set.clone()).await.unwrap();
    let others = [
        drawn(set.clone()),
        pb::RecordSetRequest { acceptor: Some(bot("C")), ..set.clone() },
        pb::RecordSetRequest { rated: false, ..set.clone() },
        pb::RecordSetRequest { won_points: 38, ..set.clone() },
        pb::RecordSetRequest { finished_at_ms: set.finished_at_ms + 1, ..set.clone() },
        pb::RecordSetRequest { game: "other".to_owned(), ..set.clone() },
    ];
    for other in others {
        let fault = service.record(other).await.unwrap_err();
        assert_eq!((fault.kind, fault.reason.as_str()), (Kind::AlreadyExists, "IDEMPOTENCY_MISMATCH"));
    }
    assert!(service.standing("bot_C").await.is_none());
    assert_eq!(service.record(set).await.unwrap(), first);
}

async fn an_invalid_set_names_what_is_wrong_and_changes_nothing(service: Service) {
    let good = won(1, &bot("A"), &bot("B"), 1_000);
    let cases = [
        (pb::RecordSetRequest { request_id: "x".to_owned(), ..good.clone() }, "/request_id"),
        (pb::RecordSetRequest { game: String::new(), ..good.clone() }, "/game"),
        (pb::RecordSetRequest { creator: None, ..good.clone() }, "/creator"),
        (
            pb::RecordSetRequest { acceptor: Some(pb::Participant { kind: 0, ..bot("B") }), ..good.clone() },
            "/acceptor/kind",
        ),
        (
            pb::RecordSetRequest { acceptor: Some(pb::Participant { kind: 2, ..bot("B") }), ..good.clone() },
            "/acceptor/id",
        ),
        (pb::RecordSetRequest { outcome: 99, ..good.clone() }, "/outcome"),
        (pb::RecordSetRequest { acceptor: Some(house("easy")), ..good.clone() }, "/acceptor"),
        (pb::RecordSetRequest { acceptor: Some(bot("A")), ..good.clone() }, "/acceptor"),
        (pb::RecordSetRequest { won_points: 41, ..good.clone() }, "/won_points"),
        (pb::RecordSetRequest { finished_at_ms: i64::MIN, ..good.clone() }, "/finished_at_ms"),
    ];
    for (set, pointer) in cases {
        let fault = service.record(set).await.unwrap_err();
        assert_eq!((fault.kind, fault.reason.as_str()), (Kind::InvalidArgument, "SET_INVALID"));
        assert!(fault.violations.iter().any(|it| it.pointer == pointer), "{pointer}: {:?}", fault.violations);
    }
    assert!(service.standing("bot_A").await.is_none());
    assert!(service.record(good).await.is_ok());
}

async fn an_unrated_set_moves_no_rating(service: Service) {
    let unrated = pb::RecordSetRequest { rated: false, ..won(1, &bot("A"), &human("B"), 1_000) };
    let answer = service.record(unrated.clone()).await.unwrap();
    assert_eq!(answer, pb::RecordSetResponse { creator: None, acceptor: None });
    assert_eq!(service.record(unrated).await.unwrap(), answer);
    assert!(service.standing("bot_A").await.is_none());
    assert!(service.board(10, "").await.unwrap().rows.is_empty());
}

async fn deviation_grows_with_time_away(service: Service) {
    for number in 1..=20 {
        let set = won(number, &bot("A"), &bot("B"), i64::try_from(number).unwrap());
        service.record(drawn(set)).await.unwrap();
    }
    let soon = service.standing("bot_A").await.unwrap();
    assert!(!soon.provisional && soon.deviation < 110.0, "{soon:?}");
    service.clock.advance(DurationMs(3 * 365 * 86_400_000));
    let late = service.standing("bot_A").await.unwrap();
    assert!(late.provisional && late.deviation > 300.0, "{late:?}");
    assert_eq!((late.rating.to_bits(), late.game.as_str()), (soon.rating.to_bits(), GAME));
}
