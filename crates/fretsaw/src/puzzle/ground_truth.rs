//! The right answer, for judging. No solver may see it.

use super::{Assembly, PieceId, PieceSet, QuarterTurn};
use std::collections::HashMap;

/// Ids of a piece's pixels after 0, 1, 2 and 3 clockwise turns; equal ids mean equal pixels.
///
/// With them a score can forgive exchanging pieces that are pixel for pixel the same.
pub type Looks = [u32; 4];

/// Why an assembly cannot serve as the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundTruthError {
    /// A piece without a true place.
    #[error("the truth gives no place for piece {piece}")]
    MissingPiece {
        /// The first such piece.
        piece: usize,
    },
    /// Looks for more or fewer pieces than there are.
    #[error("the truth has looks for {looks} of {num_pieces} pieces; all or none are needed")]
    LooksCount {
        /// Pieces with looks.
        looks: usize,
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
}

/// The true assembly: every piece has its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    assembly: Assembly,
    looks: Option<Vec<Looks>>,
}

impl GroundTruth {
    /// The truth, with the looks of every piece if they are known.
    ///
    /// # Errors
    /// If a piece has no place, or looks are given for some pieces only.
    pub fn new(assembly: Assembly, looks: Option<Vec<Looks>>) -> Result<Self, GroundTruthError> {
        if let Some(piece) = assembly.unplaced().next() {
            return Err(GroundTruthError::MissingPiece { piece: piece.index() });
        }
        match &looks {
            Some(looks) if looks.len() != assembly.num_pieces() => {
                Err(GroundTruthError::LooksCount {
                    looks: looks.len(),
                    num_pieces: assembly.num_pieces(),
                })
            }
            _ => Ok(Self { assembly, looks }),
        }
    }

    /// Where every piece belongs.
    #[must_use]
    pub const fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The looks of each piece, by number, if known.
    #[must_use]
    pub fn looks(&self) -> Option<&[Looks]> {
        self.looks.as_deref()
    }
}

/// The looks of every piece: ids are given in order of first appearance.
///
/// Pieces of different shape never look the same, so the turned looks of an oblong piece differ
/// from all upright ones.
#[must_use]
pub fn looks_of(pieces: &PieceSet) -> Vec<Looks> {
    let mut ids: HashMap<(bool, Vec<u16>), u32> = HashMap::new();
    let mut look = |piece: PieceId, turn: QuarterTurn| {
        let shape = pieces.shape().turned(turn);
        let mut values = Vec::with_capacity(pieces.samples_per_piece());
        for row in 0..shape.height_px() as usize {
            for col in 0..shape.width_px() as usize {
                let (row, col) = pieces.shape().pixel_before_turn(turn, row, col);
                values.extend((0..pieces.channels()).map(|c| pieces.sample(piece, row, col, c)));
            }
        }
        let lies_across = turn.swaps_axes() && !shape.is_square();
        #[expect(clippy::cast_possible_truncation, reason = "four looks a piece fit u32")]
        let next = ids.len() as u32;
        *ids.entry((lies_across, values)).or_insert(next)
    };
    pieces.ids().map(|piece| QuarterTurn::ALL.map(|turn| look(piece, turn))).collect()
}
