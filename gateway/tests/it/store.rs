//! The store on both databases: what is written is found again, names are one namespace, requests are made once.

use farside_gateway::domain::account::{Account, Bot, BotChange, Player};
use farside_gateway::domain::fault::IdentityFault;
use farside_gateway::domain::ids::{BotId, KeyId, PlayerId};
use farside_gateway::domain::key::{Holder, Key, KeyRecord, Purpose};
use farside_gateway::domain::name::Name;
use farside_gateway::domain::policy::Acceptance;
use farside_gateway::store::{Created, Replay, Store, StoreFault};
use farside_kit::testing::TestDatabase;

fn key(number: u8, holder: Holder) -> KeyRecord {
    let key = Key::mint([number; 8], [number; 32]);
    KeyRecord {
        id: KeyId::from_ulid(&format!("{number:026}")),
        public: key.public().to_owned(),
        hash: key.hash(),
        holder,
        purpose: Purpose::Access,
        created_at_ms: 1,
        expires_at_ms: None,
        revoked_at_ms: None,
    }
}

fn player(number: u8, name: &str) -> Player {
    let id = PlayerId::from_ulid(&format!("{number:026}"));
    Player { id, name: Name::parse(name).unwrap(), created_at_ms: 7, granted: false, is_guest: false }
}

fn bot(number: u8, name: &str, owner: &Player) -> Bot {
    Bot {
        id: BotId::from_ulid(&format!("{number:026}")),
        name: Name::parse(name).unwrap(),
        owner_id: owner.id.clone(),
        owner_name: owner.name.clone(),
        description: "plays".to_owned(),
        max_stake_points: 500,
        accepts: Acceptance { games: vec!["breakthrough".to_owned()], ..Acceptance::default() },
        created_at_ms: 8,
    }
}

fn asked(request_id: &str, content: &str) -> Option<Replay> {
    let (request_id, content_hash) = (request_id.to_owned(), content.to_owned());
    Some(Replay { actor_id: "player_1".to_owned(), request_id, content_hash, now_ms: 9 })
}

async fn stores() -> Vec<(TestDatabase, Store)> {
    let mut stores = Vec::new();
    for database in [TestDatabase::sqlite(), TestDatabase::postgres().await] {
        let store = Store::open(database.connect("gateway").await).await.unwrap();
        stores.push((database, store));
    }
    stores
}

