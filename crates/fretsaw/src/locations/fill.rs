//! Filling: single pieces for the holes of a board.
//!
//! Which hole comes first decides much. Gallagher \[Gal12\] fills the hole with most neighbours first,
//! with the piece and turn that fit those neighbours best; among equals we take the one whose best
//! piece fits best. Ours fills the hole first whose best piece wins most clearly, whatever its number
//! of neighbours: in a smooth sky a hole between four doubtful neighbours can wait.
//!
//! Each hole's best piece is remembered until a neighbour appears or that piece or its rival is used
//! elsewhere. Cost: about O(holes x loose pieces x turns).

use super::LocationProblem;
use super::board::Board;
use super::segment::Position;
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{PieceId, QuarterTurn, Side, SideId};
use crate::random::tie_breaker;
use rayon::prelude::*;

/// How holes are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// Most neighbours first, by the mean dissimilarity to them: Gallagher's.
    MostNeighbors,
    /// Clearest winner first, by the sum of [`LocationProblem::saturating_ratio`].
    ClearestWinner,
}

/// What every piece must win against: one that fits each neighbour with the ratio 3.
///
/// A piece that merely beats others which do not fit at all is no clear winner. It matters most beyond
/// the true border of the picture, where nothing fits.
const MODEST_RIVAL: f64 = 0.75;

/// Put loose pieces into the holes of a board until one of the two runs out.
///
/// A board without pieces stays so.
///
/// # Errors
/// If the observer cancels.
pub fn fill_holes(
    problem: &LocationProblem<'_>,
    board: &mut Board,
    filling: Filling,
    observer: &dyn Observer,
) -> Result<(), Cancelled> {
    let mut loose: Vec<PieceId> = board.loose().collect();
    let mut offers: Vec<Offer> = Vec::new();
    let mut stale: Vec<Position> = board.positions().flat_map(around).collect();
    while !loose.is_empty() {
        check_cancelled(observer)?;
        stale.retain(|&position| board.is_hole(position));
        stale.sort_unstable();
        stale.dedup();
        offers.retain(|offer| stale.binary_search(&offer.position).is_err());
        offers.par_extend(
            stale
                .par_drain(..)
                .filter_map(|position| best_offer(problem, board, &loose, position, filling)),
        );
        let best = offers.iter().min_by(|x, y| x.rank(filling).before(&y.rank(filling)));
        let Some(&offer) = best else { break };
        board.place(offer.piece, offer.position, offer.turn);
        loose.retain(|&piece| piece != offer.piece);
        stale.extend(around(offer.position));
        // Holes that wanted the same piece must look again; others may have left the frame.
        stale.extend(offers.iter().filter(|o| o.names(offer.piece)).map(|o| o.position));
        offers.retain(|o| !o.names(offer.piece) && board.is_hole(o.position));
        observer.stage_advanced(Stage::Assemble, 1);
    }
    Ok(())
}

fn around(position: Position) -> [Position; 4] {
    Side::ALL.map(|direction| position.next_to(direction))
}

/// The best piece for a hole, and the best of the others.
#[derive(Clone, Copy, Debug)]
struct Offer {
    position: Position,
    num_neighbors: usize,
    piece: PieceId,
    turn: QuarterTurn,
    cost: f64,
    tie: u64,
    rival: Option<(PieceId, f64)>,
}

/// Orders offers, smallest first.
struct Rank(f64, f64, u64);

impl Rank {
    fn before(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.total_cmp(&other.1)).then(self.2.cmp(&other.2))
    }
}

impl Offer {
    fn rank(&self, filling: Filling) -> Rank {
        let num_neighbors = self.num_neighbors as f64;
        match filling {
            Filling::MostNeighbors => Rank(-num_neighbors, self.cost / num_neighbors, self.tie),
            Filling::ClearestWinner => {
                let modest = MODEST_RIVAL * num_neighbors;
                let rival = self.rival.map_or(modest, |(_, cost)| cost.min(modest));
                // Equal pieces do not win at all; then as Gallagher does.
                Rank(self.cost - rival, -num_neighbors, self.tie)
            }
        }
    }

    fn names(&self, piece: PieceId) -> bool {
        self.piece == piece || self.rival.is_some_and(|(rival, _)| rival == piece)
    }
}

fn best_offer(
    problem: &LocationProblem<'_>,
    board: &Board,
    loose: &[PieceId],
    position: Position,
    filling: Filling,
) -> Option<Offer> {
    let tie = tie_breaker(problem.seed);
    let around: Vec<(Side, SideId)> = board.sides_around(position).collect();
    let cost = |piece: PieceId, turn: QuarterTurn| -> f64 {
        around
            .iter()
            .map(|&(direction, other)| {
                let side = SideId::new(piece, direction - turn);
                match filling {
                    Filling::MostNeighbors => problem.dissimilarity.value(side, other),
                    Filling::ClearestWinner => problem.saturating_ratio(side, other),
                }
            })
            .sum()
    };
    let mut best: Option<Offer> = None;
    for &piece in loose {
        let turns = problem.turns.turns().iter().map(|&turn| (cost(piece, turn), turn));
        let Some((cost, turn)) = turns.min_by(|x, y| x.0.total_cmp(&y.0)) else { continue };
        let tie = tie(piece.index() as u64, u64::MAX);
        let wins = best.is_none_or(|best| {
            Rank(cost, 0.0, tie).before(&Rank(best.cost, 0.0, best.tie)).is_lt()
        });
        let mut offer = best.unwrap_or(Offer {
            position,
            num_neighbors: around.len(),
            piece,
            turn,
            cost,
            tie,
            rival: None,
        });
        if wins {
            if best.is_some() {
                offer.rival = Some((offer.piece, offer.cost));
            }
            (offer.piece, offer.turn, offer.cost, offer.tie) = (piece, turn, cost, tie);
        } else if offer.rival.is_none_or(|(_, rival)| cost < rival) {
            offer.rival = Some((piece, cost));
        }
        best = Some(offer);
    }
    best
}
