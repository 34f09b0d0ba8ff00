//! Rows of standings: locked in the order of ids before they are changed, and read for boards.

use std::collections::{BTreeMap, BTreeSet};

use farside_kit::time::UnixMs;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait as _, ActiveValue::Set, ColumnTrait as _, Condition, ConnectionTrait, EntityTrait as _,
    IntoActiveModel as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};

use super::entities::standings::{ActiveModel, Column, Entity, Model};
use super::fault::StoreFault;
use crate::domain::board::{Entry, Place};
use crate::domain::glicko::Rating;
use crate::domain::ids::{GameId, ParticipantId, ParticipantKind, SetId};
use crate::domain::peaks::Peaks;
use crate::domain::set::{Participant, SetOrder};
use crate::domain::standing::{Rated, Standing, Tally};

/// Rows that are named in one statement.
const CHUNK: usize = 500;

/// The rows that this transaction holds locked, by participant.
pub(super) type Locked = BTreeMap<ParticipantId, Entry>;

/// Makes rows where there are none, in the order of ids. To be called before anything is locked: whoever waits here for another
/// transaction's row holds none that it could wait for.
pub(super) async fn create(
    tx: &impl ConnectionTrait,
    game: &GameId,
    participants: &BTreeSet<ParticipantId>,
) -> Result<(), StoreFault> {
    let ids: Vec<&ParticipantId> = participants.iter().collect();
    for ids in ids.chunks(CHUNK) {
        let rows = ids.iter().map(|id| blank(game, id));
        Entity::insert_many(rows).on_conflict_do_nothing().exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Locks the rows of these participants, in the order of ids; who has none is left out.
pub(super) async fn lock(
    tx: &impl ConnectionTrait,
    game: &GameId,
    participants: &BTreeSet<ParticipantId>,
) -> Result<Locked, StoreFault> {
    let ids: Vec<&ParticipantId> = participants.iter().collect();
    let mut locked = Locked::new();
    for ids in ids.chunks(CHUNK) {
        for row in lock_present(tx, game, ids).await? {
            locked.insert(ParticipantId::from_stored(row.participant_id.clone()), entry(row)?);
        }
    }
    Ok(locked)
}

async fn lock_present(
    tx: &impl ConnectionTrait,
    game: &GameId,
    ids: &[&ParticipantId],
) -> Result<Vec<Model>, StoreFault> {
    let named = Column::ParticipantId.is_in(ids.iter().map(|id| id.as_str()));
    let query = Entity::find().filter(Column::Game.eq(game.as_str())).filter(named);
    Ok(query.order_by_asc(Column::ParticipantId).lock_exclusive().all(tx).await?)
}

/// Locks every row of a game.
pub(super) async fn lock_game(tx: &impl ConnectionTrait, game: &GameId) -> Result<Locked, StoreFault> {
    let query = Entity::find().filter(Column::Game.eq(game.as_str())).order_by_asc(Column::ParticipantId);
    let rows = query.lock_exclusive().all(tx).await?;
    let key = |row: Model| Ok((ParticipantId::from_stored(row.participant_id.clone()), entry(row)?));
    rows.into_iter().map(key).collect()
}

/// Writes a locked row.
pub(super) async fn save(
    tx: &impl ConnectionTrait,
    game: &GameId,
    entry: &Entry,
    now: UnixMs,
) -> Result<(), StoreFault> {
    let row = ActiveModel { touched_at_ms: Set(now.0), ..filled(game, entry)? };
    row.update(tx).await?;
    Ok(())
}

/// Removes a locked row of somebody of whom the log knows nothing.
pub(super) async fn remove(tx: &impl ConnectionTrait, game: &GameId, id: &ParticipantId) -> Result<(), StoreFault> {
    Entity::delete_by_id((game.to_string(), id.to_string())).exec(tx).await?;
    Ok(())
}

/// Where a participant stands in every game, by game.
pub(super) async fn of_participant(db: &impl ConnectionTrait, id: &str) -> Result<Vec<(GameId, Standing)>, StoreFault> {
    let query = Entity::find().filter(Column::ParticipantId.eq(id)).order_by_asc(Column::Game);
    let rows = query.all(db).await?;
    rows.into_iter().map(|row| Ok((GameId::from_stored(row.game.clone()), entry(row)?.standing))).collect()
}

/// The entries of a board after this place, best first.
pub(super) async fn board(
    db: &impl ConnectionTrait,
    game: &GameId,
    after: Option<&Place>,
    limit: usize,
) -> Result<Vec<Entry>, StoreFault> {
    let query = Entity::find().filter(Column::Game.eq(game.as_str())).filter(Expr::col(Column::OnBoard));
    let query = match after {
        Some(place) => query.filter(behind(place)),
        None => query,
    };
    let query = query.order_by_desc(Column::Rating).order_by_asc(Column::ParticipantId);
    let rows = query.limit(u64::try_from(limit).unwrap_or(u64::MAX)).all(db).await?;
    rows.into_iter().map(entry).collect()
}

/// Written so that the index of the board is walked from there.
fn behind(place: &Place) -> Condition {
    let later =
        Condition::any().add(Column::Rating.lt(place.rating())).add(Column::ParticipantId.gt(place.id.as_str()));
    Condition::all().add(Column::Rating.lte(place.rating())).add(later)
}

/// Where a reading of changed entries ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    at_ms: i64,
    id: String,
}

/// Entries of a board that changed at or after `since`, by time and id, after where the last call ended.
pub(super) async fn touched(
    db: &impl ConnectionTrait,
    game: &GameId,
    since: UnixMs,
    after: Option<&Touched>,
    limit: u64,
) -> Result<(Vec<Entry>, Option<Touched>), StoreFault> {
    let query = Entity::find().filter(Column::Game.eq(game.as_str())).filter(Expr::col(Column::OnBoard));
    let query = match after {
        Some(after) => query.filter(touched_later(after)),
        None => query.filter(Column::TouchedAtMs.gte(since.0)),
    };
    let rows = query.order_by_asc(Column::TouchedAtMs).order_by_asc(Column::ParticipantId).limit(limit).all(db).await?;
    let last = rows.last().map(|row| Touched { at_ms: row.touched_at_ms, id: row.participant_id.clone() });
    Ok((rows.into_iter().map(entry).collect::<Result<_, _>>()?, last))
}

fn touched_later(after: &Touched) -> Condition {
    let later =
        Condition::any().add(Column::TouchedAtMs.gt(after.at_ms)).add(Column::ParticipantId.gt(after.id.as_str()));
    Condition::all().add(Column::TouchedAtMs.gte(after.at_ms)).add(later)
}

fn blank(game: &GameId, id: &ParticipantId) -> ActiveModel {
    let new = Rating::NEW;
    let row = Model {
        game: game.to_string(),
        participant_id: id.to_string(),
        on_board: ParticipantKind::of(id) == Some(ParticipantKind::Bot),
        name: String::new(),
        owner_id: String::new(),
        owner_name: String::new(),
        rating: new.rating,
        deviation: new.deviation,
        volatility: new.volatility,
        wins: 0,
        draws: 0,
        losses: 0,
        won_points: 0,
        lost_points: 0,
        last_finished_at_ms: None,
        last_set_id: None,
        peaks: "[]".to_owned(),
        version: 0,
        touched_at_ms: 0,
    };
    row.into_active_model().reset_all()
}

fn filled(game: &GameId, entry: &Entry) -> Result<ActiveModel, StoreFault> {
    let Standing { rated: Rated { rating, .. }, tally, last } = &entry.standing;
    Ok(ActiveModel {
        game: sea_orm::ActiveValue::Unchanged(game.to_string()),
        participant_id: sea_orm::ActiveValue::Unchanged(entry.participant.id.to_string()),
        on_board: sea_orm::ActiveValue::NotSet,
        name: Set(entry.participant.name.clone()),
        owner_id: Set(entry.participant.owner_id.clone()),
        owner_name: Set(entry.participant.owner_name.clone()),
        rating: Set(rating.rating),
        deviation: Set(rating.deviation),
        volatility: Set(rating.volatility),
        wins: Set(tally.wins),
        draws: Set(tally.draws),
        losses: Set(tally.losses),
        won_points: Set(tally.won_points),
        lost_points: Set(tally.lost_points),
        last_finished_at_ms: Set(last.as_ref().map(|it| it.finished_at.0)),
        last_set_id: Set(last.as_ref().map(|it| it.set.to_string())),
        peaks: Set(super::json::write("list of peaks", &entry.peaks)?),
        version: Set(entry.version),
        touched_at_ms: sea_orm::ActiveValue::NotSet,
    })
}

fn entry(row: Model) -> Result<Entry, StoreFault> {
    let peaks: Peaks = super::json::read("list of peaks", &row.peaks)?;
    let order = |(at_ms, set)| SetOrder { finished_at: UnixMs(at_ms), set: SetId::from_stored(set) };
    let last = row.last_finished_at_ms.zip(row.last_set_id).map(order);
    let rating = Rating { rating: row.rating, deviation: row.deviation, volatility: row.volatility };
    Ok(Entry {
        participant: Participant {
            id: ParticipantId::from_stored(row.participant_id),
            name: row.name,
            owner_id: row.owner_id,
            owner_name: row.owner_name,
        },
        standing: Standing {
            rated: Rated { rating, at: last.as_ref().map(|it| it.finished_at) },
            tally: Tally {
                wins: row.wins,
                draws: row.draws,
                losses: row.losses,
                won_points: row.won_points,
                lost_points: row.lost_points,
            },
            last,
        },
        peaks,
        version: row.version,
    })
}