fn refusal<T: std::fmt::Debug>(outcome: Result<T, StoreFault>) -> IdentityFault {
    match outcome {
        Err(StoreFault::Refused(fault)) => fault,
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn accounts_and_keys_are_found_as_they_were_written() {
    for (_database, store) in stores().await {
        let owner = player(1, "Ada");
        store.create_player(owner.clone(), key(1, Holder::Player(owner.id.clone()))).await.unwrap();
        let made = bot(2, "Ada-bot", &owner);
        let record = key(2, Holder::Bot(made.id.clone()));
        assert_eq!(store.create_bot(made.clone(), record.clone(), None).await.unwrap(), Created::New);
        assert_eq!(store.key_by_public(&record.public).await.unwrap(), Some(record));
        assert_eq!(store.account_by("ADA-BOT").await.unwrap(), Some(Account::Bot(made.clone())));
        assert_eq!(store.account_by(made.id.as_str()).await.unwrap(), Some(Account::Bot(made)));
        store.mark_granted(&owner.id, 5).await.unwrap();
        assert_eq!(store.player(&owner.id).await.unwrap(), Some(Player { granted: true, ..owner }));
    }
}

#[tokio::test]
async fn players_and_bots_share_one_namespace_also_when_a_bot_is_renamed() {
    for (_database, store) in stores().await {
        let owner = player(1, "Ada");
        store.create_player(owner.clone(), key(1, Holder::Player(owner.id.clone()))).await.unwrap();
        let taken = bot(2, "aDA", &owner);
        let outcome = store.create_bot(taken.clone(), key(2, Holder::Bot(taken.id)), None).await;
        assert_eq!(refusal(outcome), IdentityFault::NameTaken);
        let one = bot(3, "first", &owner);
        store.create_bot(one.clone(), key(3, Holder::Bot(one.id.clone())), None).await.unwrap();
        let rename = |name: &str| BotChange { name: Some(Name::parse(name).unwrap()), ..BotChange::default() };
        assert_eq!(refusal(store.change_bot(&owner.id, &one.id, rename("ADA")).await), IdentityFault::NameTaken);
        store.change_bot(&owner.id, &one.id, rename("second")).await.unwrap();
        assert_eq!(store.account_by("first").await.unwrap(), None);
        let reuse = bot(4, "First", &owner);
        store.create_bot(reuse.clone(), key(4, Holder::Bot(reuse.id)), None).await.unwrap();
    }
}

#[tokio::test]
async fn a_repeated_request_makes_nothing_twice_and_other_content_is_refused() {
    for (_database, store) in stores().await {
        let owner = player(1, "Ada");
        store.create_player(owner.clone(), key(1, Holder::Player(owner.id.clone()))).await.unwrap();
        let first = bot(2, "once", &owner);
        let make = |number: u8, asked| {
            let again = bot(number, "once", &owner);
            store.create_bot(again.clone(), key(number, Holder::Bot(again.id)), asked)
        };
        assert_eq!(make(2, asked("r", "c")).await.unwrap(), Created::New);
        assert_eq!(make(3, asked("r", "c")).await.unwrap(), Created::Before(first.id.to_string()));
        assert_eq!(refusal(make(4, asked("r", "d")).await), IdentityFault::IdempotencyMismatch);
        assert_eq!(refusal(make(5, asked("s", "c")).await), IdentityFault::NameTaken);
        assert_eq!(store.bots_of(&owner.id).await.unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_requests_at_once_get_one_answer() {
    for (_database, store) in stores().await {
        let owner = player(1, "Ada");
        store.create_player(owner.clone(), key(1, Holder::Player(owner.id.clone()))).await.unwrap();
        let requests = (10..26_u8).map(|number| {
            let (store, made) = (store.clone(), bot(number, "once", &owner));
            tokio::spawn(async move {
                store.create_bot(made.clone(), key(number, Holder::Bot(made.id)), asked("r", "c")).await
            })
        });
        let mut new = 0;
        for outcome in futures::future::join_all(requests).await {
            new += usize::from(outcome.unwrap().unwrap() == Created::New);
        }
        assert_eq!((new, store.bots_of(&owner.id).await.unwrap().len()), (1, 1));
    }
}

#[tokio::test]
async fn a_revoked_key_stays_revoked_and_only_its_holder_may_revoke_it() {
    for (_database, store) in stores().await {
        let (owner, other) = (player(1, "Ada"), player(2, "Bob"));
        for (number, owner) in [(1, &owner), (2, &other)] {
            store.create_player(owner.clone(), key(number, Holder::Player(owner.id.clone()))).await.unwrap();
        }
        let (holder, record) = (Holder::Player(owner.id.clone()), key(3, Holder::Player(owner.id.clone())));
        store.add_key(record.clone(), None).await.unwrap();
        let stranger = Holder::Player(other.id);
        assert_eq!(refusal(store.revoke_key(&stranger, &record.id, 20).await), IdentityFault::NotFound("key"));
        store.revoke_key(&holder, &record.id, 20).await.unwrap();
        store.revoke_key(&holder, &record.id, 30).await.unwrap();
        assert_eq!(store.key(&record.id).await.unwrap().unwrap().revoked_at_ms, Some(20));
        assert_eq!(store.keys_of(&holder).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn lists_go_from_page_to_page_without_gap_or_repetition() {
    for (_database, store) in stores().await {
        for number in 1..=7 {
            let owner = player(number, &format!("player{number}x"));
            store.create_player(owner.clone(), key(number, Holder::Player(owner.id))).await.unwrap();
        }
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = store.list_players(3, after).await.unwrap();
            seen.extend(page.players.into_iter().map(|player| player.name.to_string()));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let expected: Vec<_> = (1..=7).rev().map(|number| format!("player{number}x")).collect();
        assert_eq!(seen, expected);
    }
}

#[tokio::test]
async fn a_guest_keeps_its_id_when_it_signs_up_and_its_old_name_is_free_again() {
    for (_database, store) in stores().await {
        let guest = Player { is_guest: true, ..player(1, "visitor-1") };
        let session = KeyRecord { purpose: Purpose::Session, expires_at_ms: Some(100), ..key(1, holder(&guest)) };
        store.create_player(guest.clone(), session.clone()).await.unwrap();
        assert!(store.list_players(10, None).await.unwrap().players.is_empty());
        assert_eq!(
            (store.keys_of(&holder(&guest)).await.unwrap(), store.sessions_of(&holder(&guest)).await.unwrap()),
            (vec![], vec![session])
        );
        let other = player(2, "Taken");
        store.create_player(other.clone(), key(2, holder(&other))).await.unwrap();
        let named = |name: &str| Player { name: Name::parse(name).unwrap(), is_guest: false, ..guest.clone() };
        let refused = store.sign_up_guest(named("taken"), key(3, holder(&guest))).await;
        assert_eq!(refusal(refused), IdentityFault::NameTaken);
        store.sign_up_guest(named("Ada"), key(4, holder(&guest))).await.unwrap();
        assert_eq!(store.account_by("ada").await.unwrap(), Some(Account::Player(named("Ada"))));
        assert_eq!(store.account_by("visitor-1").await.unwrap(), None);
        assert!(store.sessions_of(&holder(&guest)).await.unwrap().is_empty(), "sessions of the guest end");
        let again = store.sign_up_guest(named("Eve"), key(5, holder(&guest))).await;
        assert!(matches!(refusal(again), IdentityFault::Forbidden(_)));
    }
}

#[tokio::test]
async fn sessions_that_have_ended_or_are_too_many_are_forgotten() {
    for (_database, store) in stores().await {
        let owner = player(1, "Ada");
        store.create_player(owner.clone(), key(1, holder(&owner))).await.unwrap();
        let session = |number: u8, end_ms| KeyRecord {
            purpose: Purpose::Session,
            created_at_ms: i64::from(number),
            expires_at_ms: Some(end_ms),
            ..key(number, holder(&owner))
        };
        store.add_session(session(2, 3)).await.unwrap();
        for number in 10..50 {
            store.add_session(session(number, 1_000)).await.unwrap();
        }
        let kept = store.sessions_of(&holder(&owner)).await.unwrap();
        assert_eq!((kept.len(), kept[0].clone()), (32, session(49, 1_000)));
        assert_eq!(store.keys_of(&holder(&owner)).await.unwrap().len(), 1, "a person's own key stays");
    }
}

fn holder(player: &Player) -> Holder {
    Holder::Player(player.id.clone())
}
