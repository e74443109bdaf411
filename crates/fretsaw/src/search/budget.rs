//! How much to search, counted in moves and rounds, never in time.

/// How much to search on boards of either size; [`is_large`](crate::puzzle::is_large) decides which part applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBudget {
    /// For small boards: several chains search the whole board.
    pub small: MultiStartBudget,
    /// For large boards: one annealer for the whole board, then region by region.
    pub large: DecompositionBudget,
}

/// The budget of several chains that exchange their best boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiStartBudget {
    /// Chains, at least 1. There are more if there are more starts.
    pub num_chains: usize,
    /// Epochs at most. Chains exchange their best boards after each.
    pub max_epochs: usize,
    /// The search ends when this many epochs in a row did not improve the best board.
    pub patience: usize,
    /// Rounds of destroy-and-repair per chain and epoch. Every 200 cells, up to 1000, add a round.
    pub rounds_per_epoch: usize,
}

/// The budget of a search by domain decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecompositionBudget {
    /// Moves of the first annealing run, for each open side of the start.
    pub moves_per_open_side: usize,
    /// How often the board is divided into regions, at most.
    pub max_passes: usize,
    /// A region is skipped once each of its cells with an open seam was searched this often without
    /// improvement.
    pub max_failures: usize,
    /// For each region.
    pub region: MultiStartBudget,
}
