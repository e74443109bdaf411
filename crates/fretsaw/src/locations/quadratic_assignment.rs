//! Locations by quadratic assignment: a research option for small puzzles.
//!
//! In: affinities of upright pieces and the frame. Out: a cell for every piece, at once, without a
//! tree or a greedy order.
//!
//! The paper asks for the permutation P that brings the board's own graph closest to the estimated
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
//! stays nearly flat, and what little it says is about large distances: which pieces want to be near
//! which border, as nothing fits them there, and which want to be near those.
//!
//! How we differ: the pieces' turns are known, so that an affinity can say on which side of i piece j
//! belongs. The *directed* form asks for the largest sum over the directions d, right and down, of
//! trace(A_d^T P B_d P^T), B_d being the board's (D-10). The *undirected* form is the paper's; it
//! cannot tell a board from its mirror images, and we return the one that the directions favour.
//!
//! Cost: an iteration is one linear assignment of pieces to cells, O(n^3) at worst, and O(n^2) for all
//! else: the gradient is linear in P, so that it moves along with P and only that of a permutation,
//! O(edges), has to be computed. A step of the warm-up is O(edges x n). Memory O(n^2) per thread;
//! boards above [`MAX_CELLS`] are refused.

use super::{LocationError, LocationProblem, LocationSolver};
use crate::connection_graph::ConnectionGraph;
use crate::connection_graph::construction::{
    ConstructionError, ConstructionSettings, ConstructionStep, construct,
};
use crate::graph::{AssignmentError, AssignmentSolver};
use crate::matching::MatchModel;
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{
    Assembly, AssemblyError, Cell, Grid, PieceId, Place, Placement, QuarterTurn, Side, SideId,
    TurnSet,
};
use crate::random::tie_breaker;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The largest board: a few matrices of pieces x cells are held.
pub const MAX_CELLS: usize = 1024;

/// Sweeps that scale a matrix to be doubly stochastic. Nothing depends on the last digits: an
/// assignment ends it all.
const SINKHORN_SWEEPS: usize = 10;

/// How much sharper the warm-up is at its end than at its beginning.
const WARM_UP_RANGE: f64 = 10.0;

/// The smallest entry that scaling starts from, relative to the largest of its row: rows and columns
/// must not vanish.
const SMALLEST_ENTRY: f64 = 1e-30;

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

impl QapForm {
    /// The lower-case name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Directed => "directed",
            Self::Undirected => "undirected",
            Self::UndirectedDiagonal => "undirected-diagonal",
        }
    }
}

/// Which pairs of sides have an affinity in the directed form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AffinityPairs {
    /// Those where each is among the other's best.
    Mutual,
    /// Each side's best.
    Best,
    /// All candidates of all sides.
    #[default]
    All,
}

/// Settings of the search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QapSettings {
    /// What is maximised. Default: directed.
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
    /// How sharp the warm-up becomes, in units of the sharpness at which the flat matrix gives way;
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

/// Why pieces were not assigned to cells.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QapError {
    /// The observer asked to give up.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Pieces that may still need turning.
    #[error("quadratic assignment is for puzzles of type 1, whose turns are known")]
    TurnsUnknown,
    /// A board beyond what this method is for.
    #[error(
        "a board of {num_cells} cells is too large for quadratic assignment, which takes at most \
         {MAX_CELLS}"
    )]
    TooLarge {
        /// Cells of the board.
        num_cells: usize,
    },
    /// More pieces than cells.
    #[error("{num_pieces} pieces do not fit a board of {num_cells} cells")]
    TooManyPieces {
        /// Pieces of the puzzle.
        num_pieces: usize,
        /// Cells of the board.
        num_cells: usize,
    },
    /// An affinity between pieces that do not exist, or of a piece with itself.
    #[error("affinity {i} - {j} does not join two of the {num_pieces} pieces")]
    NoSuchPair {
        /// One piece.
        i: usize,
        /// The other.
        j: usize,
        /// Pieces of the puzzle.
        num_pieces: usize,
    },
    /// An affinity that is negative, too large or not a number.
    #[error("affinity {i} - {j} is {weight}; it must be between 0 and {MAX_AFFINITY:e}")]
    Affinity {
        /// One piece.
        i: usize,
        /// The other.
        j: usize,
        /// As given.
        weight: f64,
    },
    /// A setting outside its range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// As given.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The connection graph of the undirected form was not constructed.
    #[error(transparent)]
    Construction(#[from] ConstructionError),
    /// An assignment was refused; a defect of this crate.
    #[error("the gradient is no cost: {0}")]
    Assignment(#[from] AssignmentError),
    /// The cells contradict each other; a defect of this crate.
    #[error("the assignment contradicted itself: {0}")]
    Contradiction(#[from] AssemblyError),
}

/// The largest affinity: sums of a whole board's stay far from overflow.
const MAX_AFFINITY: f64 = 1e100;

/// How two cells lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellRelation {
    /// The second lies right of the first.
    Right,
    /// The second lies below the first.
    Below,
    /// They share a side.
    Beside,
    /// They share a side or a corner.
    Around,
}

impl CellRelation {
    /// The steps from the first cell to the second, as (rows, columns).
    const fn steps(self) -> &'static [(i32, i32)] {
        const AROUND: [(i32, i32); 8] =
            [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, -1)];
        match self {
            Self::Right => &[(0, 1)],
            Self::Below => &[(1, 0)],
            Self::Beside => AROUND.split_at(4).0,
            Self::Around => &AROUND,
        }
    }
}

