//! The shortlist of one entry: which others may still be among its best.

use super::comparison::Entry;
use crate::linalg::single;
use crate::puzzle::Side;

/// An entry and its exact dissimilarity to the owner of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) dissimilarity: f64,
    pub(super) entry: usize,
}

/// How many entries a shortlist must keep so that every side of its owner gets k candidates and the next
/// best dissimilarity. Each entry stands for at least one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needed {
    /// Entries that certainly give k candidates.
    enough: usize,
    /// Further entries that may belong to the owner's own pieces.
    left_out: usize,
}

impl Needed {
    pub(super) fn of(owner: &Entry, num_candidates: usize) -> Self {
        // An owner of several sides cannot leave out the entries of one piece in advance: each side
        // later leaves out its own piece, which has at most four sides.
        let left_out = if owner.sides.len() > 1 { Side::ALL.len() } else { 0 };
        Self { enough: num_candidates + left_out, left_out }
    }

    /// The largest lower bound that an entry may have and still be needed.
    ///
    /// `entries` are (lower, upper) bounds. The first `enough` must have the smallest upper bounds; the
    /// order is otherwise free. An entry whose lower bound exceeds the largest of those upper bounds
    /// cannot tie with the k-th.
    pub(super) fn threshold<T: PartialOrd + Copy>(
        self,
        entries: impl Iterator<Item = (T, T)> + Clone,
        infinity: T,
    ) -> T {
        let uppers = entries.clone().take(self.enough).map(|(_, upper)| upper);
        let Some(kth) = uppers.reduce(|x, y| if y > x { y } else { x }) else { return infinity };
        let mut next_best = [infinity; Side::ALL.len() + 1];
        let next_best = &mut next_best[..=self.left_out];
        for (_, mut upper) in entries.skip(self.enough).filter(|&(lower, _)| lower > kth) {
            for smaller in &mut *next_best {
                if upper < *smaller {
                    std::mem::swap(smaller, &mut upper);
                }
            }
        }
        next_best[self.left_out]
    }
}

/// An entry that may be among the best of another, with bounds of their dissimilarity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded {
    pub(super) lower: f32,
    pub(super) upper: f32,
    pub(super) entry: u32,
}

impl Bounded {
    /// An entry whose dissimilarity is known.
    pub(super) fn measured(entry: u32, dissimilarity: f64) -> Self {
        let near = single(dissimilarity);
        Self { lower: near.next_down(), upper: near.next_up(), entry }
    }

    /// Whether measuring the pair would bring its bounds closer together.
    pub(super) fn is_open(&self) -> bool {
        self.upper > self.lower.next_up().next_up()
    }
}

/// All entries that may be among the best of one entry, in no order.
#[derive(Clone, Debug, Default)]
pub(super) struct Shortlist {
    pub(super) entries: Vec<Bounded>,
    /// When the list has grown to this length, entries that others rule out are dropped.
    pub(super) room: usize,
}

impl Shortlist {
    /// An empty shortlist for k candidates. With this room, dropping is rare and then worth its time.
    pub(super) const fn new(num_candidates: usize) -> Self {
        Self { entries: Vec::new(), room: 2 * num_candidates + 16 }
    }

    /// Drop the entries that others rule out. Returns the largest lower bound that may still enter.
    pub(super) fn drop_ruled_out(&mut self, needed: Needed) -> f32 {
        if self.entries.len() <= needed.enough {
            return f32::INFINITY;
        }
        self.entries.select_nth_unstable_by(needed.enough - 1, |x, y| x.upper.total_cmp(&y.upper));
        let bounds = self.entries.iter().map(|entry| (entry.lower, entry.upper));
        let threshold = needed.threshold(bounds, f32::INFINITY);
        self.entries.retain(|entry| entry.lower <= threshold);
        threshold
    }
}
