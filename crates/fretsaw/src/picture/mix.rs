//! Several puzzles in one heap.

use super::Scrambled;
use crate::puzzle::{
    Assembly, GroundTruth, PieceId, PieceSet, Place, Placement, Samples, looks_of,
};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The stream that the order is drawn from; scrambles draw from the first ones of their seed.
const ORDER_STREAM: u64 = 100;

/// The pieces of several puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixed {
    /// The pieces as handed out.
    pub pieces: PieceSet,
    /// Where each of them belongs: on the board with the number of its puzzle.
    pub truth: GroundTruth,
}

/// Why puzzles cannot be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MixError {
    /// No puzzle at all.
    #[error("there is no puzzle to mix")]
    Nothing,
    /// Pieces that anyone could tell apart.
    #[error("the pieces of puzzle {puzzle} differ from the first one's in size, channels or depth")]
    UnlikePieces {
        /// The first such puzzle, counted from 0.
        puzzle: usize,
    },
}

/// Shuffles the pieces of several puzzles together, all orders equally likely.
///
/// # Errors
/// If there are none, or their pieces are of different kinds.
pub fn mix(puzzles: &[Scrambled], seed: u64) -> Result<Mixed, MixError> {
    let first = &puzzles.first().ok_or(MixError::Nothing)?.pieces;
    let (shape, channels) = (first.shape(), first.channels());
    let mut samples = match first.samples() {
        Samples::U8(_) => Samples::U8(Vec::new()),
        Samples::U16(_) => Samples::U16(Vec::new()),
    };
    let mut order: Vec<(usize, PieceId)> = Vec::new();
    for (puzzle, Scrambled { pieces, .. }) in puzzles.iter().enumerate() {
        let is_deep = matches!(pieces.samples(), Samples::U16(_));
        let is_alike = pieces.shape() == shape
            && pieces.channels() == channels
            && is_deep == matches!(samples, Samples::U16(_));
        if !is_alike {
            return Err(MixError::UnlikePieces { puzzle });
        }
        order.extend(pieces.ids().map(|piece| (puzzle, piece)));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(ORDER_STREAM);
    order.shuffle(&mut random);
    let len = shape.num_pixels() * channels;
    for &(puzzle, piece) in &order {
        let range = piece.index() * len..(piece.index() + 1) * len;
        match (&mut samples, puzzles[puzzle].pieces.samples()) {
            (Samples::U8(to), Samples::U8(from)) => to.extend_from_slice(&from[range]),
            (Samples::U16(to), Samples::U16(from)) => to.extend_from_slice(&from[range]),
            _ => return Err(MixError::UnlikePieces { puzzle }),
        }
    }
    let pieces = PieceSet::new(shape, channels, samples).map_err(|_| MixError::Nothing)?;
    let placements = order.iter().enumerate().filter_map(|(index, &(board, piece))| {
        let place = puzzles[board].truth.assembly().place_of(piece)?;
        Some(Placement { piece: PieceId::new(index), place: Place { board, ..place } })
    });
    let boards = puzzles.iter().map(|puzzle| puzzle.grid).collect();
    let assembly = Assembly::new(order.len(), boards, placements)
        .expect("each piece has the place that it has in its own puzzle");
    let truth = GroundTruth::new(assembly, Some(looks_of(&pieces)))
        .expect("every piece has a place and looks");
    Ok(Mixed { pieces, truth })
}
