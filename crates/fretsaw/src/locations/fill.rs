//! Filling: single pieces are put into the holes of a board whose frame may still float.
//!
//! The order of the holes matters most. Gallagher \[Gal12\] fills the hole with most neighbours first, with the piece
//! and turn that fit best; of equal holes we take the one whose best piece fits best. Our own order takes the hole
//! first whose best piece wins most clearly, whatever its number of neighbours: in a smooth area, a hole
//! between four doubtful neighbours can wait.
//!
//! Each hole stores its best few pieces. It tries all loose pieces again only when it gets a new neighbour or those
//! few are used elsewhere. Of pieces that the model cannot tell apart it tries one. Cost: O(holes x loose pieces x
//! turns) comparisons, times a small factor; most pieces are rejected after their first side.

use super::board::Board;
use super::segment::Position;
use super::{LocationError, LocationProblem};
use crate::observer::{Observer, Stage, check_cancelled};
use crate::puzzle::{Assembly, PieceId, QuarterTurn, Side, SideId};
use crate::random::tie_breaker;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How holes are filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filling {
    /// The hole with the clearest winner first, by the sum of [`LocationProblem::seam_cost`].
    #[default]
    ClearestWinner,
    /// The hole with most neighbours first, then by the mean dissimilarity to them, or the matcher's cost if there is
    /// a matcher: Gallagher's order.
    MostNeighbors,
}

crate::named_enum!(Filling { ClearestWinner: "clearest-winner", MostNeighbors: "most-neighbors" });

/// Every piece must also win against an imaginary rival, which matches each neighbour with this probability, that
/// of ratio 3.
///
/// Otherwise a piece would be a clear winner by beating pieces that do not fit at all. This matters most beyond the
/// true border of the picture, where nothing fits.
const MODEST_RIVAL: f64 = 0.25;

/// Puts loose pieces into the holes of a board until no piece or no hole is left.
///
/// A board without pieces stays empty.
pub fn fill_board(
    problem: &LocationProblem<'_>,
    mut board: Board,
    filling: Filling,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    observer.stage_advanced(Stage::Assemble, board.num_placed() as u64);
    let modest_cost = problem.cost_of(MODEST_RIVAL);
    let mut loose = LoosePieces::new(problem, &board);
    let mut holes: Vec<Hole> = Vec::new();
    let mut stale: Vec<Position> = board.positions().flat_map(around).collect();
    while loose.count > 0 {
        check_cancelled(observer)?;
        stale.retain(|&position| board.is_hole(position));
        stale.sort_unstable();
        stale.dedup();
        holes.retain(|hole| stale.binary_search(&hole.position).is_err());
        holes.par_extend(
            stale
                .par_drain(..)
                .map(|position| Hole::new(problem, &board, &loose, position, filling)),
        );
        let ranked = holes.iter().filter_map(|hole| Some((hole.rank(filling, modest_cost)?, hole)));
        let first = ranked.min_by(|(x, _), (y, _)| x.before(y));
        let Some((position, Offer { piece, turn, .. })) =
            first.and_then(|(_, hole)| Some((hole.position, *hole.offers.first()?)))
        else {
            break;
        };
        board.place(piece, position, turn);
        loose.remove(piece);
        stale.extend(around(position));
        // The piece is no longer loose, and some positions may no longer fit into the frame.
        for hole in &mut holes {
            hole.offers.retain(|offer| offer.piece != piece);
            if hole.offers.len() < 2 && hole.offers.len() < loose.count {
                stale.push(hole.position);
            }
        }
        holes.retain(|hole| board.is_hole(hole.position));
        observer.stage_advanced(Stage::Assemble, 1);
    }
    Ok(Assembly::new(problem.num_pieces(), vec![problem.frame], board.placements())?)
}

fn around(position: Position) -> [Position; 4] {
    Side::ALL.map(|direction| position.next_to(direction))
}

/// The pieces that have no place yet, in groups that the model cannot tell apart.
struct LoosePieces {
    count: usize,
    group_of: Vec<usize>,
    /// In each group by increasing tie breaker.
    groups: Vec<Vec<(u64, PieceId)>>,
}

