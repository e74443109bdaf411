//! Puts whole rows of a board into their best order, and whole columns.
//!
//! On a page of text the pieces of a row are joined by ink, but many rows are joined by blank seams only. Such a seam costs
//! much wherever the row lies, so that the search, which carries segments to where a likely pair of sides
//! touches, has no reason to move the row. All seams of two rows together do tell whether they belong together: the lines of
//! text must go on at the pitch of the page.
//!
//! The board is cut into bands where the seams of two rows are weak, and the order of the bands that costs least is found
//! exactly, by the dynamic program for the shortest path through all nodes \[HK62\].
//!
//! Cost: for b bands, `b^2` sums of seams, and `b^2 2^b` steps.

use super::SearchSpace;
use super::annealer::ENERGY_STEP;
use super::board_state::{BoardState, PlacedPiece, ScoredBoard};
use super::edge_costs::EdgeCosts;
use super::open_sides::OPEN_COST;
use crate::puzzle::Side;

/// At most this many bands are ordered; of more weak seams the weakest count.
const MAX_BANDS: usize = 13;

/// The board with its rows and columns in the best order, if that is better. Only for one board without pins.
pub(super) fn improve(space: SearchSpace<'_>, board: &ScoredBoard) -> Option<ScoredBoard> {
    let rows = reordered(space, board, Side::Bottom);
    let cols = reordered(space, rows.as_ref().unwrap_or(board), Side::Right);
    cols.or(rows)
}

/// The board with its rows in the best order, or its columns if the end of a line faces right.
fn reordered(space: SearchSpace<'_>, board: &ScoredBoard, end: Side) -> Option<ScoredBoard> {
    let grid = space.cells.boards().single_frame().filter(|_| space.cells.pins().is_empty())?;
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    if rows * cols != space.cells.len() {
        return None;
    }
    let (num_lines, length) = if end == Side::Bottom { (rows, cols) } else { (cols, rows) };
    let cell_of = |line: usize, at: usize| {
        let (row, col) = if end == Side::Bottom { (line, at) } else { (at, line) };
        space.cells.index_of(0, grid.cell_at(row * cols + col))
    };
    let costs = EdgeCosts::new(space);
    let lines = Lines { placed: &|line, at| board.board.at(cell_of(line, at)), length, end, costs };
    let order = lines.best_order(num_lines)?;
    let to = order.iter().enumerate();
    let all = to.flat_map(|(to, &from)| (0..length).map(move |at| (to, from, at)));
    let placed = all.filter_map(|(to, from, at)| {
        Some((cell_of(to, at), board.board.at(cell_of(from, at))?))
    });
    let found = BoardState::of(space, board.board.num_pieces(), placed);
    Some(ScoredBoard::new(space, found))
}

/// The rows of a board, or its columns.
struct Lines<'a> {
    /// The piece of a line at a place along it.
    placed: &'a dyn Fn(usize, usize) -> Option<PlacedPiece>,
    length: usize,
    /// The direction of the next line.
    end: Side,
    costs: EdgeCosts<'a>,
}

impl Lines<'_> {
    fn seams(&self, line: usize, next: usize) -> f32 {
        let at = |at| {
            self.costs.of_seam((self.placed)(line, at), (self.placed)(next, at), self.end)
        };
        (0..self.length).map(at).sum()
    }

    fn edge(&self, line: usize, direction: Side) -> f32 {
        (0..self.length).map(|at| self.costs.of_edge((self.placed)(line, at), direction)).sum()
    }

    /// The order that costs least, if it is better than the present one.
    fn best_order(&self, num_lines: usize) -> Option<Vec<usize>> {
        let bands = self.bands(num_lines);
        let num_bands = bands.len();
        if num_bands < 2 {
            return None;
        }
        let first = |band: usize| bands[band].start;
        let last = |band: usize| bands[band].end - 1;
        let begins = (0..num_bands).map(|band| self.edge(first(band), self.end.opposite()));
        let ends = (0..num_bands).map(|band| self.edge(last(band), self.end));
        let pairs = (0..num_bands).flat_map(|one| (0..num_bands).map(move |next| (one, next)));
        let joins = pairs.map(|(one, next)| {
            if one == next { f32::INFINITY } else { self.seams(last(one), first(next)) }
        });
        let path = Path { begins: begins.collect(), ends: ends.collect(), joins: joins.collect() };
        let order = path.cheapest()?;
        Some(order.into_iter().flat_map(|band| bands[band].clone()).collect())
    }

    /// The runs of lines that are joined by seams that are not weak.
    fn bands(&self, num_lines: usize) -> Vec<std::ops::Range<usize>> {
        let weak = OPEN_COST * self.length as f32;
        let seams = (1..num_lines).map(|line| (line, self.seams(line - 1, line)));
        let mut cuts: Vec<(usize, f32)> = seams.filter(|&(_, cost)| cost > weak).collect();
        cuts.sort_by(|x, y| y.1.total_cmp(&x.1));
        cuts.truncate(MAX_BANDS - 1);
        let mut cuts: Vec<usize> = cuts.into_iter().map(|(line, _)| line).collect();
        cuts.extend([0, num_lines]);
        cuts.sort_unstable();
        cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
    }
}

/// The costs of paths through all nodes.
struct Path {
    /// Of beginning with a node.
    begins: Vec<f32>,
    /// Of ending with a node.
    ends: Vec<f32>,
    /// Of going from a node to another: row by row.
    joins: Vec<f32>,
}

impl Path {
    /// The cheapest path, if it costs less than the one in the order of numbers.
    fn cheapest(&self) -> Option<Vec<usize>> {
        let num = self.begins.len();
        let join = |one: usize, next: usize| self.joins[one * num + next];
        let present = self.begins[0] + self.ends[num - 1]
            + (1..num).map(|next| join(next - 1, next)).sum::<f32>();
        // By set of nodes and last node: the least cost, and the node before the last.
        let mut best = vec![(f32::INFINITY, 0); num << num];
        for (node, &cost) in self.begins.iter().enumerate() {
            best[(1 << node) * num + node] = (cost, node);
        }
        for set in 1..1_usize << num {
            for last in (0..num).filter(|last| set >> last & 1 == 1) {
                let (cost, _) = best[set * num + last];
                for next in (0..num).filter(|next| set >> next & 1 == 0) {
                    let found = &mut best[(set | 1 << next) * num + next];
                    let cost = cost + join(last, next);
                    if cost < found.0 {
                        *found = (cost, last);
                    }
                }
            }
        }
        let mut set = (1 << num) - 1;
        let total = |last: usize| best[set * num + last].0 + self.ends[last];
        let mut last = (0..num).min_by(|&x, &y| total(x).total_cmp(&total(y)))?;
        if f64::from(total(last)) >= f64::from(present) - ENERGY_STEP {
            return None;
        }
        let mut order = Vec::with_capacity(num);
        while set != 0 {
            order.push(last);
            let (_, before) = best[set * num + last];
            set &= !(1 << last);
            last = before;
        }
        order.reverse();
        Some(order)
    }
}
