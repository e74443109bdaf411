//! `fretsaw scramble`

use super::Verbosity;
use crate::args::{LayoutArg, ScrambleArgs};
use fretsaw::picture::{
    Crop, Cut, CutSize, Picture, ScrambleSettings, Scrambled, TileError, Tiling, cut, mix, scramble,
};
use fretsaw::puzzle::{Grid, GroundTruth, PieceSet, PieceShape};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::progress::with_spinner;
use fretsaw_io::{
    Layout, PiecesFingerprint, Scramble, TruthFile, TruthInfo, check_output_folder, read_picture,
    read_picture_size, write_scramble,
};
use std::path::Path;

pub(super) fn run(args: &ScrambleArgs, verbosity: Verbosity) -> Result<(), Failure> {
    check_output_folder(&args.out)?;
    let settings = ScrambleSettings {
        puzzle_type: args.puzzle_type,
        seed: args.seed,
        corrupt_rate: args.corrupt,
        drop: args.drop,
    };
    let heap = if args.mix {
        mixed(args, &settings, verbosity)?
    } else {
        single(args, &settings, verbosity)?
    };
    let truth = TruthFile {
        truth: heap.truth,
        info: TruthInfo {
            seed: Some(args.seed),
            source: Some(heap.source),
            puzzle_type: Some(settings.puzzle_type),
            corrupt_rate: args.corrupt,
            num_dropped: heap.num_dropped as u64,
            fingerprint: Some(PiecesFingerprint::of(&heap.pieces)),
        },
    };
    let folder = Scramble {
        pieces: &heap.pieces,
        puzzle_type: settings.puzzle_type,
        grid: heap.grid.filter(|_| !args.hide_size),
        layout: match args.layout {
            LayoutArg::Folder => Layout::Folder,
            LayoutArg::Sheet => Layout::square_sheet(&heap.pieces),
        },
        constant_alpha: heap.constant_alpha,
        truth: &truth,
    };
    with_spinner(verbosity, "writing", || write_scramble(&args.out, &folder))?;
    let sizes = heap.grid.map_or_else(
        || format!("{} pictures", args.images.len()),
        |grid| format!("{} rows x {} columns", grid.rows(), grid.cols()),
    );
    verbosity.say(format!(
        "{}: {} pieces of {} x {} px, {sizes}, seed {}",
        args.out.display(),
        heap.pieces.num_pieces(),
        heap.pieces.shape().width_px(),
        heap.pieces.shape().height_px(),
        args.seed
    ));
    Ok(())
}

/// The pieces of one or several scrambled puzzles.
struct Heap {
    pieces: PieceSet,
    truth: GroundTruth,
    /// The size of the board, if there is only one.
    grid: Option<Grid>,
    constant_alpha: Option<u16>,
    source: String,
    num_dropped: usize,
}

/// Scrambles one puzzle, of one picture or of several side by side.
fn single(
    args: &ScrambleArgs,
    settings: &ScrambleSettings,
    verbosity: Verbosity,
) -> Result<Heap, Failure> {
    let (source, subject) = match &args.images[..] {
        [image] if args.grid.is_none() => (cut_whole(image, args, verbosity)?, image),
        _ => (cut_tiled(args, verbosity)?, &args.out),
    };
    let Scrambled { pieces, grid, truth } =
        with_spinner(verbosity, "scrambling", || scramble(&source.cut, settings))
            .map_err(|error| Failure::scrambling(subject, error))?;
    let Source { constant_alpha, name: source, .. } = source;
    Ok(Heap { pieces, truth, grid: Some(grid), constant_alpha, source, num_dropped: args.drop })
}

/// Scrambles one puzzle per picture, and mixes them.
fn mixed(
    args: &ScrambleArgs,
    settings: &ScrambleSettings,
    verbosity: Verbosity,
) -> Result<Heap, Failure> {
    if settings.puzzle_type.positions_known() {
        return Err(Failure::Usage(
            "--mix is only for types 1 and 2: mixing hides the positions".into(),
        ));
    }
    let mut puzzles = Vec::new();
    let mut names = Vec::new();
    let mut first = None;
    for (image, number) in args.images.iter().zip(0..) {
        let source = cut_whole(image, args, verbosity)?;
        check_alpha(&mut first, image, source.constant_alpha)?;
        // Another seed per picture, so that each gets other turns and other dropped pieces.
        let settings = ScrambleSettings { seed: settings.seed.wrapping_add(number), ..*settings };
        let puzzle =
            scramble(&source.cut, &settings).map_err(|error| Failure::scrambling(image, error))?;
        puzzles.push(puzzle);
        names.push(source.name);
    }
    let mixed = mix(&puzzles, settings.seed);
    let (pieces, truth) = mixed.map_err(|error| Failure::Usage(error.to_string()))?;
    let max_pieces = args.limits.limits().max_pieces;
    if pieces.num_pieces() > max_pieces {
        return Err(Failure::Usage(format!(
            "{} pieces are more than the {max_pieces} that can be solved; give fewer pictures, or a \
             larger --piece",
            pieces.num_pieces()
        )));
    }
    Ok(Heap {
        pieces,
        truth,
        grid: None,
        constant_alpha: first.and_then(|(_, alpha)| alpha),
        source: names.join(", "),
        num_dropped: args.drop * puzzles.len(),
    })
}

/// Refuses a picture with another constant alpha than the first one.
fn check_alpha<'a>(
    first: &mut Option<(&'a Path, Option<u16>)>,
    image: &'a Path,
    alpha: Option<u16>,
) -> Result<(), Failure> {
    match *first.get_or_insert((image, alpha)) {
        (_, first_alpha) if first_alpha == alpha => Ok(()),
        (first, _) => Err(Failure::Usage(format!(
            "{}: has another alpha than {}; convert one of them, or leave it out",
            image.display(),
            first.display()
        ))),
    }
}

