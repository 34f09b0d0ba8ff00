//! Calls spread over all replicas behind one name: each address that the name resolves to gets a connection of its own.
//!
//! One connection by name would stay with one replica for ever, however many there are. Calls about one thing may prefer
//! one replica, whose cache then knows it: rendezvous hashing names it, so that every caller names the same, and a replica
//! that comes or goes moves no more than its own share. Not here: what a call is about, and falling back; any replica must
//! do.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::mpsc::Sender;
use tonic::transport::channel::Change;
use tonic::transport::{Channel, Endpoint};

/// How often the name is looked up again.
const LOOK_UP_EVERY: Duration = Duration::from_secs(3);
/// Changes that may wait to be taken up.
const CHANGES: usize = 64;

/// Who is connected to: the name itself until it has resolved, then every address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Replica {
    ByName,
    At(SocketAddr),
}

/// The ways to all replicas.
#[derive(Clone, Debug)]
pub(super) struct Replicas {
    /// To whichever has the least to do.
    any: Channel,
    each: Each,
}

impl Replicas {
    /// Over one channel, whoever is behind it.
    pub(super) fn alone(any: Channel) -> Self {
        Self { any, each: Each::default() }
    }

    /// The way to any replica.
    pub(super) fn any(&self) -> Channel {
        self.any.clone()
    }

    /// The way to the replica that all callers prefer for `key`; to any where none is known by its address.
    pub(super) fn preferred(&self, key: &str) -> Channel {
        self.each.preferred(key).unwrap_or_else(|| self.any.clone())
    }
}

/// The way to each replica, by its address.
#[derive(Clone, Debug, Default)]
struct Each(Arc<RwLock<BTreeMap<SocketAddr, Channel>>>);

impl Each {
    fn preferred(&self, key: &str) -> Option<Channel> {
        let each = self.0.read().unwrap_or_else(PoisonError::into_inner);
        each.iter().max_by_key(|(address, _)| weight(key, **address)).map(|(_, channel)| channel.clone())
    }

    fn insert(&self, address: SocketAddr, endpoint: &Endpoint) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(address, endpoint.connect_lazy());
    }

    fn remove(&self, address: SocketAddr) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&address);
    }
}

