//! By which a solution and a truth know the pieces that they are of.

use crate::fnv::Fnv;
use fretsaw::preparation::RawPieces;
use fretsaw::puzzle::{PieceSet, Samples};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// A hash of pieces as they were read: their number, size, order and pixels. Written as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PiecesFingerprint(u64);

impl PiecesFingerprint {
    /// The fingerprint of pieces. An alpha that is the same everywhere makes no difference: files may have it or not.
    pub fn of(pieces: &PieceSet) -> Self {
        let shape = pieces.shape();
        let sizes = size_in_words(shape.width_px(), shape.height_px());
        Self::new(pieces.num_pieces(), &sizes, pieces.channels(), pieces.samples())
    }

    /// The fingerprint of pieces as they were handed in; of equal ones the same as that of the [`PieceSet`].
    pub(crate) fn of_raw(raw: &RawPieces) -> Self {
        let mut sizes: Vec<String> =
            raw.sizes().iter().map(|size| size_in_words(size.width_px, size.height_px)).collect();
        if raw.shape().is_some() {
            sizes.truncate(1);
        }
        Self::new(raw.num_pieces(), &sizes.join(", "), raw.channels(), raw.samples())
    }

    fn new(num_pieces: usize, sizes: &str, mut channels: usize, samples: &Samples) -> Self {
        let has_alpha = matches!(channels, 2 | 4);
        let is_constant = |channels: usize| {
            let first = samples.get(channels - 1);
            (0..samples.len() / channels)
                .all(|pixel| samples.get((pixel + 1) * channels - 1) == first)
        };
        let mut hash = Fnv::default();
        let drops_alpha = has_alpha && is_constant(channels);
        if drops_alpha {
            channels -= 1;
        }
        hash.add(format!("{num_pieces} pieces of {sizes} px, {channels} channels\n").as_bytes());
        if !drops_alpha {
            hash.add_samples(samples);
            return Self(hash.0);
        }
        match samples {
            Samples::U8(values) => {
                hash.add(b"8 bit\n");
                values.chunks(channels + 1).for_each(|pixel| hash.add(&pixel[..channels]));
            }
            Samples::U16(values) => {
                hash.add(b"16 bit\n");
                for pixel in values.chunks(channels + 1) {
                    pixel[..channels].iter().for_each(|value| hash.add(&value.to_le_bytes()));
                }
            }
        }
        Self(hash.0)
    }
}

fn size_in_words(width_px: impl fmt::Display, height_px: impl fmt::Display) -> String {
    format!("{width_px} x {height_px}")
}

impl fmt::Display for PiecesFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for PiecesFingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PiecesFingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_hex = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = is_hex.then(|| u64::from_str_radix(&text, 16).ok()).flatten();
        number.map(Self).ok_or_else(|| de::Error::custom("a fingerprint has 16 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::puzzle::PieceShape;

    fn of(channels: usize, samples: Vec<u8>) -> PiecesFingerprint {
        let shape = PieceShape::new(1, 2).unwrap();
        PiecesFingerprint::of(&PieceSet::new(shape, channels, Samples::U8(samples)).unwrap())
    }

    #[test]
    fn every_pixel_and_the_order_count_but_a_constant_alpha_does_not() {
        let usual = of(1, vec![1, 2, 3, 4]);
        assert_eq!(usual, of(1, vec![1, 2, 3, 4]));
        assert_ne!(usual, of(1, vec![1, 2, 3, 5]));
        assert_ne!(usual, of(1, vec![3, 4, 1, 2]));
        assert_eq!(usual, of(2, vec![1, 9, 2, 9, 3, 9, 4, 9]));
        assert_ne!(usual, of(2, vec![1, 9, 2, 9, 3, 9, 4, 8]));
    }

    #[test]
    fn it_survives_json() {
        let usual = of(1, vec![1, 2, 3, 4]);
        let json = serde_json::to_string(&usual).unwrap();
        assert_eq!(json.len(), 18);
        assert_eq!(serde_json::from_str::<PiecesFingerprint>(&json).unwrap(), usual);
        for bad in ["\"\"", "\"12\"", "\"00000000000000zz\"", "\"+000000000000001\"", "1"] {
            assert!(serde_json::from_str::<PiecesFingerprint>(bad).is_err(), "{bad}");
        }
    }
}
