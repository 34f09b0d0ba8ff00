//! Boards in a real Redis: equal to the database, droppable at any time, healed when a change was lost on the way.

use std::collections::BTreeMap;
use std::time::Duration;

use farside_kit::testing::{redis_url, unique_name};
use farside_kit::time::DurationMs;
use farside_proto::rating::v1 as pb;
use futures::stream::{self, StreamExt as _};
use redis::AsyncCommands as _;
use redis::aio::MultiplexedConnection;

use crate::service::{GAME, Service, bot, drawn, won};

/// How long a background task may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// A service with a Redis, and a look behind its back.
struct Cached {
    service: Service,
    redis: MultiplexedConnection,
    prefix: String,
}

impl Cached {
    async fn start() -> Self {
        let prefix = unique_name();
        let service = Service::with_redis(&redis_url(), &prefix).await;
        let redis = redis::Client::open(redis_url()).unwrap().get_multiplexed_async_connection().await.unwrap();
        Self { service, redis, prefix }
    }

    fn key(&self, name: &str) -> String {
        format!("{}:{{{GAME}}}:{name}", self.prefix)
    }

    /// Everything that Redis holds of the board, but the moment that it is in step with.
    async fn contents(&mut self) -> (Vec<String>, BTreeMap<String, String>) {
        let order = self.redis.zrange(self.key("order"), 0, -1).await.unwrap();
        let mut rows: BTreeMap<String, String> = self.redis.hgetall(self.key("rows")).await.unwrap();
        rows.remove(":ready");
        (order, rows)
    }

