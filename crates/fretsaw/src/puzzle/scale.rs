//! Which puzzles are large.

/// Puzzles of more pieces are large.
const MAX_SMALL: usize = 4096;

/// Whether a puzzle with this many pieces, or cells, is large.
///
/// In a large puzzle so many sides look alike that the true neighbour of a side is often not among its
/// candidates, and the whole board cannot be searched at once. The matcher then lists open sides again, and the
/// search divides the board into regions.
pub const fn is_large(num_pieces: usize) -> bool {
    num_pieces > MAX_SMALL
}
