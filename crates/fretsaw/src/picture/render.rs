//! Assemblies and sets of pieces as pictures.

use super::{OutOfMemory, Picture, gather};
use crate::allocation::try_reserve_exact;
use crate::puzzle::{Assembly, Cell, PieceSet, Placement, Samples};

/// Why something cannot be painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// A board that is not listed.
    #[error("there is no board {board}: the assembly has {num_boards}")]
    NoSuchBoard {
        /// The board to paint.
        board: usize,
        /// Boards there are.
        num_boards: usize,
    },
    /// The assembly places a piece that is not in the set.
    #[error("piece {piece} is placed, but only {num_pieces} pieces were given")]
    NoSuchPiece {
        /// The piece.
        piece: usize,
        /// Pieces given.
        num_pieces: usize,
    },
    /// This piece is oblong and a quarter turn apart from another.
    #[error(
        "piece {0} lies across its neighbours: pieces that are not square cannot share a \
         board a quarter turn apart"
    )]
    LiesAcross(usize),
    /// A sheet without columns.
    #[error("a sheet needs at least one column")]
    NoColumns,
    /// The picture would be larger than memory.
    #[error("there is not enough memory for a picture of {rows} rows x {cols} columns of pieces")]
    OutOfMemory {
        /// Rows of pieces.
        rows: usize,
        /// Columns of pieces.
        cols: usize,
    },
}

/// Paint a board: each piece in its cell, turned.
///
/// If cells are empty and the pieces have one or three channels, a channel of opacity is
/// appended: white (all bits set) where a piece lies, zero in the holes. With any other number of
/// channels holes are zero, because an additional channel would have no common meaning.
///
/// # Errors
/// If there is no such board or piece, if oblong pieces lie across each other, or if the picture
/// is too large.
pub fn render(
    pieces: &PieceSet,
    assembly: &Assembly,
    board: usize,
) -> Result<Picture, RenderError> {
    let Some(grid) = assembly.boards().get(board).copied() else {
        return Err(RenderError::NoSuchBoard { board, num_boards: assembly.boards().len() });
    };
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    let shape = pieces.shape();
    let mut cell_shape = None;
    let mut num_placed = 0;
    for Placement { piece, place } in assembly.placements().filter(|p| p.place.board == board) {
        if piece.index() >= pieces.num_pieces() {
            let num_pieces = pieces.num_pieces();
            return Err(RenderError::NoSuchPiece { piece: piece.index(), num_pieces });
        }
        if *cell_shape.get_or_insert(shape.turned(place.turn)) != shape.turned(place.turn) {
            return Err(RenderError::LiesAcross(piece.index()));
        }
        num_placed += 1;
    }
    let cell_shape = cell_shape.unwrap_or(shape);
    let width_px = cell_shape.width_px() as usize;

    // One run is one pixel.
    let pixel_starts = |cell: Cell, row_in_cell: usize| {
        let piece = assembly.piece_at(board, cell);
        let place = piece.and_then(|piece| assembly.place_of(piece));
        (0..width_px).map(move |col_in_cell| {
            let (row, col) = shape.pixel_before_turn(place?.turn, row_in_cell, col_in_cell);
            Some(pieces.offset_of(piece?, row, col))
        })
    };
    let starts = (0..grid.rows()).flat_map(|row| {
        (0..cell_shape.height_px() as usize).flat_map(move |row_in_cell| {
            (0..grid.cols()).flat_map(move |col| pixel_starts(Cell { row, col }, row_in_cell))
        })
    });
    let height_px = cell_shape.height_px() as usize;
    let picture = paint(pieces, (rows, cols), (height_px, width_px), 1, starts)?;
    let has_holes = num_placed < grid.num_cells();
    if has_holes && matches!(pieces.channels(), 1 | 3) {
        let is_filled = |row: usize, col: usize| {
            let cell = grid.cell_at(row / height_px * cols + col / width_px);
            assembly.piece_at(board, cell).is_some()
        };
        return with_opacity(&picture, is_filled).ok_or(RenderError::OutOfMemory { rows, cols });
    }
    Ok(picture)
}

/// Paint the pieces as handed in, in order, row by row, `columns` in a row.
///
/// Empty cells at the end of the last row are zero.
///
/// # Errors
/// If there are no columns, or too many for memory.
pub fn sheet(pieces: &PieceSet, columns: usize) -> Result<Picture, RenderError> {
    if columns == 0 {
        return Err(RenderError::NoColumns);
    }
    let shape = pieces.shape();
    let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
    let rows = pieces.num_pieces().div_ceil(columns);
    // One run is one row of pixels of one piece.
    let starts = (0..rows).flat_map(|row| {
        (0..height_px).flat_map(move |row_in_piece| {
            (0..columns).map(move |col| {
                let index = row * columns + col;
                (index < pieces.num_pieces())
                    .then(|| (index * height_px + row_in_piece) * width_px * pieces.channels())
            })
        })
    });
    paint(pieces, (rows, columns), (height_px, width_px), width_px, starts)
}

