//! The acceptance rule of simulated annealing, and the temperatures it is used at.

use crate::random::Stream;

/// The rule of Metropolis: a change of the energy by `d` at temperature `t` is accepted with probability
/// `min(1, exp(-d / t))`.
///
/// Returns the largest `d` that is accepted this time: `-t ln u` for a uniform `u`. The draw comes before the
/// move, so that a move can be given up as soon as its cost exceeds the limit.
pub(super) fn max_accepted_increase(random: &mut Stream, temperature: f32) -> f32 {
    -temperature * (random.unit() + f32::MIN_POSITIVE).ln()
}

/// Temperatures that fall by the same factor from move to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemperatureSchedule {
    pub(super) from: f32,
    pub(super) to: f32,
}

impl TemperatureSchedule {
    /// The factor from one move to the next.
    pub(super) fn factor(self, num_moves: usize) -> f32 {
        (self.to / self.from).powf(1.0 / num_moves.max(1) as f32)
    }

    /// Part `index` of this schedule, divided into `num_parts` equal parts.
    pub(super) fn part(self, index: usize, num_parts: usize) -> Self {
        let Self { from, to } = self;
        let at = |parts: usize| from * (to / from).powf(parts as f32 / num_parts as f32);
        Self { from: at(index), to: at(index + 1) }
    }
}
