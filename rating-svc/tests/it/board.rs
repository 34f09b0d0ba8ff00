//! Leaderboards: who is on them, in which order, and what pages promise while ratings move.

use std::collections::BTreeSet;

use farside_kit::fault::Kind;
use farside_kit::time::DurationMs;
use farside_proto::rating::v1 as pb;

use crate::service::{GAME, Service, bot, human, on_both, won};

on_both!(
    only_bots_are_listed_best_first,
    ties_are_ordered_by_id_across_pages,
    no_page_repeats_a_participant_while_ratings_move,
    a_cursor_of_something_else_or_too_old_is_refused,
);

/// So many pairs of bots, of which one beat the other.
async fn pairs(service: &Service, count: usize) {
    for number in 0..count {
        let (winner, loser) = (bot(&format!("W{number:03}")), bot(&format!("L{number:03}")));
        service.record(won(number, &winner, &loser, 1_000)).await.unwrap();
    }
}

fn ids(rows: &[pb::LeaderboardRow]) -> Vec<String> {
    rows.iter().map(|row| row.participant.as_ref().unwrap().id.clone()).collect()
}

async fn only_bots_are_listed_best_first(service: Service) {
    service.record(won(1, &bot("A"), &human("P"), 1_000)).await.unwrap();
    service.record(won(2, &bot("B"), &bot("C"), 2_000)).await.unwrap();
    service.record(won(3, &bot("B"), &bot("A"), 3_000)).await.unwrap();
    let board = service.board(0, "").await.unwrap();
    assert_eq!(ids(&board.rows), ["bot_B", "bot_A", "bot_C"]);
    assert_eq!(board.rows.iter().map(|row| row.rank).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(board.next_cursor.is_empty());
    assert!(service.standing("player_P").await.is_some());
    let other = pb::ListLeaderboardRequest { game: "other".to_owned(), limit: 0, cursor: String::new() };
    assert!(service.client().list_leaderboard(other).await.unwrap().into_inner().rows.is_empty());
}

async fn ties_are_ordered_by_id_across_pages(service: Service) {
    pairs(&service, 13).await;
    let whole = service.whole_board(100).await;
    for limit in [1, 2, 5, 13, 25, 26] {
        assert_eq!(service.whole_board(limit).await, whole, "{limit}");
    }
    let winners: Vec<String> = (0..13).map(|number| format!("bot_W{number:03}")).collect();
    assert_eq!(ids(&whole)[..13], winners);
    assert_eq!(whole.iter().map(|row| row.rank).collect::<Vec<_>>(), (1..=26).collect::<Vec<_>>());
}

async fn no_page_repeats_a_participant_while_ratings_move(service: Service) {
    pairs(&service, 15).await;
    let mut seen = BTreeSet::new();
    let mut cursor = String::new();
    let mut number = 100;
    loop {
        let page = service.board(4, &cursor).await.unwrap();
        for id in ids(&page.rows) {
            assert!(seen.insert(id.clone()), "{id} was on an earlier page");
        }
        // Everybody on this page falls to the bottom, beaten by the last of the board.
        for row in &page.rows {
            for _ in 0..3 {
                number += 1;
                let victim = row.participant.clone().unwrap();
                service.clock.advance(DurationMs(1_000));
                service.record(won(number, &bot("L014"), &victim, i64::try_from(number).unwrap() * 1_000)).await.ok();
            }
        }
        if page.next_cursor.is_empty() {
            break;
        }
        cursor = page.next_cursor;
    }
    assert!(seen.len() >= 25, "{}", seen.len());
    service.clock.advance(DurationMs(60_000));
    assert_eq!(service.whole_board(7).await.len(), 30);
}

async fn a_cursor_of_something_else_or_too_old_is_refused(service: Service) {
    pairs(&service, 3).await;
    let cursor = service.board(2, "").await.unwrap().next_cursor;
    let other = pb::ListLeaderboardRequest { game: "other".to_owned(), limit: 2, cursor: cursor.clone() };
    let fault: farside_kit::fault::Remote = service.client().list_leaderboard(other).await.unwrap_err().into();
    assert_eq!((fault.kind, fault.reason.as_str()), (Kind::InvalidArgument, "CURSOR_INVALID"));
    let history = service.history("bot_W000", 1, &cursor).await.unwrap_err();
    assert_eq!(history.reason, "CURSOR_INVALID");
    for bad in ["x", "!!", "Ym9hcmQ", &"A".repeat(10_000)] {
        assert_eq!(service.board(2, bad).await.unwrap_err().reason, "CURSOR_INVALID", "{GAME}");
    }
    assert_eq!(service.board(2, &cursor).await.unwrap().rows.len(), 2);
    service.clock.advance(DurationMs(3_600_001));
    assert_eq!(service.board(2, &cursor).await.unwrap_err().reason, "CURSOR_INVALID");
}
