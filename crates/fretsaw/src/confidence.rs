//! The confidence in the seams and pieces of an answer.
//!
//! A seam is right if its two sides belong together. The match model gives the probability for the pair alone.
//! On a board a seam also belongs to up to two loops of four seams: if the other three seams of a loop are right,
//! so is the fourth. The confidence in a seam treats the pair and its two loops as independent reasons to be
//! right, does so twice, and is calibrated to how often such seams are right (`calibrated`).
//!
//! A piece is right if right seams connect it to the bulk of the picture: the confidence in a piece is that of
//! the weakest seam on the best path to the bulk.
//!
//! `fretsaw-lab diagnose confidence` compares both with the truth.

use crate::graph::UnionFind;
use crate::matching::MatchModel;
use crate::puzzle::{Assembly, Cell, Grid, Join, Placement, Side, SideId};
use std::collections::BinaryHeap;
use std::fmt;

/// A seam of an assembly and the confidence in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeamConfidence {
    /// The two sides that touch.
    pub join: Join,
    /// 0 to 1.
    pub confidence: f64,
}

/// How much the pieces of a puzzle look like a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReferenceLikeness {
    /// From 0 to 1.
    pub share: f64,
}

/// Below this likeness an answer is doubtful.
const DOUBTFUL: f64 = 0.5;

impl ReferenceLikeness {
    /// Whether the reference may be of another picture.
    pub fn is_doubtful(self) -> bool {
        self.share < DOUBTFUL
    }
}

impl fmt::Display for ReferenceLikeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} %", 100.0 * self.share)
    }
}

/// The confidence in every seam of an assembly, in the order of [`Assembly::joins`].
///
/// It is a calibrated probability. If the model has no probabilities it is `1 - N`, at least 0, where N is
/// Gallagher's ratio: 0 means that other pieces would fit as well, or were not compared.
pub fn of_seams(assembly: &Assembly, model: &MatchModel<'_>) -> Vec<SeamConfidence> {
    if !model.has_probabilities() {
        let ratio = |Join { first, second }| match model.has_rivals(first, second) {
            true => model.odds_against(first, second),
            false => 1.0,
        };
        return assembly
            .joins()
            .map(|join| SeamConfidence { join, confidence: (1.0 - ratio(join)).max(0.0) })
            .collect();
    }
    let mut seams = Vec::new();
    for board in 0..assembly.boards().len() {
        let alone = BoardSeams::new(assembly, board, model);
        let found = (0..ROUNDS_OF_LOOPS).fold(alone.clone(), |now, _| alone.or_around(&now));
        let probabilities = found.probabilities.iter().flatten().flatten();
        seams.extend(probabilities.map(|&probability| calibrated(probability)));
    }
    let seam = |(join, confidence)| SeamConfidence { join, confidence };
    assembly.joins().zip(seams).map(seam).collect()
}

/// The share of the sides that show what they touch: how often the likeliest neighbour of a side, or the border, is right,
/// by the probabilities of the model. `None` if it has none.
pub(crate) fn telling_share(model: &MatchModel<'_>) -> Option<f64> {
    let sides = (0..model.num_sides()).map(SideId::from_index);
    let likeliest = |side: SideId| {
        let border = f64::from(model.of_side(side)?.border);
        let best = model.candidates().of(side).first();
        Some(best.map_or(border, |best| border.max((-best.cost).exp())))
    };
    let total: f64 = sides.map(likeliest).sum::<Option<f64>>()?;
    Some(total / model.num_sides().max(1) as f64)
}

/// How often loops are applied. With more rounds doubtful seams would confirm each other.
const ROUNDS_OF_LOOPS: usize = 2;

/// Probabilities are kept this far from 0 and 1, so that their odds are finite.
const LEAST: f64 = 1e-9;

/// The calibration: `ln odds of being right = SHIFT + SCALE * ln odds of the probability`.
///
/// Fitted by logistic regression to the seams of solved boards: of the odd-numbered pictures of the standard sets,
/// of parts of the pictures that the matcher was trained on, and of small noisy pieces, each collection with the
/// same weight.
const SHIFT: f64 = -0.1;
const SCALE: f64 = 0.49;

/// How often seams with this probability, from pair and loops, are right.
fn calibrated(probability: f64) -> f64 {
    let probability = probability.clamp(LEAST, 1.0 - LEAST);
    let log_odds = SHIFT + SCALE * (probability / (1.0 - probability)).ln();
    1.0 / (1.0 + (-log_odds).exp())
}

