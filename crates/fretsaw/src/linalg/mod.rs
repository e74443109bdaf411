//! Numerical functions that do not depend on puzzles.

pub mod packed_product;
pub(crate) mod small_symmetric;

/// The nearest single-precision number.
#[expect(clippy::cast_possible_truncation, reason = "rounds on purpose")]
pub(crate) const fn single(x: f64) -> f32 {
    x as f32
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
