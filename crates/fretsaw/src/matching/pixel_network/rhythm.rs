//! The rhythm of a piece below a side: whether its lines repeat at a pitch, and whether they go on at the same pitch
//! in the piece beyond the seam, as lines of text and grids do.

use crate::linalg::single;

/// The shortest pitch, in pixels.
const FIRST_LAG: usize = 5;
/// Number of values that describe a pair.
pub(super) const PHASES: usize = 6;
/// Keeps quotients of blank pieces finite.
const LEAST_VARIANCE: f64 = 1e-5;
/// How strongly the likeliest pitch is preferred.
const PREFERENCES: [f64; 2] = [4.0, 16.0];

/// The levels of a piece by depth below a side, and how they correlate with themselves.
#[derive(Clone, Debug)]
pub(super) struct Rhythm {
    /// Less their mean.
    levels: Vec<f64>,
    variance: f64,
    /// By lag from [`FIRST_LAG`] on, the mean product of levels that far apart.
    within: Vec<f64>,
}

impl Rhythm {
    pub(super) fn new(levels: &[f32]) -> Self {
        let depth = levels.len();
        let mean = levels.iter().map(|&level| f64::from(level)).sum::<f64>() / depth as f64;
        let levels: Vec<f64> = levels.iter().map(|&level| f64::from(level) - mean).collect();
        let variance = levels.iter().map(|level| level * level).sum::<f64>() / depth as f64;
        let within = (FIRST_LAG..depth).map(|lag| {
            let products = levels[lag..].iter().zip(&levels).map(|(x, y)| x * y);
            products.sum::<f64>() / (depth - lag) as f64
        });
        Self { within: within.collect(), variance: variance + LEAST_VARIANCE, levels }
    }

    /// How well the lines go on beyond the seam: the correlation across the seam at the pitches that both pieces
    /// have, preferred mildly and strongly; its largest and least value; and the variances.
    pub(super) fn phases(&self, other: &Self) -> [f32; PHASES] {
        let spread = [self.variance.ln(), other.variance.ln()].map(single);
        if self.within.is_empty() || other.within.is_empty() {
            return [0.0, 0.0, 0.0, 0.0, spread[0], spread[1]];
        }
        let scale = f64::midpoint(self.variance, other.variance);
        let lags = self.within.iter().zip(&other.within).enumerate();
        let (within, across): (Vec<f64>, Vec<f64>) = lags
            .map(|(at, (x, y))| {
                let lag = FIRST_LAG + at;
                // Line i of one piece lies i + j + 1 lines from line j of the other.
                let before = self.levels[..lag].iter().rev();
                let products = before.zip(&other.levels).map(|(x, y)| x * y);
                (f64::midpoint(*x, *y) / scale, products.sum::<f64>() / (lag as f64 * scale))
            })
            .unzip();
        let preferred = PREFERENCES.map(|preference| {
            let largest = within.iter().fold(f64::NEG_INFINITY, |x, y| x.max(*y));
            let weights = within.iter().map(|value| (preference * (value - largest)).exp());
            let (sum, total) =
                weights.zip(&across).fold((0.0, 0.0), |(sum, total), (weight, value)| {
                    (sum + weight * value, total + weight)
                });
            single(sum / total)
        });
        let agreed = within.iter().zip(&across).map(|(within, across)| within.max(0.0) * across);
        let most = agreed.clone().fold(f64::NEG_INFINITY, f64::max);
        let least = agreed.fold(f64::INFINITY, f64::min);
        [preferred[0], preferred[1], single(most), single(least), spread[0], spread[1]]
    }
}
