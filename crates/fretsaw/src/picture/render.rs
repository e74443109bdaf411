//! Assemblies and sets of pieces as pictures.

use super::{OutOfMemory, Picture, gather};
use crate::allocation::try_reserve_exact;
use crate::puzzle::{Assembly, Cell, Grid, PieceId, PieceSet, Placement, Samples};
use rayon::prelude::*;

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
    let (height_px, width_px) = (cell_shape.height_px() as usize, cell_shape.width_px() as usize);
    let (total_height_px, total_width_px) = size_px((rows, cols), (height_px, width_px))?;
    let board = OnBoard { pieces, assembly, board, cell_px: (height_px, width_px) };
    let samples = match pieces.samples() {
        Samples::U8(values) => board.painted(values, grid).map(Samples::U8),
        Samples::U16(values) => board.painted(values, grid).map(Samples::U16),
    };
    let samples = samples.ok_or(RenderError::OutOfMemory { rows, cols })?;
    let picture = Picture::new(total_height_px, total_width_px, pieces.channels(), samples)
        .expect("as many cells as fill the picture");
    let has_holes = num_placed < grid.num_cells();
    if has_holes && matches!(pieces.channels(), 1 | 3) {
        let is_filled = |row: usize, col: usize| {
            let cell = grid.cell_at(row / height_px * cols + col / width_px);
            board.piece_at(cell).is_some()
        };
        return with_opacity(&picture, is_filled).ok_or(RenderError::OutOfMemory { rows, cols });
    }
    Ok(picture)
}

/// Pieces on a board whose cells have this height and width.
struct OnBoard<'a> {
    pieces: &'a PieceSet,
    assembly: &'a Assembly,
    board: usize,
    cell_px: (usize, usize),
}

impl OnBoard<'_> {
    fn piece_at(&self, cell: Cell) -> Option<PieceId> {
        self.assembly.piece_at(self.board, cell)
    }

    /// The values of the picture, taken from those of the pieces; `None` if memory does not suffice.
    fn painted<T: Copy + Default + Send + Sync>(&self, values: &[T], grid: Grid) -> Option<Vec<T>> {
        let (height_px, width_px) = self.cell_px;
        let channels = self.pieces.channels();
        let row_len = (grid.cols() as usize * width_px).checked_mul(channels)?;
        let len = row_len.checked_mul(grid.rows() as usize * height_px)?;
        let mut painted = Vec::new();
        try_reserve_exact(&mut painted, len).ok()?;
        painted.resize(len, T::default());
        let paint_row = |(row_px, out): (usize, &mut [T])| {
            let (row, row_in_cell) = (row_px / height_px, row_px % height_px);
            for (col, out) in out.chunks_exact_mut(width_px * channels).enumerate() {
                let cell = grid.cell_at(row * grid.cols() as usize + col);
                let Some(piece) = self.piece_at(cell) else { continue };
                let Some(place) = self.assembly.place_of(piece) else { continue };
                for (col_in_cell, pixel) in out.chunks_exact_mut(channels).enumerate() {
                    let shape = self.pieces.shape();
                    let (row, col) = shape.pixel_before_turn(place.turn, row_in_cell, col_in_cell);
                    let from = &values[self.pieces.offset_of(piece, row, col)..];
                    for (to, &value) in pixel.iter_mut().zip(from) {
                        *to = value;
                    }
                }
            }
        };
        painted.par_chunks_exact_mut(row_len).enumerate().for_each(paint_row);
        Some(painted)
    }
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
    let (total_height_px, total_width_px) = size_px((rows, columns), (height_px, width_px))?;
    let num_runs = rows * height_px * columns;
    let samples = gather(pieces.samples(), width_px * pieces.channels(), num_runs, starts)
        .map_err(|OutOfMemory| RenderError::OutOfMemory { rows, cols: columns })?;
    Ok(Picture::new(total_height_px, total_width_px, pieces.channels(), samples)
        .expect("as many runs as fill the picture"))
}

/// The height and width of a picture of `rows` x `cols` cells, if its pixels can be counted.
fn size_px(
    (rows, cols): (usize, usize),
    (height_px, width_px): (usize, usize),
) -> Result<(usize, usize), RenderError> {
    let sizes = rows.checked_mul(height_px).zip(cols.checked_mul(width_px));
    let countable =
        sizes.filter(|(height_px, width_px)| height_px.checked_mul(*width_px).is_some());
    countable.ok_or(RenderError::OutOfMemory { rows, cols })
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
