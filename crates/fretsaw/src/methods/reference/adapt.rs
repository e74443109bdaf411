//! Finds how to compare pieces with a reference: which tones correspond, and where the board lies in it.
//!
//! Several simple comparisons each find pieces whose cells are probably known. From these pairs follow better tones
//! (`tones.rs`) and a better frame, with these more pairs, and so on. What makes the best cells of pieces stand
//! out most from their second best is kept.

use super::NO_DIFFERENCE;
use super::blocks::{Frame, PieceBlocks, SummedAreas};
use super::likeness::Likeness;
use super::tones::{LEAST_PAIRS, Pair, Start, Tones};
use crate::puzzle::Grid;
use rayon::prelude::*;

/// The most pieces that are compared to find tones and frame.
const SAMPLED: usize = 256;

/// The most pairs that a frame is fitted to.
const PAIRS_FOR_FRAME: usize = 64;

/// Rounds after the first fit.
const ROUNDS: usize = 3;

/// How far edges of the frame are moved, in cells, in this order.
const EDGE_STEPS: [f64; 3] = [0.2, 0.08, 0.03];

/// The least gain of a frame per pair: 1 % of the squared difference.
const LEAST_GAIN: f64 = 0.01;

/// A larger logarithm of the ratio of second best and best does not count more.
const MOST_MARGIN: f64 = 3.0;

/// The farthest that a board may reach beyond the reference, or the reference beyond the board, in cells or as a
/// share of the board, whichever is more.
const MOST_BEYOND: (f64, f64) = (0.5, 0.08);

/// The most that pieces may have lost along a side.
const MOST_LOST: f64 = 0.12;

/// A way to compare pieces with cells.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) tones: Tones,
    frame: Frame,
    /// Block means of the cells of this frame.
    cells: Vec<f64>,
}

/// What some pieces look like most.
struct View {
    /// How much best cells stand out: the mean logarithm of the ratio of the second least and the least
    /// difference.
    distinctness: f64,
    /// The pieces that stand out most, each in a cell of its own.
    pairs: Vec<Pair>,
}

/// What is compared.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    pub(super) pieces: &'a PieceBlocks,
    pub(super) reference: &'a SummedAreas,
    pub(super) grid: Grid,
}

