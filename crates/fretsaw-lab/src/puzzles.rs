//! Puzzles made from sets of pictures. A set is a folder of pictures; each picture is cut and scrambled
//! afresh for every seed, in memory.

use crate::images::{Images, images_of};
use crate::jpeg_sheet::puzzle_from_sheet;
use crate::picture_changes::cropped;
use crate::protocol::{Fit, Protocol};
use crate::wear::{Wear, worn};
use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use fretsaw::Puzzle;
use fretsaw::picture::{Cut, CutSize, Picture, ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::preparation::{RawPieces, Trim, find_preparation};
use fretsaw::puzzle::{GroundTruth, PieceSet, PieceShape, PuzzleType};
use fretsaw_cli::by_name::{by_name, puzzle_type};
use fretsaw_cli::parse::{parse_cut_size, parse_grid};
use fretsaw_io::{Limits, read_picture};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The longest side of a board that a picture is scaled to.
const MOST_SCALED_PX: u32 = 30_000;

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
    /// How pictures are scaled and cut. lsej: stretched to 10 x 10 pieces of 50 pixels, type 1, what --erode leaves is
    /// scaled back. panel: scaled to cover 12 x 9 pieces of 100 pixels, type 2
    #[arg(long, value_name = "NAME", conflicts_with = "size",
          value_parser = by_name(Protocol::ALL, Protocol::name))]
    pub(crate) protocol: Option<Protocol>,
    /// Puzzle types: 1 positions unknown, 2 positions and turns, 3 turns [default: 2, or that of --protocol]
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = puzzle_type())]
    pub(crate) types: Vec<PuzzleType>,
    /// Pixels of a piece: 28, 40x25 (width x height), or strips: 8xfull, fullx8
    #[arg(long = "piece", value_name = "SIZE", default_value = "28", value_parser = parse_cut_size)]
    pub(crate) size: CutSize,
    /// Take only the middle of every picture, or with --protocol scale it to so many columns and rows of pieces
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
    #[command(flatten)]
    pub(crate) wear: Wear,
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
    /// Rows and columns of pieces, if only the middle of the picture was taken, or the picture was scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cells: Option<(u32, u32)>,
    /// How the picture was scaled to its cells, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fit: Option<Fit>,
    pub(crate) corrupt: f64,
    /// The quality of the JPEG file that the sheet of scrambled pieces was saved as, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sheet_jpeg: Option<u8>,
    /// What happened to the pieces before they were scrambled.
    #[serde(default, skip_serializing_if = "Wear::is_none")]
    pub(crate) wear: Wear,
}

impl PuzzleSet {
    /// All pictures of these sets, whole, in pieces of 28 pixels, type 2, with seed 1.
    pub(crate) fn new(sets: &[&str]) -> Self {
        Self {
            sets: sets.iter().map(ToString::to_string).collect(),
            images: Images::All,
            protocol: None,
            types: vec![PuzzleType::Type2],
            size: CutSize { height_px: NonZeroU32::new(28), width_px: NonZeroU32::new(28) },
            cells: None,
            num_seeds: None,
            corrupt_rates: vec![0.0],
            sheet_jpeg: None,
            wear: Wear::default(),
        }
    }

    /// All pictures of these sets, as a protocol has them, with seed 1.
    pub(crate) fn of_protocol(protocol: Protocol, sets: &[&str]) -> Self {
        Self { protocol: Some(protocol), types: Vec::new(), ..Self::new(sets) }
    }

    /// The types asked for, or the usual one.
    pub(crate) fn types(&self) -> Vec<PuzzleType> {
        if !self.types.is_empty() {
            return self.types.clone();
        }
        vec![self.protocol.map_or(PuzzleType::Type2, Protocol::puzzle_type)]
    }

    fn piece(&self) -> (u32, u32) {
        let size = self.protocol.map_or(self.size, Protocol::piece);
        let px = |given: Option<NonZeroU32>| given.map_or(0, NonZeroU32::get);
        (px(size.width_px), px(size.height_px))
    }

    fn cells(&self) -> Option<(u32, u32)> {
        self.cells.or(self.protocol.map(Protocol::cells))
    }

