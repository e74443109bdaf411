//! Locations by quadratic assignment: a research option for small puzzles.
//!
//! In: affinities of upright pieces and the frame. Out: a cell for every piece, at once, without a
//! tree or a greedy order.
//!
//! The paper seeks the permutation P that brings the board's own graph closest to the estimated
//! one, the least ||W_est - P^T W_orig P||^2 (\[HLW20\], supplement, section "Possible Estimation of
//! Locations by Quadratic Assignment", eq. qap), and leaves open how to find it. The norms of both
//! matrices do not change, so that this is the largest sum of affinities between pieces in cells that
//! are neighbours. We climb it by FAQ \[Vog15\]: replace permutations by doubly stochastic matrices,
//! follow the gradient by linear assignments (Frank and Wolfe), search each line exactly, and take the
//! best permutation met on the way or nearest to its end.
//!
//! From the flat matrix this climb ends among small groups of pieces that fit each other, anywhere on
//! the board. It therefore has a warm-up: graduated assignment \[GR96\], which replaces P by exp(b G),
//! G being the gradient, scaled to be doubly stochastic, while b grows. Below a critical b the matrix
//! stays nearly flat, and carries information about large distances only: which pieces belong near which
//! border, because nothing fits beyond them, and which belong near those.
//!
//! How we differ: the pieces' turns are known, so that an affinity can depend on the side of i on which
//! piece j is. The *directed* form seeks the largest sum over the directions d, right and down, of
//! trace(A_d^T P B_d P^T), B_d being the board's (D-10). The *undirected* form is the paper's; it
//! cannot tell a board from its mirror images, and we return the one that the directions favour.
//!
//! Cost: an iteration is one linear assignment of pieces to cells, O(n^3) at worst, and O(n^2) for all
//! else: the gradient is linear in P, so that it moves along with P and only that of a permutation,
//! O(edges), has to be computed. A step of the warm-up is O(edges x n). Memory O(n^2) per thread;
//! boards above [`MAX_CELLS`] are refused.

mod affinity;
mod climb;
#[cfg(test)]
mod tests;

pub use affinity::{AffinityPairs, DirectedPair, GridAffinity};

use crate::construction::{ConstructionSettings, ConstructionStep, construct};
use crate::setting_error::{SettingError, check_settings, failed};
use climb::{Climb, End};
use fretsaw::observer::{Observer, Stage};
use fretsaw::puzzle::{Assembly, Cell, Grid, PieceId, Place, Placement, QuarterTurn, TurnSet};
use fretsaw::unstable::locations::{LocationError, LocationProblem, LocationSolver};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The largest board: a few matrices of pieces x cells are held.
pub const MAX_CELLS: usize = 1024;

/// Which cells count as neighbours in the objective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QapForm {
    /// Piece j right of i and piece j below i, each with affinities of its own.
    #[default]
    Directed,
    /// The paper's eq. qap with W_orig joining cells that share a side.
    Undirected,
    /// The paper's eq. qap with W_orig joining cells that share a side or a corner, as the finished
    /// connection graph does.
    UndirectedDiagonal,
}

