//! `fretsaw scramble`

use super::Talk;
use crate::args::{LayoutArg, ScrambleArgs};
use crate::failure::Failure;
use crate::progress::with_spinner;
use fretsaw::picture::{Crop, ScrambleSettings, cut, scramble};
use fretsaw_io::{
    Limits, Scramble, SheetOrFolder, TruthFile, TruthInfo, check_output_folder, read_picture,
    write_scramble,
};

pub(super) fn run(args: &ScrambleArgs, talk: Talk) -> Result<(), Failure> {
    check_output_folder(&args.out)?;
    let read = with_spinner(talk, "reading", || read_picture(&args.image, &Limits::default()))?;
    let cut =
        cut(&read.picture, args.piece).map_err(|error| Failure::cutting(&args.image, error))?;
    let (num_pieces, max_pieces) = (cut.pieces.num_pieces(), Limits::default().max_pieces);
    if num_pieces > max_pieces {
        return Err(Failure::Usage(format!(
            "{}: {num_pieces} pieces are more than the {max_pieces} that can be solved; give a larger \
             --piece",
            args.image.display()
        )));
    }
    if !cut.crop.is_none() {
        let Crop { right_px, bottom_px } = cut.crop;
        talk.warn(format!(
            "{}: does not divide evenly; {right_px} px at the right and {bottom_px} px at the bottom \
             were left out",
            args.image.display()
        ));
    }
    let settings = ScrambleSettings {
        puzzle_type: args.puzzle_type.into(),
        seed: args.seed,
        corrupt_rate: args.corrupt,
        drop: args.drop,
    };
    let scrambled = with_spinner(talk, "scrambling", || scramble(&cut, &settings))
        .map_err(|error| Failure::scrambling(&args.image, error))?;
    let truth = TruthFile {
        truth: scrambled.truth,
        info: TruthInfo {
            seed: Some(args.seed),
            source: args.image.file_name().map(|name| name.to_string_lossy().into_owned()),
            puzzle_type: Some(settings.puzzle_type),
            corrupt_rate: args.corrupt,
            num_dropped: args.drop as u64,
        },
    };
    let folder = Scramble {
        pieces: &scrambled.pieces,
        puzzle_type: settings.puzzle_type,
        grid: (!args.hide_size).then_some(scrambled.grid),
        layout: match args.layout {
            LayoutArg::Folder => SheetOrFolder::Folder,
            LayoutArg::Sheet => SheetOrFolder::Sheet { columns: None },
        },
        constant_alpha: read.constant_alpha,
        truth: &truth,
    };
    with_spinner(talk, "writing", || write_scramble(&args.out, &folder))?;
    talk.say(format!(
        "{}: {} pieces of {} x {} px, {} rows x {} columns, seed {}",
        args.out.display(),
        scrambled.pieces.num_pieces(),
        args.piece.width_px(),
        args.piece.height_px(),
        scrambled.grid.rows(),
        scrambled.grid.cols(),
        args.seed
    ));
    Ok(())
}
