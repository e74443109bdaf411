//! Pictures as the canvas shows them: four values of 8 bits a pixel.

use fretsaw::Picture;
use fretsaw::puzzle::{PieceSet, Samples};

/// Pixels for the canvas.
pub(crate) struct Canvas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgba: Vec<u8>,
}

/// Averages squares of `shrink` by `shrink` values.
struct Shrunk<'a> {
    samples: &'a Samples,
    channels: usize,
    /// Values from one row of pixels to the next.
    stride: usize,
    width: usize,
    height: usize,
    shrink: usize,
}

impl Shrunk<'_> {
    const fn size(&self) -> (usize, usize) {
        (self.width.div_ceil(self.shrink), self.height.div_ceil(self.shrink))
    }

    /// A pixel, of values that start at `start`.
    fn pixel(&self, start: usize, row: usize, col: usize) -> [u8; 4] {
        let rows = row * self.shrink..((row + 1) * self.shrink).min(self.height);
        let cols = col * self.shrink..((col + 1) * self.shrink).min(self.width);
        let count = u32::try_from(rows.len() * cols.len()).unwrap_or(1).max(1);
        let mut sums = [0_u32; 4];
        for row in rows {
            for col in cols.clone() {
                let at = start + row * self.stride + col * self.channels;
                for (channel, sum) in sums.iter_mut().enumerate().take(self.channels) {
                    *sum += match self.samples {
                        Samples::U8(values) => u32::from(values[at + channel]),
                        Samples::U16(values) => u32::from(values[at + channel] >> 8),
                    };
                }
            }
        }
        let [a, b, c, d] = sums.map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX));
        match self.channels {
            1 => [a, a, a, 255],
            2 => [a, a, a, b],
            3 => [a, b, c, 255],
            _ => [a, b, c, d],
        }
    }
}

/// The pieces from `first` to before `end`, row by row with so many in a row.
pub(crate) fn of_pieces(
    pieces: &PieceSet,
    (first, end): (usize, usize),
    columns: usize,
    shrink: usize,
) -> Canvas {
    let shape = pieces.shape();
    let (width, height) = (shape.width_px() as usize, shape.height_px() as usize);
    let channels = pieces.channels();
    let shrunk = Shrunk {
        samples: pieces.samples(),
        channels,
        stride: width * channels,
        width,
        height,
        shrink,
    };
    let (cell_width, cell_height) = shrunk.size();
    let rows = (end - first).div_ceil(columns);
    let mut canvas = Canvas {
        width: columns * cell_width,
        height: rows * cell_height,
        rgba: vec![0; columns * cell_width * rows * cell_height * 4],
    };
    for piece in first..end {
        let start = piece * pieces.samples_per_piece();
        let (left, top) =
            ((piece - first) % columns * cell_width, (piece - first) / columns * cell_height);
        for row in 0..cell_height {
            for col in 0..cell_width {
                let at = 4 * ((top + row) * canvas.width + left + col);
                canvas.rgba[at..at + 4].copy_from_slice(&shrunk.pixel(start, row, col));
            }
        }
    }
    canvas
}

/// A whole picture.
pub(crate) fn of_picture(picture: &Picture, shrink: usize) -> Canvas {
    let (width, height, channels) = (picture.width_px(), picture.height_px(), picture.channels());
    let shrunk = Shrunk {
        samples: picture.samples(),
        channels,
        stride: width * channels,
        width,
        height,
        shrink,
    };
    let (columns, rows) = shrunk.size();
    let pixels = (0..rows).flat_map(|row| (0..columns).map(move |col| (row, col)));
    let rgba = pixels.flat_map(|(row, col)| shrunk.pixel(0, row, col)).collect();
    Canvas { width: columns, height: rows, rgba }
}