fretsaw::named_enum!(QapForm {
    Directed: "directed",
    Undirected: "undirected",
    UndirectedDiagonal: "undirected-diagonal"
});

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QapSettings {
    /// The objective. Default: directed.
    pub form: QapForm,
    /// Pairs of sides that count in the directed form. Default: all candidates.
    pub pairs: AffinityPairs,
    /// c in the affinity exp(-c N^2) of a pair of sides in the directed form, N being Gallagher's
    /// ratio. Above 0, at most 1,000,000; default 1.
    pub decay: f64,
    /// Starting points; the best end counts. They differ in their noise and in how sharp their
    /// warm-up becomes. 1 to 1000; default 4.
    pub num_starts: usize,
    /// Share of the random matrix in a starting point, the rest being the flat one. Must be above 0 in
    /// the undirected forms, where the flat matrix is as good as its mirror images. 0 to 1; default
    /// 0.1.
    pub start_noise: f64,
    /// Steps of the warm-up. 0 to 10,000; default 50. With 0 it is plain FAQ.
    pub warm_up_steps: usize,
    /// How sharp the warm-up becomes, in units of the sharpness at which the flat matrix becomes unstable;
    /// starting points after the first take up to twice or half of it. The undirected forms need more,
    /// so that one of the mirror images is chosen. Above 0, at most 1000; default 1.
    pub warm_up_sharpness: f64,
    /// Iterations from each starting point. 1 to 10,000; default 100.
    pub max_iterations: usize,
    /// The gain of an iteration, relative to the objective, at which to stop. At least 0; default
    /// 1e-6.
    pub tolerance: f64,
}

impl Default for QapSettings {
    fn default() -> Self {
        Self {
            form: QapForm::default(),
            pairs: AffinityPairs::default(),
            decay: 1.0,
            num_starts: 4,
            start_noise: 0.1,
            warm_up_steps: 50,
            warm_up_sharpness: 1.0,
            max_iterations: 100,
            tolerance: 1e-6,
        }
    }
}

/// What [`assign_to_grid`] did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct QapInfo {
    /// The objective: [`GridAffinity::fulfilled`] of the cells returned.
    pub fulfilled: f64,
    /// The starting point they came from, counted from 0.
    pub start: usize,
    /// Iterations made from all starting points together.
    pub num_iterations: usize,
    /// Starting points from which the search came to rest. Even then there may be better answers.
    pub num_converged: usize,
}

/// A different cell for every piece, of large total affinity.
///
/// The seed draws the starting points and breaks ties; the answer does not depend on the number of
/// threads. The objective has many peaks: this finds a good one, not the highest.
///
/// # Errors
/// If a setting is out of range, the board is too small or above [`MAX_CELLS`], or the observer
/// cancels.
pub fn assign_to_grid(
    affinity: &GridAffinity,
    frame: Grid,
    settings: &QapSettings,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(Vec<Cell>, QapInfo), LocationError> {
    settings.validate().map_err(failed)?;
    check_size(affinity.num_pieces, frame)?;
    let ends: Vec<Result<End, LocationError>> = (0..settings.num_starts)
        .into_par_iter()
        .map(|start| {
            let end = Climb::new(affinity, frame, seed, start).run(settings, observer);
            observer.stage_advanced(Stage::Assemble, 1);
            end
        })
        .collect();
    let mut info =
        QapInfo { fulfilled: f64::NEG_INFINITY, start: 0, num_iterations: 0, num_converged: 0 };
    let mut best = Vec::new();
    for (start, end) in ends.into_iter().enumerate() {
        let End { cells, num_iterations, converged } = end?;
        info.num_iterations += num_iterations;
        info.num_converged += usize::from(converged);
        let fulfilled = affinity.fulfilled(&cells);
        if fulfilled > info.fulfilled {
            (info.fulfilled, info.start) = (fulfilled, start);
            best = cells;
        }
    }
    Ok((best, info))
}

/// Assembles upright pieces: those of a type 1 puzzle, or pieces that are already turned.
impl LocationSolver for QapSettings {
    fn name(&self) -> &'static str {
        "assignment"
    }

    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        let &LocationProblem { model, frame, turns, seed, .. } = problem;
        if turns != TurnSet::None {
            let why = "quadratic assignment is for puzzles of type 1, whose turns are known";
            return Err(LocationError::Unsuitable(why.into()));
        }
        self.validate().map_err(failed)?;
        check_size(problem.num_pieces(), frame)?;
        observer.stage_started(Stage::Assemble, self.num_starts as u64);
        let directed = GridAffinity::of_candidates(model, self.pairs, self.decay)?;
        let cells = if self.form == QapForm::Directed {
            assign_to_grid(&directed, frame, self, seed, observer)?.0
        } else {
            let construction = ConstructionSettings { seed, ..Default::default() };
            let built =
                construct(model, turns, &construction, ConstructionStep::Loops).map_err(failed)?;
            let diagonals = self.form == QapForm::UndirectedDiagonal;
            let affinity = GridAffinity::undirected(&built.graph, diagonals)?;
            let (cells, _) = assign_to_grid(&affinity, frame, self, seed, observer)?;
            best_image(&cells, frame, &directed)
        };
        let placements = cells.into_iter().enumerate().map(|(index, cell)| Placement {
            piece: PieceId::new(index),
            place: Place { board: 0, cell, turn: QuarterTurn::ZERO },
        });
        let assembly = Assembly::new(problem.num_pieces(), vec![frame], placements)?;
        observer.stage_finished(Stage::Assemble);
        Ok(assembly)
    }
}

