//! Practice of persons against house bots.

use farside_proto::rating::v1 as pb;

use crate::service::{Service, house, human, on_both, won};

on_both!(each_game_counts_once_in_the_order_of_set_ends, boards_and_levels_are_counted_apart);

fn practice(number: usize, board: &str, level: &str, games: &[bool], after_ms: i64) -> pb::RecordSetRequest {
    let games = games.iter().zip(1..).map(|(won, number)| pb::PracticeGame { number, won: *won }).collect();
    let practice =
        pb::Practice { player_id: "player_P".to_owned(), board: board.to_owned(), level: level.to_owned(), games };
    let set = won(number, &human("P"), &house(level), after_ms);
    pb::RecordSetRequest { rated: false, lost_points: 0, won_points: 0, practice: Some(practice), ..set }
}

async fn statistics(service: &Service) -> Vec<(String, String, [i64; 4])> {
    let request = pb::GetPracticeRequest { player_id: "player_P".to_owned() };
    let statistics = service.client().get_practice(request).await.unwrap().into_inner().statistics;
    let row =
        |it: pb::PracticeStatistics| (it.board, it.level, [it.wins, it.losses, it.current_streak, it.best_streak]);
    statistics.into_iter().map(row).collect()
}

async fn each_game_counts_once_in_the_order_of_set_ends(service: Service) {
    assert!(statistics(&service).await.is_empty());
    let last = practice(3, "6x6", "easy", &[true], 3_000);
    service.record(last.clone()).await.unwrap();
    service.record(practice(1, "6x6", "easy", &[true, true], 1_000)).await.unwrap();
    assert_eq!(statistics(&service).await[0].2, [3, 0, 3, 3]);
    // It ended between the two, and its second game was lost.
    service.record(practice(2, "6x6", "easy", &[true, false], 2_000)).await.unwrap();
    service.record(last.clone()).await.unwrap();
    assert_eq!(statistics(&service).await, [("6x6".to_owned(), "easy".to_owned(), [4, 1, 1, 3])]);
    let other = practice(3, "6x6", "easy", &[false], 3_000);
    assert_eq!(service.record(other).await.unwrap_err().reason, "IDEMPOTENCY_MISMATCH");
    assert_eq!(service.rebuild().await, pb::RebuildResponse { sets: 0, corrected: 0 });
    service.tamper("UPDATE practice SET wins = 7").await;
    assert_eq!(service.rebuild().await.corrected, 1);
    assert_eq!(statistics(&service).await[0].2, [4, 1, 1, 3]);
}

async fn boards_and_levels_are_counted_apart(service: Service) {
    service.record(practice(1, "6x6", "easy", &[true], 1_000)).await.unwrap();
    service.record(practice(2, "8x8", "easy", &[false], 2_000)).await.unwrap();
    service.record(practice(3, "6x6", "hard", &[], 3_000)).await.unwrap();
    let row = |board: &str, level: &str, counts| (board.to_owned(), level.to_owned(), counts);
    let expected = [row("6x6", "easy", [1, 0, 1, 1]), row("6x6", "hard", [0; 4]), row("8x8", "easy", [0, 1, 0, 0])];
    assert_eq!(statistics(&service).await, expected);
}
