//! A rebuild finds nothing to correct, unless somebody changed the database by hand.

use crate::service::{Service, bot, drawn, on_both, won};

on_both!(a_rebuild_corrects_exactly_what_was_changed);

async fn a_rebuild_corrects_exactly_what_was_changed(service: Service) {
    assert_eq!(service.rebuild().await.sets, 0);
    service.record(won(1, &bot("A"), &bot("B"), 1_000)).await.unwrap();
    service.record(drawn(won(2, &bot("B"), &bot("C"), 2_000))).await.unwrap();
    let who = ["bot_A", "bot_B", "bot_C"];
    let before = service.numbers(who).await;
    assert_eq!((service.rebuild().await.sets, service.rebuild().await.corrected), (2, 0));
    for (statement, corrected) in [
        ("UPDATE standings SET rating = rating + 1 WHERE participant_id = 'bot_A'", 1),
        ("UPDATE standings SET wins = wins + 1", 3),
        ("UPDATE standings SET name = 'somebody' WHERE participant_id = 'bot_C'", 1),
        ("DELETE FROM standings WHERE participant_id = 'bot_B'", 1),
        ("DELETE FROM history WHERE set_id = 'set_00000002'", 1),
        ("UPDATE history SET deviation = 1 WHERE participant_id = 'bot_A'", 1),
        ("UPDATE history SET set_id = 'set_zz' WHERE participant_id = 'bot_A'", 2),
    ] {
        service.tamper(statement).await;
        assert_eq!(service.rebuild().await.corrected, corrected, "{statement}");
        assert_eq!(service.numbers(who).await, before, "{statement}");
        assert_eq!(service.rebuild().await.corrected, 0, "{statement}");
    }
    let rows = service.whole_board(10).await;
    let names: Vec<String> = rows.into_iter().map(|row| row.participant.unwrap().name).collect();
    assert_eq!(names, ["A", "C", "B"]);
}
