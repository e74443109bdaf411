//! The order of the entries of a comparison: by colour, so that tiles compare similar strips first.

use super::TILE;
use super::comparison::Entry;
use crate::dissimilarity::strips::Strips;
use rayon::prelude::*;

/// Sort entries so that those of one tile have similar mean colours, and mostly those of neighbouring
/// tiles, too.
///
/// Entries are halved again and again along the axis (brightness, or the difference of two channels)
/// on which they vary most. No two entries have the same strip, so there is only one such order.
pub(super) fn sort_by_colour(entries: &mut [Entry], strips: &Strips) {
    let axes: Vec<Vec<i64>> =
        (0..strips.num_strips()).into_par_iter().map(|strip| strips.colour_axes(strip)).collect();
    let mut parts = vec![entries];
    while let Some(part) = parts.pop() {
        let widest = (0..strips.channels)
            .max_by_key(|&axis| {
                let values = part.iter().map(|entry| axes[entry.strip][axis]);
                let mean = values.clone().sum::<i64>() / part.len().max(1) as i64;
                values.map(|value| u128::from(value.abs_diff(mean)).pow(2)).sum::<u128>()
            })
            .unwrap_or(0);
        let key = |entry: &Entry| (axes[entry.strip][widest], entry.strip);
        if part.len() > TILE {
            let half = (part.len() / TILE).div_ceil(2) * TILE;
            part.select_nth_unstable_by_key(half, key);
            let (low, high) = part.split_at_mut(half);
            parts.extend([low, high]);
        } else {
            part.sort_unstable_by_key(key);
        }
    }
}
