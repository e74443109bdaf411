//! The pieces of several puzzles, shuffled together.

use super::Scrambled;
use crate::puzzle::{Assembly, GroundTruth, PieceId, PieceSet, Place, Placement, Samples};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The random stream of the order; `scramble` uses the first streams of its seed.
const ORDER_STREAM: u64 = 100;

/// Why puzzles cannot be mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MixError {
    /// No puzzle at all.
    #[error("there is no puzzle to mix")]
    Nothing,
    /// The pieces of this puzzle, counted from 0, are of another kind, which shows that they belong to it.
    #[error("the pieces of puzzle {0} differ from the first one's in size, channels or depth")]
    UnlikePieces(usize),
}

/// Shuffle the pieces of several puzzles together, all orders equally likely. In the truth, each piece is on the
/// board with the number of its puzzle.
pub fn mix(puzzles: &[Scrambled], seed: u64) -> Result<(PieceSet, GroundTruth), MixError> {
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
            return Err(MixError::UnlikePieces(puzzle));
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
            _ => return Err(MixError::UnlikePieces(puzzle)),
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
    let truth = GroundTruth::of_pieces(assembly, &pieces)
        .expect("every piece has a place and pixel classes");
    Ok((pieces, truth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic::demo_picture;
    use crate::picture::{ScrambleSettings, cut, render, scramble};
    use crate::puzzle::{PieceShape, PuzzleType};

    fn puzzle(rows: usize, cols: usize, piece_px: u32, seed: u64) -> Scrambled {
        let picture = demo_picture(8 * rows, 8 * cols, seed);
        let cut = cut(&picture, PieceShape::new(piece_px, piece_px).unwrap()).unwrap();
        scramble(&cut, &ScrambleSettings::new(PuzzleType::Type2, seed)).unwrap()
    }

    #[test]
    fn every_board_of_the_truth_shows_its_picture() {
        let puzzles = [puzzle(3, 4, 8, 1), puzzle(2, 5, 8, 2)];
        let (pieces, truth) = mix(&puzzles, 7).unwrap();
        assert_eq!(pieces.num_pieces(), 22);
        for (board, (rows, cols, seed)) in [(3, 4, 1), (2, 5, 2)].into_iter().enumerate() {
            let painted = render(&pieces, truth.assembly(), board).unwrap();
            assert_eq!(painted, demo_picture(8 * rows, 8 * cols, seed));
        }
        let boards = truth.assembly().placements().map(|placement| placement.place.board);
        assert!(!boards.collect::<Vec<_>>().is_sorted(), "they are shuffled");
        assert_eq!(mix(&puzzles, 7), Ok((pieces, truth)));
    }

    #[test]
    fn pieces_of_different_kinds_are_not_mixed() {
        assert_eq!(mix(&[], 1), Err(MixError::Nothing));
        let puzzles = [puzzle(3, 4, 8, 1), puzzle(3, 4, 4, 1)];
        assert_eq!(mix(&puzzles, 1), Err(MixError::UnlikePieces(1)));
    }
}
