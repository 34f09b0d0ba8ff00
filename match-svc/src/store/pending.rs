//! Secret placements of the running round. They are never events; whoever ends the round deletes them with the same
//! transaction. A counter on the set fences them: a decision that ends a round holds only for the placements it saw.

use farside_kit::time::UnixMs;
use sea_orm::{ConnectionTrait, DbErr};

use super::sql::{all, execute, one};
use super::{Store, WriteFault};
use crate::domain::fault::MatchFault;
use crate::domain::ids::{GameNumber, Ply, Seat, Seq, SetId};

/// A secret placement.
#[derive(Clone, PartialEq, Eq)]
pub struct PendingMove {
    /// Whose.
    pub seat: Seat,
    /// Canonical JSON.
    pub move_json: String,
    /// The game's notation.
    pub notation: String,
    /// When it was received, as charged.
    pub received: UnixMs,
    /// Whether it was the last that its round waited for: the store says so.
    pub completes: bool,
    /// The set's last event when it was placed.
    pub seq: Seq,
}

impl std::fmt::Debug for PendingMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PendingMove(seat {}, …)", self.seat)
    }
}

/// The round that a placement is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningRound {
    /// Its game.
    pub game: GameNumber,
    /// Its number.
    pub ply: Ply,
    /// How many seats place in it.
    pub acting: usize,
}

/// The placements of a round, and how often they had changed.
#[derive(Clone, Debug)]
pub struct PendingRound {
    /// For the fence.
    pub rev: i64,
    /// In seat order.
    pub moves: Vec<PendingMove>,
}

impl PendingRound {
    /// What `seat` has placed.
    #[must_use]
    pub fn of(&self, seat: Seat) -> Option<&PendingMove> {
        self.moves.iter().find(|pending| pending.seat == seat)
    }

    /// The seats whose placement is in.
    #[must_use]
    pub fn seats(&self) -> Vec<Seat> {
        self.moves.iter().map(|pending| pending.seat).collect()
    }
}

impl Store {
    /// Reads the placements of a round.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn pending_round(&self, id: &SetId, game: GameNumber, ply: Ply) -> Result<PendingRound, MatchFault> {
        Ok(read_round(self.reader(), id, game, ply).await?)
    }

    /// Adds a placement while event `seq` is the set's last; answers the round with it. None when the set has moved on,
    /// or the seat has placed already.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn place(
        &self,
        id: &SetId,
        seq: Seq,
        round: RunningRound,
        placed: PendingMove,
    ) -> Result<Option<PendingRound>, MatchFault> {
        let id = id.clone();
        let placed = self.db.write::<_, _, WriteFault>(move |tx| {
            let (id, placed) = (id.clone(), placed.clone());
            Box::pin(async move {
                let sql = "UPDATE set_states SET pending_rev = pending_rev + 1 WHERE set_id = $1 AND last_seq = $2";
                if execute(tx, sql, vec![id.as_str().into(), seq.0.into()]).await? != 1 {
                    return Ok(None);
                }
                let others = read_round(tx, &id, round.game, round.ply).await?.moves.len();
                let values = vec![
                    id.as_str().into(),
                    i64::from(round.game.0).into(),
                    i64::from(round.ply.0).into(),
                    i64::from(placed.seat.number()).into(),
                    placed.move_json.as_str().into(),
                    placed.notation.as_str().into(),
                    placed.received.0.into(),
                    i64::from(others + 1 == round.acting).into(),
                    seq.0.into(),
                ];
                let sql = "INSERT INTO pending_moves \
                           (set_id, game, ply, seat, move_json, notation, received_ms, completes, placed_seq) \
                           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
                if execute(tx, sql, values).await? != 1 {
                    return Ok(None);
                }
                Ok(Some(read_round(tx, &id, round.game, round.ply).await?))
            })
        });
        Ok(placed.await?)
    }

    /// Sets with a round that was complete before `before`, and that nobody revealed.
    ///
    /// # Errors
    ///
    /// Those of the database.
    pub async fn stale_rounds(&self, before: UnixMs, limit: u32) -> Result<Vec<SetId>, MatchFault> {
        let sql = format!("SELECT set_id FROM pending_moves WHERE completes = 1 AND received_ms < $1 LIMIT {limit}");
        let rows = all(self.reader(), sql, vec![before.0.into()]).await?;
        Ok(rows.iter().map(|row| row.try_get_by_index(0).map(SetId)).collect::<Result<_, _>>()?)
    }
}

async fn read_round<C: ConnectionTrait>(
    connection: &C,
    id: &SetId,
    game: GameNumber,
    ply: Ply,
) -> Result<PendingRound, DbErr> {
    let sql = "SELECT pending_rev FROM set_states WHERE set_id = $1";
    let rev = one(connection, sql, vec![id.as_str().into()]).await?.map(|row| row.try_get_by_index(0)).transpose()?;
    let sql = "SELECT seat, move_json, notation, received_ms, completes, placed_seq FROM pending_moves \
               WHERE set_id = $1 AND game = $2 AND ply = $3 ORDER BY seat";
    let values = vec![id.as_str().into(), i64::from(game.0).into(), i64::from(ply.0).into()];
    let mut moves = Vec::new();
    for row in all(connection, sql, values).await? {
        let (seat, completes): (i64, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(4)?);
        moves.push(PendingMove {
            seat: if seat == 1 { Seat::One } else { Seat::Two },
            move_json: row.try_get_by_index(1)?,
            notation: row.try_get_by_index(2)?,
            received: UnixMs(row.try_get_by_index(3)?),
            completes: completes != 0,
            seq: Seq(row.try_get_by_index(5)?),
        });
    }
    Ok(PendingRound { rev: rev.unwrap_or(0), moves })
}
