//! The puzzle of a run: a picture of a set, cut and scrambled as its key says.

use crate::set_run::RunKey;
use anyhow::{Context, ensure};
use fretsaw::methods::fretsaw::FretsawSettings;
use fretsaw::picture::{Cut, CutSize, Picture, ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{PieceShape, Samples};
use fretsaw::solve::Settings;
use fretsaw_io::{Limits, read_picture};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// The file of a run's picture in the folder that holds one folder per set.
#[must_use]
pub fn picture_of(data: &Path, key: &RunKey) -> PathBuf {
    data.join(&key.set).join(&key.image)
}

/// The puzzle of a run.
///
/// # Errors
/// If the picture cannot be read, cut or scrambled.
pub fn puzzle_of(data: &Path, key: &RunKey) -> anyhow::Result<Scrambled> {
    puzzle_without(data, key, 0.0)
}

/// The puzzle of a run without some of its pieces, drawn at random: this part of them.
///
/// # Errors
/// If the picture cannot be read, cut or scrambled.
pub fn puzzle_without(data: &Path, key: &RunKey, missing: f64) -> anyhow::Result<Scrambled> {
    let path = picture_of(data, key);
    let picture = read_picture(&path, &Limits::default())?.picture;
    let (width, height) = key.piece;
    let size = CutSize { height_px: NonZeroU32::new(height), width_px: NonZeroU32::new(width) };
    let shape = size.shape_in(picture.size());
    let cut = match key.cells {
        None => cut(&picture, shape).map_err(Into::into),
        Some(cells) => cut_middle(&picture, shape, cells),
    };
    let cut = cut.with_context(|| path.display().to_string())?;
    #[expect(clippy::cast_possible_truncation, reason = "a number of pieces")]
    let drop = (missing * cut.grid.num_cells() as f64).round() as usize;
    let settings = ScrambleSettings {
        corrupt_rate: key.corrupt,
        drop,
        ..ScrambleSettings::new(key.puzzle_type, key.seed)
    };
    Ok(scramble(&cut, &settings)?)
}

/// How a run solves its puzzle.
#[must_use]
pub fn settings_of(key: &RunKey) -> Settings {
    Settings {
        method: key.method,
        fretsaw: FretsawSettings { effort: key.effort.unwrap_or_default() },
        yu: key.yu.unwrap_or_default(),
        gcl: key.gcl.unwrap_or_default(),
        assignment: key.assignment.unwrap_or_default(),
        measure: Some(key.measure),
        matcher: key.matcher,
        seed: key.seed,
        ..Settings::default()
    }
}

/// Cuts so many rows and columns of pieces out of the middle of a picture. Where the rest is odd, the
/// part lies nearer to the top and to the left.
///
/// # Errors
/// If the picture is too small, or there are no or too many cells.
pub fn cut_middle(
    picture: &Picture,
    shape: PieceShape,
    (rows, cols): (u32, u32),
) -> anyhow::Result<Cut> {
    let part_px = |cells: u32, piece_px: u32| cells as usize * piece_px as usize;
    let (height_px, width_px) = (part_px(rows, shape.height_px()), part_px(cols, shape.width_px()));
    ensure!(rows > 0 && cols > 0, "{rows} rows x {cols} columns have no pieces");
    ensure!(
        height_px <= picture.height_px() && width_px <= picture.width_px(),
        "a picture of {} x {} pixels is too small for {rows} rows x {cols} columns of pieces of {} x {}: \
         it must have {width_px} x {height_px}",
        picture.width_px(),
        picture.height_px(),
        shape.width_px(),
        shape.height_px()
    );
    let top_px = (picture.height_px() - height_px) / 2;
    let left_px = (picture.width_px() - width_px) / 2;
    let row_len = width_px * picture.channels();
    let starts = || (top_px..top_px + height_px).map(|row| picture.offset_of(row, left_px));
    let samples = match picture.samples() {
        Samples::U8(values) => Samples::U8(runs_of(values, starts(), row_len)),
        Samples::U16(values) => Samples::U16(runs_of(values, starts(), row_len)),
    };
    Ok(cut(&Picture::new(height_px, width_px, picture.channels(), samples)?, shape)?)
}

/// Runs of `len` values, one after the other.
fn runs_of<T: Copy>(values: &[T], starts: impl Iterator<Item = usize>, len: usize) -> Vec<T> {
    starts.flat_map(|start| &values[start..start + len]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;
    use fretsaw::puzzle::PieceId;
    use fretsaw_io::write_picture;

    /// Every value tells its row and column.
    fn counting(height_px: usize, width_px: usize, is_deep: bool) -> Picture {
        let values = (0..height_px * width_px).map(|value| u8::try_from(value).unwrap());
        let samples = if is_deep {
            Samples::U16(values.map(u16::from).collect())
        } else {
            Samples::U8(values.collect())
        };
        Picture::new(height_px, width_px, 1, samples).unwrap()
    }

    #[test]
    fn the_middle_has_exactly_the_pieces_asked_for() {
        let shape = PieceShape::new(2, 3).unwrap();
        for is_deep in [false, true] {
            let picture = counting(11, 19, is_deep);
            // 6 of 11 rows and 12 of 19 columns: 2 above and 3 below, 3 at the left and 4 at the right.
            let middle = cut_middle(&picture, shape, (3, 4)).unwrap();
            assert_eq!((middle.grid.rows(), middle.grid.cols()), (3, 4));
            assert_eq!(middle.pieces.num_pieces(), 12);
            assert!(middle.crop.is_none());
            let value = |piece, row, col| middle.pieces.sample(PieceId::new(piece), row, col, 0);
            assert_eq!(value(0, 0, 0), 2 * 19 + 3);
            assert_eq!(value(11, 1, 2), 7 * 19 + 14);
            assert_eq!(value(5, 0, 1), 4 * 19 + 7);
        }
        let whole = cut_middle(&counting(4, 6, false), shape, (2, 2)).unwrap();
        assert_eq!(whole, cut(&counting(4, 6, false), shape).unwrap());
        assert!(cut_middle(&counting(4, 6, false), shape, (0, 2)).is_err());
    }

    #[test]
    fn a_picture_that_is_too_small_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("mine")).unwrap();
        write_picture(&dir.path().join("mine/1.png"), &counting(11, 19, false), None).unwrap();
        let key = RunKey { piece: (3, 2), ..record("1.png", 1, 0.5).key };
        let with_cells = |cells| puzzle_of(dir.path(), &RunKey { cells, ..key.clone() });
        assert_eq!(with_cells(None).unwrap().grid.num_cells(), 5 * 6);
        assert_eq!(with_cells(Some((5, 6))).unwrap().grid.num_cells(), 5 * 6);
        for cells in [(6, 6), (5, 7), (u32::MAX, u32::MAX)] {
            let message = format!("{:#}", with_cells(Some(cells)).unwrap_err());
            assert!(message.contains("1.png") && message.contains("too small"), "{message}");
        }
    }
}
