//! Bitmaps that count, for every place of a segment, its empty cells and contacts.

use crate::locations::segment::{PlaceInSegment, Position, Rectangle, Segments};
use crate::puzzle::{Cell, Grid, PieceId, QuarterTurn, Side};

/// A bit for each cell; every row starts with a new word.
#[derive(Clone, Debug)]
struct Bitmap {
    words_per_row: usize,
    words: Vec<u64>,
}

const WORD: usize = u64::BITS as usize;

impl Bitmap {
    /// No bit is set. Each row has one word more than it needs.
    fn new(rows: u32, cols: u32) -> Self {
        let words_per_row = (cols as usize).div_ceil(WORD) + 1;
        Self { words_per_row, words: vec![0; words_per_row * rows as usize] }
    }

    fn set(&mut self, row: u32, col: u32, value: bool) {
        let word = &mut self.words[row as usize * self.words_per_row + col as usize / WORD];
        let bit = 1 << (col as usize % WORD);
        *word = if value { *word | bit } else { *word & !bit };
    }

    fn get(&self, row: u32, col: u32) -> bool {
        self.row(row)[col as usize / WORD] >> (col as usize % WORD) & 1 == 1
    }

    fn row(&self, row: u32) -> &[u64] {
        &self.words[row as usize * self.words_per_row..][..self.words_per_row]
    }

    /// The number of bits that a row, shifted right by `col`, has in common with a row of another bitmap.
    fn common(&self, row: u32, other: &Self, other_row: u32, col: u32) -> u32 {
        let (first, shift) = (col as usize / WORD, col as usize % WORD);
        let others = &other.row(other_row)[first..];
        let mut count = 0;
        for (word, &bits) in self.row(row).iter().enumerate() {
            let Some(&low) = others.get(word) else { break };
            let high = others.get(word + 1).copied().unwrap_or(0);
            let below = if shift == 0 { low } else { low >> shift | high << (WORD - shift) };
            count += (bits & below).count_ones();
        }
        count
    }
}

/// The empty cells of the frame.
pub(super) struct FreeCells {
    pub(super) frame: Grid,
    free: Bitmap,
    /// For each empty cell the number of its sides at a taken cell or at the edge, as three binary digits.
    touching: [Bitmap; 3],
}

impl FreeCells {
    pub(super) fn new(frame: Grid) -> Self {
        let mut free = Bitmap::new(frame.rows(), frame.cols());
        frame.cells().for_each(|Cell { row, col }| free.set(row, col, true));
        let none = Bitmap::new(frame.rows(), frame.cols());
        let mut cells = Self { frame, free, touching: [none.clone(), none.clone(), none] };
        cells.count_touching();
        cells
    }

    pub(super) fn is_free(&self, Cell { row, col }: Cell) -> bool {
        self.free.get(row, col)
    }

    pub(super) fn take(&mut self, Cell { row, col }: Cell) {
        self.free.set(row, col, false);
    }

    pub(super) fn count_touching(&mut self) {
        for cell in self.frame.cells() {
            let is_taken = |&side: &Side| {
                self.frame.neighbor(cell, side).is_none_or(|next| !self.is_free(next))
            };
            let is_free = self.is_free(cell);
            let count = Side::ALL.iter().filter(|side| is_free && is_taken(side)).count();
            for (bit, bits) in self.touching.iter_mut().enumerate() {
                bits.set(cell.row, cell.col, count >> bit & 1 == 1);
            }
        }
    }
}

/// A segment in one of its orientations.
pub(super) struct Shape {
    /// Its pieces; the top left corner of the segment is the origin.
    pub(super) places: Vec<(PieceId, PlaceInSegment)>,
    pub(super) cols: u32,
    bits: Bitmap,
    pieces_by_row: Vec<u32>,
}

impl Shape {
    pub(super) fn new(segments: &Segments, pieces: &[PieceId], turn: QuarterTurn) -> Self {
        let turned = |&piece: &PieceId| {
            let place = segments.place_of(piece);
            let position = place.position.turned(turn);
            (piece, PlaceInSegment { position, turn: place.turn + turn })
        };
        let mut places: Vec<(PieceId, PlaceInSegment)> = pieces.iter().map(turned).collect();
        let extents = places.iter().map(|(_, place)| Rectangle::of(place.position));
        let Rectangle { top_left, bottom_right } =
            extents.reduce(Rectangle::with).unwrap_or_default();
        let last = bottom_right - top_left;
        let (rows, cols) = (last.row.cast_unsigned() + 1, last.col.cast_unsigned() + 1);
        let mut bits = Bitmap::new(rows, cols);
        let mut pieces_by_row = vec![0; rows as usize];
        for (_, place) in &mut places {
            place.position = place.position - top_left;
            let Position { row, col } = place.position;
            bits.set(row.cast_unsigned(), col.cast_unsigned(), true);
            pieces_by_row[row.cast_unsigned() as usize] += 1;
        }
        Self { places, cols, bits, pieces_by_row }
    }

    pub(super) const fn rows(&self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "counted in 32 bits")]
        let rows = self.pieces_by_row.len() as u32;
        rows
    }

    /// With the corner at this cell: how many pieces find an empty cell, and how many of their sides touch a taken cell or
    /// the edge. None if fewer than `least` pieces find one.
    pub(super) fn score(
        &self,
        room: &FreeCells,
        row: u32,
        col: u32,
        least: u32,
    ) -> Option<(u32, u32)> {
        let mut num_free: u32 = self.pieces_by_row.iter().sum();
        for (own_row, num_pieces) in (0..).zip(&self.pieces_by_row) {
            num_free -= num_pieces - self.bits.common(own_row, &room.free, row + own_row, col);
            if num_free < least {
                return None;
            }
        }
        let mut touching = 0;
        for own_row in 0..self.rows() {
            for (bit, bits) in room.touching.iter().enumerate() {
                touching += self.bits.common(own_row, bits, row + own_row, col) << bit;
            }
        }
        Some((num_free, touching))
    }
}
