//! Numerical functions that do not depend on puzzles.

pub mod packed_product;
pub(crate) mod small_symmetric;

/// The nearest single-precision number.
#[expect(clippy::cast_possible_truncation, reason = "rounds on purpose")]
pub(crate) const fn single(x: f64) -> f32 {
    x as f32
}

/// The positive part of a number; 0 for NaN.
///
/// A comparison, because `f32::max` sets NaN apart and for that is a call of a function on WebAssembly.
#[inline(always)]
pub(crate) const fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// The larger of two numbers, neither of which is NaN. A comparison, as [`relu`] is.
#[inline(always)]
pub(crate) const fn larger(x: f32, y: f32) -> f32 {
    if x > y { x } else { y }
}

/// The smaller of two numbers, neither of which is NaN. A comparison, as [`relu`] is.
#[inline(always)]
pub(crate) const fn smaller(x: f32, y: f32) -> f32 {
    if x < y { x } else { y }
}

/// The median of the values: the lower of the middle two for an even number, infinity for none.
pub fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len().saturating_sub(1) / 2;
    if middle >= values.len() {
        return f64::INFINITY;
    }
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The mean of the values, if there are any.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
