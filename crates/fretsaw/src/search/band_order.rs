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
//! A band may also lie with the edge of the picture in its middle: then it is shifted along itself, as `wrap_around.rs`
//! shifts whole boards.
//!
//! Cost: for b bands, `b^2` sums of seams, and `b^2 2^b` steps.

use super::SearchSpace;
use super::annealer::ENERGY_STEP;
use super::board_state::{BoardState, PlacedPiece, ScoredBoard};
use super::edge_costs::{EdgeCosts, best_cut};
use super::open_sides::OPEN_COST;
use crate::puzzle::Side;
use std::ops::Range;

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
    let all = order.iter().enumerate();
    let all = all.flat_map(|(to, &from)| (0..length).map(move |at| (to, from, at)));
    let placed = all.filter_map(|(to, from, at)| Some((cell_of(to, at), lines.shifted(from, at)?)));
    let found = BoardState::of(space, board.board.num_pieces(), placed);
    Some(ScoredBoard::new(space, found))
}

/// A row or column, shifted along itself: what leaves it at its beginning comes back at its end.
#[derive(Clone, Copy)]
struct Line {
    number: usize,
    shift: usize,
}

/// Neighbouring lines that stay together, shifted alike.
struct Band {
    lines: Range<usize>,
    shift: usize,
}

impl Band {
    const fn line(&self, number: usize) -> Line {
        Line { number, shift: self.shift }
    }
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
    fn shifted(&self, line: Line, at: usize) -> Option<PlacedPiece> {
        (self.placed)(line.number, (at + line.shift) % self.length)
    }

    fn seams(&self, line: Line, next: Line) -> f32 {
        let seam =
            |at| self.costs.of_seam(self.shifted(line, at), self.shifted(next, at), self.end);
        (0..self.length).map(seam).sum()
    }

    fn edge(&self, line: Line, direction: Side) -> f32 {
        (0..self.length).map(|at| self.costs.of_edge(self.shifted(line, at), direction)).sum()
    }

    /// What it costs to have the edge before this place of these lines, more than to have seams there.
    fn cut(&self, lines: Range<usize>, at: usize) -> f32 {
        let along = if self.end == Side::Bottom { Side::Right } else { Side::Bottom };
        let before = (at + self.length - 1) % self.length;
        let of_line =
            |line| self.costs.of_cut((self.placed)(line, before), (self.placed)(line, at), along);
        lines.map(of_line).sum()
    }

    /// The lines in the order that costs least, if it is better than the present one.
    fn best_order(&self, num_lines: usize) -> Option<Vec<Line>> {
        let ranges = self.bands(num_lines);
        if ranges.len() < 2 {
            return None;
        }
        let as_they_are = ranges.iter().map(|lines| Band { lines: lines.clone(), shift: 0 });
        let as_they_are: Vec<Band> = as_they_are.collect();
        let at_best_cuts = ranges.into_iter().map(|lines| {
            let shift = best_cut(self.length, |at| self.cut(lines.clone(), at));
            Band { lines, shift }
        });
        let at_best_cuts: Vec<Band> = at_best_cuts.collect();
        let present = self.path(&as_they_are).in_order() + self.cuts(&as_they_are);
        let of_bands = |bands: Vec<Band>| {
            let (cost, order) = self.path(&bands).cheapest()?;
            Some((cost + self.cuts(&bands), order, bands))
        };
        let found = [as_they_are, at_best_cuts].into_iter().filter_map(of_bands);
        let (cost, order, bands) = found.min_by(|x, y| x.0.total_cmp(&y.0))?;
        if f64::from(cost) >= f64::from(present) - ENERGY_STEP {
            return None;
        }
        let bands = order.into_iter().map(|band| &bands[band]);
        Some(bands.flat_map(|band| band.lines.clone().map(|number| band.line(number))).collect())
    }

    fn cuts(&self, bands: &[Band]) -> f32 {
        bands.iter().map(|band| self.cut(band.lines.clone(), band.shift)).sum()
    }

