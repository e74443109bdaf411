//! Puzzles made from sets of pictures. A set is a folder of pictures; each picture is cut and scrambled
//! afresh for every seed, in memory.

use crate::images::{Images, images_of};
use crate::jpeg_sheet::read_from_jpeg_sheet;
use crate::picture_changes::cropped;
use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use fretsaw::Puzzle;
use fretsaw::picture::{Cut, CutSize, Picture, ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{GroundTruth, PieceShape, PuzzleType};
use fretsaw_cli::by_name::{by_name, puzzle_type};
use fretsaw_cli::parse::{parse_cut_size, parse_grid};
use fretsaw_io::{Limits, read_picture};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Puzzles to make: every combination.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct PuzzleSet {
    /// Names of the sets
    #[arg(long, value_name = "SETS", value_delimiter = ',', required = true)]
    pub(crate) sets: Vec<String>,
    /// Pictures of the sets, by number
    #[arg(long, value_name = "WHICH", default_value = "all",
          value_parser = by_name(Images::ALL, Images::name))]
    pub(crate) images: Images,
    /// Puzzle types: 1 positions unknown, 2 positions and turns, 3 turns
    #[arg(long, value_name = "TYPES", value_delimiter = ',', default_value = "2",
          value_parser = puzzle_type())]
    pub(crate) types: Vec<PuzzleType>,
    /// Pixels of a piece: 28, 40x25 (width x height), or strips: 8xfull, fullx8
    #[arg(long = "piece", value_name = "SIZE", default_value = "28", value_parser = parse_cut_size)]
    pub(crate) size: CutSize,
    /// Take only the middle of every picture: so many columns and rows of pieces
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_cells)]
    pub(crate) cells: Option<(u32, u32)>,
    /// Use seeds 1 to N [default: 3 for 'run', 'matcher' and 'rotations', 1 for others]
    #[arg(long = "seeds", value_name = "N")]
    pub(crate) num_seeds: Option<u64>,
    /// Rates of corrupted sides
    #[arg(long = "corrupt", value_name = "RATES", value_delimiter = ',', default_value = "0")]
    pub(crate) corrupt_rates: Vec<f64>,
    /// Lay the scrambled pieces on a sheet, and save it as JPEG of this quality with 4:2:0 chroma
    #[arg(long, value_name = "QUALITY", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) sheet_jpeg: Option<u8>,
}

/// Rows and columns; the flag has columns first.
fn parse_cells(text: &str) -> Result<(u32, u32), String> {
    parse_grid(text).map(|(cols, rows)| (rows.get(), cols.get()))
}

/// What identifies a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PuzzleKey {
    pub(crate) set: String,
    /// The picture's file name.
    pub(crate) image: String,
    pub(crate) seed: u64,
    #[serde(rename = "type")]
    pub(crate) puzzle_type: PuzzleType,
    /// Pixels of a piece: width, height; 0 is the picture's own.
    pub(crate) piece: (u32, u32),
    /// Rows and columns of pieces, if only the middle of the picture was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<(u32, u32)>,
    pub(crate) corrupt: f64,
    /// The quality of the JPEG file that the sheet of scrambled pieces was saved as, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sheet_jpeg: Option<u8>,
}

impl PuzzleSet {
    /// All pictures of these sets, whole, in pieces of 28 pixels, type 2, with seed 1.
    pub(crate) fn new(sets: &[&str]) -> Self {
        Self {
            sets: sets.iter().map(ToString::to_string).collect(),
            images: Images::All,
            types: vec![PuzzleType::Type2],
            size: CutSize { height_px: NonZeroU32::new(28), width_px: NonZeroU32::new(28) },
            cells: None,
            num_seeds: None,
            corrupt_rates: vec![0.0],
            sheet_jpeg: None,
        }
    }

    fn piece(&self) -> (u32, u32) {
        let px = |given: Option<NonZeroU32>| given.map_or(0, NonZeroU32::get);
        (px(self.size.width_px), px(self.size.height_px))
    }

    fn seeds(&self) -> RangeInclusive<u64> {
        1..=self.num_seeds.unwrap_or(1)
    }

    /// Every puzzle of the sets in the folder `data`, pictures in natural order.
    pub(crate) fn keys(&self, data: &Path) -> anyhow::Result<Vec<PuzzleKey>> {
        let mut keys = Vec::new();
        for set in &self.sets {
            for image in images_of(&data.join(set), self.images)? {
                for &puzzle_type in &self.types {
                    for &corrupt in &self.corrupt_rates {
                        keys.extend(self.seeds().map(|seed| PuzzleKey {
                            set: set.clone(),
                            image: image.clone(),
                            seed,
                            puzzle_type,
                            piece: self.piece(),
                            cells: self.cells,
                            corrupt,
                            sheet_jpeg: self.sheet_jpeg,
                        }));
                    }
                }
            }
        }
        Ok(keys)
    }