/// A picture of `rows` x `cols` cells, made of runs of `run_px` pixels of the pieces.
fn paint(
    pieces: &PieceSet,
    (rows, cols): (usize, usize),
    (height_px, width_px): (usize, usize),
    run_px: usize,
    starts: impl Iterator<Item = Option<usize>>,
) -> Result<Picture, RenderError> {
    let too_large = RenderError::OutOfMemory { rows, cols };
    let total_height_px = rows.checked_mul(height_px).ok_or(too_large)?;
    let total_width_px = cols.checked_mul(width_px).ok_or(too_large)?;
    let num_pixels = total_height_px.checked_mul(total_width_px).ok_or(too_large)?;
    let channels = pieces.channels();
    let samples = gather(pieces.samples(), run_px * channels, num_pixels / run_px, starts)
        .map_err(|OutOfMemory| too_large)?;
    Ok(Picture::new(total_height_px, total_width_px, channels, samples)
        .expect("as many runs as fill the picture"))
}

/// The picture with one more channel: all bits set where filled, zero elsewhere. `None` if memory
/// does not suffice.
fn with_opacity(picture: &Picture, is_filled: impl Fn(usize, usize) -> bool) -> Option<Picture> {
    fn interleaved<T: Copy + Default>(
        values: &[T],
        channels: usize,
        mut is_filled: impl Iterator<Item = bool>,
        opaque: T,
    ) -> Option<Vec<T>> {
        let mut out = Vec::new();
        try_reserve_exact(&mut out, values.len() / channels * (channels + 1)).ok()?;
        for pixel in values.chunks_exact(channels) {
            out.extend_from_slice(pixel);
            out.push(if is_filled.next()? { opaque } else { T::default() });
        }
        Some(out)
    }
    let (height_px, width_px) = (picture.height_px(), picture.width_px());
    let filled =
        (0..height_px * width_px).map(|pixel| is_filled(pixel / width_px, pixel % width_px));
    let channels = picture.channels();
    let samples = match picture.samples() {
        Samples::U8(values) => Samples::U8(interleaved(values, channels, filled, u8::MAX)?),
        Samples::U16(values) => Samples::U16(interleaved(values, channels, filled, u16::MAX)?),
    };
    Picture::new(height_px, width_px, channels + 1, samples).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::scramble::tests::{cut_noise, noise, value};
    use crate::picture::{ScrambleSettings, cut, scramble};
    use crate::puzzle::{
        Cell, Grid, PieceId, PieceShape, Place, Placement, PuzzleType, QuarterTurn,
    };

    #[test]
    fn a_sheet_shows_the_pieces_in_the_order_handed_in() {
        let cut = cut_noise(2, 3, 3);
        let puzzle = scramble(&cut, &ScrambleSettings::new(PuzzleType::Type2, 4)).unwrap();
        let sheet_of_four = sheet(&puzzle.pieces, 4).unwrap();
        assert_eq!((sheet_of_four.height_px(), sheet_of_four.width_px()), (8, 16));
        for row in 0..8 {
            for col in 0..16 {
                let index = row / 4 * 4 + col / 4;
                let expected = if index < 6 {
                    puzzle.pieces.sample(PieceId::new(index), row % 4, col % 4, 2)
                } else {
                    0
                };
                assert_eq!(value(&sheet_of_four, row, col, 2), expected);
            }
        }
        assert_eq!(sheet(&puzzle.pieces, 0), Err(RenderError::NoColumns));
        assert!(matches!(sheet(&puzzle.pieces, usize::MAX), Err(RenderError::OutOfMemory { .. })));
    }

    #[test]
    fn impossible_pictures_are_refused() {
        let picture = noise(4, 12, 1, false);
        let pieces = cut(&picture, PieceShape::new(4, 6).unwrap()).unwrap().pieces;
        let board = vec![Grid::new(1, 3).unwrap()];
        let place = |piece: usize, col: u32, turns: i64| Placement {
            piece: PieceId::new(piece),
            place: Place {
                board: 0,
                cell: Cell { row: 0, col },
                turn: QuarterTurn::from_clockwise(turns),
            },
        };
        let assembly =
            |placements: Vec<Placement>| Assembly::new(3, board.clone(), placements).unwrap();
        let across = assembly(vec![place(0, 0, 0), place(1, 1, 1)]);
        assert_eq!(render(&pieces, &across, 0), Err(RenderError::LiesAcross(1)));
        let stray = assembly(vec![place(2, 0, 0)]);
        assert!(matches!(render(&pieces, &stray, 0), Err(RenderError::NoSuchPiece { .. })));
        let empty = assembly(vec![]);
        assert!(matches!(render(&pieces, &empty, 1), Err(RenderError::NoSuchBoard { .. })));
        assert_eq!(render(&pieces, &empty, 0).unwrap().channels(), 2);
    }
}