    fn fit(&self) -> Option<Fit> {
        self.protocol.map(Protocol::fit)
    }

    fn wear(&self) -> Wear {
        let is_scaled =
            !self.wear.erode.is_none() && self.protocol.is_some_and(Protocol::scales_back);
        Wear { scale_back: self.wear.scale_back || is_scaled, ..self.wear }
    }

    fn seeds(&self) -> RangeInclusive<u64> {
        1..=self.num_seeds.unwrap_or(1)
    }

    /// Every puzzle of the sets in the folder `data`, pictures in natural order.
    pub(crate) fn keys(&self, data: &Path) -> anyhow::Result<Vec<PuzzleKey>> {
        let mut keys = Vec::new();
        for set in &self.sets {
            for image in images_of(&data.join(set), self.images)? {
                for puzzle_type in self.types() {
                    for &corrupt in &self.corrupt_rates {
                        keys.extend(self.seeds().map(|seed| PuzzleKey {
                            set: set.clone(),
                            image: image.clone(),
                            seed,
                            puzzle_type,
                            piece: self.piece(),
                            cells: self.cells(),
                            fit: self.fit(),
                            corrupt,
                            sheet_jpeg: self.sheet_jpeg,
                            wear: self.wear(),
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
            && self.types().contains(&key.puzzle_type)
            && self.piece() == key.piece
            && self.cells() == key.cells
            && self.fit() == key.fit
            && self.corrupt_rates.contains(&key.corrupt)
            && self.sheet_jpeg == key.sheet_jpeg
            && self.wear() == key.wear
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

    /// The picture, scaled if the protocol says so.
    pub(crate) fn read(&self, data: &Path) -> anyhow::Result<Picture> {
        let picture = read_picture(&self.path(data), &Limits::default())?.picture;
        let (Some(fit), Some((rows, cols))) = (self.fit, self.cells) else { return Ok(picture) };
        let (width_px, height_px) = self.piece;
        let size_px = |cells: u32, px: u32| {
            cells.checked_mul(px).filter(|&size_px| size_px <= MOST_SCALED_PX).with_context(|| {
                format!("{cells} pieces of {px} pixels are more than {MOST_SCALED_PX} pixels: give fewer --cells")
            })
        };
        fit.of(&picture, size_px(rows, height_px)?, size_px(cols, width_px)?)
    }

    /// The part of the picture that is cut into pieces, or all of it where pieces of the given size are cut.
    pub(crate) fn read_board(&self, data: &Path) -> anyhow::Result<Picture> {
        let picture = self.read(data)?;
        let Some((rows, cols)) = self.cells else { return Ok(picture) };
        let (width_px, height_px) = self.piece;
        let size_px = (rows as usize * height_px as usize, cols as usize * width_px as usize);
        middle(&picture, size_px).with_context(|| self.path(data).display().to_string())
    }

    /// The pieces of a picture, worn, in their true order.
    pub(crate) fn cut(&self, picture: &Picture) -> anyhow::Result<Cut> {
        let (width, height) = self.piece;
        let size = CutSize { height_px: NonZeroU32::new(height), width_px: NonZeroU32::new(width) };
        let shape = size.shape_in(picture.size());
        let cut = match self.cells {
            None => cut(picture, shape)?,
            Some(cells) => cut_middle(picture, shape, cells)?,
        };
        worn(cut, &self.wear, self.seed)
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

    /// The puzzle as the solver sees it, with the size of the board; and the truth. Pieces are prepared as the program
    /// `fretsaw` prepares loose pieces.
    pub(crate) fn to_solve(
        &self,
        Scrambled { pieces, grid, truth }: Scrambled,
    ) -> anyhow::Result<(Puzzle, GroundTruth)> {
        let pieces = match self.sheet_jpeg {
            // Random pixels at the edges are part of an experiment, and stay.
            None if self.corrupt == 0.0 => prepared(pieces)?,
            _ => pieces,
        };
        let puzzle = puzzle_from_sheet(pieces, grid, self.sheet_jpeg)?
            .context("plain pieces were taken as empty cells")?;
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

/// The pieces without what is found to be dirt.
fn prepared(pieces: PieceSet) -> anyhow::Result<PieceSet> {
    let raw = RawPieces::from(pieces);
    match find_preparation(&raw, Trim::Auto)? {
        Some(found) => Ok(found.apply(&raw)?),
        None => raw.into_pieces().context("pieces of one size"),
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
    Ok(cut(&middle(picture, (height_px, width_px))?, shape)?)
}

/// The middle of a picture, of this height and width in pixels.
fn middle(picture: &Picture, (height_px, width_px): (usize, usize)) -> anyhow::Result<Picture> {
    let top_px = picture.height_px().saturating_sub(height_px) / 2;
    let left_px = picture.width_px().saturating_sub(width_px) / 2;
    cropped(picture, top_px, left_px, height_px, width_px)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;
    use crate::wear::Extent;
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

    #[test]
    fn keys_say_how_pieces_are_worn_only_if_they_are() {
        let key = record("1.png", 1, 0.5).key.puzzle;
        let json = serde_json::to_string(&key).unwrap();
        assert!(!json.contains("wear"), "{json}");
        assert_eq!(serde_json::from_str::<PuzzleKey>(&json).unwrap(), key);
        let wear = Wear { light: 10.0, ..Wear::default() };
        let worn = PuzzleKey { wear, ..key.clone() };
        let json = serde_json::to_string(&worn).unwrap();
        assert!(json.contains(r#""wear":{"light":10.0}"#), "{json}");
        assert_eq!(serde_json::from_str::<PuzzleKey>(&json).unwrap(), worn);
        assert_ne!(worn, key);
    }

    #[test]
    fn a_protocol_says_how_pictures_are_cut_where_flags_do_not() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("mine")).unwrap();
        let picture = fretsaw::picture::synthetic::demo_picture(60, 90, 1);
        write_picture(&dir.path().join("mine/1.png"), &picture, None).unwrap();
        let only_key = |puzzles: PuzzleSet| {
            let key = puzzles.keys(dir.path()).unwrap().remove(0);
            assert!(puzzles.contains(&key));
            assert!(!PuzzleSet::new(&["mine"]).contains(&key));
            key
        };
        let lsej = PuzzleSet::of_protocol(Protocol::Lsej, &["mine"]);
        let erode = Extent::Px(2);
        let wear = Wear { erode, ..Wear::default() };
        let key = only_key(PuzzleSet { wear, ..lsej.clone() });
        assert_eq!(key.puzzle_type, PuzzleType::Type1);
        assert_eq!((key.piece, key.cells), ((50, 50), Some((10, 10))));
        assert_eq!((key.fit, key.wear.scale_back), (Some(Fit::Stretch), true));
        let puzzle = key.make(dir.path()).unwrap();
        assert_eq!(puzzle.pieces.num_pieces(), 100);
        assert_eq!(puzzle.pieces.shape(), PieceShape::new(50, 50).unwrap());
        assert!(only_key(lsej.clone()).wear.is_none());

        let cells = Some((2, 3));
        let types = vec![PuzzleType::Type2];
        let key = only_key(PuzzleSet { cells, types, ..lsej });
        assert_eq!((key.puzzle_type, key.cells), (PuzzleType::Type2, cells));

        let panel = PuzzleSet { wear, ..PuzzleSet::of_protocol(Protocol::Panel, &["mine"]) };
        let key = only_key(PuzzleSet { cells, ..panel });
        assert_eq!((key.puzzle_type, key.piece), (PuzzleType::Type2, (100, 100)));
        assert_eq!((key.fit, key.wear.scale_back), (Some(Fit::Cover), false));
        assert_eq!(key.make(dir.path()).unwrap().pieces.shape(), PieceShape::new(96, 96).unwrap());
        let json = serde_json::to_string(&key).unwrap();
        assert!(json.contains(r#""fit":"cover""#), "{json}");
        let huge = PuzzleKey { cells: Some((u32::MAX, 1)), ..key };
        assert!(huge.read(dir.path()).unwrap_err().to_string().contains("--cells"));
    }
}
