//! The ways in which pieces may have been cut, and the seams inside a piece that look like such a cut.

use super::ink_pixels::PATTERN_DEPTH;

/// Ways in which pieces may have been cut, the cleanest first.
pub(super) const CUTS: [Cut; 7] = [
    Cut { damaged: 0, lost: 0 },
    Cut { damaged: 0, lost: 1 },
    Cut { damaged: 0, lost: 2 },
    Cut { damaged: 0, lost: 4 },
    Cut { damaged: 1, lost: 2 },
    Cut { damaged: 2, lost: 4 },
    Cut { damaged: 3, lost: 6 },
];

/// A way in which pieces were cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// So many lines at each side do not look like the page.
    pub(super) damaged: usize,
    /// So many lines are missing between what is left of two neighbours.
    pub(super) lost: usize,
}

impl Cut {
    /// Where the part after a seam inside begins if no line is lost: enough lines remain on both sides that look like the
    /// page.
    pub(super) fn seams_inside(self, depth: usize) -> std::ops::Range<usize> {
        let first = self.damaged + PATTERN_DEPTH;
        let end = (depth + 1).saturating_sub(self.damaged + PATTERN_DEPTH + self.lost);
        first..end.max(first)
    }
}
