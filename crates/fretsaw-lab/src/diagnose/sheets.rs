//! How often the size of a sheet's pieces is found: sheets made of the pictures of sets, scrambled,
//! with and without gaps and borders, as they are and saved as JPEG.

use super::print_tables;
use crate::groups::group_by;
use crate::images::{Images, images_of};
use crate::picture_changes::{in_8_bits, recompressed, shrunk};
use crate::puzzle_args::check_positive;
use crate::results::write_lines;
use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use fretsaw::picture::{
    LayoutCandidate, Picture, ScrambleSettings, SheetHints, SheetLayout, cut, find_layouts,
    scramble,
};
use fretsaw::puzzle::{PieceSet, PieceShape, PuzzleType, Samples};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::Table;
use fretsaw_cli::threads::with_threads;
use fretsaw_io::{Limits, check_file_target, read_picture};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::path::PathBuf;

/// The sides of pieces, in pixels.
const PIECE_PX: std::ops::RangeInclusive<u32> = 16..=64;

/// The quality of sheets that are saved as JPEG.
const JPEG_QUALITY: u8 = 90;

/// The columns and rows of sheets of few tiles, and the largest side of their pictures in pixels.
const FEW_TILES: std::ops::RangeInclusive<u32> = 4..=8;
const FEW_TILES_PX: usize = 1000;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose sheets --data sets --count 200 --seed 1
  fretsaw-lab diagnose sheets --data sets --sets mit-432,/my/pages --count 24 --few-tiles

Pieces are 16 to 64 pixels wide and high; every other sheet has square ones. Every other two are saved as \
JPEG of quality 90; every fourth four have a gap of up to 4 pixels or a border of up to 8. Pictures are \
scrambled as type 1 or 2.

With --few-tiles, pictures are made smaller to at most 1000 pixels and cut into 4 to 8 columns and rows; every \
third sheet has square pieces. All are PNG without gaps and borders. The sets take turns.

right          sheets whose first candidate has the right size
layout right   sheets whose first candidate has the right gaps, borders, rows and columns, too")]
pub(crate) struct SheetsArgs {
    #[command(flatten)]
    sheets: SheetRun,
    /// What was found, one JSON line per sheet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Threads to use, one per sheet [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct SheetRun {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets, or other folders of pictures [default: all folders of pictures]
    #[arg(long, value_delimiter = ',')]
    pub(crate) sets: Vec<String>,
    /// How many sheets to make
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) count: usize,
    /// Cut every picture into 4 to 8 columns and rows
    #[arg(long)]
    pub(crate) few_tiles: bool,
    /// The same seed gives the same sheets
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

pub(crate) fn diagnose(args: &SheetsArgs) -> Result<(), Failure> {
    check_positive("--count", args.sheets.count)?;
    args.out.as_deref().map_or(Ok(()), check_file_target)?;
    let records = with_threads(args.threads, || args.sheets.run())??;
    if let Some(out) = &args.out {
        write_lines(out, &records)?;
    }
    print_tables([failures(&records), summary(&records)])
}

/// A sheet, and what was found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SheetRecord {
    pub(crate) set: String,
    pub(crate) image: String,
    /// The puzzle's type, 1 or 2.
    pub(crate) r#type: u8,
    /// Width and height of a piece in pixels.
    pub(crate) piece: [u32; 2],
    /// Columns and rows of pieces.
    pub(crate) grid: [u32; 2],
    /// Pixels between pieces.
    pub(crate) gap: u32,
    /// Pixels around all pieces together.
    pub(crate) border: u32,
    pub(crate) jpeg: bool,
    /// Width and height of a piece of the first candidate, if there is one.
    pub(crate) found: Option<[u32; 2]>,
    /// Columns, rows, gap and border of the first candidate are right, too.
    pub(crate) layout_right: bool,
    /// The rank of the right size among the candidates, from 1.
    pub(crate) rank: Option<usize>,
    pub(crate) score: Option<f64>,
}

impl SheetRecord {
    /// A PNG without gaps, of which nothing more is known yet.
    fn new(set: &str, image: &str, is_type_1: bool) -> Self {
        Self {
            set: set.into(),
            image: image.into(),
            r#type: if is_type_1 { 1 } else { 2 },
            piece: [0, 0],
            grid: [0, 0],
            gap: 0,
            border: 0,
            jpeg: false,
            found: None,
            layout_right: false,
            rank: None,
            score: None,
        }
    }

    /// Whether the first candidate has the right size.
    pub(crate) fn is_right(&self) -> bool {
        self.rank == Some(1)
    }

    const fn saved_as(&self) -> &'static str {
        if self.jpeg { "JPEG 90" } else { "PNG" }
    }

    /// How it is saved, whether pieces are oblong, and whether there is a gap or a border.
    const fn kind(&self) -> (bool, bool, bool) {
        (self.jpeg, self.piece[0] != self.piece[1], self.gap > 0 || self.border > 0)
    }
}