/// How much a replica wants a key (highest random weight, Thaler and Ravishankar 1998). The hash is FNV-1a with the
/// finaliser of SplitMix64: the same in every release, which those of the standard library need not be.
fn weight(key: &str, address: SocketAddr) -> u64 {
    let address = address.to_string();
    let bytes = key.bytes().chain([0]).chain(address.bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The host and port of an address whose host is a name that may stand for several machines.
pub(super) fn name_of(uri: &http::Uri) -> Option<(String, u16)> {
    let host = uri.host()?.trim_matches(['[', ']']);
    let is_name = host.parse::<IpAddr>().is_err() && host != "localhost";
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    is_name.then(|| (host.to_owned(), uri.port_u16().unwrap_or(usual)))
}

/// All addresses of a name. Those of version 4 where there are any: the other ones are mostly the same machines again.
pub(super) async fn look_up(name: (String, u16)) -> BTreeSet<SocketAddr> {
    let found: BTreeSet<SocketAddr> = match tokio::net::lookup_host(name).await {
        Ok(found) => found.collect(),
        Err(error) => {
            tracing::debug!(%error, "a service's name does not resolve");
            BTreeSet::new()
        }
    };
    let version_4: BTreeSet<SocketAddr> = found.iter().copied().filter(SocketAddr::is_ipv4).collect();
    if version_4.is_empty() { found } else { version_4 }
}

/// Ways to every address that `look_up` finds. `by_name` is used until it has found one, and `at` makes the way to
/// one address.
pub(super) fn balanced<L, F>(
    by_name: Endpoint,
    at: impl Fn(SocketAddr) -> Option<Endpoint> + Send + Sync + 'static,
    look_up: L,
) -> Replicas
where
    L: Fn() -> F + Send + 'static,
    F: Future<Output = BTreeSet<SocketAddr>> + Send + 'static,
{
    let (channel, changes) = Channel::balance_channel(CHANGES);
    let replicas = Replicas::alone(channel);
    let each = replicas.each.clone();
    tokio::spawn(async move {
        // Without a single way, calls would wait for one instead of being refused.
        if changes.send(Change::Insert(Replica::ByName, by_name)).await.is_err() {
            return;
        }
        let mut known = BTreeSet::from([Replica::ByName]);
        while !changes.is_closed() {
            let found = look_up().await.into_iter().map(Replica::At).collect();
            if follow(&mut known, found, &at, &changes, &each).await.is_none() {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_UP_EVERY) => {}
                () = changes.closed() => return,
            }
        }
    });
    replicas
}

/// Adds what is new before it removes what is gone. Where nothing was found, what was known stays: the name server may be
/// away and the replicas not. Nothing when nobody uses the channel any more.
async fn follow(
    known: &mut BTreeSet<Replica>,
    found: BTreeSet<Replica>,
    at: &(impl Fn(SocketAddr) -> Option<Endpoint> + Sync),
    changes: &Sender<Change<Replica, Endpoint>>,
    each: &Each,
) -> Option<()> {
    if found.is_empty() || found == *known {
        return Some(());
    }
    for replica in found.difference(known) {
        if let Replica::At(address) = replica
            && let Some(endpoint) = at(*address)
        {
            each.insert(*address, &endpoint);
            changes.send(Change::Insert(*replica, endpoint)).await.ok()?;
        }
    }
    for replica in known.difference(&found) {
        if let Replica::At(address) = replica {
            each.remove(*address);
        }
        changes.send(Change::Remove(*replica)).await.ok()?;
    }
    *known = found;
    Some(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Arc, Mutex};

    use tokio::net::TcpListener;
    use tonic::transport::server::TcpIncoming;
    use tonic_health::ServingStatus;
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;

    use super::*;

    /// A replica that gives this answer to everybody.
    async fn replica(status: ServingStatus) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (reporter, service) = tonic_health::server::health_reporter();
        reporter.set_service_status("", status).await;
        let server = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        address
    }

    async fn answers(channel: &Channel, calls: usize) -> HashSet<i32> {
        let mut client = HealthClient::new(channel.clone());
        let mut answers = HashSet::new();
        for _ in 0..calls {
            if let Ok(answer) = client.check(HealthCheckRequest { service: String::new() }).await {
                answers.insert(answer.into_inner().status);
            }
        }
        answers
    }

    #[tokio::test]
    async fn calls_reach_every_replica_and_follow_the_name() {
        let (one, other) = (replica(ServingStatus::Serving).await, replica(ServingStatus::NotServing).await);
        let addresses = Arc::new(Mutex::new(BTreeSet::from([one, other])));
        let look_up = {
            let addresses = Arc::clone(&addresses);
            move || std::future::ready(addresses.lock().unwrap().clone())
        };
        let at = |address: SocketAddr| Endpoint::from_shared(format!("http://{address}")).ok();
        let channel = balanced(Endpoint::from_static("http://127.0.0.1:1"), at, look_up).any();
        while answers(&channel, 20).await.len() < 2 {}
        addresses.lock().unwrap().remove(&one);
        while answers(&channel, 20).await.len() > 1 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    #[tokio::test]
    async fn a_name_that_does_not_resolve_refuses_calls_instead_of_holding_them() {
        let by_name = Endpoint::from_static("http://127.0.0.1:1");
        let channel = balanced(by_name, |_| None, || std::future::ready(BTreeSet::new()));
        let answer = HealthClient::new(channel.any()).check(HealthCheckRequest { service: String::new() }).await;
        assert_eq!(answer.unwrap_err().code(), tonic::Code::Unavailable);
    }

    #[tokio::test]
    async fn calls_about_one_thing_prefer_one_replica_until_it_is_gone() {
        let (one, other) = (replica(ServingStatus::Serving).await, replica(ServingStatus::NotServing).await);
        let addresses = Arc::new(Mutex::new(BTreeSet::from([one, other])));
        let look_up = {
            let addresses = Arc::clone(&addresses);
            move || std::future::ready(addresses.lock().unwrap().clone())
        };
        let at = |address: SocketAddr| Endpoint::from_shared(format!("http://{address}")).ok();
        let replicas = balanced(Endpoint::from_static("http://127.0.0.1:1"), at, look_up);
        while answers(&replicas.any(), 20).await.len() < 2 {}
        let mut preferred = Vec::new();
        for key in 0..20 {
            let answers = answers(&replicas.preferred(&format!("set_{key}")), 5).await;
            preferred.push(*answers.iter().next().unwrap());
            assert_eq!(answers.len(), 1, "one replica answers for one key");
        }
        assert!(preferred.iter().any(|answer| *answer != preferred[0]), "all keys went to one replica");
        let gone = preferred[0];
        addresses.lock().unwrap().remove(if gone == ServingStatus::Serving as i32 { &one } else { &other });
        while answers(&replicas.preferred("set_0"), 1).await.contains(&gone) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    #[test]
    fn a_replica_that_leaves_moves_only_what_it_had() {
        let addresses: Vec<SocketAddr> = (1..=5).map(|host| SocketAddr::from(([10, 0, 0, host], 7102))).collect();
        let best = |key: &str, among: &[SocketAddr]| among.iter().copied().max_by_key(|address| weight(key, *address));
        let mut shares = [0_usize; 5];
        for key in (0..5_000).map(|number| format!("set_{number:026}")) {
            let all = best(&key, &addresses).unwrap();
            shares[addresses.iter().position(|address| *address == all).unwrap()] += 1;
            if all != addresses[4] {
                assert_eq!(best(&key, &addresses[..4]), Some(all));
            }
        }
        assert!(shares.iter().all(|share| (850..1_150).contains(share)), "{shares:?}");
    }

    #[test]
    fn only_names_are_looked_up() {
        let name = |url: &str| name_of(&url.parse().unwrap());
        assert_eq!(name("http://match-svc:7102"), Some(("match-svc".to_owned(), 7102)));
        assert_eq!(name("https://match-svc"), Some(("match-svc".to_owned(), 443)));
        for url in ["http://127.0.0.1:7102", "http://[::1]:7102", "http://localhost:7102"] {
            assert_eq!(name(url), None, "{url}");
        }
    }
}