    /// Reads the board until a page came from the cache.
    async fn page_from_cache(&self, limit: u32) -> pb::ListLeaderboardResponse {
        let read = async {
            loop {
                let before = self.pages_from_cache();
                let page = self.service.board(limit, "").await.unwrap();
                if self.pages_from_cache() > before {
                    return page;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, read).await.expect("the board is loaded in the background")
    }

    fn pages_from_cache(&self) -> u64 {
        let text = self.service.context.metrics.encode();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("farside_rating_leaderboard_pages_total{source=\"Cache\"} "));
        line.map_or(0, |count| count.parse().unwrap())
    }

    /// The same database without a Redis.
    async fn page_from_database(&self, limit: u32) -> pb::ListLeaderboardResponse {
        let config = farside_rating::Config::new(self.service.database.args().clone());
        let plain = Service::start(farside_kit::testing::TestDatabase::sqlite(), config).await;
        plain.clock.set(farside_kit::time::Clock::now(&*self.service.clock));
        plain.board(limit, "").await.unwrap()
    }

    /// Records a set in the same database, of which this service's Redis is not told.
    async fn record_elsewhere(&self, set: pb::RecordSetRequest) {
        let config = farside_rating::Config::new(self.service.database.args().clone());
        let other = Service::start(farside_kit::testing::TestDatabase::sqlite(), config).await;
        other.clock.set(farside_kit::time::Clock::now(&*self.service.clock));
        other.record(set).await.unwrap();
    }

    async fn clean_up(mut self) {
        let _: () = self.redis.del(vec![self.key("rows"), self.key("order")]).await.unwrap();
    }
}

async fn play(service: &Service, numbers: std::ops::Range<usize>) {
    let set = |number: usize| {
        let set = won(
            number,
            &bot(&format!("{:02}", number * 7 % 40)),
            &bot(&format!("{:02}", (number * 11 + 3) % 40)),
            1_000,
        );
        if number.is_multiple_of(3) { drawn(set) } else { set }
    };
    let sets = numbers.map(set).filter(|set| set.creator != set.acceptor);
    stream::iter(sets)
        .map(|set| service.record(set))
        .buffer_unordered(16)
        .for_each(async |answer| drop(answer.unwrap()))
        .await;
}

fn ids(page: &pb::ListLeaderboardResponse) -> Vec<String> {
    page.rows.iter().map(|row| row.participant.as_ref().unwrap().id.clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cache_equals_the_database_and_a_rebuild() {
    let mut cached = Cached::start().await;
    play(&cached.service, 0..60).await;
    let first = cached.page_from_cache(100).await;
    assert_eq!(first.rows, cached.page_from_database(100).await.rows);
    play(&cached.service, 60..160).await;
    let then = cached.page_from_cache(100).await;
    assert_ne!(first, then);
    assert_eq!(then.rows, cached.page_from_database(100).await.rows);
    let kept = cached.contents().await;
    assert_eq!(kept.1.len(), 40);
    assert_eq!(cached.service.rebuild().await.corrected, 0);
    assert_eq!(cached.contents().await, kept);
    cached.clean_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn any_part_of_the_cache_may_be_dropped_at_any_time() {
    let mut cached = Cached::start().await;
    play(&cached.service, 0..60).await;
    let page = cached.page_from_cache(100).await;
    let kept = cached.contents().await;
    for dropped in [vec!["rows"], vec!["order"], vec!["rows", "order"]] {
        let keys: Vec<String> = dropped.iter().map(|name| cached.key(name)).collect();
        let _: () = cached.redis.del(keys).await.unwrap();
        assert_eq!(cached.service.board(100, "").await.unwrap(), page, "{dropped:?}");
        assert_eq!(cached.page_from_cache(100).await, page, "{dropped:?}");
        assert_eq!(cached.contents().await, kept, "{dropped:?}");
    }
    cached.clean_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_was_lost_on_the_way_is_caught_up_with() {
    let cached = Cached::start().await;
    play(&cached.service, 0..60).await;
    let before = cached.page_from_cache(1).await;
    cached.record_elsewhere(won(900, &bot("NEW"), &before.rows[0].participant.clone().unwrap(), 2_000)).await;
    assert_eq!(ids(&cached.page_from_cache(1).await), ids(&before));
    cached.service.clock.advance(DurationMs(6_000));
    let caught_up = async {
        while ids(&cached.page_from_cache(100).await).iter().all(|id| id != "bot_NEW") {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, caught_up).await.unwrap();
    assert_eq!(cached.page_from_cache(100).await.rows, cached.page_from_database(100).await.rows);
    // A copy that nobody has read for long is not shown.
    cached.record_elsewhere(drawn(won(901, &bot("LAST"), &bot("NEW"), 3_000))).await;
    cached.service.clock.advance(DurationMs(61_000));
    assert!(ids(&cached.service.board(100, "").await.unwrap()).contains(&"bot_LAST".to_owned()));
    cached.clean_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_after_one_from_the_cache_repeat_nobody() {
    let cached = Cached::start().await;
    play(&cached.service, 0..60).await;
    let first = cached.page_from_cache(5).await;
    // The cache is not told, the first page's best falls behind it, and the next page is read from the database.
    for (number, row) in (900..).zip(&first.rows) {
        cached.record_elsewhere(won(number, &bot("NEW"), &row.participant.clone().unwrap(), 2_000)).await;
    }
    let stale = cached.page_from_cache(5).await;
    assert_eq!(ids(&stale), ids(&first));
    for page in [first, stale] {
        let next = cached.service.board(100, &page.next_cursor).await.unwrap();
        assert!(ids(&next).iter().all(|id| !ids(&page).contains(id)));
        assert_eq!(next.rows[0].rank, 6);
    }
    cached.clean_up().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_the_database_answers() {
    let service = Service::with_redis("redis://127.0.0.1:1", &unique_name()).await;
    play(&service, 0..10).await;
    let page = service.board(3, "").await.unwrap();
    assert_eq!(page.rows.len(), 3);
    assert_eq!(service.board(3, &page.next_cursor).await.unwrap().rows[0].rank, 4);
    assert_eq!(service.rebuild().await.corrected, 0);
}