/// The probabilities of a board's seams: for each cell the seam to its right and the seam below it, if any.
#[derive(Clone, Debug)]
struct BoardSeams {
    grid: Grid,
    probabilities: Vec<[Option<f64>; 2]>,
}

/// The directions of a cell's seams, in the order of [`Assembly::joins`].
const COUNTED: [Side; 2] = [Side::Right, Side::Bottom];

impl BoardSeams {
    /// The probabilities of the pairs alone.
    fn new(assembly: &Assembly, board: usize, model: &MatchModel<'_>) -> Self {
        let grid = assembly.boards()[board];
        let probability = |cell, direction: Side| {
            let here = assembly.piece_at(board, cell)?;
            let there = assembly.piece_at(board, grid.neighbor(cell, direction)?)?;
            let a = assembly.side_facing(here, direction)?;
            let b = assembly.side_facing(there, direction.opposite())?;
            Some(f64::from(-model.cost(a, b)).exp())
        };
        let probabilities =
            grid.cells().map(|cell| COUNTED.map(|direction| probability(cell, direction)));
        Self { grid, probabilities: probabilities.collect() }
    }

    /// The probability of the seam of a cell in a direction; 0 if there is none.
    fn at(&self, row: u32, col: u32, direction: usize) -> f64 {
        let cell = Cell { row, col };
        if !self.grid.contains(cell) {
            return 0.0;
        }
        self.probabilities[self.grid.index_of(cell)][direction].unwrap_or(0.0)
    }

    /// The probabilities that each seam is right by itself or because the other three seams of one of its two loops
    /// are, where `now` has the probabilities of those.
    fn or_around(&self, now: &Self) -> Self {
        let mut found = self.clone();
        for cell in self.grid.cells() {
            let (row, col) = (cell.row, cell.col);
            // The loop above a seam to the right, or left of a seam below, starts in the previous cell. The first
            // row or column has none.
            let (above, left) = (row.wrapping_sub(1), col.wrapping_sub(1));
            let right = |row, col| now.at(row, col, 0);
            let below = |row, col| now.at(row, col, 1);
            let loops = [
                [
                    below(above, col) * right(above, col) * below(above, col + 1),
                    below(row, col) * right(row + 1, col) * below(row, col + 1),
                ],
                [
                    right(row, left) * below(row, left) * right(row + 1, left),
                    right(row, col) * below(row, col + 1) * right(row + 1, col),
                ],
            ];
            let seams = &mut found.probabilities[self.grid.index_of(cell)];
            for (seam, loops) in seams.iter_mut().zip(loops) {
                if let Some(probability) = seam {
                    let fails: f64 = loops.iter().map(|others| 1.0 - others).product();
                    *probability = 1.0 - (1.0 - *probability) * fails;
                }
            }
        }
        found
    }
}

