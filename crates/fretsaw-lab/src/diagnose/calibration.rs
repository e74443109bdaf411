//! Answers by their confidence, against the share of right ones.

use serde::Serialize;

/// Answers in bins of confidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Calibration {
    /// From the least confidence to the most.
    pub(crate) bins: Vec<CalibrationBin>,
    /// Where each bin ends, and the next begins; 1 is in the last.
    #[serde(skip)]
    ends: Vec<f64>,
}

/// Answers of similar confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct CalibrationBin {
    pub(crate) count: usize,
    /// The sum of their confidences, which is how many are expected to be right.
    pub(crate) expected: f64,
    pub(crate) right: f64,
}

impl CalibrationBin {
    /// The mean confidence, and the share of right answers; not numbers if there is no answer.
    pub(crate) fn means(&self) -> (f64, f64) {
        (self.expected / self.count as f64, self.right / self.count as f64)
    }
}

impl Calibration {
    /// Without answers, in bins that end here.
    pub(crate) fn with_ends(ends: Vec<f64>) -> Self {
        Self { bins: vec![CalibrationBin::default(); ends.len()], ends }
    }

    /// Counts an answer of this confidence, 0 to 1, which is right by this share.
    pub(crate) fn add(&mut self, confidence: f64, right: f64) {
        let place = self.ends.iter().position(|&end| confidence < end);
        let place = place.unwrap_or(self.bins.len() - 1);
        let bin = &mut self.bins[place];
        bin.count += 1;
        bin.expected += confidence;
        bin.right += right;
    }

    /// Counts what another has counted, too.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.count += more.count;
            bin.expected += more.expected;
            bin.right += more.right;
        }
    }

    /// The expected calibration error, 0 to 1: how far confidence and the share of right answers
    /// are apart, in the mean over all answers. `None` if there are none.
    pub(crate) fn error(&self) -> Option<f64> {
        let count: usize = self.bins.iter().map(|bin| bin.count).sum();
        let apart: f64 = self.bins.iter().map(|bin| (bin.expected - bin.right).abs()).sum();
        (count > 0).then(|| apart / count as f64)
    }
}