/// "Piece j lies next to piece i, in this direction", and how strongly that is believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectedPair {
    /// One piece.
    pub i: PieceId,
    /// The other.
    pub j: PieceId,
    /// Where j lies as seen from i.
    pub direction: Side,
    /// Affinity: at least 0, higher is better.
    pub weight: f64,
}

/// Affinities of pieces, each for one relation of their cells: the matrices A_d of the objective.
///
/// Pairs run between different pieces, with weights from 0 to a large bound.
#[derive(Clone, Debug, PartialEq)]
pub struct GridAffinity {
    num_pieces: usize,
    terms: Vec<(CellRelation, Vec<Pair>)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    i: usize,
    j: usize,
    weight: f64,
}

impl GridAffinity {
    /// Affinities that know directions. Pairs may repeat: their weights add up.
    ///
    /// # Errors
    /// At the first pair that is none, or has no acceptable weight.
    pub fn directed(
        num_pieces: usize,
        pairs: impl IntoIterator<Item = DirectedPair>,
    ) -> Result<Self, QapError> {
        let (mut right, mut below) = (Vec::new(), Vec::new());
        for DirectedPair { i, j, direction, weight } in pairs {
            let (list, i, j) = match direction {
                Side::Right => (&mut right, i, j),
                Side::Left => (&mut right, j, i),
                Side::Bottom => (&mut below, i, j),
                Side::Top => (&mut below, j, i),
            };
            list.push(Pair { i: i.index(), j: j.index(), weight });
        }
        Self::checked(num_pieces, vec![(CellRelation::Right, right), (CellRelation::Below, below)])
    }

    /// The affinities W of a connection graph, whose edges want to join cells that share a side, or
    /// with `diagonals` a side or a corner.
    ///
    /// # Errors
    /// If a weight is beyond all measure.
    pub fn undirected(graph: &ConnectionGraph, diagonals: bool) -> Result<Self, QapError> {
        let relation = if diagonals { CellRelation::Around } else { CellRelation::Beside };
        let pairs = graph
            .edges()
            .iter()
            .map(|edge| Pair { i: edge.i.index(), j: edge.j.index(), weight: edge.weight })
            .collect();
        Self::checked(graph.num_vertices(), vec![(relation, pairs)])
    }

    fn checked(
        num_pieces: usize,
        mut terms: Vec<(CellRelation, Vec<Pair>)>,
    ) -> Result<Self, QapError> {
        for (_, pairs) in &mut terms {
            for &Pair { i, j, weight } in &*pairs {
                if i.max(j) >= num_pieces || i == j {
                    return Err(QapError::NoSuchPair { i, j, num_pieces });
                }
                if !(0.0..=MAX_AFFINITY).contains(&weight) {
                    return Err(QapError::Affinity { i, j, weight });
                }
            }
            // Whatever order the pairs came in, sums are the same to the last bit.
            pairs.retain(|pair| pair.weight > 0.0);
            pairs.sort_by(|x, y| {
                (x.i, x.j).cmp(&(y.i, y.j)).then_with(|| x.weight.total_cmp(&y.weight))
            });
        }
        Ok(Self { num_pieces, terms })
    }

    /// Number of pieces.
    #[must_use]
    pub const fn num_pieces(&self) -> usize {
        self.num_pieces
    }

    /// The affinities of the pairs of pieces that lie as they want to: the objective.
    ///
    /// `cells` has the cell of every piece; pieces beyond its end count as not placed.
    #[must_use]
    pub fn fulfilled(&self, cells: &[Cell]) -> f64 {
        let is_met =
            |relation: CellRelation, pair: &Pair| match (cells.get(pair.i), cells.get(pair.j)) {
                (Some(from), Some(to)) => relation.steps().iter().any(|&(down, right)| {
                    from.row.checked_add_signed(down) == Some(to.row)
                        && from.col.checked_add_signed(right) == Some(to.col)
                }),
                _ => false,
            };
        self.terms
            .iter()
            .flat_map(|(relation, pairs)| {
                pairs.iter().filter(|pair| is_met(*relation, pair)).map(|pair| pair.weight)
            })
            .sum()
    }