    /// Whether this would be among the [`keys`](Self::keys) if its set held its picture.
    pub(crate) fn contains(&self, key: &PuzzleKey) -> bool {
        self.sets.contains(&key.set)
            && self.seeds().contains(&key.seed)
            && self.types.contains(&key.puzzle_type)
            && self.piece() == key.piece
            && self.cells == key.cells
            && self.corrupt_rates.contains(&key.corrupt)
            && self.sheet_jpeg == key.sheet_jpeg
    }
}

impl AsRef<Self> for PuzzleKey {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl PuzzleKey {
    /// The picture's file in the folder that holds one folder per set.
    pub(crate) fn path(&self, data: &Path) -> PathBuf {
        data.join(&self.set).join(&self.image)
    }

    pub(crate) fn read(&self, data: &Path) -> anyhow::Result<Picture> {
        Ok(read_picture(&self.path(data), &Limits::default())?.picture)
    }

    /// The pieces of a picture, in their true order.
    pub(crate) fn cut(&self, picture: &Picture) -> anyhow::Result<Cut> {
        let (width, height) = self.piece;
        let size = CutSize { height_px: NonZeroU32::new(height), width_px: NonZeroU32::new(width) };
        let shape = size.shape_in(picture.size());
        match self.cells {
            None => Ok(cut(picture, shape)?),
            Some(cells) => cut_middle(picture, shape, cells),
        }
    }

    /// How the pieces are scrambled.
    pub(crate) const fn scrambling(&self) -> ScrambleSettings {
        ScrambleSettings {
            corrupt_rate: self.corrupt,
            ..ScrambleSettings::new(self.puzzle_type, self.seed)
        }
    }

    pub(crate) fn make(&self, data: &Path) -> anyhow::Result<Scrambled> {
        self.make_without(data, 0.0)
    }

    /// The puzzle as the solver sees it, with the size of the board; and the truth.
    pub(crate) fn to_solve(
        &self,
        Scrambled { pieces, grid, truth }: Scrambled,
    ) -> anyhow::Result<(Puzzle, GroundTruth)> {
        let puzzle = match self.sheet_jpeg {
            None => Puzzle::new(pieces),
            Some(quality) => {
                let read = read_from_jpeg_sheet(&pieces, grid, quality)?;
                Puzzle::new(read.pieces).colours_bleed(read.colour_bleeding.is_any())
            }
        };
        Ok((puzzle.of_type(self.puzzle_type).board(grid), truth))
    }

    /// The puzzle without this share of its pieces, drawn at random.
    pub(crate) fn make_without(&self, data: &Path, missing: f64) -> anyhow::Result<Scrambled> {
        let path = || self.path(data).display().to_string();
        let cut = self.cut(&self.read(data)?).with_context(path)?;
        #[expect(clippy::cast_possible_truncation, reason = "a number of pieces")]
        let drop = (missing * cut.grid.num_cells() as f64).round() as usize;
        Ok(scramble(&cut, &ScrambleSettings { drop, ..self.scrambling() })?)
    }
}

/// Cuts so many rows and columns of pieces out of the middle of a picture. Where the rest is odd, the
/// part lies nearer to the top and to the left.
fn cut_middle(
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
    Ok(cut(&cropped(picture, top_px, left_px, height_px, width_px)?, shape)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;
    use fretsaw::puzzle::{PieceId, Samples};
    use fretsaw_io::write_picture;

    /// A picture whose values count its pixels.
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
        let key = PuzzleKey { piece: (3, 2), ..record("1.png", 1, 0.5).key.puzzle };
        let with_cells = |cells| PuzzleKey { cells, ..key.clone() }.make(dir.path());
        assert_eq!(with_cells(None).unwrap().grid.num_cells(), 5 * 6);
        assert_eq!(with_cells(Some((5, 6))).unwrap().grid.num_cells(), 5 * 6);
        for cells in [(6, 6), (5, 7), (u32::MAX, u32::MAX)] {
            let message = format!("{:#}", with_cells(Some(cells)).unwrap_err());
            assert!(message.contains("1.png") && message.contains("too small"), "{message}");
        }
    }
}
