//! Calls spread over all replicas behind one name: each address that the name resolves to gets a connection of its own.
//!
//! One connection by name would stay with one replica for ever, however many there are. Not here: a choice by what is
//! asked; any replica must do.

use std::collections::BTreeSet;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::sync::mpsc::Sender;
use tonic::transport::channel::Change;
use tonic::transport::{Channel, Endpoint};

use super::tls::Tls;

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

impl Replica {
    const fn address(self) -> Option<SocketAddr> {
        match self {
            Self::ByName => None,
            Self::At(address) => Some(address),
        }
    }
}

/// The host and port of an address whose host is a name that may stand for several machines.
pub(super) fn name_of(uri: &http::Uri) -> Option<(String, u16)> {
    let host = uri.host()?.trim_matches(['[', ']']);
    let is_name = host.parse::<IpAddr>().is_err() && host != "localhost";
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    is_name.then(|| (host.to_owned(), uri.port_u16().unwrap_or(usual)))
}

/// All addresses of a name, none without a name. Those of version 4 where there are any: the other ones are mostly the same
/// machines again.
pub(super) async fn look_up(name: Option<(String, u16)>) -> BTreeSet<SocketAddr> {
    let Some(name) = name else { return BTreeSet::new() };
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

/// A channel over every address that `look_up` finds. `way` makes the way to one address; without one, the way by name,
/// which is used until an address was found. When the certificates change, every way is made anew: calls that are under
/// way end on the connections that they have.
pub(super) fn balanced<L, F>(
    way: impl Fn(Option<SocketAddr>) -> Option<Endpoint> + Send + Sync + 'static,
    look_up: L,
    tls: Option<Tls>,
) -> Channel
where
    L: Fn() -> F + Send + 'static,
    F: Future<Output = BTreeSet<SocketAddr>> + Send + 'static,
{
    let (channel, changes) = Channel::balance_channel(CHANGES);
    tokio::spawn(async move {
        let mut renewed = Box::pin(change_of(tls.as_ref()));
        // Without a single way, calls would wait for one instead of being refused.
        let mut known = BTreeSet::from([Replica::ByName]);
        if insert(&known, &way, &changes).await.is_none() {
            return;
        }
        while !changes.is_closed() {
            let found = look_up().await.into_iter().map(Replica::At).collect();
            if follow(&mut known, found, &way, &changes).await.is_none() {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_UP_EVERY) => {}
                () = &mut renewed => {
                    renewed.set(change_of(tls.as_ref()));
                    if insert(&known, &way, &changes).await.is_none() {
                        return;
                    }
                }
                () = changes.closed() => return,
            }
        }
    });
    channel
}

/// The next change of the certificates; never without any.
fn change_of(tls: Option<&Tls>) -> impl Future<Output = ()> + Send + use<> {
    let changed = tls.map(Tls::changed);
    async move {
        match changed {
            Some(changed) => changed.await,
            None => std::future::pending().await,
        }
    }
}

/// Makes the ways to these, in place of those that there were. Nothing when nobody uses the channel any more.
async fn insert(
    replicas: &BTreeSet<Replica>,
    way: &(impl Fn(Option<SocketAddr>) -> Option<Endpoint> + Sync),
    changes: &Sender<Change<Replica, Endpoint>>,
) -> Option<()> {
    for replica in replicas {
        if let Some(endpoint) = way(replica.address()) {
            changes.send(Change::Insert(*replica, endpoint)).await.ok()?;
        }
    }
    Some(())
}

/// Adds what is new before it removes what is gone. Where nothing was found, what was known stays: the name server may be
/// away and the replicas not. Nothing when nobody uses the channel any more.
async fn follow(
    known: &mut BTreeSet<Replica>,
    found: BTreeSet<Replica>,
    way: &(impl Fn(Option<SocketAddr>) -> Option<Endpoint> + Sync),
    changes: &Sender<Change<Replica, Endpoint>>,
) -> Option<()> {
    if found.is_empty() || found == *known {
        return Some(());
    }
    insert(&found.difference(known).copied().collect(), way, changes).await?;
    for replica in known.difference(&found) {
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
        let way = |address: Option<SocketAddr>| match address {
            Some(address) => Endpoint::from_shared(format!("http://{address}")).ok(),
            None => Some(Endpoint::from_static("http://127.0.0.1:1")),
        };
        let channel = balanced(way, look_up, None);
        while answers(&channel, 20).await.len() < 2 {}
        addresses.lock().unwrap().remove(&one);
        while answers(&channel, 20).await.len() > 1 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    #[tokio::test]
    async fn a_name_that_does_not_resolve_refuses_calls_instead_of_holding_them() {
        let by_name = |_| Some(Endpoint::from_static("http://127.0.0.1:1"));
        let channel = balanced(by_name, || std::future::ready(BTreeSet::new()), None);
        let answer = HealthClient::new(channel).check(HealthCheckRequest { service: String::new() }).await;
        assert_eq!(answer.unwrap_err().code(), tonic::Code::Unavailable);
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
