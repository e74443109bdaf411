//! An alpha channel that is the same everywhere is dropped before solving.

use crate::puzzle::Samples;

/// Drops the alpha channel, the last of two or four, if all pixels have the same alpha.
///
/// Many tools write an alpha channel that they do not use. A channel without contrast would only
/// dilute a measure. Returns the number of channels left, and the alpha value if it was dropped and
/// is not opaque, so that it can be restored on writing.
pub fn drop_constant_alpha(samples: &mut Samples, channels: usize) -> (usize, Option<u16>) {
    if !matches!(channels, 2 | 4) {
        return (channels, None);
    }
    let dropped = match samples {
        Samples::U8(values) => drop_last_channel(values, channels).map(u16::from),
        Samples::U16(values) => drop_last_channel(values, channels),
    };
    match dropped {
        None => (channels, None),
        Some(alpha) => (channels - 1, Some(alpha).filter(|&alpha| alpha != samples.white())),
    }
}

/// Drops the last channel if it is constant, in place: a large puzzle may not fit into memory twice.
fn drop_last_channel<T: Copy + PartialEq>(values: &mut Vec<T>, channels: usize) -> Option<T> {
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
    fn only_a_constant_alpha_channel_is_dropped() {
        let mut constant = Samples::U8(vec![1, 7, 2, 7, 3, 7]);
        assert_eq!(drop_constant_alpha(&mut constant, 2), (1, Some(7)));
        assert_eq!(constant, Samples::U8(vec![1, 2, 3]));
        let mut opaque = Samples::U8(vec![1, 255, 2, 255]);
        assert_eq!(drop_constant_alpha(&mut opaque, 2), (1, None));
        let mut varying = Samples::U16(vec![1, 7, 2, 8]);
        assert_eq!(drop_constant_alpha(&mut varying, 2), (2, None));
        assert_eq!(varying, Samples::U16(vec![1, 7, 2, 8]));
        let mut grey = Samples::U8(vec![7, 7]);
        assert_eq!(drop_constant_alpha(&mut grey, 1), (1, None));
    }
}