    /// The affinities of candidates in a puzzle whose pieces are upright: exp(-c N^2), N being
    /// [`MatchModel::ratio`]. Pairs of sides that would need a turn are left out.
    ///
    /// # Errors
    /// If a ratio is not a number.
    pub fn of_candidates(
        model: &MatchModel<'_>,
        pairs: AffinityPairs,
        decay: f64,
    ) -> Result<Self, QapError> {
        let nearest = model.candidates();
        let is_best = |a: SideId, b: SideId| {
            let list = nearest.of(a);
            let least = list.first().map(|candidate| candidate.dissimilarity);
            list.iter()
                .take_while(|candidate| Some(candidate.dissimilarity) == least)
                .any(|candidate| candidate.side == b)
        };
        let mut found = Vec::new();
        for a in (0..nearest.num_sides()).map(SideId::from_index) {
            for candidate in nearest.of(a) {
                let b = candidate.side;
                let listed_by_b = || nearest.of(b).iter().any(|other| other.side == a);
                let counts = b.side() == a.side().opposite()
                    // A pair that both list is met twice.
                    && (a < b || !listed_by_b())
                    && match pairs {
                        AffinityPairs::Mutual => is_best(a, b) && is_best(b, a),
                        AffinityPairs::Best => is_best(a, b) || is_best(b, a),
                        AffinityPairs::All => true,
                    };
                if counts {
                    let ratio = model.ratio_of_value(a, b, candidate.dissimilarity);
                    found.push(DirectedPair {
                        i: a.piece(),
                        j: b.piece(),
                        direction: a.side(),
                        weight: (-decay * ratio * ratio).exp(),
                    });
                }
            }
        }
        Self::directed(nearest.num_sides() / 4, found)
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
) -> Result<(Vec<Cell>, QapInfo), QapError> {
    settings.validate()?;
    check_size(affinity.num_pieces, frame)?;
    let ends: Vec<Result<End, QapError>> = (0..settings.num_starts)
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
    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        Ok(assemble(problem, self, observer)?)
    }
}

