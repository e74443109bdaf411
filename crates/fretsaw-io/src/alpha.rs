//! Alpha that says nothing is left out.

use fretsaw::puzzle::Samples;

/// Drops the last channel of every pixel if its value never changes, and gives that value.
///
/// Many tools write alpha whether it is used or not; a channel without contrast would only dilute
/// a measure.
pub(crate) fn drop_if_constant(channels: usize, samples: &mut Samples) -> Option<u16> {
    match samples {
        Samples::U8(values) => drop_last(channels, values).map(u16::from),
        Samples::U16(values) => drop_last(channels, values),
    }
}

/// In place: a large puzzle need not fit into memory twice.
fn drop_last<T: Copy + PartialEq>(channels: usize, values: &mut Vec<T>) -> Option<T> {
    let alpha = *values.get(channels - 1)?;
    if values.iter().skip(channels - 1).step_by(channels).any(|&value| value != alpha) {
        return None;
    }
    let mut position = 0_usize;
    values.retain(|_| {
        position += 1;
        !position.is_multiple_of(channels)
    });
    Some(alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_constant_last_channel_goes() {
        let mut constant = Samples::U8(vec![1, 7, 2, 7, 3, 7]);
        assert_eq!(drop_if_constant(2, &mut constant), Some(7));
        assert_eq!(constant, Samples::U8(vec![1, 2, 3]));
        let mut varying = Samples::U16(vec![1, 7, 2, 8]);
        assert_eq!(drop_if_constant(2, &mut varying), None);
        assert_eq!(varying, Samples::U16(vec![1, 7, 2, 8]));
    }
}
