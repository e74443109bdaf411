//! The light in which a piece was photographed.

use crate::picture_changes::{to_level, values_of, with_values};
use fretsaw::picture::Picture;

/// Makes a level x of a channel, 0 to 1, `gain` x^`exponent` + `offset`, and clips it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Light {
    /// Of each channel; grey pieces have the first.
    pub(super) gains: [f64; 3],
    pub(super) offset: f64,
    pub(super) exponent: f64,
}

impl Light {
    pub(super) fn on(self, piece: &Picture) -> anyhow::Result<Picture> {
        let values = values_of(piece)?;
        let curves = self.gains.map(|gain| {
            let level = |level: u8| {
                let toned = (f64::from(level) / 255.0).powf(self.exponent);
                to_level(255.0 * (gain * toned + self.offset))
            };
            (0..=255).map(level).collect::<Vec<u8>>()
        });
        let channels = piece.channels();
        let lit = values.iter().enumerate();
        let lit = lit.map(|(at, &value)| curves[at % channels][usize::from(value)]).collect();
        Ok(with_values(piece, channels, lit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic::demo_picture;
    use fretsaw::puzzle::Samples;

    const PLAIN: Light = Light { gains: [1.0; 3], offset: 0.0, exponent: 1.0 };

    #[test]
    fn each_part_of_the_light_does_what_it_says() {
        let piece = demo_picture(8, 9, 1);
        assert_eq!(PLAIN.on(&piece).unwrap(), piece);
        let pixel = Picture::new(1, 1, 3, Samples::U8(vec![64, 100, 200])).unwrap();
        for (light, wanted) in [
            (Light { gains: [0.5, 1.0, 2.0], ..PLAIN }, vec![32, 100, 255]),
            (Light { offset: -0.4, ..PLAIN }, vec![0, 0, 98]),
            (Light { exponent: 2.0, ..PLAIN }, vec![16, 39, 157]),
        ] {
            assert_eq!(light.on(&pixel).unwrap().samples(), &Samples::U8(wanted), "{light:?}");
        }
    }
}