/// How one sheet is made.
struct Recipe {
    /// What is known before the sheet is made.
    record: SheetRecord,
    /// What the size of the pieces is computed from, if they are not of the size in the record.
    few_tiles: Option<FewTiles>,
    /// Whether the sheet has as many columns as the picture, or is about square.
    keeps_columns: bool,
    /// The colour of gaps and border.
    background: [u8; 3],
    seed: u64,
}

/// The number of tiles of a picture.
struct FewTiles {
    columns: u32,
    rows: u32,
    are_square: bool,
}

impl FewTiles {
    /// Width and height of a tile. Square tiles have the smaller of both.
    fn piece_of(&self, picture: &Picture) -> anyhow::Result<[u32; 2]> {
        let width = u32::try_from(picture.width_px())? / self.columns;
        let height = u32::try_from(picture.height_px())? / self.rows;
        let side = width.min(height);
        Ok(if self.are_square { [side, side] } else { [width, height] })
    }
}

/// A sheet of few tiles; the sets take turns.
fn few_tiles(
    number: usize,
    sets: &[Vec<(&String, String)>],
    rng: &mut ChaCha8Rng,
) -> anyhow::Result<Recipe> {
    let (set, image) = sets[number % sets.len()].choose(rng).context("there are no pictures")?;
    let (columns, rows) = (rng.random_range(FEW_TILES), rng.random_range(FEW_TILES));
    let are_square = (number / sets.len()).is_multiple_of(3);
    let record = SheetRecord::new(set, image, rng.random());
    let few_tiles = Some(FewTiles { columns, rows, are_square });
    let background = [0; 3];
    Ok(Recipe { record, few_tiles, keeps_columns: true, background, seed: rng.random() })
}

/// A sheet of pieces of 16 to 64 pixels. Every other sheet is square, every other two are JPEG files, every fourth
/// pair of them has a gap or a border; everything else is drawn.
fn many_pieces(
    number: usize,
    pictures: &[(&String, String)],
    rng: &mut ChaCha8Rng,
) -> anyhow::Result<Recipe> {
    let (set, image) = pictures.choose(rng).context("there are no pictures")?;
    let width = rng.random_range(PIECE_PX);
    let height = if number.is_multiple_of(2) { width } else { rng.random_range(PIECE_PX) };
    let is_spaced = number / 4 % 4 == 3;
    let (gap, border) = (rng.random_range(0..=4), rng.random_range(0..=8));
    let grey: u8 = *[0, 255, 128].choose(rng).context("there are no greys")?;
    let hue = [rng.random(), rng.random(), rng.random()];
    let record = SheetRecord {
        piece: [width, height],
        gap: if is_spaced { gap } else { 0 },
        border: if is_spaced { border } else { 0 },
        jpeg: number / 2 % 2 == 1,
        ..SheetRecord::new(set, image, rng.random())
    };
    let (keeps_columns, is_grey) = (rng.random(), rng.random());
    let background = if is_grey { [grey; 3] } else { hue };
    Ok(Recipe { record, few_tiles: None, keeps_columns, background, seed: rng.random() })
}

impl SheetRun {
    /// Makes the sheets and looks for their pieces.
    pub(crate) fn run(&self) -> anyhow::Result<Vec<SheetRecord>> {
        self.recipes()?.into_par_iter().map(|recipe| self.run_one(recipe)).collect()
    }

