//! The log of sets: written once, read in the order of set ends.

use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, Condition, ConnectionTrait, EntityTrait as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, TryInsertResult,
};

use super::entities::sets::{ActiveModel, Column, Entity, Model};
use super::fault::StoreFault;
use crate::domain::ids::{GameId, ParticipantId};
use crate::domain::set::{FinishedSet, SetOrder};

/// Sets that are read at once.
const PAGE_SETS: u64 = 500;

/// Whose practice, in which game, on which board, against which level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PracticeKey {
    pub(super) player: ParticipantId,
    pub(super) game: GameId,
    pub(super) board: String,
    pub(super) level: String,
}

/// Puts the set into the log; false when there is one of this id. Waits for another transaction that is about to put it.
pub(super) async fn insert(tx: &impl ConnectionTrait, set: &FinishedSet) -> Result<bool, StoreFault> {
    let practice = set.practice.as_ref();
    let row = ActiveModel {
        set_id: Set(set.set.to_string()),
        game: Set(set.game.to_string()),
        rated: Set(set.rated),
        finished_at_ms: Set(set.finished_at_ms),
        practice_player: Set(practice.map(|it| it.player.to_string())),
        practice_board: Set(practice.map(|it| it.board.clone())),
        practice_level: Set(practice.map(|it| it.level.clone())),
        content: Set(super::json::write("set", set)?),
        answer: Set(None),
    };
    let inserted = Entity::insert(row).on_conflict_do_nothing().exec_without_returning(tx).await?;
    Ok(matches!(inserted, TryInsertResult::Inserted(rows) if rows > 0))
}

/// The set of this id as it was told, and what was answered.
pub(super) async fn find(
    tx: &impl ConnectionTrait,
    set: &FinishedSet,
) -> Result<Option<(FinishedSet, Option<String>)>, StoreFault> {
    let row = Entity::find_by_id(set.set.to_string()).one(tx).await?;
    row.map(|row| Ok((content(&row)?, row.answer))).transpose()
}

/// Keeps what was answered.
pub(super) async fn answer(tx: &impl ConnectionTrait, set: &FinishedSet, answer: String) -> Result<(), StoreFault> {
    let keep =
        Entity::update_many().col_expr(Column::Answer, Expr::value(answer)).filter(Column::SetId.eq(set.set.as_str()));
    keep.exec(tx).await?;
    Ok(())
}

/// The next rated sets of a game after this place, in order; none at the end.
pub(super) async fn rated_after(
    tx: &impl ConnectionTrait,
    game: &GameId,
    after: Option<&SetOrder>,
) -> Result<Vec<FinishedSet>, StoreFault> {
    let query = Entity::find().filter(Column::Game.eq(game.as_str())).filter(Expr::col(Column::Rated));
    page(tx, query, after).await
}

/// The next sets of this practice after this place, in order; none at the end.
pub(super) async fn practice_after(
    tx: &impl ConnectionTrait,
    key: &PracticeKey,
    after: Option<&SetOrder>,
) -> Result<Vec<FinishedSet>, StoreFault> {
    let query = Entity::find()
        .filter(Column::PracticePlayer.eq(key.player.as_str()))
        .filter(Column::Game.eq(key.game.as_str()))
        .filter(Column::PracticeBoard.eq(key.board.as_str()))
        .filter(Column::PracticeLevel.eq(key.level.as_str()));
    page(tx, query, after).await
}

async fn page(
    tx: &impl ConnectionTrait,
    query: sea_orm::Select<Entity>,
    after: Option<&SetOrder>,
) -> Result<Vec<FinishedSet>, StoreFault> {
    let query = query.order_by_asc(Column::FinishedAtMs).order_by_asc(Column::SetId).limit(PAGE_SETS);
    let query = match after {
        Some(order) => query.filter(later_than(order)),
        None => query,
    };
    query.all(tx).await?.iter().map(content).collect()
}

/// Written so that the index on the end is walked from there.
fn later_than(order: &SetOrder) -> Condition {
    let later =
        Condition::any().add(Column::FinishedAtMs.gt(order.finished_at.0)).add(Column::SetId.gt(order.set.as_str()));
    Condition::all().add(Column::FinishedAtMs.gte(order.finished_at.0)).add(later)
}

/// Every game of which there are sets.
pub(super) async fn games(tx: &impl ConnectionTrait) -> Result<Vec<GameId>, StoreFault> {
    let games: Vec<String> = Entity::find()
        .select_only()
        .column(Column::Game)
        .distinct()
        .order_by_asc(Column::Game)
        .into_tuple()
        .all(tx)
        .await?;
    Ok(games.into_iter().map(GameId::from_stored).collect())
}

/// Every practice of which there are sets.
pub(super) async fn practices(tx: &impl ConnectionTrait) -> Result<Vec<PracticeKey>, StoreFault> {
    let columns = [Column::PracticePlayer, Column::Game, Column::PracticeBoard, Column::PracticeLevel];
    let query = Entity::find().select_only().columns(columns).distinct().filter(Column::PracticePlayer.is_not_null());
    let rows: Vec<(String, String, String, String)> =
        query.order_by_asc(Column::PracticePlayer).into_tuple().all(tx).await?;
    let key = |(player, game, board, level)| PracticeKey {
        player: ParticipantId::from_stored(player),
        game: GameId::from_stored(game),
        board,
        level,
    };
    Ok(rows.into_iter().map(key).collect())
}

fn content(row: &Model) -> Result<FinishedSet, StoreFault> {
    super::json::read("set", &row.content)
}
