//! Filling: single pieces for the holes of a board.
//!
//! \[Gal12\], section "Filling": the hole with most neighbours is filled first, with the piece and
//! turn that fit those neighbours best. Among holes with equally many neighbours we take the one
//! whose best piece fits best, so that clear cases are settled before doubtful ones. Each hole's best
//! piece is remembered until a neighbour appears or that piece is used elsewhere. Cost: about
//! O(holes x loose pieces x turns).

use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{Cell, Grid, PieceId, Place, Placement, QuarterTurn, Side, SideId};

/// Put loose pieces into the empty cells of a board until one of the two runs out.
///
/// `cost(a, b)` says how badly two sides fit; `tie_order(piece)` settles equal costs and must not
/// depend on where pieces truly belong.
///
/// # Errors
/// If the observer cancels.
pub fn fill_holes(
    frame: Grid,
    placed: Vec<Placement>,
    loose: Vec<PieceId>,
    turns: &[QuarterTurn],
    cost: &(impl Fn(SideId, SideId) -> f64 + Sync),
    tie_order: &(impl Fn(PieceId) -> u64 + Sync),
    observer: &dyn Observer,
) -> Result<Vec<Placement>, Cancelled> {
    let mut board = Board::new(frame, placed, loose);
    let mut offers: Vec<Option<Offer>> = vec![None; frame.num_cells()];
    let mut stale: Vec<Cell> = frame.cells().filter(|&cell| board.is_hole(cell)).collect();
    while !board.loose.is_empty() {
        check_cancelled(observer)?;
        for cell in stale.drain(..) {
            offers[frame.index_of(cell)] = board.best_offer(cell, turns, cost, tie_order);
        }
        let best = offers.iter().flatten().min_by(|x, y| x.rank().total_cmp_with(&y.rank()));
        let Some(&offer) = best else { break };
        board.place(offer);
        offers[frame.index_of(offer.cell)] = None;
        let neighbours = Side::ALL.into_iter().filter_map(|side| frame.neighbor(offer.cell, side));
        stale.extend(neighbours.filter(|&cell| board.is_hole(cell)));
        // Holes that wanted the same piece must look again.
        stale.extend(offers.iter().flatten().filter(|o| o.piece == offer.piece).map(|o| o.cell));
        observer.stage_advanced(Stage::Assemble, 1);
    }
    Ok(board.placed)
}

/// The best piece for a hole.
#[derive(Clone, Copy, Debug)]
struct Offer {
    cell: Cell,
    piece: PieceId,
    turn: QuarterTurn,
    num_neighbors: usize,
    mean_cost: f64,
    tie: u64,
}

/// Orders offers: most neighbours, then smallest mean cost, then the caller's order.
struct Rank(usize, f64, u64);

impl Offer {
    fn rank(&self) -> Rank {
        Rank(self.num_neighbors, self.mean_cost, self.tie)
    }
}

impl Rank {
    fn total_cmp_with(&self, other: &Self) -> std::cmp::Ordering {
        other.0.cmp(&self.0).then(self.1.total_cmp(&other.1)).then(self.2.cmp(&other.2))
    }
}

struct Board {
    frame: Grid,
    cells: Vec<Option<(PieceId, QuarterTurn)>>,
    placed: Vec<Placement>,
    loose: Vec<PieceId>,
}

impl Board {
    fn new(frame: Grid, placed: Vec<Placement>, loose: Vec<PieceId>) -> Self {
        let mut cells = vec![None; frame.num_cells()];
        for Placement { piece, place } in &placed {
            cells[frame.index_of(place.cell)] = Some((*piece, place.turn));
        }
        Self { frame, cells, placed, loose }
    }

    fn is_hole(&self, cell: Cell) -> bool {
        self.cells[self.frame.index_of(cell)].is_none()
    }

    /// The sides around a cell that a piece there would touch, with their directions.
    fn sides_around(&self, cell: Cell) -> impl Iterator<Item = (Side, SideId)> {
        Side::ALL.into_iter().filter_map(move |direction| {
            let (piece, turn) =
                self.cells[self.frame.index_of(self.frame.neighbor(cell, direction)?)]?;
            Some((direction, SideId::new(piece, direction.opposite() - turn)))
        })
    }

    fn best_offer(
        &self,
        cell: Cell,
        turns: &[QuarterTurn],
        cost: &impl Fn(SideId, SideId) -> f64,
        tie_order: &impl Fn(PieceId) -> u64,
    ) -> Option<Offer> {
        let around: Vec<(Side, SideId)> = self.sides_around(cell).collect();
        let offer = |piece: PieceId, turn: QuarterTurn| {
            let total: f64 = around
                .iter()
                .map(|&(direction, side)| cost(SideId::new(piece, direction - turn), side))
                .sum();
            Offer {
                cell,
                piece,
                turn,
                num_neighbors: around.len(),
                mean_cost: total / around.len().max(1) as f64,
                tie: tie_order(piece),
            }
        };
        self.loose
            .iter()
            .flat_map(|&piece| turns.iter().map(move |&turn| (piece, turn)))
            .map(|(piece, turn)| offer(piece, turn))
            .min_by(|x, y| x.rank().total_cmp_with(&y.rank()))
    }

    fn place(&mut self, Offer { cell, piece, turn, .. }: Offer) {
        self.cells[self.frame.index_of(cell)] = Some((piece, turn));
        self.placed.push(Placement { piece, place: Place { board: 0, cell, turn } });
        self.loose.retain(|&loose| loose != piece);
    }
}
