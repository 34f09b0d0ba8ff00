//! The exhibition: ordinary bots of two owners that play staked sets against each other, so that a platform has life
//! from its first minute.
//!
//! They use the public API like anyone, know no more than it tells, and take their moves from the engine. The one
//! thing that others cannot do is the top-up of their owners' accounts from issuance.

use std::{path::PathBuf, time::Duration};

use farside_kit::{
    ids::{IdSource as _, SystemIds, new_ulid},
    shutdown::Shutdown,
    time::UnixMs,
};
use farside_proto::ledger::v1::{GrantRequest, ledger_service_client::LedgerServiceClient};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tracing::{info, warn};

use crate::{
    client::{Client, ClientError, text},
    player,
};

/// The owners that the exhibition's bots belong to, in turn.
const OWNERS: [&str; 2] = ["exhibition-red", "exhibition-blue"];

/// Stakes that a pair of bots goes through, in points.
const STAKES_POINTS: [i64; 3] = [10, 20, 30];

/// An owner with less than this is topped up by [`TOP_UP_POINTS`].
const LOW_POINTS: i64 = 200;
const TOP_UP_POINTS: i64 = 1_000;

/// Time between two looks at whether a pair's set has ended, and after a fault.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// What the exhibition needs to run.
pub struct Exhibition {
    /// A caller of the platform without a key.
    pub platform: Client,
    /// The ledger, for top-ups.
    pub ledger: LedgerServiceClient<farside_kit::grpc::client::Traced>,
    /// Where the bots' keys are kept between runs.
    pub keys: PathBuf,
    /// How many bots play; an odd one out only waits for challenges.
    pub bots: usize,
    /// How long a bot takes for a move, so that people can follow.
    pub pace: Duration,
}

/// Someone of the exhibition with its key.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Member {
    name: String,
    id: String,
    key: String,
}

/// Everyone of the exhibition, as the keys file has it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Cast {
    owners: Vec<Member>,
    bots: Vec<Member>,
}

