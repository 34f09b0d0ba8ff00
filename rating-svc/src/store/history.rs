//! Everybody's rating after each rated set.

use std::collections::BTreeMap;

use farside_kit::time::UnixMs;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, Condition, ConnectionTrait, EntityTrait as _, IntoActiveModel as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
};

use super::entities::history::{Column, Entity, Model};
use super::entities::sets;
use super::fault::StoreFault;
use crate::domain::fold::Step;
use crate::domain::glicko::Rating;
use crate::domain::ids::{GameId, ParticipantId, SetId};
use crate::domain::set::{FinishedSet, SetOrder};
use crate::domain::standing::Rated;

/// A rating after one set.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryPoint {
    /// Which set, and when it ended.
    pub order: SetOrder,
    /// The rating just after it.
    pub rating: Rating,
}

/// Sets whose steps are written in one statement.
const CHUNK: usize = 200;

/// Writes the steps of sets, or corrects them.
pub(super) async fn put(tx: &impl ConnectionTrait, steps: &[(&FinishedSet, Step)]) -> Result<(), StoreFault> {
    let key = [Column::ParticipantId, Column::Game, Column::SetId];
    let numbers = [Column::Rating, Column::Deviation, Column::Volatility];
    for steps in steps.chunks(CHUNK) {
        let rows = steps.iter().flat_map(|(set, step)| {
            [row(set, &set.creator.id, step.creator), row(set, &set.acceptor.id, step.acceptor)]
        });
        let insert = Entity::insert_many(rows.map(|row| row.into_active_model().reset_all()));
        let insert = insert.on_conflict(OnConflict::columns(key).update_columns(numbers).to_owned());
        insert.exec_without_returning(tx).await?;
    }
    Ok(())
}

fn row(set: &FinishedSet, id: &ParticipantId, rating: Rating) -> Model {
    Model {
        participant_id: id.to_string(),
        game: set.game.to_string(),
        set_id: set.set.to_string(),
        finished_at_ms: set.finished_at_ms,
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

/// A participant's rating just before this place.
pub(super) async fn before(
    tx: &impl ConnectionTrait,
    game: &GameId,
    id: &ParticipantId,
    order: &SetOrder,
) -> Result<Rated, StoreFault> {
    let points = page(tx, game.as_str(), id.as_str(), Some(order), 1).await?;
    let rated = |point: HistoryPoint| Rated { rating: point.rating, at: Some(point.order.finished_at) };
    Ok(points.into_iter().next().map_or(Rated::NEW, rated))
}

/// A participant's ratings before this place, newest first.
pub(super) async fn page(
    db: &impl ConnectionTrait,
    game: &str,
    participant: &str,
    before: Option<&SetOrder>,
    limit: u64,
) -> Result<Vec<HistoryPoint>, StoreFault> {
    let query = Entity::find().filter(Column::ParticipantId.eq(participant)).filter(Column::Game.eq(game));
    let query = match before {
        Some(order) => query.filter(earlier_than(order)),
        None => query,
    };
    let query = query.order_by_desc(Column::FinishedAtMs).order_by_desc(Column::SetId).limit(limit);
    Ok(query.all(db).await?.into_iter().map(point).collect())
}

fn earlier_than(order: &SetOrder) -> Condition {
    let earlier =
        Condition::any().add(Column::FinishedAtMs.lt(order.finished_at.0)).add(Column::SetId.lt(order.set.as_str()));
    Condition::all().add(Column::FinishedAtMs.lte(order.finished_at.0)).add(earlier)
}

fn point(row: Model) -> HistoryPoint {
    HistoryPoint {
        order: SetOrder { finished_at: UnixMs(row.finished_at_ms), set: SetId::from_stored(row.set_id) },
        rating: Rating { rating: row.rating, deviation: row.deviation, volatility: row.volatility },
    }
}

/// The stored ratings after each of these sets of one game, by participant and set.
pub(super) async fn of_sets(
    tx: &impl ConnectionTrait,
    sets: &[FinishedSet],
) -> Result<BTreeMap<(ParticipantId, SetId), HistoryPoint>, StoreFault> {
    let Some(first) = sets.first() else { return Ok(BTreeMap::new()) };
    let named = Column::SetId.is_in(sets.iter().map(|set| set.set.as_str()));
    let participants = sets.iter().flat_map(|set| [set.creator.id.as_str(), set.acceptor.id.as_str()]);
    let query =
        Entity::find().filter(Column::ParticipantId.is_in(participants)).filter(Column::Game.eq(first.game.as_str()));
    let key = |row: Model| {
        ((ParticipantId::from_stored(row.participant_id.clone()), SetId::from_stored(row.set_id.clone())), point(row))
    };
    Ok(query.filter(named).all(tx).await?.into_iter().map(key).collect())
}

/// Removes ratings after sets that the log does not hold as rated ones of this game; says how many there were.
pub(super) async fn remove_orphans(tx: &impl ConnectionTrait, game: &GameId) -> Result<u64, StoreFault> {
    let known = sets::Entity::find()
        .select_only()
        .column(sets::Column::SetId)
        .filter(sets::Column::Game.eq(game.as_str()))
        .filter(sets::Column::Rated.eq(true))
        .into_query();
    let delete =
        Entity::delete_many().filter(Column::Game.eq(game.as_str())).filter(Column::SetId.not_in_subquery(known));
    Ok(delete.exec(tx).await?.rows_affected)
}
