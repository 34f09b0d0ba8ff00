//! What callers ask of an engine and what it answers, whichever game it is for. The engines themselves are in `engines/`.

use super::seed::{Purpose, SetSeed, Stream};

/// Where thinking ends at the latest.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Nodes to visit.
    pub max_nodes: u64,
    /// Asked now and then; true ends the search with what it has.
    pub should_stop: &'a dyn Fn() -> bool,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis<M> {
    /// The best move.
    pub best: M,
    /// From the view of the seat that moves, in hundredths of a pawn; beyond ±29,000 the result is forced.
    pub score: i32,
    /// The line expected, beginning with the best move.
    pub pv: Vec<M>,
    /// Iterations completed.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl<M> Analysis<M> {
    /// The same finding with moves of another kind.
    pub fn map<N>(self, convert: impl Fn(M) -> N) -> Analysis<N> {
        let Self { best, score, pv, depth, nodes } = self;
        Analysis { best: convert(best), score, pv: pv.into_iter().map(convert).collect(), depth, nodes }
    }
}

/// What a house bot's choices are drawn from, besides the position.
#[derive(Clone, Copy, Debug)]
pub struct HouseDraw {
    /// The set's seed.
    pub seed: SetSeed,
    /// 1 or 2: which game of the set.
    pub game_number: u8,
}

impl HouseDraw {
    /// The stream for one ply's choice.
    #[must_use]
    pub fn at_ply(&self, ply: u32) -> Stream {
        let ply = u16::try_from(ply).unwrap_or(u16::MAX);
        self.seed.stream(Purpose::HouseChoice { game_number: self.game_number, ply })
    }
}
