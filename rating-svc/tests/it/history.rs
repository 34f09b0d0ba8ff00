//! Rating histories, page by page.

use crate::service::{Service, bot, on_both, won};

on_both!(a_history_is_listed_newest_first_without_gaps);

async fn a_history_is_listed_newest_first_without_gaps(service: Service) {
    for number in [3, 1, 4, 0, 2] {
        // Two end at the same moment: the id decides.
        let end_ms = i64::try_from(number / 2).unwrap() * 1_000;
        service.record(won(number, &bot("A"), &bot(&format!("B{number}")), end_ms)).await.unwrap();
    }
    let (mut sets, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service.history("bot_A", 2, &cursor).await.unwrap();
        sets.extend(page.points.into_iter().map(|point| point.set_id));
        if page.next_cursor.is_empty() {
            break;
        }
        cursor = page.next_cursor;
    }
    assert_eq!(sets, [4, 3, 2, 1, 0].map(|number| format!("set_{number:08}")));
    assert!(service.history("bot_Z", 2, "").await.unwrap().points.is_empty());
    assert_eq!(service.history("bot_A", 1_000, "").await.unwrap().points.len(), 5);
}