impl LoosePieces {
    fn new(problem: &LocationProblem<'_>, board: &Board) -> Self {
        let tie = tie_breaker(problem.seed);
        let group_of: Vec<usize> =
            problem.model.look_alikes().iter().map(|first| first.index()).collect();
        let mut groups = vec![Vec::new(); problem.num_pieces()];
        let mut count = 0;
        for piece in board.loose() {
            let group: &mut Vec<_> = &mut groups[group_of[piece.index()]];
            group.push((tie(piece.index() as u64, u64::MAX), piece));
            count += 1;
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        Self { count, group_of, groups }
    }

    fn remove(&mut self, piece: PieceId) {
        self.groups[self.group_of[piece.index()]].retain(|&(_, other)| other != piece);
        self.count -= 1;
    }
}

/// How many pieces a hole stores.
const MOST_OFFERS: usize = 8;

/// A position where a piece could go, and the pieces that fit best, best first.
struct Hole {
    position: Position,
    num_neighbors: usize,
    offers: Vec<Offer>,
}

/// A piece, turned as it fits best, and the sum of its costs.
#[derive(Clone, Copy)]
struct Offer {
    cost: f64,
    tie: u64,
    piece: PieceId,
    turn: QuarterTurn,
}

/// The sort key of holes and of the offers of a hole; the smallest comes first.
struct Rank(f64, f64, u64);

impl Rank {
    fn before(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.total_cmp(&other.1)).then(self.2.cmp(&other.2))
    }
}

impl Offer {
    const fn rank(&self) -> Rank {
        Rank(self.cost, 0.0, self.tie)
    }
}

impl Hole {
    fn new(
        problem: &LocationProblem<'_>,
        board: &Board,
        loose: &LoosePieces,
        position: Position,
        filling: Filling,
    ) -> Self {
        let around: Vec<(Side, SideId)> = board.sides_around(position).collect();
        let cost = |side: SideId, other: SideId| match filling {
            Filling::MostNeighbors => problem.model.candidate_cost(side, other),
            Filling::ClearestWinner => problem.seam_cost(side, other),
        };
        // Costs are not negative, so a piece whose sum exceeds the limit is rejected at once.
        let total = |piece: PieceId, turn: QuarterTurn, limit: f64| {
            let mut total = 0.0;
            for &(direction, other) in &around {
                total += cost(SideId::new(piece, direction - turn), other);
                if total > limit {
                    return None;
                }
            }
            Some(total)
        };
        let mut offers: Vec<Offer> = Vec::with_capacity(MOST_OFFERS + 1);
        for group in &loose.groups {
            let Some(&(_, piece)) = group.first() else { continue };
            let mut limit = match offers.last() {
                Some(last) if offers.len() == MOST_OFFERS => last.cost,
                _ => f64::INFINITY,
            };
            let mut best = None;
            for &turn in problem.turns.turns() {
                if let Some(cost) = total(piece, turn, limit)
                    && best.is_none_or(|(least, _)| cost < least)
                {
                    best = Some((cost, turn));
                    limit = cost;
                }
            }
            let Some((cost, turn)) = best else { continue };
            for &(tie, piece) in group.iter().take(MOST_OFFERS) {
                let offer = Offer { cost, tie, piece, turn };
                let place = offers.partition_point(|o| o.rank().before(&offer.rank()).is_lt());
                offers.insert(place, offer);
                offers.truncate(MOST_OFFERS);
            }
        }
        Self { position, num_neighbors: around.len(), offers }
    }

    /// `None` if the hole has no offers; `modest_cost` is the cost of a seam with the modest rival.
    fn rank(&self, filling: Filling, modest_cost: f64) -> Option<Rank> {
        let num_neighbors = self.num_neighbors as f64;
        let Offer { cost, tie, .. } = *self.offers.first()?;
        Some(match filling {
            Filling::MostNeighbors => Rank(-num_neighbors, cost / num_neighbors, tie),
            Filling::ClearestWinner => {
                let modest = modest_cost * num_neighbors;
                let rival = self.offers.get(1).map_or(modest, |rival| rival.cost.min(modest));
                // By the margin of the winner; equal margins by the number of neighbours, as Gallagher does.
                Rank(cost - rival, -num_neighbors, tie)
            }
        })
    }
}
