//! `farside admin show`: a player, a bot or a set as the services know it, before and after an operation.

use anyhow::{Result, bail};
use clap::Args;
use farside_kit::{
    config::{ConfigFault, Validate},
    time::UnixMs,
};
use farside_proto::{
    ledger::v1::GetBalanceRequest,
    matches::v1::{GetSetRequest, GetStandingRequest, Participant},
    rating::v1::GetStandingsRequest,
};

use super::reach::{Reach, call};
use crate::output::{moment, say};

/// What to show.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// `player_…`, `bot_…` or `set_…`
    id: String,
    #[command(flatten)]
    reach: Reach,
}

impl Validate for ShowArgs {
    fn validate(&self) -> Result<(), ConfigFault> {
        self.reach.validate()
    }
}

pub(super) async fn run(ShowArgs { id, reach }: ShowArgs) -> Result<()> {
    match id.split_once('_').map(|(kind, _)| kind) {
        Some("player") => {
            balances(&reach, &id).await?;
            participant(&reach, &id).await
        }
        Some("bot") => participant(&reach, &id).await,
        Some("set") => set(&reach, &id).await,
        _ => bail!("{id} is the id of no player, bot or set"),
    }
}

async fn balances(reach: &Reach, id: &str) -> Result<()> {
    let client = reach.ledger()?;
    let request = GetBalanceRequest { account_id: id.to_owned() };
    let answer = call(|| async { client.clone().get_balance(request.clone()).await }).await?;
    for balance in answer.balances {
        let (available, held) = (balance.available_points, balance.held_points);
        say(format_args!("balance    {available} {} available, {held} held", balance.currency));
    }
    Ok(())
}

async fn participant(reach: &Reach, id: &str) -> Result<()> {
    let (matches, rating) = (reach.matches()?, reach.rating()?);
    let request = GetStandingRequest { participant_id: id.to_owned(), owner_id: String::new() };
    let standing = call(|| async { matches.clone().get_standing(request.clone()).await }).await?;
    let or_not = |at_ms: Option<i64>| at_ms.map_or_else(|| "no".to_owned(), |at_ms| moment(UnixMs(at_ms)));
    say(format_args!("suspended  by an operator since: {}", or_not(standing.suspended_since_ms)));
    say(format_args!(
        "strikes    {}; no staked play until: {}",
        standing.strikes.len(),
        or_not(standing.suspended_until_ms)
    ));
    say(format_args!("active     {} sets and open challenges", standing.active_sets));
    let request = GetStandingsRequest { participant_id: id.to_owned() };
    for standing in call(|| async { rating.clone().get_standings(request.clone()).await }).await?.standings {
        let (rating, deviation) = (standing.rating, standing.deviation);
        say(format_args!("rating     {}: {rating:.0} ± {deviation:.0} after {} sets", standing.game, standing.sets));
    }
    Ok(())
}

async fn set(reach: &Reach, id: &str) -> Result<()> {
    let client = reach.matches()?;
    let request = GetSetRequest { set_id: id.to_owned(), viewer_id: String::new() };
    let set = call(|| async { client.clone().get_set(request.clone()).await }).await?.set.unwrap_or_default();
    let who = |participant: &Option<Participant>| {
        participant.as_ref().map(|who| format!("{} ({}), of {}", who.name, who.id, who.owner_id)).unwrap_or_default()
    };
    say(format_args!("game       {}", set.game));
    say(format_args!("status     {}", set.status().as_str_name()));
    say(format_args!("creator    {}", who(&set.creator)));
    say(format_args!("acceptor   {}", who(&set.acceptor)));
    if let Some(stake) = &set.stake {
        say(format_args!("stake      {} {}, {}", stake.amount_points, stake.currency, set.settlement().as_str_name()));
    }
    for game in &set.games {
        say(format_args!("game {}     {}, ply {}", game.number, game.status().as_str_name(), game.ply));
    }
    Ok(())
}