/// Of the images of a board under its symmetries, flips and for a square board turns, the one that
/// the directions favour; the first of equally good ones.
fn best_image(cells: &[Cell], frame: Grid, directed: &GridAffinity) -> Vec<Cell> {
    let image = |transpose: bool, upside_down: bool, mirrored: bool| -> Vec<Cell> {
        let moved = |&Cell { row, col }: &Cell| {
            let (row, col) = if transpose { (col, row) } else { (row, col) };
            Cell {
                row: if upside_down { frame.rows() - 1 - row } else { row },
                col: if mirrored { frame.cols() - 1 - col } else { col },
            }
        };
        cells.iter().map(moved).collect()
    };
    let mut best = cells.to_vec();
    let mut most = directed.fulfilled(cells);
    for transpose in [false, true] {
        if transpose && frame.rows() != frame.cols() {
            continue;
        }
        for (upside_down, mirrored) in [(false, false), (false, true), (true, false), (true, true)]
        {
            let candidate = image(transpose, upside_down, mirrored);
            let fulfilled = directed.fulfilled(&candidate);
            if fulfilled > most {
                (best, most) = (candidate, fulfilled);
            }
        }
    }
    best
}

fn check_size(num_pieces: usize, frame: Grid) -> Result<(), LocationError> {
    let num_cells = frame.num_cells();
    if num_cells > MAX_CELLS {
        return Err(LocationError::Unsuitable(format!(
            "a board of {num_cells} cells is too large for quadratic assignment, which takes at most {MAX_CELLS}"
        )));
    }
    if num_pieces > num_cells {
        return Err(failed(format!("{num_pieces} pieces do not fit a board of {num_cells} cells")));
    }
    Ok(())
}

impl QapSettings {
    /// Checks that every setting is within its range; [`assign_to_grid`] does so, too.
    pub fn validate(&self) -> Result<(), SettingError> {
        let (decay, noise) = (self.decay, self.start_noise);
        let (starts, steps) = (self.num_starts, self.warm_up_steps);
        let (sharpness, iterations) = (self.warm_up_sharpness, self.max_iterations);
        let is_in = |value: f64, most: f64| value > 0.0 && value <= most;
        check_settings(&[
            ("decay", decay, is_in(decay, 1e6), "above 0 and at most 1,000,000"),
            ("start_noise", noise, (0.0..=1.0).contains(&noise), "between 0 and 1"),
            ("tolerance", self.tolerance, self.tolerance >= 0.0, "at least 0"),
            ("num_starts", starts as f64, (1..=1000).contains(&starts), "between 1 and 1000"),
            ("warm_up_steps", steps as f64, steps <= 10_000, "at most 10,000"),
            ("warm_up_sharpness", sharpness, is_in(sharpness, 1e3), "above 0 and at most 1000"),
            (
                "max_iterations",
                iterations as f64,
                (1..=10_000).contains(&iterations),
                "between 1 and 10,000",
            ),
        ])
    }
}