/// The confidence in each piece, by number: that of the weakest seam on the best path from it to the bulk of its
/// board. 0 if the piece has no place or no seam.
///
/// The bulk is the largest group of pieces connected by seams with a confidence above a half. Paths lead to the
/// piece of the bulk with the largest sum of confidences, which itself gets the confidence of its best seam.
pub fn of_pieces(assembly: &Assembly, seams: &[SeamConfidence]) -> Vec<f64> {
    let num_pieces = assembly.num_pieces();
    let mut around: Vec<Vec<(usize, f64)>> = vec![Vec::new(); num_pieces];
    let mut groups = UnionFind::new(num_pieces);
    for &SeamConfidence { join, confidence } in seams {
        let (a, b) = (join.first.piece().index(), join.second.piece().index());
        around[a].push((b, confidence));
        around[b].push((a, confidence));
        if confidence > 0.5 {
            groups.union(a, b);
        }
    }
    let sum = |piece: usize| around[piece].iter().map(|&(_, confidence)| confidence).sum::<f64>();
    let mut centers: Vec<Option<((usize, f64), usize)>> = vec![None; assembly.boards().len()];
    for Placement { piece, place } in assembly.placements() {
        let piece = piece.index();
        let rank = (groups.size_of(piece), sum(piece));
        let center = &mut centers[place.board];
        let is_better = |(best, _): ((usize, f64), usize)| {
            rank.0 > best.0 || (rank.0 == best.0 && rank.1 > best.1)
        };
        if center.is_none_or(is_better) {
            *center = Some((rank, piece));
        }
    }
    let mut confidences = vec![0.0; num_pieces];
    let mut reached = vec![false; num_pieces];
    // No seam leads from one board to another.
    for (_, center) in centers.into_iter().flatten() {
        // Best-first: a piece is first reached by its best path. Confidences are not negative, so that their bits have
        // the same order as they have.
        let mut waiting = BinaryHeap::from([(1.0_f64.to_bits(), center)]);
        while let Some((bits, piece)) = waiting.pop() {
            if std::mem::replace(&mut reached[piece], true) {
                continue;
            }
            let confidence = f64::from_bits(bits);
            confidences[piece] = confidence;
            for &(next, of_seam) in around[piece].iter().filter(|(next, _)| !reached[*next]) {
                waiting.push((confidence.min(of_seam).to_bits(), next));
            }
        }
        confidences[center] = around[center].iter().map(|&(_, seam)| seam).fold(0.0, f64::max);
    }
    confidences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, Place, QuarterTurn, SideId};

    #[test]
    fn a_piece_has_the_confidence_of_the_weakest_seam_on_its_best_path_to_the_bulk() {
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let seam = |left, right, confidence| SeamConfidence {
            join: Join::new(side(left, Side::Right), side(right, Side::Left)),
            confidence,
        };
        // The bulk is 0 to 3. The seam between 4 and 5 is certain, those to the bulk are not.
        let seams = [
            seam(0, 1, 0.9),
            seam(1, 2, 0.99),
            seam(2, 3, 0.8),
            seam(3, 4, 0.1),
            seam(0, 5, 0.3),
            seam(4, 5, 1.0),
        ];
        let on_boards = |boards: &[usize]| {
            let place = |(piece, &board): (usize, &usize)| Placement {
                piece: PieceId::new(piece),
                place: Place {
                    board,
                    cell: Grid::new(1, 9).unwrap().cell_at(piece),
                    turn: QuarterTurn::ZERO,
                },
            };
            let grids = vec![Grid::new(1, 9).unwrap(); 2];
            Assembly::new(boards.len(), grids, boards.iter().enumerate().map(place)).unwrap()
        };
        let one_board = on_boards(&[0; 7]);
        assert_eq!(of_pieces(&one_board, &seams), [0.9, 0.99, 0.99, 0.8, 0.3, 0.3, 0.0]);
        assert_eq!(of_pieces(&on_boards(&[0, 0]), &[]), [0.0, 0.0]);
        // Each board has a bulk of its own.
        let seams = [seam(0, 1, 0.9), seam(1, 2, 0.8), seam(3, 4, 0.7)];
        let found = of_pieces(&on_boards(&[0, 0, 0, 1, 1]), &seams);
        assert_eq!(found, [0.9, 0.9, 0.8, 0.7, 0.7]);
    }

    #[test]
    fn a_doubtful_seam_is_confirmed_by_a_certain_loop() {
        let grid = Grid::new(2, 3).unwrap();
        let sure = Some(0.99);
        // Row by row, the seams to the right and below: the seam between the first two cells is doubtful, and so
        // are both seams of the upper right cell.
        let alone = BoardSeams {
            grid,
            probabilities: vec![
                [Some(0.1), sure],
                [Some(0.2), sure],
                [None, Some(0.2)],
                [sure, None],
                [sure, None],
                [None, None],
            ],
        };
        let found = alone.or_around(&alone);
        let expected = 1.0 - (1.0 - 0.1) * (1.0 - 0.99_f64.powi(3));
        assert!((found.at(0, 0, 0) - expected).abs() < 1e-12);
        let expected = 1.0 - (1.0 - 0.2) * (1.0 - 0.99 * 0.99 * 0.2);
        assert!((found.at(0, 1, 0) - expected).abs() < 1e-12);
        assert_eq!(found.probabilities[5], [None, None]);
    }

    #[test]
    fn calibration_keeps_the_order_and_avoids_0_and_1() {
        let values = [0.0, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999, 1.0].map(calibrated);
        assert!(values.is_sorted() && values[0] > 0.0 && values[7] < 1.0);
        assert!(values[5] < 0.9 && values[2] > 0.01);
    }
}