fn assemble(
    problem: &LocationProblem<'_>,
    settings: &QapSettings,
    observer: &dyn Observer,
) -> Result<Assembly, QapError> {
    let &LocationProblem { model, frame, turns, seed } = problem;
    if turns != TurnSet::None {
        return Err(QapError::TurnsUnknown);
    }
    settings.validate()?;
    check_size(problem.num_pieces(), frame)?;
    observer.stage_started(Stage::Assemble, settings.num_starts as u64);
    let directed = GridAffinity::of_candidates(model, settings.pairs, settings.decay)?;
    let cells = if settings.form == QapForm::Directed {
        assign_to_grid(&directed, frame, settings, seed, observer)?.0
    } else {
        let construction = ConstructionSettings { seed, ..Default::default() };
        let built = construct(model, turns, &construction, ConstructionStep::Loops)?;
        let diagonals = settings.form == QapForm::UndirectedDiagonal;
        let affinity = GridAffinity::undirected(&built.graph, diagonals)?;
        let (cells, _) = assign_to_grid(&affinity, frame, settings, seed, observer)?;
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

fn check_size(num_pieces: usize, frame: Grid) -> Result<(), QapError> {
    let num_cells = frame.num_cells();
    if num_cells > MAX_CELLS {
        return Err(QapError::TooLarge { num_cells });
    }
    if num_pieces > num_cells {
        return Err(QapError::TooManyPieces { num_pieces, num_cells });
    }
    Ok(())
}

impl QapSettings {
    /// Whether every setting is within its range; [`assign_to_grid`] asks as well.
    ///
    /// # Errors
    /// At the first that is not.
    pub fn validate(&self) -> Result<(), QapError> {
        let refuse = |name, value, range| Err(QapError::Setting { name, value, range });
        if !(self.decay > 0.0 && self.decay <= 1e6) {
            return refuse("decay", self.decay, "above 0 and at most 1,000,000");
        }
        if !(0.0..=1.0).contains(&self.start_noise) {
            return refuse("start_noise", self.start_noise, "between 0 and 1");
        }
        if self.tolerance.is_nan() || self.tolerance < 0.0 {
            return refuse("tolerance", self.tolerance, "at least 0");
        }
        if !(1..=1000).contains(&self.num_starts) {
            return refuse("num_starts", self.num_starts as f64, "between 1 and 1000");
        }
        if self.warm_up_steps > 10_000 {
            return refuse("warm_up_steps", self.warm_up_steps as f64, "at most 10,000");
        }
        if !(self.warm_up_sharpness > 0.0 && self.warm_up_sharpness <= 1000.0) {
            return refuse("warm_up_sharpness", self.warm_up_sharpness, "above 0 and at most 1000");
        }
        if !(1..=10_000).contains(&self.max_iterations) {
            return refuse("max_iterations", self.max_iterations as f64, "between 1 and 10,000");
        }
        Ok(())
    }
}

/// Where a climb came to.
struct End {
    cells: Vec<Cell>,
    num_iterations: usize,
    converged: bool,
}

/// One ascent. Pieces have numbers of its own here, in an order drawn from the seed, as the assignments
/// prefer some of equally good answers by their numbers.
struct Climb {
    frame: Grid,
    piece_number: Vec<usize>,
    terms: Vec<Term>,
    /// What sets this starting point apart: the warm-up forgets the noise it begins with.
    sharpness_factor: f64,
    rng: ChaCha8Rng,
}

/// Affinities with the cells that stand in their relation.
struct Term {
    pairs: Vec<Pair>,
    /// Per cell k, the cells l such that (k, l) is in the relation; and per l the cells k.
    to: Vec<Vec<usize>>,
    from: Vec<Vec<usize>>,
    /// All (k, l) of the relation.
    runs: Vec<Run>,
}

/// The pairs of cells (k, l), (k + 1, l + 1), ...
struct Run {
    k: usize,
    l: usize,
    len: usize,
}

impl Term {
    fn new(relation: CellRelation, pairs: Vec<Pair>, frame: Grid) -> Self {
        let mut to = vec![Vec::new(); frame.num_cells()];
        let mut from = to.clone();
        let mut runs: Vec<Run> = Vec::new();
        for &(down, right) in relation.steps() {
            for cell in frame.cells() {
                let next = cell
                    .row
                    .checked_add_signed(down)
                    .zip(cell.col.checked_add_signed(right))
                    .map(|(row, col)| Cell { row, col })
                    .filter(|&next| frame.contains(next));
                let Some(next) = next else { continue };
                let (k, l) = (frame.index_of(cell), frame.index_of(next));
                to[k].push(l);
                from[l].push(k);
                match runs.last_mut() {
                    Some(run) if run.k + run.len == k && run.l + run.len == l => run.len += 1,
                    _ => runs.push(Run { k, l, len: 1 }),
                }
            }
        }
        Self { pairs, to, from, runs }
    }
}

impl Climb {
    fn new(affinity: &GridAffinity, frame: Grid, seed: u64, start: usize) -> Self {
        let stream = tie_breaker(seed)(start as u64, u64::MAX);
        let order = tie_breaker(stream);
        let mut drawn: Vec<usize> = (0..affinity.num_pieces).collect();
        drawn.sort_by_key(|&piece| (order(piece as u64, 0), piece));
        let mut piece_number = vec![0; affinity.num_pieces];
        for (number, &piece) in drawn.iter().enumerate() {
            piece_number[piece] = number;
        }
        let numbered =
            |pair: &Pair| Pair { i: piece_number[pair.i], j: piece_number[pair.j], ..*pair };
        let terms = affinity
            .terms
            .iter()
            .map(|(relation, pairs)| {
                Term::new(*relation, pairs.iter().map(numbered).collect(), frame)
            })
            .collect();
        let mut rng = ChaCha8Rng::seed_from_u64(stream);
        let sharpness_factor = if start == 0 { 1.0 } else { rng.random_range(-1.0..1.0f64).exp2() };
        Self { frame, piece_number, terms, sharpness_factor, rng }
    }

    /// FAQ \[Vog15\]: P is the doubly stochastic matrix, G its gradient, Q the vertex ahead.
    fn run(mut self, settings: &QapSettings, observer: &dyn Observer) -> Result<End, QapError> {
        let (num_pieces, num_cells) = (self.piece_number.len(), self.frame.num_cells());
        let mut p = self.starting_point(settings.start_noise);
        self.warm_up(&mut p, settings, observer)?;
        let mut gradient = self.gradient_of_matrix(&p);
        let mut costs = vec![0.0; p.len()];
        let mut solver = AssignmentSolver::default();
        let mut best: (f64, Vec<usize>) = (f64::NEG_INFINITY, Vec::new());
        let (mut num_iterations, mut converged) = (0, false);
        while num_iterations < settings.max_iterations && !converged {
            check_cancelled(observer)?;
            num_iterations += 1;
            negate_into(&mut costs, &gradient);
            let ahead = &solver.solve(&costs, num_pieces, num_cells)?.column_of_row;
            // f(P + a (Q - P)) = (1 - a)^2 f(P) + a (1 - a) <G(P), Q> + a^2 f(Q).
            let value_p = 0.5 * dot(&gradient, &p);
            let value_q = self.value(ahead);
            let cross: f64 = ahead
                .iter()
                .enumerate()
                .map(|(piece, &cell)| gradient[piece * num_cells + cell])
                .sum();
            let (square, linear) = (value_p - cross + value_q, cross - 2.0 * value_p);
            let step = best_step(square, linear);
            if value_q > best.0 {
                best = (value_q, ahead.clone());
            }
            let gain = step * (linear + step * square);
            converged = gain <= settings.tolerance * value_p.abs();
            for values in [&mut p, &mut gradient] {
                values.iter_mut().for_each(|value| *value *= 1.0 - step);
            }
            for (piece, &cell) in ahead.iter().enumerate() {
                p[piece * num_cells + cell] += step;
            }
            self.add_gradient(ahead, step, &mut gradient);
        }
        // The permutation nearest to P.
        check_cancelled(observer)?;
        negate_into(&mut costs, &p);
        let nearest = &solver.solve(&costs, num_pieces, num_cells)?.column_of_row;
        if self.value(nearest) > best.0 {
            best.1.clone_from(nearest);
        }
        Ok(End { cells: self.cells_of(&best.1), num_iterations, converged })
    }

    /// The flat matrix mixed with a random one; rows sum to 1, columns to the same.
    fn starting_point(&mut self, noise: f64) -> Vec<f64> {
        let (num_pieces, num_cells) = (self.piece_number.len(), self.frame.num_cells());
        let mut p: Vec<f64> =
            (0..num_pieces * num_cells).map(|_| self.rng.random_range(0.0..1.0)).collect();
        self.scale_to_stochastic(&mut p);
        let flat = 1.0 / num_cells as f64;
        p.iter_mut().for_each(|value| *value = (1.0 - noise) * flat + noise * *value);
        p
    }

    /// Graduated assignment \[GR96\] at growing sharpness.
    fn warm_up(
        &self,
        p: &mut Vec<f64>,
        settings: &QapSettings,
        observer: &dyn Observer,
    ) -> Result<(), Cancelled> {
        let num_cells = self.frame.num_cells();
        // Near the flat matrix, P = (1 + e) / n gives G = g (1 + e') with e' an average of e, and
        // exp(b G) is 1 + b g e': deviations grow from b = 1 / g on.
        let mut gradient = self.gradient_of_matrix(p);
        let mean = gradient.iter().sum::<f64>() / gradient.len().max(1) as f64;
        if mean <= 0.0 {
            return Ok(());
        }
        let end = settings.warm_up_sharpness * self.sharpness_factor / mean;
        let last = settings.warm_up_steps.saturating_sub(1).max(1);
        for step in 0..settings.warm_up_steps {
            check_cancelled(observer)?;
            let left = 1.0 - step as f64 / last as f64;
            let sharpness = end * WARM_UP_RANGE.powf(-left);
            for row in gradient.chunks_exact_mut(num_cells) {
                let top = row.iter().copied().fold(0.0, f64::max);
                for value in row {
                    *value = (sharpness * (*value - top)).exp().max(SMALLEST_ENTRY);
                }
            }
            std::mem::swap(p, &mut gradient);
            self.scale_to_stochastic(p);
            gradient = self.gradient_of_matrix(p);
        }
        Ok(())
    }

    /// Scale the rows and columns of a positive matrix until rows sum to 1 and columns to the same
    /// (Sinkhorn and Knopp).
    fn scale_to_stochastic(&self, p: &mut [f64]) {
        let num_cells = self.frame.num_cells();
        let share = self.piece_number.len() as f64 / num_cells as f64;
        let mut factors = vec![0.0; num_cells];
        for _ in 0..SINKHORN_SWEEPS {
            factors.fill(0.0);
            for row in p.chunks_exact(num_cells) {
                factors.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            factors.iter_mut().for_each(|sum| *sum = scale(share, *sum));
            for row in p.chunks_exact_mut(num_cells) {
                row.iter_mut().zip(&factors).for_each(|(value, factor)| *value *= factor);
                let factor = scale(1.0, row.iter().sum());
                row.iter_mut().for_each(|value| *value *= factor);
            }
        }
    }

    /// f(Q) of a permutation: the affinities of pairs that lie as they want to.
    fn value(&self, cell_of: &[usize]) -> f64 {
        self.terms
            .iter()
            .flat_map(|term| {
                term.pairs
                    .iter()
                    .filter(|pair| term.to[cell_of[pair.i]].contains(&cell_of[pair.j]))
                    .map(|pair| pair.weight)
            })
            .sum()
    }

    /// Add `factor` times the gradient at a permutation, A_d Q B_d^T + A_d^T Q B_d for every term.
    fn add_gradient(&self, cell_of: &[usize], factor: f64, gradient: &mut [f64]) {
        let num_cells = self.frame.num_cells();
        for term in &self.terms {
            for &Pair { i, j, weight } in &term.pairs {
                for &l in &term.to[cell_of[i]] {
                    gradient[j * num_cells + l] += factor * weight;
                }
                for &k in &term.from[cell_of[j]] {
                    gradient[i * num_cells + k] += factor * weight;
                }
            }
        }
    }

    /// The gradient at any matrix.
    fn gradient_of_matrix(&self, p: &[f64]) -> Vec<f64> {
        let num_cells = self.frame.num_cells();
        let mut gradient = vec![0.0; p.len()];
        for term in &self.terms {
            for &Pair { i, j, weight } in &term.pairs {
                let (row_i, row_j) = (i * num_cells, j * num_cells);
                for &Run { k, l, len } in &term.runs {
                    add_scaled(&mut gradient[row_i + k..][..len], weight, &p[row_j + l..][..len]);
                    add_scaled(&mut gradient[row_j + l..][..len], weight, &p[row_i + k..][..len]);
                }
            }
        }
        gradient
    }

    /// The cells of the pieces in the caller's order.
    fn cells_of(&self, cell_of: &[usize]) -> Vec<Cell> {
        self.piece_number.iter().map(|&number| self.frame.cell_at(cell_of[number])).collect()
    }
}

/// Where a (linear + a square) is largest for a in [0, 1].
fn best_step(square: f64, linear: f64) -> f64 {
    if square < 0.0 {
        (-0.5 * linear / square).clamp(0.0, 1.0)
    } else if linear + square > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// What makes a sum the share it should be. Entries stay above the square of [`SMALLEST_ENTRY`] or so,
/// but a sum that did vanish must not become infinite.
fn scale(share: f64, sum: f64) -> f64 {
    if sum >= f64::MIN_POSITIVE { share / sum } else { 1.0 }
}

fn add_scaled(out: &mut [f64], factor: f64, values: &[f64]) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out += factor * value);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn negate_into(out: &mut [f64], values: &[f64]) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out = -value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection_graph::ConnectionEdge;
    use crate::observer::Silent;
    use rand::seq::SliceRandom;

    fn grid(rows: u64, cols: u64) -> Grid {
        Grid::new(rows, cols).unwrap()
    }

    /// A board whose pieces lie in `cells`, with all true pairs and a share of wrong ones as strong.
    fn pairs_of(frame: Grid, cells: &[Cell], wrong_share: f64, seed: u64) -> Vec<DirectedPair> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut piece_in = vec![None; frame.num_cells()];
        for (piece, &cell) in cells.iter().enumerate() {
            piece_in[frame.index_of(cell)] = Some(PieceId::new(piece));
        }
        let mut pairs = Vec::new();
        for (i, &cell) in cells.iter().enumerate() {
            for direction in [Side::Right, Side::Bottom] {
                let next = frame.neighbor(cell, direction);
                let Some(j) = next.and_then(|next| piece_in[frame.index_of(next)]) else {
                    continue;
                };
                let i = PieceId::new(i);
                let j = if rng.random_bool(wrong_share) {
                    PieceId::new(rng.random_range(0..cells.len()))
                } else {
                    j
                };
                if i != j {
                    pairs.push(DirectedPair { i, j, direction, weight: 1.0 });
                }
            }
        }
        pairs
    }

    fn shuffled(frame: Grid, num_pieces: usize, seed: u64) -> Vec<Cell> {
        let mut cells: Vec<Cell> = frame.cells().collect();
        cells.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        cells.truncate(num_pieces);
        cells
    }

    fn assigned(affinity: &GridAffinity, frame: Grid, seed: u64) -> (Vec<Cell>, QapInfo) {
        let found =
            assign_to_grid(affinity, frame, &QapSettings::default(), seed, &Silent).unwrap();
        assert_eq!(found.1.fulfilled, affinity.fulfilled(&found.0));
        let mut cells = found.0.clone();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), affinity.num_pieces(), "every piece has a cell of its own");
        assert!(cells.iter().all(|&cell| frame.contains(cell)));
        found
    }

    #[test]
    fn clean_boards_are_solved() {
        for (rows, cols) in [(2, 3), (5, 7), (9, 6), (1, 12), (12, 1), (1, 1), (1, 2)] {
            let frame = grid(rows, cols);
            for seed in 0..3 {
                let truth = shuffled(frame, frame.num_cells(), seed);
                let pairs = pairs_of(frame, &truth, 0.0, seed);
                let affinity = GridAffinity::directed(truth.len(), pairs).unwrap();
                let (cells, _) = assigned(&affinity, frame, seed);
                assert_eq!(cells, truth, "{rows} x {cols}, seed {seed}");
            }
        }
    }

    #[test]
    fn a_pair_may_be_given_from_either_end() {
        let frame = grid(3, 4);
        let truth = shuffled(frame, 12, 1);
        let pairs = pairs_of(frame, &truth, 0.0, 1);
        let back = pairs.iter().map(|&DirectedPair { i, j, direction, weight }| DirectedPair {
            i: j,
            j: i,
            direction: direction.opposite(),
            weight,
        });
        assert_eq!(
            GridAffinity::directed(12, back.rev()).unwrap(),
            GridAffinity::directed(12, pairs.clone()).unwrap()
        );
    }

    #[test]
    fn a_tenth_of_wrong_pairs_does_little_harm() {
        let frame = grid(8, 10);
        let right: usize = (0..5)
            .map(|seed| {
                let truth = shuffled(frame, 80, seed);
                let pairs = pairs_of(frame, &truth, 0.1, seed);
                let affinity = GridAffinity::directed(80, pairs).unwrap();
                let (cells, _) = assigned(&affinity, frame, seed);
                cells.iter().zip(&truth).filter(|(found, right)| found == right).count()
            })
            .sum();
        assert!(right >= 5 * 80 * 9 / 10, "{right} of 400");
    }

    #[test]
    fn other_labels_give_the_same_board() {
        let frame = grid(6, 7);
        let truth = shuffled(frame, 42, 3);
        let affinity = GridAffinity::directed(42, pairs_of(frame, &truth, 0.0, 3)).unwrap();
        let (cells, info) = assigned(&affinity, frame, 0);
        let mut label: Vec<usize> = (0..42).collect();
        label.shuffle(&mut ChaCha8Rng::seed_from_u64(4));
        let mut labelled_truth = truth.clone();
        for (piece, &label) in label.iter().enumerate() {
            labelled_truth[label] = truth[piece];
        }
        let pairs = pairs_of(frame, &labelled_truth, 0.0, 3);
        let relabelled = GridAffinity::directed(42, pairs).unwrap();
        let (labelled_cells, labelled_info) = assigned(&relabelled, frame, 0);
        assert_eq!(info.fulfilled, labelled_info.fulfilled);
        for (piece, &label) in label.iter().enumerate() {
            assert_eq!(cells[piece], labelled_cells[label]);
        }
    }

    #[test]
    fn a_board_may_have_holes() {
        let frame = grid(5, 6);
        let truth = shuffled(frame, 27, 2);
        let affinity = GridAffinity::directed(27, pairs_of(frame, &truth, 0.0, 2)).unwrap();
        let (cells, _) = assigned(&affinity, frame, 0);
        let right = cells.iter().zip(&truth).filter(|(found, right)| found == right).count();
        assert!(right >= 20, "{right} of 27");
    }

    #[test]
    fn affinities_that_say_nothing_give_some_answer() {
        let frame = grid(4, 5);
        let all = |weight: f64| {
            (0..20).flat_map(move |i| {
                (0..20).filter(move |&j| j != i).flat_map(move |j| {
                    [Side::Right, Side::Bottom].map(|direction| DirectedPair {
                        i: PieceId::new(i),
                        j: PieceId::new(j),
                        direction,
                        weight,
                    })
                })
            })
        };
        for weight in [0.0, 1e-300, 1.0, MAX_AFFINITY] {
            let affinity = GridAffinity::directed(20, all(weight)).unwrap();
            let (one, _) = assigned(&affinity, frame, 1);
            let (two, _) = assigned(&affinity, frame, 2);
            // The order in which pieces were handed in must not decide.
            assert_ne!(one, two);
            assert_ne!(one, frame.cells().collect::<Vec<_>>());
        }
        let nothing = GridAffinity::directed(0, []).unwrap();
        assert!(assigned(&nothing, frame, 1).0.is_empty());
    }

    #[test]
    fn the_graph_of_a_board_is_recognised_up_to_mirror_images() {
        for (rows, cols) in [(4, 6), (5, 5)] {
            let frame = grid(rows, cols);
            let num_pieces = frame.num_cells();
            let truth = shuffled(frame, num_pieces, 5);
            let mut edges = Vec::new();
            for i in 0..num_pieces {
                for j in 0..i {
                    let (a, b) = (truth[i], truth[j]);
                    if a.row.abs_diff(b.row).max(a.col.abs_diff(b.col)) == 1 {
                        let (i, j) = (PieceId::new(i), PieceId::new(j));
                        edges.push(ConnectionEdge::new(i, j, 1.0, QuarterTurn::ZERO));
                    }
                }
            }
            let graph = ConnectionGraph::new(num_pieces, edges).unwrap();
            let affinity = GridAffinity::undirected(&graph, true).unwrap();
            let settings = QapSettings {
                form: QapForm::UndirectedDiagonal,
                num_starts: 10,
                warm_up_sharpness: 3.0,
                ..Default::default()
            };
            let (cells, info) = assign_to_grid(&affinity, frame, &settings, 0, &Silent).unwrap();
            assert_eq!(info.fulfilled, graph.edges().len() as f64);
            let directed =
                GridAffinity::directed(num_pieces, pairs_of(frame, &truth, 0.0, 0)).unwrap();
            assert_eq!(best_image(&cells, frame, &directed), truth);
        }
    }

    #[test]
    fn the_gradient_of_a_permutation_is_that_of_its_matrix() {
        let frame = grid(4, 5);
        let pairs = pairs_of(frame, &shuffled(frame, 18, 1), 0.3, 1);
        let directed = GridAffinity::directed(18, pairs).unwrap();
        let undirected = GridAffinity {
            num_pieces: 18,
            terms: vec![(CellRelation::Around, directed.terms[0].1.clone())],
        };
        for affinity in [directed, undirected] {
            let climb = Climb::new(&affinity, frame, 1, 0);
            let mut cell_of: Vec<usize> = (0..20).collect();
            cell_of.shuffle(&mut ChaCha8Rng::seed_from_u64(2));
            cell_of.truncate(18);
            let mut matrix = vec![0.0; 18 * 20];
            for (piece, &cell) in cell_of.iter().enumerate() {
                matrix[piece * 20 + cell] = 1.0;
            }
            let mut gradient = vec![0.0; 18 * 20];
            climb.add_gradient(&cell_of, 1.0, &mut gradient);
            assert_eq!(gradient, climb.gradient_of_matrix(&matrix));
            assert_eq!(0.5 * dot(&gradient, &matrix), climb.value(&cell_of));
            assert_eq!(climb.value(&cell_of), affinity.fulfilled(&climb.cells_of(&cell_of)));
        }
    }

    #[test]
    fn what_cannot_be_assigned_is_refused() {
        let settings = QapSettings::default();
        let affinity = GridAffinity::directed(7, []).unwrap();
        let refused = |frame, settings: &QapSettings| {
            assign_to_grid(&affinity, frame, settings, 0, &Silent).unwrap_err()
        };
        assert_eq!(
            refused(grid(2, 3), &settings),
            QapError::TooManyPieces { num_pieces: 7, num_cells: 6 }
        );
        assert_eq!(refused(grid(32, 33), &settings), QapError::TooLarge { num_cells: 32 * 33 });
        let wrong: [(&str, QapSettings); 7] = [
            ("decay", QapSettings { decay: f64::NAN, ..settings }),
            ("start_noise", QapSettings { start_noise: 1.1, ..settings }),
            ("tolerance", QapSettings { tolerance: -1.0, ..settings }),
            ("num_starts", QapSettings { num_starts: 0, ..settings }),
            ("warm_up_steps", QapSettings { warm_up_steps: 10_001, ..settings }),
            ("warm_up_sharpness", QapSettings { warm_up_sharpness: 0.0, ..settings }),
            ("max_iterations", QapSettings { max_iterations: 0, ..settings }),
        ];
        for (expected, settings) in wrong {
            let error = refused(grid(3, 3), &settings);
            assert!(matches!(error, QapError::Setting { name, .. } if name == expected), "{error}");
        }
        let pair = |i, j, weight| DirectedPair {
            i: PieceId::new(i),
            j: PieceId::new(j),
            direction: Side::Top,
            weight,
        };
        for (i, j) in [(0, 7), (3, 3)] {
            let error = GridAffinity::directed(7, [pair(i, j, 1.0)]).unwrap_err();
            assert!(matches!(error, QapError::NoSuchPair { num_pieces: 7, .. }), "{error}");
        }
        for weight in [-1.0, f64::NAN, f64::INFINITY] {
            let error = GridAffinity::directed(7, [pair(0, 1, weight)]).unwrap_err();
            assert!(matches!(error, QapError::Affinity { .. }), "{error}");
        }
    }
}
