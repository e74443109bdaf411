//! One ascent of the objective: graduated assignment \[GR96\] as a warm-up, then FAQ \[Vog15\].

use super::QapSettings;
use super::affinity::{CellRelation, GridAffinity, Pair};
use crate::setting_error::failed;
use fretsaw::observer::{Cancelled, Observer, check_cancelled};
use fretsaw::puzzle::{Cell, Grid};
use fretsaw::unstable::graph::AssignmentSolver;
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::tie_breaker;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Sweeps that scale a matrix to be doubly stochastic. Nothing depends on the last digits: an
/// assignment ends it all.
const SINKHORN_SWEEPS: usize = 10;

/// How much sharper the warm-up is at its end than at its beginning.
const WARM_UP_RANGE: f64 = 10.0;

/// The smallest entry that scaling starts from, relative to the largest of its row: rows and columns
/// must not vanish.
const SMALLEST_ENTRY: f64 = 1e-30;

/// Where a climb came to.
pub(super) struct End {
    pub(super) cells: Vec<Cell>,
    pub(super) num_iterations: usize,
    pub(super) converged: bool,
}

/// One ascent. Pieces have numbers of its own here, in an order drawn from the seed, as the assignments
/// prefer some of equally good answers by their numbers.
pub(super) struct Climb {
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
    pub(super) fn new(affinity: &GridAffinity, frame: Grid, seed: u64, start: usize) -> Self {
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
    pub(super) fn run(
        mut self,
        settings: &QapSettings,
        observer: &dyn Observer,
    ) -> Result<End, LocationError> {
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
            let ahead = &solver.solve(&costs, num_pieces, num_cells).map_err(failed)?.column_of_row;
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
        let nearest = &solver.solve(&costs, num_pieces, num_cells).map_err(failed)?.column_of_row;
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

    /// f(Q) of a permutation: the sum of the affinities of all satisfied pairs.
    pub(super) fn value(&self, cell_of: &[usize]) -> f64 {
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
    pub(super) fn add_gradient(&self, cell_of: &[usize], factor: f64, gradient: &mut [f64]) {
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
    pub(super) fn gradient_of_matrix(&self, p: &[f64]) -> Vec<f64> {
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
    pub(super) fn cells_of(&self, cell_of: &[usize]) -> Vec<Cell> {
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

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn negate_into(out: &mut [f64], values: &[f64]) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out = -value);
}
