//! Light that differs from piece to piece, and how it is evened out.

use crate::puzzle::{PieceId, PieceSet, Samples};

/// What makes the levels of one channel of a piece those of even light: a level x becomes `gain` x + `offset`. Levels
/// are shares of white, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// 1 leaves levels as they are.
    pub gain: f64,
    /// 0 leaves levels as they are.
    pub offset: f64,
}

impl Levels {
    /// Leaves levels as they are.
    pub const UNCHANGED: Self = Self { gain: 1.0, offset: 0.0 };

    /// The new level of a level.
    pub fn of(self, level: f64) -> f64 {
        self.gain.mul_add(level, self.offset)
    }

    /// These changes after some others.
    #[must_use]
    pub fn after(self, first: Self) -> Self {
        Self { gain: self.gain * first.gain, offset: self.of(first.offset) }
    }
}

/// The corrections of the light of all pieces, by piece and channel of colour.
#[derive(Clone, Debug, PartialEq)]
pub struct EvenLight {
    num_colours: usize,
    levels: Vec<Levels>,
}

/// The number of channels of colour; the second or fourth channel is opacity.
pub(crate) const fn num_colours(channels: usize) -> usize {
    match channels {
        2 | 4 => channels - 1,
        channels => channels,
    }
}

impl EvenLight {
    /// Corrections piece by piece, channel by channel.
    ///
    /// # Panics
    /// If the corrections are not of whole pieces.
    pub fn new(num_colours: usize, levels: Vec<Levels>) -> Self {
        assert!(num_colours > 0 && levels.len().is_multiple_of(num_colours), "whole pieces");
        Self { num_colours, levels }
    }

    /// Pieces that have corrections.
    pub const fn num_pieces(&self) -> usize {
        self.levels.len() / self.num_colours
    }

    /// The corrections of a piece, one for each channel of colour.
    pub fn of(&self, piece: PieceId) -> &[Levels] {
        &self.levels[piece.index() * self.num_colours..][..self.num_colours]
    }

    /// The pieces in even light. `None` if these corrections are of other pieces.
    pub fn on(&self, pieces: &PieceSet) -> Option<PieceSet> {
        let (channels, white) = (pieces.channels(), f64::from(pieces.samples().white()));
        if pieces.num_pieces() != self.num_pieces() || num_colours(channels) != self.num_colours {
            return None;
        }
        let per_piece = pieces.samples_per_piece();
        let level = |at: usize, value: u16| {
            let channel = at % channels;
            if channel >= self.num_colours {
                return value;
            }
            let levels = self.levels[at / per_piece * self.num_colours + channel];
            let level = (white * levels.of(f64::from(value) / white)).round().clamp(0.0, white);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a whole number from 0 to white"
            )]
            let level = level as u16;
            level
        };
        let samples = match pieces.samples() {
            Samples::U8(values) => {
                let levels = values.iter().enumerate().map(|(at, &value)| level(at, value.into()));
                Samples::U8(levels.map(|level| u8::try_from(level).unwrap_or(u8::MAX)).collect())
            }
            Samples::U16(values) => {
                let levels = values.iter().enumerate().map(|(at, &value)| level(at, value));
                Samples::U16(levels.collect())
            }
        };
        PieceSet::new(pieces.shape(), channels, samples).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::PieceShape;

    #[test]
    fn levels_change_by_piece_and_channel_and_opacity_stays() {
        let shape = PieceShape::new(1, 1).unwrap();
        let values = vec![100, 50, 250, 9, 100, 50, 250, 8];
        let pieces = PieceSet::new(shape, 4, Samples::U8(values)).unwrap();
        let twice = Levels { gain: 2.0, offset: 0.0 };
        let darker = Levels { gain: 1.0, offset: -100.0 / 255.0 };
        let same = Levels::UNCHANGED;
        let light = EvenLight::new(3, vec![twice, same, twice, same, darker, darker]);
        let evened = light.on(&pieces).unwrap();
        assert_eq!(evened.samples(), &Samples::U8(vec![200, 50, 255, 9, 100, 0, 150, 8]));
        assert_eq!(light.on(&PieceSet::new(shape, 4, Samples::U8(vec![0; 4])).unwrap()), None);
        let both = darker.after(twice);
        assert!((both.of(0.3) - darker.of(twice.of(0.3))).abs() < 1e-12);
    }
}