    fn recipes(&self) -> anyhow::Result<Vec<Recipe>> {
        let mut pictures = Vec::new();
        let sets = if self.sets.is_empty() { sets_in(&self.data)? } else { self.sets.clone() };
        for set in &sets {
            let images = images_of(&self.data.join(set), Images::All)?;
            pictures.push(images.into_iter().map(|image| (set, image)).collect::<Vec<_>>());
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        if self.few_tiles {
            return (0..self.count).map(|number| few_tiles(number, &pictures, &mut rng)).collect();
        }
        let pictures = pictures.concat();
        (0..self.count).map(|number| many_pieces(number, &pictures, &mut rng)).collect()
    }

    fn run_one(&self, recipe: Recipe) -> anyhow::Result<SheetRecord> {
        let Recipe { mut record, few_tiles, keeps_columns, background, seed } = recipe;
        let path = self.data.join(&record.set).join(&record.image);
        let mut picture = in_8_bits(&read_picture(&path, &Limits::default())?.picture);
        if let Some(few_tiles) = few_tiles {
            let largest_px = picture.width_px().max(picture.height_px());
            if largest_px > FEW_TILES_PX {
                picture = shrunk(&picture, FEW_TILES_PX as f64 / largest_px as f64)?;
            }
            record.piece = few_tiles.piece_of(&picture)?;
        }
        let [width_px, height_px] = record.piece;
        let shape = PieceShape::new(height_px, width_px)?;
        let cut = cut(&picture, shape).with_context(|| path.display().to_string())?;
        let puzzle_type = if record.r#type == 1 { PuzzleType::Type1 } else { PuzzleType::Type2 };
        let pieces = scramble(&cut, &ScrambleSettings::new(puzzle_type, seed))?.pieces;
        let num_pieces = u32::try_from(pieces.num_pieces())?;
        let columns = if keeps_columns { cut.grid.cols() } else { num_pieces.isqrt().max(1) };
        let (gap_px, border_px) = (record.gap, record.border);
        let layout = SheetLayout {
            shape,
            columns,
            rows: num_pieces.div_ceil(columns),
            gap_x_px: gap_px,
            gap_y_px: gap_px,
            left_px: border_px,
            top_px: border_px,
            right_px: border_px,
            bottom_px: border_px,
        };
        record.grid = [layout.columns, layout.rows];
        let mut sheet = lay_out(&pieces, &layout, background)?;
        if record.jpeg {
            sheet = recompressed(&sheet, JPEG_QUALITY, (0, 0))?;
        }
        let candidates = find_layouts(&sheet, &SheetHints::default());
        let is_right = |found: &LayoutCandidate| found.layout.shape == shape;
        record.rank = candidates.iter().position(is_right).map(|place| place + 1);
        if let Some(LayoutCandidate { layout: found, score, .. }) = candidates.first() {
            record.found = Some([found.shape.width_px(), found.shape.height_px()]);
            record.layout_right = *found == layout;
            record.score = Some(*score);
        }
        Ok(record)
    }
}

/// The pieces on a sheet. Gaps, border and the rest of the last row have the background's colour.
fn lay_out(
    pieces: &PieceSet,
    layout: &SheetLayout,
    background: [u8; 3],
) -> anyhow::Result<Picture> {
    let Samples::U8(values) = pieces.samples() else { anyhow::bail!("pictures must have 8 bits") };
    let channels = pieces.channels();
    ensure!(channels <= 3, "pictures must have at most 3 channels");
    let (width, height) = (layout.shape.width_px() as usize, layout.shape.height_px() as usize);
    let (last_left, _) = layout.corner_of(layout.columns as usize - 1);
    let (_, last_top) = layout.corner_of((layout.rows as usize - 1) * layout.columns as usize);
    let width_px = last_left + width + layout.right_px as usize;
    let height_px = last_top + height + layout.bottom_px as usize;
    let mut sheet = background[..channels].repeat(width_px * height_px);
    for piece in pieces.ids() {
        let (left, top) = layout.corner_of(piece.index());
        for row in 0..height {
            let from = pieces.offset_of(piece, row, 0);
            let to = ((top + row) * width_px + left) * channels;
            sheet[to..to + width * channels]
                .copy_from_slice(&values[from..from + width * channels]);
        }
    }
    Ok(Picture::new(height_px, width_px, channels, Samples::U8(sheet))?)
}

/// How many sheets have the right size as first candidate, by kind, and all together.
pub(crate) fn summary(records: &[SheetRecord]) -> Table {
    let mut table = Table::with_columns(
        "saved as | pieces | gap or border | sheets | right | % | layout right",
    );
    let mut groups = group_by(records, SheetRecord::kind);
    groups.sort_by_key(|(kind, _)| *kind);
    let named = groups.into_iter().map(|((_, is_oblong, is_spaced), chosen)| {
        let pieces = if is_oblong { "oblong" } else { "square" };
        ([chosen[0].saved_as(), pieces, if is_spaced { "yes" } else { "no" }], chosen)
    });
    let all = (!records.is_empty()).then(|| (["all"; 3], records.iter().collect()));
    for ([saved, pieces, spaced], chosen) in named.chain(all) {
        let right = chosen.iter().filter(|record| record.is_right()).count();
        let layouts = chosen.iter().filter(|record| record.layout_right).count();
        table.push(row! {
            saved, pieces, spaced, chosen.len(), right,
            format!("{:.1}", 100.0 * right as f64 / chosen.len() as f64), layouts,
        });
    }
    table
}

/// The sheets whose first candidate has a wrong size.
pub(crate) fn failures(records: &[SheetRecord]) -> Table {
    let mut table = Table::with_columns(
        "picture | type | saved as | piece | grid | gap | border | found | rank",
    );
    let size = |[width, height]: [u32; 2]| format!("{width}x{height}");
    for record in records.iter().filter(|record| !record.is_right()) {
        table.push(row! {
            format!("{}/{}", record.set, record.image), record.r#type,
            record.saved_as(), size(record.piece), size(record.grid),
            record.gap, record.border, record.found.map_or("-".into(), size),
            record.rank.map_or("-".into(), |rank| rank.to_string()),
        });
    }
    table
}

/// Names of the folders in `data` that hold pictures, sorted.
fn sets_in(data: &std::path::Path) -> anyhow::Result<Vec<String>> {
    let unreadable = || format!("cannot read {}", data.display());
    let mut sets = Vec::new();
    for entry in std::fs::read_dir(data).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.is_dir() && images_of(&path, Images::All).is_ok() {
            sets.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    ensure!(!sets.is_empty(), "{} holds no folders of pictures", data.display());
    sets.sort();
    Ok(sets)
}
