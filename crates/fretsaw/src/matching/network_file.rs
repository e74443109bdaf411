//! The file format of the learned matcher's networks: a heading, then all weights in single precision.

use super::network::{Layer, Network};
use crate::linalg::packed_product::PackedFactor;

/// The first bytes of a network file.
pub(super) const MAGIC: &[u8; 16] = b"fretsaw judge\0\0\0";
/// The version of the file that this program reads. It changes with the features and the layers.
pub const NETWORK_VERSION: u32 = 3;

/// Why bytes are not networks of the learned matcher.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Another kind of file.
    #[error("this is not a file of the matcher's networks: it begins with other bytes")]
    NotNetworks,
    /// Networks for another version of the program.
    #[error(
        "the networks have version {0}, but this program reads version {NETWORK_VERSION}: train them \
         again, or use the program that they were made for"
    )]
    Version(u32),
    /// Too few or too many bytes.
    #[error("the file of networks has {found} bytes, but {expected} were expected: it is damaged")]
    Length {
        /// At least this many by the headings.
        expected: usize,
        /// The length of the file.
        found: usize,
    },
    /// Networks for other features.
    #[error(
        "network {network} takes {found} features, but this program computes {expected}: train the networks again"
    )]
    Features {
        /// Its number, from 0.
        network: usize,
        /// The number in the file.
        found: usize,
        /// The number that this program computes.
        expected: usize,
    },
    /// The network of this number, from 0, has layers without units.
    #[error("network {0} has layers without units: the file is damaged")]
    NoUnits(usize),
    /// The network of this number, from 0, has a weight that is infinite or NaN.
    #[error("network {0} has a weight that is not a finite number: the file is damaged")]
    Weight(usize),
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let expected = self.at + N;
        let taken = self.bytes.get(self.at..expected).and_then(|bytes| bytes.try_into().ok());
        self.at = expected;
        taken.ok_or(NetworkError::Length { expected, found: self.bytes.len() })
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn weights(&mut self, network: usize, count: usize) -> Result<Vec<f32>, NetworkError> {
        // Checked before memory is allocated.
        let expected = self.at.saturating_add(count.saturating_mul(4));
        if expected > self.bytes.len() {
            return Err(NetworkError::Length { expected, found: self.bytes.len() });
        }
        let weights: Vec<f32> =
            (0..count).map(|_| Ok(f32::from_le_bytes(self.take()?))).collect::<Result<_, _>>()?;
        if weights.iter().all(|weight| weight.is_finite()) {
            Ok(weights)
        } else {
            Err(NetworkError::Weight(network))
        }
    }

    fn layer(&mut self, network: usize, rows: usize, depth: usize) -> Result<Layer, NetworkError> {
        let weights = self.weights(network, rows.saturating_mul(depth))?;
        let bias = self.weights(network, rows)?;
        let fill = |row: usize, values: &mut [f32]| {
            values.copy_from_slice(&weights[row * depth..(row + 1) * depth]);
        };
        Ok(Layer { weights: PackedFactor::pack(rows, depth, fill), bias })
    }
}

