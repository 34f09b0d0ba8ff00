//! Whatever the order and the number of times in which sets arrive, the numbers are those of the order of set ends.

use std::collections::BTreeMap;

use farside_kit::ids::{IdSource as _, SeededIds};
use farside_proto::rating::v1 as pb;
use farside_rating::domain::fold;
use farside_rating::domain::ids::{GameId, ParticipantId, SetId};
use farside_rating::domain::set::{FinishedSet, Outcome, Participant};
use futures::stream::{self, StreamExt as _};

use crate::service::{Numbers, Service, bot, drawn, on_both, won};

const CALLERS: usize = 64;

on_both!(shuffled_deliveries_equal_the_order_of_ends, concurrent_callers_lose_nothing_and_count_nothing_twice);

/// Draws numbers from a seed.
struct Draw(SeededIds);

impl Draw {
    fn below(&self, bound: usize) -> usize {
        usize::try_from(self.0.random_u128() % bound as u128).unwrap()
    }

    fn shuffle<T>(&self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Sets among so many bots, several of which end in the same millisecond and many within the same days.
    fn sets(&self, count: usize, bots: usize) -> Vec<pb::RecordSetRequest> {
        let set = |number| {
            let creator = self.below(bots);
            let acceptor = (creator + 1 + self.below(bots - 1)) % bots;
            let end_ms = i64::try_from(self.below(count / 2)).unwrap() * 7_200_000;
            let set = won(number, &bot(&format!("{creator:03}")), &bot(&format!("{acceptor:03}")), end_ms);
            match self.below(5) {
                0 => drawn(set),
                1 | 2 => pb::RecordSetRequest { outcome: pb::SetOutcome::AcceptorWon.into(), ..set },
                _ => set,
            }
        };
        (0..count).map(set).collect()
    }
}

/// What the domain makes of the same sets in order.
fn expected(sets: &[pb::RecordSetRequest]) -> BTreeMap<String, Numbers> {
    let sets: Vec<FinishedSet> = sets.iter().map(finished).collect();
    let numbers = |(id, standing): (ParticipantId, farside_rating::domain::standing::Standing)| {
        let (tally, rating) = (standing.tally, standing.rated.rating);
        let counts = [tally.sets(), tally.wins, tally.draws, tally.losses, tally.won_points, tally.net_points()];
        let (rating_bits, volatility_bits) = (rating.rating.to_bits(), rating.volatility.to_bits());
        (id.to_string(), Numbers { rating_bits, volatility_bits, counts, last_set_at_ms: standing.rated.at.unwrap().0 })
    };
    fold::standings(&sets).into_iter().map(numbers).collect()
}

fn finished(set: &pb::RecordSetRequest) -> FinishedSet {
    let outcome = match set.outcome() {
        pb::SetOutcome::CreatorWon => Outcome::CreatorWon,
        pb::SetOutcome::AcceptorWon => Outcome::AcceptorWon,
        _ => Outcome::Drawn,
    };
    FinishedSet {
        set: SetId::parse(&set.set_id).unwrap(),
        game: GameId::parse(&set.game).unwrap(),
        rated: set.rated,
        creator: participant(set.creator.as_ref()),
        acceptor: participant(set.acceptor.as_ref()),
        outcome,
        lost_points: set.lost_points,
        won_points: set.won_points,
        finished_at_ms: set.finished_at_ms,
        practice: None,
    }
}

fn participant(it: Option<&pb::Participant>) -> Participant {
    let it = it.unwrap().clone();
    let id = ParticipantId::from_stored(it.id);
    Participant { id, name: it.name, owner_id: it.owner_id, owner_name: it.owner_name }
}

async fn check(service: &Service, sets: &[pb::RecordSetRequest], seed: u64) {
    let expected = expected(sets);
    let found = service.numbers(expected.keys().map(String::as_str)).await;
    assert_eq!(found, expected, "seed {seed}");
    for (who, numbers) in &expected {
        let mut last = service.history(who, 1, "").await.unwrap().points;
        assert_eq!(last.pop().unwrap().rating.to_bits(), numbers.rating_bits, "seed {seed}");
    }
    let rebuilt = service.rebuild().await;
    assert_eq!((rebuilt.sets, rebuilt.corrected), (i64::try_from(sets.len()).unwrap(), 0), "seed {seed}");
}

async fn shuffled_deliveries_equal_the_order_of_ends(service: Service) {
    let seed = u64::from_le_bytes(farside_kit::ids::random_bytes(&farside_kit::ids::SystemIds));
    let draw = Draw(SeededIds::new(seed));
    let sets = draw.sets(80, 9);
    let mut told: Vec<_> = sets.iter().chain(&sets).cloned().collect();
    draw.shuffle(&mut told);
    for set in told {
        service.record(set).await.unwrap();
    }
    check(&service, &sets, seed).await;
}

async fn concurrent_callers_lose_nothing_and_count_nothing_twice(service: Service) {
    let seed = u64::from_le_bytes(farside_kit::ids::random_bytes(&farside_kit::ids::SystemIds));
    let draw = Draw(SeededIds::new(seed));
    let sets = draw.sets(128, 20);
    let mut told: Vec<_> = sets.iter().chain(&sets).cloned().collect();
    draw.shuffle(&mut told);
    let calls = stream::iter(told).map(|set| service.record(set)).buffer_unordered(CALLERS);
    let faults: Vec<_> = calls.filter_map(async |answer| answer.err()).collect().await;
    assert!(faults.is_empty(), "seed {seed}: {faults:?}");
    check(&service, &sets, seed).await;
}