    fn path(&self, bands: &[Band]) -> Path {
        let first = |band: &Band| band.line(band.lines.start);
        let last = |band: &Band| band.line(band.lines.end - 1);
        let begins = bands.iter().map(|band| self.edge(first(band), self.end.opposite()));
        let ends = bands.iter().map(|band| self.edge(last(band), self.end));
        let pairs = bands.iter().flat_map(|one| bands.iter().map(move |next| (one, next)));
        let joins = pairs.map(|(one, next)| self.seams(last(one), first(next)));
        Path { begins: begins.collect(), ends: ends.collect(), joins: joins.collect() }
    }

    /// The runs of lines that are joined by seams that are not weak.
    fn bands(&self, num_lines: usize) -> Vec<Range<usize>> {
        let unshifted = |number| Line { number, shift: 0 };
        let weak = OPEN_COST * self.length as f32;
        let seams =
            (1..num_lines).map(|line| (line, self.seams(unshifted(line - 1), unshifted(line))));
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
    /// The cost of the path in the order of numbers.
    fn in_order(&self) -> f32 {
        let num = self.begins.len();
        let joins = (1..num).map(|next| self.joins[(next - 1) * num + next]);
        self.begins[0] + self.ends[num - 1] + joins.sum::<f32>()
    }

    /// The cheapest path and its cost.
    fn cheapest(&self) -> Option<(f32, Vec<usize>)> {
        let num = self.begins.len();
        let join = |one: usize, next: usize| self.joins[one * num + next];
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
        let cost = total(last);
        let mut order = Vec::with_capacity(num);
        while set != 0 {
            order.push(last);
            let (_, before) = best[set * num + last];
            set &= !(1 << last);
            last = before;
        }
        order.reverse();
        Some((cost, order))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Measured;
    use super::super::{Boards, Cells, SearchSpace};
    use super::*;
    use crate::matching::Matcher;
    use crate::puzzle::{Assembly, Cell, Place, Placement, PuzzleType, TurnSet};
    use crate::search::costs::SeamCosts;

    #[test]
    fn the_cheapest_path_is_found() {
        // From 2 to 0 to 1, at no cost; everything else costs.
        let joins = vec![9.0, 0.0, 9.0, 9.0, 9.0, 9.0, 0.0, 9.0, 9.0];
        let path = Path { begins: vec![5.0, 5.0, 1.0], ends: vec![5.0, 2.0, 5.0], joins };
        assert_eq!(path.cheapest(), Some((3.0, vec![2, 0, 1])));
        assert_eq!(path.in_order(), 19.0);
    }

    #[test]
    fn rows_and_columns_come_back_into_their_order() {
        let measured = Measured::new(6, 8, 28, PuzzleType::Type1, 3);
        let model = measured.matched(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let boards = Boards::from(measured.frame);
        let cells = Cells::new(&boards);
        let space = SearchSpace { cells: &cells, costs: &costs, turns: TurnSet::None };
        let truth = measured.truth_assembly();
        let scored =
            |assembly: &Assembly| ScoredBoard::new(space, BoardState::new(space, assembly));
        // Two rows exchange their places, and one of them is shifted; or two blocks of columns do.
        let rows = |Cell { row, col }: Cell| match row {
            1 => Cell { row: 4, col: (col + 3) % 8 },
            4 => Cell { row: 1, col },
            _ => Cell { row, col },
        };
        let cols = |Cell { row, col }: Cell| Cell { row, col: (col + 5) % 8 };
        for moved in [rows as fn(Cell) -> Cell, cols] {
            let placed = truth.placements().map(|Placement { piece, place }| Placement {
                piece,
                place: Place { cell: moved(place.cell), ..place },
            });
            let disordered = Assembly::new(48, vec![measured.frame], placed).unwrap();
            let found = improve(space, &scored(&disordered)).unwrap();
            assert_eq!(found.board.to_assembly(&cells).unwrap(), *truth);
        }
        assert!(improve(space, &scored(truth)).is_none());
    }
}
