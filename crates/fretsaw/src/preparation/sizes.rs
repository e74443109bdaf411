//! One size for pictures whose sizes differ by a little.

use super::{PreparationError, Window};
use crate::linalg::median;
use crate::puzzle::PieceShape;
use std::collections::BTreeSet;

/// The largest of widths, or heights, may exceed the smallest by this.
const MOST_PERCENT: u32 = 6;

/// The size to bring all windows to: their own if it is the same, otherwise the median.
///
/// If widths are about heights, pieces are squares, which may lie in any turn; then both are the same.
pub(super) fn common(windows: &[Window]) -> Result<PieceShape, PreparationError> {
    let widths = || windows.iter().map(|window| window.width_px);
    let heights = || windows.iter().map(|window| window.height_px);
    let all: Vec<f64> = widths().chain(heights()).collect();
    let is_equal =
        widths().all(|px| px == all[0]) && heights().all(|px| px == windows[0].height_px);
    let (width_px, height_px) = if is_equal {
        (all[0], windows[0].height_px)
    } else if are_close(all.iter().copied()) {
        let side_px = median(all);
        (side_px, side_px)
    } else if are_close(widths()) && are_close(heights()) {
        (median(widths().collect()), median(heights().collect()))
    } else {
        let sizes: BTreeSet<[u64; 2]> =
            windows.iter().map(|it| [it.width_px.to_bits(), it.height_px.to_bits()]).collect();
        return Err(PreparationError::Sizes { num_sizes: sizes.len(), most_percent: MOST_PERCENT });
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the size of a picture"
    )]
    let whole = |px: f64| px.round().max(1.0) as u32;
    Ok(PieceShape::new(whole(height_px), whole(width_px))?)
}

fn are_close(lengths: impl Iterator<Item = f64>) -> bool {
    let (least, most) =
        lengths.fold((f64::INFINITY, 0.0_f64), |(least, most), px| (least.min(px), most.max(px)));
    most <= least * (1.0 + f64::from(MOST_PERCENT) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(sizes: &[(u32, u32)]) -> Result<(u32, u32), PreparationError> {
        let window = |&(width_px, height_px): &(u32, u32)| Window {
            left_px: 0.0,
            top_px: 0.0,
            width_px: width_px.into(),
            height_px: height_px.into(),
            tilt_degrees: 0.0,
        };
        let windows: Vec<Window> = sizes.iter().map(window).collect();
        common(&windows).map(|shape| (shape.width_px(), shape.height_px()))
    }

    #[test]
    fn squares_stay_squares_and_oblong_pieces_oblong() {
        assert_eq!(shape_of(&[(40, 30), (40, 30)]), Ok((40, 30)));
        assert_eq!(shape_of(&[(100, 98), (100, 98)]), Ok((100, 98)));
        assert_eq!(shape_of(&[(100, 98), (99, 101), (100, 100)]), Ok((100, 100)));
        assert_eq!(shape_of(&[(150, 98), (151, 100), (149, 99)]), Ok((150, 99)));
        assert!(matches!(
            shape_of(&[(150, 100), (100, 150)]),
            Err(PreparationError::Sizes { num_sizes: 2, .. })
        ));
        assert!(shape_of(&[(100, 100), (107, 100)]).is_err());
    }
}