impl Subject<'_> {
    /// The likeness of all pieces to all cells in a comparison.
    pub(super) fn likeness(&self, by: &Comparison) -> Likeness {
        Likeness::new(&by.tones, self.pieces, &by.cells, self.reference.colors(), self.grid)
    }

    /// The simple comparisons.
    pub(super) fn starts(&self) -> Vec<Comparison> {
        let frame = Frame::FULL;
        let cells = frame.cells(self.reference, self.pieces, self.grid);
        [Start::Colors, Start::Brightness, Start::Structure]
            .into_iter()
            .filter_map(|start| {
                let tones = Tones::new(start, self.pieces, &cells, self.reference.colors())?;
                Some(Comparison { tones, frame, cells: cells.clone() })
            })
            .collect()
    }

    /// The best comparison.
    pub(super) fn compared(&self) -> Comparison {
        let sample = self.pieces.sampled(SAMPLED);
        let subject = Subject { pieces: &sample, ..*self };
        let starts = subject.starts();
        let tried = starts.into_iter().flat_map(|start| {
            let view = subject.view(&start);
            let fitted = subject.fitted(&start, &view.pairs);
            let fitted = fitted.map(|fitted| (subject.view(&fitted), fitted));
            [Some((view, start)), fitted].into_iter().flatten()
        });
        let better = |a: (View, Comparison), b: (View, Comparison)| {
            if b.0.distinctness > a.0.distinctness { b } else { a }
        };
        let mut best = tried.reduce(better).expect("brightness can be compared");
        for _ in 0..ROUNDS {
            let (view, comparison) = &best;
            let Some(mut next) = subject.fitted(comparison, &view.pairs) else { break };
            next.frame = subject.framed(&next, &view.pairs);
            next.cells = next.frame.cells(self.reference, &sample, self.grid);
            let Some(next) = subject.fitted(&next, &view.pairs) else { break };
            let next = (subject.view(&next), next);
            if next.0.distinctness <= best.0.distinctness {
                break;
            }
            best = next;
        }
        best.1
    }

    /// The comparison adapted to pairs that are probably right; `None` if they are too few, or nothing improves.
    pub(super) fn adapted_to(&self, by: &Comparison, pairs: &[Pair]) -> Option<Comparison> {
        // Spread evenly, because neighbours have consecutive numbers.
        let step = pairs.len().div_ceil(SAMPLED).max(1);
        let pairs: Vec<Pair> = pairs.iter().copied().step_by(step).collect();
        let mut next = self.fitted(by, &pairs)?;
        let step = pairs.len().div_ceil(PAIRS_FOR_FRAME).max(1);
        let some: Vec<Pair> = pairs.iter().copied().step_by(step).collect();
        next.frame = self.framed(&next, &some);
        next.cells = next.frame.cells(self.reference, self.pieces, self.grid);
        let next = self.fitted(&next, &pairs)?;
        let sample = self.pieces.sampled(SAMPLED);
        let sampled = Subject { pieces: &sample, ..*self };
        let distinctness = |by: &Comparison| sampled.view(by).distinctness;
        (distinctness(&next) > distinctness(by)).then_some(next)
    }

    /// The same comparison with tones by these pairs; `None` if they are too few.
    fn fitted(&self, by: &Comparison, pairs: &[Pair]) -> Option<Comparison> {
        if pairs.len() < LEAST_PAIRS {
            return None;
        }
        let colors = self.reference.colors();
        let tones = Tones::fitted(self.pieces, &by.cells, colors, self.grid, pairs);
        Some(Comparison { tones, ..by.clone() })
    }

    fn view(&self, by: &Comparison) -> View {
        let likeness = self.likeness(by);
        let best = likeness.map_rows(&likeness.ids(), |piece, row| {
            let (mut first, mut second, mut cell) = (f32::INFINITY, f32::INFINITY, 0);
            for (at, &difference) in row.differences.iter().enumerate() {
                if difference < first {
                    (first, second, cell) = (difference, first, at);
                } else {
                    second = second.min(difference);
                }
            }
            let pair = Pair { piece: piece.index(), turn: row.turns[cell], cell };
            let logarithm = |difference: f32| (f64::from(difference) + NO_DIFFERENCE).ln();
            ((logarithm(second) - logarithm(first)).min(MOST_MARGIN), pair)
        });
        let distinctness = best.iter().map(|best| best.0).sum::<f64>() / best.len() as f64;
        let mut by_margin = best;
        by_margin.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.piece.cmp(&b.1.piece)));
        by_margin.truncate(by_margin.len().div_ceil(2));
        let mut is_taken = vec![false; self.grid.num_cells()];
        by_margin.retain(|(_, pair)| !std::mem::replace(&mut is_taken[pair.cell], true));
        View { distinctness, pairs: by_margin.into_iter().map(|(_, pair)| pair).collect() }
    }

    /// The frame in which these pairs look most alike, found by moving one edge at a time, or all.
    fn framed(&self, by: &Comparison, pairs: &[Pair]) -> Frame {
        let colors = self.reference.colors();
        let pairs = &pairs[..pairs.len().min(PAIRS_FOR_FRAME)];
        let pieces: Vec<Vec<f64>> = pairs
            .iter()
            .map(|pair| by.tones.of_piece(self.pieces, pair.piece, pair.turn))
            .collect();
        let cost = |frame: &Frame| -> f64 {
            let costs = pairs.par_iter().zip(&pieces).map(|(pair, here)| {
                let raw = frame.cell(self.reference, self.pieces, self.grid, pair.cell);
                let there = by.tones.of_cell(&raw, colors, self.grid, pair.cell);
                let squares: f64 = here.iter().zip(&there).map(|(a, b)| (a - b) * (a - b)).sum();
                (squares / here.len() as f64 + NO_DIFFERENCE).ln()
            });
            // Summed in the order of the pairs, on any number of threads.
            costs.collect::<Vec<f64>>().iter().sum()
        };
        let farthest = |edge: usize| {
            let cells = if edge < 2 { self.grid.rows() } else { self.grid.cols() };
            MOST_BEYOND.0.max(MOST_BEYOND.1 * f64::from(cells))
        };
        let least_gain = LEAST_GAIN * pairs.len() as f64;
        let mut best = (cost(&by.frame), by.frame);
        // One edge, both edges of a direction together (the board is shifted), and what pieces lost.
        let moves: [[f64; 5]; 7] = [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0, 0.0],
            [1.0, -1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.2],
        ];
        for step in EDGE_STEPS {
            loop {
                let before = best.0;
                for (direction, sign) in moves.iter().flat_map(|it| [(it, 1.0), (it, -1.0)]) {
                    let mut frame = best.1;
                    for (edge, (beyond, by)) in frame.beyond.iter_mut().zip(direction).enumerate() {
                        let most = farthest(edge);
                        *beyond = (*beyond + sign * step * by).clamp(-most, most);
                    }
                    frame.lost = (frame.lost + sign * step * direction[4]).clamp(0.0, MOST_LOST);
                    if frame == best.1 {
                        continue;
                    }
                    let found = cost(&frame);
                    if found < best.0 - least_gain {
                        best = (found, frame);
                    }
                }
                if best.0 >= before {
                    break;
                }
            }
        }
        best.1
    }
}
