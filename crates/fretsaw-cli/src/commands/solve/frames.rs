//! `--same-scramble`: several pictures that were cut and scrambled alike, such as pages or frames of a video.

use crate::args::solve::SolveArgs;
use crate::outputs::{board_paths, free_output};
use fretsaw::picture::render;
use fretsaw::{Assembly, PieceSet};
use fretsaw_cli::failure::{Failure, Failures};
use fretsaw_io::{InputOptions, PuzzleInput, read_input, write_picture};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// At most this many pictures besides the first are compared; of more, some at even distances.
const MAX_COMPARED: usize = 7;

/// The pictures besides the first, which are read one at a time.
pub(super) struct Frames<'a> {
    paths: &'a [PathBuf],
    options: InputOptions,
    num_pieces: usize,
}

/// The files of the solved pictures, one for each input.
pub(super) fn outputs(args: &SolveArgs) -> Result<Vec<PathBuf>, Failure> {
    let inputs = &args.input.paths;
    let Some(out) = &args.output.out else {
        return inputs.iter().map(|path| free_output(path)).collect();
    };
    Ok(board_paths(out, inputs.len()))
}

impl<'a> Frames<'a> {
    /// The inputs besides the first, to be cut as that one was.
    pub(super) fn new(args: &'a SolveArgs, first: &PuzzleInput) -> Result<Self, Failure> {
        let paths = args.input.paths.get(1..).unwrap_or_default();
        let Some(layout) = first.sheet.filter(|_| !paths.is_empty()) else {
            return Err(Failure::Usage(
                "--same-scramble needs two pictures or more, each a sheet of all pieces; name them, or leave it \
                 out"
                .into(),
            ));
        };
        let options = InputOptions {
            piece: Some(layout.shape),
            gap_px: Some(layout.gap_x_px.max(layout.gap_y_px)),
            border_px: Some(layout.left_px.max(layout.top_px)),
            ..super::trimming(args).on(args.input.options(None, None))
        };
        Ok(Self { paths, options, num_pieces: first.pieces.num_pieces() })
    }

    fn read(&self, path: &Path) -> Result<PuzzleInput, Failure> {
        let input = read_input(path, &self.options)?;
        let found = input.pieces.num_pieces();
        if found == self.num_pieces {
            return Ok(input);
        }
        Err(Failure::Usage(format!(
            "{}: has {found} pieces, but the first picture has {}; --same-scramble is for pictures of the same \
             size",
            path.display(),
            self.num_pieces
        )))
    }

    /// The pieces of those that are compared.
    pub(super) fn compared(&self) -> Result<Vec<Arc<PieceSet>>, Failure> {
        let number = self.paths.len().min(MAX_COMPARED);
        let chosen = (1..=number).map(|at| &self.paths[at * self.paths.len() / number - 1]);
        chosen.map(|path| Ok(self.read(path)?.pieces)).collect()
    }

    /// Writes the solved pictures. One that fails does not keep the others from being written.
    pub(super) fn write(&self, assembly: &Assembly, outputs: &[PathBuf], failures: &mut Failures) {
        for (path, out) in self.paths.iter().zip(outputs) {
            failures.note(self.write_one(assembly, path, out));
        }
    }

    fn write_one(&self, assembly: &Assembly, path: &Path, out: &Path) -> Result<(), Failure> {
        let input = self.read(path)?;
        let painted = render(&input.pieces, assembly, 0);
        let painted = painted.map_err(|error| Failure::painting(out, error))?;
        Ok(write_picture(out, &painted, input.constant_alpha)?)
    }
}