/// Reads the networks of a file; network i, which has `found` features, must take `num_features(i, found)`.
pub(super) fn read_networks(
    bytes: &[u8],
    num_features: impl Fn(usize, usize) -> usize,
) -> Result<Vec<Network>, NetworkError> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.take::<16>().as_ref() != Ok(MAGIC) {
        return Err(NetworkError::NotNetworks);
    }
    let found = reader.number()?;
    if found != NETWORK_VERSION {
        return Err(NetworkError::Version(found));
    }
    let num_networks = reader.number()? as usize;
    let mut networks = Vec::new();
    for network in 0..num_networks {
        let found = reader.number()? as usize;
        let hidden = reader.number()? as usize;
        let expected = num_features(network, found);
        if found != expected {
            return Err(NetworkError::Features { network, found, expected });
        }
        if hidden == 0 {
            return Err(NetworkError::NoUnits(network));
        }
        networks.push(Network {
            means: reader.weights(network, found)?,
            scales: reader.weights(network, found)?,
            first: reader.layer(network, hidden, found)?,
            second: reader.layer(network, hidden, hidden)?,
            context: reader.layer(network, hidden, hidden.saturating_mul(2))?,
            third: reader.layer(network, hidden, hidden)?,
            none: reader.layer(network, 2, hidden.saturating_mul(2))?,
            output: reader.weights(network, hidden)?,
            output_bias: reader.weights(network, 1)?[0],
        });
    }
    if reader.at == bytes.len() {
        Ok(networks)
    } else {
        Err(NetworkError::Length { expected: reader.at, found: bytes.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::learned::LearnedMatcher;
    use super::super::network::tests::Draw;
    use super::*;

    /// A file of two networks of 3 and 5 features.
    fn file() -> Vec<u8> {
        let mut draw = Draw::new(1, 2);
        draw.network(3, 4);
        draw.network(5, 2);
        draw.bytes
    }

    fn read(bytes: &[u8]) -> Result<usize, NetworkError> {
        read_networks(bytes, |network, _| [3, 5][network.min(1)]).map(|networks| networks.len())
    }

    /// The heading of the first network follows the first bytes, the version and the number of networks.
    const HEADING: usize = 24;

    #[test]
    fn the_shipped_networks_are_read() {
        let shipped = LearnedMatcher::from_bytes(include_bytes!("networks.bin")).unwrap();
        assert!(shipped.num_networks() > 0);
        assert_eq!(shipped.num_networks(), LearnedMatcher::shipped().num_networks());
    }

    #[test]
    fn truncated_networks_are_refused() {
        let whole = file();
        assert_eq!(read(&whole), Ok(2));
        for length in 0..whole.len() {
            match read(&whole[..length]) {
                Err(NetworkError::NotNetworks) => assert!(length < MAGIC.len()),
                Err(NetworkError::Length { expected, found }) => {
                    assert_eq!(found, length);
                    assert!(length < expected && expected <= whole.len(), "{expected}");
                }
                other => panic!("{other:?} at {length}"),
            }
        }
        let shipped = include_bytes!("networks.bin");
        for length in (0..shipped.len()).step_by(9973) {
            assert!(LearnedMatcher::from_bytes(&shipped[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn bytes_after_the_networks_are_refused() {
        let mut bytes = file();
        let expected = bytes.len();
        bytes.push(0);
        assert_eq!(read(&bytes), Err(NetworkError::Length { expected, found: expected + 1 }));
    }

    #[test]
    fn another_magic_number_or_version_is_refused() {
        for at in 0..MAGIC.len() {
            let mut bytes = file();
            bytes[at] ^= 1;
            assert_eq!(read(&bytes), Err(NetworkError::NotNetworks));
        }
        for found in [0, NETWORK_VERSION + 1, u32::MAX] {
            let mut bytes = file();
            bytes[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&found.to_le_bytes());
            assert_eq!(read(&bytes), Err(NetworkError::Version(found)));
        }
    }

    #[test]
    fn weights_that_are_not_finite_are_refused_wherever_they_are() {
        let whole = file();
        let second = {
            let mut draw = Draw::new(1, 2);
            draw.network(3, 4);
            draw.bytes.len()
        };
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for at in (HEADING + 8..whole.len()).step_by(4) {
                if (second..second + 8).contains(&at) {
                    continue;
                }
                let mut bytes = whole.clone();
                bytes[at..at + 4].copy_from_slice(&bad.to_le_bytes());
                let network = usize::from(at > second);
                assert_eq!(read(&bytes), Err(NetworkError::Weight(network)), "{bad} at {at}");
            }
        }
    }

    #[test]
    fn networks_for_other_features_are_refused() {
        let bytes = file();
        let read = |first, second| {
            read_networks(&bytes, |network, _| [first, second][network]).map(|_| ()).unwrap_err()
        };
        assert_eq!(read(4, 5), NetworkError::Features { network: 0, found: 3, expected: 4 });
        assert_eq!(read(3, 3), NetworkError::Features { network: 1, found: 5, expected: 3 });
        assert!(matches!(
            LearnedMatcher::from_bytes(&bytes),
            Err(NetworkError::Features { network: 0, found: 3, .. })
        ));
    }

    #[test]
    fn layers_of_no_units_or_of_too_many_are_refused() {
        let with_hidden = |hidden: u32| {
            let mut bytes = file();
            bytes[HEADING + 4..HEADING + 8].copy_from_slice(&hidden.to_le_bytes());
            read(&bytes)
        };
        assert_eq!(with_hidden(4), Ok(2));
        for hidden in [5, 1 << 16, u32::MAX] {
            assert!(with_hidden(hidden).is_err(), "{hidden}");
        }
        assert_eq!(with_hidden(0), Err(NetworkError::NoUnits(0)));
        // A file that is valid except for layers without units.
        let mut draw = Draw::new(1, 1);
        draw.network(3, 0);
        assert_eq!(read(&draw.bytes), Err(NetworkError::NoUnits(0)));
    }
}