/// A picture cut into pieces.
struct Source {
    cut: Cut,
    constant_alpha: Option<u16>,
    /// The file names of the pictures, for `truth.json`.
    name: String,
}

fn file_name(image: &Path) -> String {
    image.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Cuts one picture.
fn cut_whole(image: &Path, args: &ScrambleArgs, verbosity: Verbosity) -> Result<Source, Failure> {
    let read = with_spinner(verbosity, "reading", || read_picture(image, &args.limits.limits()))?;
    let shape = args.piece.shape_in(read.picture.size());
    let cut = cut(&read.picture, shape).map_err(|error| Failure::cutting(image, error))?;
    let (num_pieces, max_pieces) = (cut.pieces.num_pieces(), args.limits.limits().max_pieces);
    if num_pieces > max_pieces {
        return Err(Failure::Usage(format!(
            "{}: {num_pieces} pieces are more than the {max_pieces} that can be solved; give a larger \
             --piece",
            image.display()
        )));
    }
    if !cut.crop.is_none() {
        let Crop { right_px, bottom_px } = cut.crop;
        verbosity.warn(format!(
            "{}: does not divide evenly; {right_px} px at the right and {bottom_px} px at the bottom \
             were left out",
            image.display()
        ));
    }
    Ok(Source { cut, constant_alpha: read.constant_alpha, name: file_name(image) })
}

/// Lays the pictures side by side and cuts the result.
fn cut_tiled(args: &ScrambleArgs, verbosity: Verbosity) -> Result<Source, Failure> {
    let CutSize { height_px: Some(height_px), width_px: Some(width_px) } = args.piece else {
        return Err(Failure::Usage(
            "strips of a picture's full height or width are cut from one picture, without --grid; give \
             --piece in pixels"
                .into(),
        ));
    };
    let piece = PieceShape::new(height_px.get(), width_px.get()).map_err(anyhow::Error::from)?;
    let tiling = plan(args, piece)?;
    for (image, used) in args.images.iter().zip(tiling.uses()) {
        let image = image.display();
        if used.num_used == 0 {
            verbosity.warn(format!("{image}: is not used, because the board is full without it"));
        } else if used.num_left_out() > 0 {
            let (left_out, all) = (used.num_left_out(), used.num_pieces);
            verbosity.warn(format!("{image}: {left_out} of {all} pieces were left out"));
        }
    }
    let (picture, constant_alpha) = with_spinner(verbosity, "reading", || paint(args, &tiling))
        .map_err(|trouble| match trouble {
            Trouble::Reading(failure) => failure,
            Trouble::Tiling(error) => Failure::tiling(&args.images, error),
        })?;
    let cut = cut(&picture, piece).map_err(|error| Failure::cutting(&args.out, error))?;
    let names: Vec<String> =
        tiling.tiles().iter().map(|tile| file_name(&args.images[tile.picture])).collect();
    Ok(Source { cut, constant_alpha, name: names.join(", ") })
}

/// Plans the layout from the sizes of the pictures. Refuses too few or too many pieces before any picture
/// is read.
fn plan(args: &ScrambleArgs, piece: PieceShape) -> Result<Tiling, Failure> {
    let limits = args.limits.limits();
    let mut sizes = Vec::new();
    for (picture, image) in args.images.iter().enumerate() {
        if args.images[..picture].contains(image) {
            return Err(Failure::Usage(format!(
                "{}: is named twice, so that every piece would occur twice; name it once",
                image.display()
            )));
        }
        sizes.push(read_picture_size(image, &limits)?);
    }
    let (cols, max_rows) = args.grid.unzip();
    let tiling = Tiling::new(&sizes, piece, cols, max_rows)
        .map_err(|error| Failure::tiling(&args.images, error))?;
    let (rows, cols) = (tiling.grid().rows(), tiling.grid().cols());
    if let Some(wanted) = max_rows.filter(|wanted| rows < wanted.get()) {
        return Err(Failure::Usage(format!(
            "the pictures fill {rows} of {wanted} rows of {cols} pieces; give more pictures, or a \
             smaller --grid or --piece"
        )));
    }
    let num_pieces = tiling.grid().num_cells();
    let num_pixels = num_pieces as u64 * piece.num_pixels() as u64;
    if num_pieces > limits.max_pieces || num_pixels > limits.max_pixels {
        return Err(Failure::Usage(format!(
            "{cols} x {rows} pieces of {} x {} px are beyond the limit of {} pieces and {} pixels; \
             give a smaller --grid, or fewer pictures",
            piece.width_px(),
            piece.height_px(),
            limits.max_pieces,
            limits.max_pixels
        )));
    }
    Ok(tiling)
}

/// Why pictures were not painted side by side.
enum Trouble {
    Reading(Failure),
    Tiling(TileError),
}

impl From<TileError> for Trouble {
    fn from(error: TileError) -> Self {
        Self::Tiling(error)
    }
}

/// Reads the pictures one by one; returns them side by side, and their constant alpha.
fn paint(args: &ScrambleArgs, tiling: &Tiling) -> Result<(Picture, Option<u16>), Trouble> {
    let mut first = None;
    let whole = tiling.paint(|picture| {
        let image = &args.images[picture];
        let read = read_picture(image, &args.limits.limits())
            .map_err(|error| Trouble::Reading(error.into()))?;
        check_alpha(&mut first, image, read.constant_alpha).map_err(Trouble::Reading)?;
        Ok::<_, Trouble>(read.picture)
    })?;
    Ok((whole, first.and_then(|(_, alpha)| alpha)))
}
