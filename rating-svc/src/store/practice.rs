//! Practice statistics: counted on while sets arrive in order, made anew from the log when one arrives late.

use farside_kit::time::UnixMs;
use sea_orm::{
    ActiveModelTrait as _, ActiveValue::Set, ColumnTrait as _, ConnectionTrait, EntityTrait as _, IntoActiveModel as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _,
};

use super::entities::practice::{ActiveModel, Column, Entity, Model};
use super::fault::StoreFault;
use super::log::{self, PracticeKey};
use crate::domain::ids::{GameId, SetId};
use crate::domain::practice::PracticeTally;
use crate::domain::set::{FinishedSet, SetOrder};

/// A person's statistics for one board and level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PracticeStatistics {
    /// Which game.
    pub game: GameId,
    /// The board.
    pub board: String,
    /// The house bot's level.
    pub level: String,
    /// Counts.
    pub tally: PracticeTally,
}

/// Counts a set that was just put into the log.
pub(super) async fn count(tx: &impl ConnectionTrait, set: &FinishedSet) -> Result<(), StoreFault> {
    let Some(practice) = &set.practice else { return Ok(()) };
    let key = PracticeKey {
        player: practice.player.clone(),
        game: set.game.clone(),
        board: practice.board.clone(),
        level: practice.level.clone(),
    };
    let row = lock(tx, &key).await?;
    let order = set.order();
    if last(&row).is_some_and(|last| last > order) {
        return recount_locked(tx, &key, row).await.map(drop);
    }
    save(tx, row.clone(), tally(&row).with(&practice.games), Some(&order)).await
}

/// Makes the statistics of one practice anew from the log; says whether they were different.
pub(super) async fn recount(tx: &impl ConnectionTrait, key: &PracticeKey) -> Result<bool, StoreFault> {
    let row = lock(tx, key).await?;
    recount_locked(tx, key, row).await
}

async fn recount_locked(tx: &impl ConnectionTrait, key: &PracticeKey, row: Model) -> Result<bool, StoreFault> {
    let (mut counted, mut last_set) = (PracticeTally::default(), None);
    loop {
        let sets = log::practice_after(tx, key, last_set.as_ref()).await?;
        if sets.is_empty() {
            break;
        }
        for set in sets {
            let games = set.practice.as_ref().map_or(&[][..], |practice| &practice.games);
            counted = counted.with(games);
            last_set = Some(set.order());
        }
    }
    let differs = counted != tally(&row) || last_set != last(&row);
    if differs {
        save(tx, row, counted, last_set.as_ref()).await?;
    }
    Ok(differs)
}

async fn lock(tx: &impl ConnectionTrait, key: &PracticeKey) -> Result<Model, StoreFault> {
    let blank = Model {
        player_id: key.player.to_string(),
        game: key.game.to_string(),
        board: key.board.clone(),
        level: key.level.clone(),
        wins: 0,
        losses: 0,
        current_streak: 0,
        best_streak: 0,
        last_finished_at_ms: None,
        last_set_id: None,
    };
    let id = (blank.player_id.clone(), blank.game.clone(), blank.board.clone(), blank.level.clone());
    let insert = Entity::insert(blank.clone().into_active_model().reset_all());
    insert.on_conflict_do_nothing().exec_without_returning(tx).await?;
    Ok(Entity::find_by_id(id).lock_exclusive().one(tx).await?.unwrap_or(blank))
}

async fn save(
    tx: &impl ConnectionTrait,
    row: Model,
    tally: PracticeTally,
    last: Option<&SetOrder>,
) -> Result<(), StoreFault> {
    let row = ActiveModel {
        wins: Set(tally.wins),
        losses: Set(tally.losses),
        current_streak: Set(tally.current_streak),
        best_streak: Set(tally.best_streak),
        last_finished_at_ms: Set(last.map(|it| it.finished_at.0)),
        last_set_id: Set(last.map(|it| it.set.to_string())),
        ..row.into_active_model()
    };
    row.update(tx).await?;
    Ok(())
}

/// A person's statistics, by game, board and level.
pub(super) async fn of_player(db: &impl ConnectionTrait, player: &str) -> Result<Vec<PracticeStatistics>, StoreFault> {
    let query = Entity::find().filter(Column::PlayerId.eq(player));
    let query = query.order_by_asc(Column::Game).order_by_asc(Column::Board).order_by_asc(Column::Level);
    let convert = |row: Model| {
        let tally = tally(&row);
        PracticeStatistics { game: GameId::from_stored(row.game), board: row.board, level: row.level, tally }
    };
    Ok(query.all(db).await?.into_iter().map(convert).collect())
}

const fn tally(row: &Model) -> PracticeTally {
    PracticeTally {
        wins: row.wins,
        losses: row.losses,
        current_streak: row.current_streak,
        best_streak: row.best_streak,
    }
}

fn last(row: &Model) -> Option<SetOrder> {
    let set = SetId::from_stored(row.last_set_id.clone()?);
    Some(SetOrder { finished_at: UnixMs(row.last_finished_at_ms?), set })
}