/// What can stop the exhibition from starting.
#[derive(Debug, thiserror::Error)]
pub enum ExhibitionError {
    /// The platform refused the bots or could not be reached.
    #[error("the exhibition's bots could not sign up")]
    Platform(#[from] ClientError),
    /// The keys could not be kept.
    #[error("the exhibition's keys could not be read or written")]
    Keys(#[from] std::io::Error),
}

impl Exhibition {
    /// Signs up whoever is missing, then plays until the platform shuts down.
    ///
    /// # Errors
    /// When the bots cannot be signed up or their keys cannot be kept.
    pub async fn run(self, shutdown: Shutdown) -> Result<(), ExhibitionError> {
        let cast = self.cast().await?;
        info!(bots = cast.bots.len(), "exhibition plays");
        let players = cast.bots.iter().map(|bot| player::play_all(self.platform.with_key(&bot.key), self.pace));
        let pairs = cast.bots.chunks_exact(2).map(|pair| self.keep_playing(&cast, &pair[0], &pair[1]));
        tokio::select! {
            () = shutdown.requested() => {}
            _ = futures::future::join(futures::future::join_all(players), futures::future::join_all(pairs)) => {}
        }
        Ok(())
    }

    /// Reads the cast that the keys file names, and completes it.
    async fn cast(&self) -> Result<Cast, ExhibitionError> {
        let mut cast = self.known_cast().await?;
        for name in &OWNERS[cast.owners.len()..] {
            let answer = self.sign_up(&self.platform, "/v1/players", name).await?;
            cast.owners.push(member(&answer, "player")?);
        }
        for number in cast.bots.len()..self.bots {
            let owner = self.platform.with_key(&cast.owners[number % OWNERS.len()].key);
            let answer = self.sign_up(&owner, "/v1/bots", &format!("Exhibition{}", number + 1)).await?;
            cast.bots.push(member(&answer, "bot")?);
        }
        write_private(&self.keys, &serde_json::to_string_pretty(&cast).map_err(std::io::Error::from)?)?;
        cast.bots.truncate(self.bots);
        Ok(cast)
    }

    /// The cast of an earlier run, as far as the platform still knows it.
    async fn known_cast(&self) -> Result<Cast, ExhibitionError> {
        let kept = match std::fs::read_to_string(&self.keys) {
            Ok(kept) => kept,
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => return Ok(Cast::default()),
            Err(fault) => return Err(fault.into()),
        };
        let cast: Cast = serde_json::from_str(&kept).map_err(std::io::Error::from)?;
        for member in cast.owners.iter().chain(&cast.bots) {
            match self.platform.with_key(&member.key).get("/v1/me").await {
                Ok(_) => {}
                Err(refused) if refused.code() == Some("unauthenticated") => return Ok(Cast::default()),
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(cast)
    }

    /// Makes a player or bot under `name`, or under the name with a tail when somebody else has it.
    async fn sign_up(&self, caller: &Client, path: &str, name: &str) -> Result<Value, ClientError> {
        match caller.post(path, json!({ "name": name })).await {
            Err(refused) if refused.code() == Some("name_taken") => {
                let ulid = new_ulid(UnixMs::default(), SystemIds.random_u128());
                caller.post(path, json!({ "name": format!("{name}-{}", &ulid[20..]) })).await
            }
            answered => answered,
        }
    }

    /// Starts a set between two bots whenever none is running, for ever.
    async fn keep_playing(&self, cast: &Cast, one: &Member, other: &Member) {
        for turn in 0.. {
            let (creator, acceptor) = if turn % 2 == 0 { (one, other) } else { (other, one) };
            let stake = STAKES_POINTS[turn % STAKES_POINTS.len()];
            if let Err(fault) = self.play_set(cast, creator, acceptor, stake).await {
                warn!(error = %fault, "an exhibition set could not be started");
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Waits for the end of a running set of the pair's, then starts one.
    async fn play_set(&self, cast: &Cast, creator: &Member, acceptor: &Member, stake: i64) -> Result<(), ClientError> {
        let running = format!("/v1/sets?bot={}&status=active&limit=1", creator.id);
        while has_any(&self.platform.get(&running).await?, "sets") {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        for owner in &cast.owners {
            self.top_up(owner).await?;
        }
        let wish = json!({
            "game": "breakthrough",
            "stake": { "currency": "PTS", "amount": stake },
            "opponent": acceptor.id,
        });
        let made = self.platform.with_key(&creator.key).post("/v1/challenges", wish).await?;
        let challenge = text(&made["challenge"]["id"], "challenge.id")?;
        let accept = format!("/v1/challenges/{challenge}/accept");
        self.platform.with_key(&acceptor.key).post(&accept, json!({})).await?;
        Ok(())
    }

    /// Grants points to an owner that is running low.
    async fn top_up(&self, owner: &Member) -> Result<(), ClientError> {
        let balance = self.platform.with_key(&owner.key).get("/v1/me/balance").await?;
        if balance["PTS"]["available"].as_i64().unwrap_or(0) >= LOW_POINTS {
            return Ok(());
        }
        let grant = GrantRequest {
            request_id: format!("exhibition:{}", new_ulid(UnixMs::default(), SystemIds.random_u128())),
            account_id: owner.id.clone(),
            currency: "PTS".to_owned(),
            amount_points: TOP_UP_POINTS,
            memo: "exhibition top-up".to_owned(),
            reason: String::new(),
        };
        if let Err(status) = self.ledger.clone().grant(grant).await {
            warn!(error = %status.message(), "an exhibition owner could not be topped up");
        }
        Ok(())
    }
}

fn has_any(page: &Value, list: &str) -> bool {
    page[list].as_array().is_some_and(|items| !items.is_empty())
}

fn member(answer: &Value, kind: &'static str) -> Result<Member, ClientError> {
    Ok(Member {
        name: text(&answer[kind]["name"], "name")?,
        id: text(&answer[kind]["id"], "id")?,
        key: text(&answer["key"], "key")?,
    })
}

/// Writes a file that only its owner can read, since it holds keys.
fn write_private(path: &std::path::Path, content: &str) -> std::io::Result<()> {
    use std::{io::Write as _, os::unix::fs::OpenOptionsExt as _};
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path)?.write_all(content.as_bytes())
}
