//! Which way up a picture is: a learned guess for photographs, pages of text and screens.
//!
//! Where the turns of all pieces are unknown, a solved picture comes out in any of four turns, and no seam says which.
//! Its content does: skies are above, letters stand on their lines. [`UprightGuess::of`] looks at square
//! windows (`windows.rs`) of five zooms. One network (`network.rs`) gives each window a score; the scores of the
//! window's four turns give a probability to each turn. A picture's evidence is a weighted sum of *terms*: for each zoom
//! the mean of the logarithms of these probabilities, and its form, because photographs are more often wide than high.
//! Photographs and pages have weights of their own; the network says which of them a picture is.
//!
//! The guess for a turned picture is the turned guess, bit for bit. `training/upright.py` trains network and weights,
//! `fretsaw-lab diagnose upright` counts how often the guess is right, and
//! `docs/decisions/0019-upright.md` says why it is made this way.

mod network;
mod windows;

use crate::networks::{NetworkFile, bytes_of};
use crate::picture::Picture;
use crate::puzzle::{QuarterTurn, TurnSet};
use network::{Buffers, Network, WindowScore, read_network};
use rayon::prelude::*;
use std::sync::LazyLock;
use windows::windows;

/// The picture's short side over that of the windows.
const ZOOMS: [usize; 5] = [1, 2, 4, 9, 20];
const NUM_TERMS: usize = ZOOMS.len() + 1;
/// A guess that is less probable is not to be followed.
const SURE: f64 = 0.6;

/// The trained network and weights.
static SHIPPED: LazyLock<(TermWeights, Network)> = LazyLock::new(|| {
    read_network(&bytes_of(NetworkFile::Upright)).expect("a test reads the shipped network")
});

/// How much each term counts: the zooms in order, then the form.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TermWeights {
    page: [f64; NUM_TERMS],
    photograph: [f64; NUM_TERMS],
}

/// How probable it is that a picture must be turned by each turn to stand upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UprightGuess {
    probabilities: [f64; 4],
}

impl UprightGuess {
    /// The guess for a picture, if it may be turned by these turns.
    pub fn of(picture: &Picture, turns: TurnSet) -> Self {
        let (weights, network) = &*SHIPPED;
        let mut terms = [[0.0; 4]; NUM_TERMS];
        let mut logits = [0.0; ZOOMS.len()];
        for (index, zoom) in ZOOMS.into_iter().enumerate() {
            let scores: Vec<[WindowScore; 4]> = windows(picture, zoom)
                .par_iter()
                .map_init(Buffers::default, |buffers, window| {
                    QuarterTurn::ALL
                        .map(|turn| network.score(window.turned(turn).features(), buffers))
                })
                .collect();
            let logs: Vec<[f64; 4]> = scores
                .iter()
                .map(|scores| log_softmax(scores.map(|score| score.upright)))
                .collect();
            terms[index] =
                std::array::from_fn(|turn| mean(logs.iter().map(|logs| logs[turn]).collect()));
            logits[index] = mean(scores.iter().flatten().map(|score| score.photograph).collect());
        }
        terms[ZOOMS.len()] = form(picture);
        let photograph = 1.0 / (1.0 + (-mean(logits.to_vec())).exp());
        let weight = |term: usize| {
            weights.page[term] + photograph * (weights.photograph[term] - weights.page[term])
        };
        let logs = QuarterTurn::ALL.map(|turn| {
            if !turns.contains(turn) {
                return f64::NEG_INFINITY;
            }
            let turn = usize::from(turn.clockwise());
            terms.iter().enumerate().map(|(term, logs)| weight(term) * logs[turn]).sum()
        });
        Self { probabilities: log_softmax(logs).map(f64::exp) }
    }

    /// The probability that this turn makes the picture stand upright.
    pub fn probability(&self, turn: QuarterTurn) -> f64 {
        self.probabilities[usize::from(turn.clockwise())]
    }

    /// The most probable turn. Of equally probable ones, the smallest.
    pub fn best(&self) -> QuarterTurn {
        let best =
            |best, turn| if self.probability(turn) > self.probability(best) { turn } else { best };
        QuarterTurn::ALL.into_iter().reduce(best).unwrap_or_default()
    }

    /// The most probable turn, if it is probable enough to turn the picture by it.
    pub fn sure(&self) -> Option<QuarterTurn> {
        Some(self.best()).filter(|&best| self.probability(best) >= SURE)
    }
}

/// What the form says: 1 for turns after which the picture is clearly wider than high, -1 for the others.
fn form(picture: &Picture) -> [f64; 4] {
    let (height, width) = (picture.height_px(), picture.width_px());
    let sign = if 10 * width >= 11 * height {
        1.0
    } else if 10 * height >= 11 * width {
        -1.0
    } else {
        0.0
    };
    [sign, -sign, sign, -sign]
}

/// The mean, which does not depend on the order, not even in its last digit.
fn mean(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.iter().sum::<f64>() / values.len() as f64
}

/// Logarithms of the probabilities that are proportional to the exponentials of these values.
fn log_softmax(values: [f64; 4]) -> [f64; 4] {
    let largest = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let shifted = values.map(|value| value - largest);
    let total = 4.0 * mean(shifted.map(f64::exp).to_vec());
    shifted.map(|value| value - total.ln())
}

#[cfg(test)]
mod tests;
