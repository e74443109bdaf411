//! The outputs of a solution: boards as pictures, report, animation and preview. All are checked before a
//! solve, and one that fails does not keep the others from being written.

use crate::args::outputs::ShowArgs;
use fretsaw::picture::{Picture, RenderError, bridged, render};
use fretsaw::puzzle::PieceSet;
use fretsaw::solution::even_light;
use fretsaw_cli::failure::{Failure, Failures};
use fretsaw_cli::progress::with_spinner;
use fretsaw_cli::stdout::print_raw;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{
    Limits, SolutionFile, SolutionInfo, check_file_target, check_picture_target, write_bytes,
    write_picture, write_solution, write_text,
};
use fretsaw_view::animation::{AnimationFormat, animation};
use fretsaw_view::report::{About, page};
use fretsaw_view::terminal::{Colors, preview};
use fretsaw_view::{Answer, Details, EncodeError, OtherPuzzle};
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// A solution to show.
pub(crate) struct ToShow<'a> {
    pub(crate) pieces: &'a PieceSet,
    pub(crate) constant_alpha: Option<u16>,
    pub(crate) solution: &'a SolutionFile,
    /// The input that the puzzle was read from.
    pub(crate) input: &'a Path,
    pub(crate) warnings: Vec<String>,
    /// How large its boards may be.
    pub(crate) limits: &'a Limits,
}

/// Checks the outputs before the solve.
pub(crate) fn check_shown(show: &ShowArgs) -> Result<(), Failure> {
    if let Some(path) = &show.report {
        check_file_target(path)?;
    }
    if let Some(path) = &show.animation {
        animation_format(path)?;
        check_file_target(path)?;
    }
    Ok(())
}

fn animation_format(path: &Path) -> Result<AnimationFormat, Failure> {
    AnimationFormat::from_path(path).ok_or_else(|| {
        Failure::Usage(format!(
            "{}: an animation is written as .gif, .png or .apng; use one of these extensions",
            path.display()
        ))
    })
}

/// The first unused name for the solved picture beside the input: NAME-solved.png, NAME-solved-2.png, ...
pub(crate) fn free_output(input: &Path) -> Result<PathBuf, Failure> {
    // The input may be '.'. For several files it is their folder.
    let absolute = std::path::absolute(input).unwrap_or_else(|_| input.to_path_buf());
    let stem = if absolute.is_dir() { absolute.file_name() } else { absolute.file_stem() };
    let stem = stem.unwrap_or(OsStr::new("puzzle")).to_string_lossy().into_owned();
    let is_named = input.file_name().is_some();
    let folder = if is_named { input.parent() } else { absolute.parent() };
    let folder = folder.unwrap_or(Path::new(""));
    let numbers =
        std::iter::once(String::new()).chain((2..1000).map(|number| format!("-{number}")));
    let mut names = numbers.map(|number| folder.join(format!("{stem}-solved{number}.png")));
    // Names of several boards have a number appended.
    let is_free = |path: &PathBuf| !path.exists() && !board_paths(path, 2)[0].exists();
    names.find(is_free).ok_or_else(|| {
        Failure::Usage(format!(
            "{}: too many solved pictures; name one with --out",
            folder.display()
        ))
    })
}

/// The files of the boards: `out` for a single board, else with the board's number before the extension.
pub(crate) fn board_paths(out: &Path, num_boards: usize) -> Vec<PathBuf> {
    if num_boards == 1 {
        return vec![out.into()];
    }
    let stem = out.file_stem().unwrap_or_default();
    let numbered = |number: usize| {
        let mut name = stem.to_os_string();
        name.push(format!("-{number}"));
        if let Some(ending) = out.extension() {
            name.push(".");
            name.push(ending);
        }
        out.with_file_name(name)
    };
    (1..=num_boards).map(numbered).collect()
}

/// What was written, and what was not.
pub(crate) struct Written {
    /// The pictures that were written.
    boards: Vec<PathBuf>,
    preview: Option<String>,
}

impl Written {
    /// Paints, encodes and writes everything. What fails is noted, and everything else is written all the same.
    pub(crate) fn new(
        to_show: &ToShow<'_>,
        out: &Path,
        show: &ShowArgs,
        failures: &mut Failures,
        verbosity: Verbosity,
    ) -> Self {
        let mut written = Self { boards: Vec::new(), preview: None };
        let &ToShow { pieces, solution, input, ref warnings, .. } = to_show;
        let SolutionFile { assembly, confidences, seams, suggestions, names, .. } = solution;
        let details = Details { confidences, seams, suggestions, names };
        let answer = Answer::new(pieces, assembly, details)
            .map_err(|error: OtherPuzzle| Failure::Usage(format!("{}: {error}", input.display())));
        let Some(answer) = failures.note(answer) else { return written };
        if failures.note(check_canvases(to_show, out)).is_none() {
            return written;
        }
        if let Some(painter) = failures.note(Painter::new(to_show, show, verbosity)) {
            let paths = board_paths(out, assembly.boards().len());
            with_spinner(verbosity, "writing", || {
                for (board, path) in paths.into_iter().enumerate() {
                    if failures.note(painter.write(board, &path)).is_some() {
                        written.boards.push(path);
                    }
                }
            });
        }
        let encoding = |path: &Path, error: EncodeError| {
            Failure::Failed(format!("{}: {error}", path.display()))
        };
        if let Some(path) = &show.report {
            let about = about(input, warnings.clone(), &solution.info);
            let page = with_spinner(verbosity, "report", || page(answer, &about));
            let page = page.map_err(|error| encoding(path, error));
            failures.note(page.and_then(|page| Ok(write_text(path, &page)?)));
        }
        if let Some(path) = &show.animation {
            let bytes = animation_format(path).and_then(|format| {
                let bytes = with_spinner(verbosity, "animation", || animation(answer, format));
                bytes.map_err(|error| encoding(path, error))
            });
            failures.note(bytes.and_then(|bytes| Ok(write_bytes(path, &bytes)?)));
        }
        written.preview = show.preview.then(|| terminal_preview(answer, verbosity)).flatten();
        written
    }

    /// Prints the preview, if there is one.
    pub(crate) fn print_preview(&self) -> Result<(), Failure> {
        self.preview.as_ref().map_or(Ok(()), |preview| print_raw(preview.trim_end_matches('\n')))
    }

    /// The names of the pictures, for messages.
    pub(crate) fn board_names(&self) -> String {
        let names = self.boards.iter().map(|path| path.display().to_string());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Whether a picture was written.
    pub(crate) const fn has_boards(&self) -> bool {
        !self.boards.is_empty()
    }
}

/// Refuses a solution without a board, and boards whose pictures are beyond the limits.
fn check_canvases(to_show: &ToShow<'_>, out: &Path) -> Result<(), Failure> {
    let boards = to_show.solution.assembly.boards();
    if boards.is_empty() {
        return Err(Failure::Failed(format!(
            "{}: the solution has no board; there is nothing to paint",
            out.display()
        )));
    }
    let shape = to_show.pieces.shape();
    for grid in boards {
        to_show.limits.check_board(*grid, shape).map_err(|problem| problem.at(out))?;
    }
    Ok(())
}

/// Refuses boards that cannot be painted, or not in the format that was asked for.
pub(crate) fn check_boards(to_show: &ToShow<'_>, out: &Path) -> Result<(), Failure> {
    check_canvases(to_show, out)?;
    let assembly = &to_show.solution.assembly;
    let paths = board_paths(out, assembly.boards().len());
    for (board, path) in paths.iter().enumerate() {
        let picture = render(to_show.pieces, assembly, board)
            .map_err(|error| Failure::painting(path, error))?;
        let (channels, bits) = (picture.channels(), picture.samples().bits());
        check_picture_target(path, channels, bits, to_show.constant_alpha)?;
    }
    Ok(())
}

/// Writes a solution where no output could be written, so that a long solve is not lost: to the folder of `out`, the
/// current folder or the folder for temporary files. Returns its name.
pub(crate) fn rescue(out: &Path, solution: &SolutionFile) -> Option<PathBuf> {
    let stem = out.file_stem().unwrap_or(OsStr::new("answer")).to_string_lossy().into_owned();
    let folders = [out.parent().unwrap_or(Path::new("")).to_path_buf(), std::env::temp_dir()];
    folders.into_iter().find_map(|folder| {
        let mut names = (1..100).map(|number| folder.join(format!("{stem}-rescued-{number}.json")));
        let path = names.find(|path| !path.exists())?;
        write_solution(&path, solution).ok()?;
        Some(path)
    })
}

/// The information about the solve for the report.
fn about(input: &Path, warnings: Vec<String>, info: &SolutionInfo) -> About {
    About {
        title: input.display().to_string(),
        warnings,
        facts: info.facts(),
        timings: info.timings.iter().map(|it| (it.stage.clone(), it.seconds)).collect(),
        settings: (!info.settings.is_null()).then(|| format!("{:#}", info.settings)),
    }
}

/// Paints boards as the flags ask for.
struct Painter<'a> {
    to_show: &'a ToShow<'a>,
    /// The pieces in even light, if they are painted so.
    evened: Option<PieceSet>,
    /// The pixels to paint between pieces.
    gap_px: usize,
}

impl<'a> Painter<'a> {
    fn new(
        to_show: &'a ToShow<'a>,
        show: &ShowArgs,
        verbosity: Verbosity,
    ) -> Result<Self, Failure> {
        let &ToShow { pieces, solution, input, .. } = to_show;
        let evened = show.even_light.then(|| even_light(pieces, &solution.seams).on(pieces));
        let gap_px =
            if show.bridge { gap_to_bridge(pieces, solution, input, verbosity)? } else { 0 };
        Ok(Self { to_show, evened: evened.flatten(), gap_px })
    }

    fn paint(&self, board: usize) -> Result<Picture, RenderError> {
        let assembly = &self.to_show.solution.assembly;
        let pieces = self.evened.as_ref().unwrap_or(self.to_show.pieces);
        let picture = render(pieces, assembly, board)?;
        match self.gap_px {
            0 => Ok(picture),
            gap_px => bridged(&picture, assembly.boards()[board], gap_px),
        }
    }

    /// Paints and writes one board.
    fn write(&self, board: usize, path: &Path) -> Result<(), Failure> {
        let picture = self.paint(board).map_err(|error| Failure::painting(path, error))?;
        Ok(write_picture(path, &picture, self.to_show.constant_alpha)?)
    }
}

/// The width of the gap to paint between pieces, in whole pixels. Warns if there is none.
fn gap_to_bridge(
    pieces: &PieceSet,
    solution: &SolutionFile,
    input: &Path,
    verbosity: Verbosity,
) -> Result<usize, Failure> {
    let gap_px = solution.info.wear.map_or(0.0, |wear| wear.gap_px).round();
    let side_px = pieces.shape().height_px().min(pieces.shape().width_px());
    if gap_px > f64::from(side_px) {
        return Err(Failure::Usage(format!(
            "{}: --bridge: the solution says that {gap_px} px are missing between pieces of {side_px} px; correct \
             it, or leave --bridge out",
            input.display()
        )));
    }
    if gap_px < 1.0 {
        verbosity.warn("nothing to bridge: no gap between the pieces is known");
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to the side of a piece"
    )]
    Ok(gap_px.max(0.0) as usize)
}

/// The preview, as wide as the terminal. Warns and returns `None` if there is no suitable terminal.
fn terminal_preview(answer: Answer<'_>, verbosity: Verbosity) -> Option<String> {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if !std::io::stdout().is_terminal() || variable("TERM") == "dumb" {
        verbosity.warn("no preview: standard output is not a terminal that can show pictures");
        return None;
    }
    let colors = match variable("COLORTERM").as_str() {
        "truecolor" | "24bit" => Colors::True,
        _ => Colors::Indexed,
    };
    let columns = terminal_size::terminal_size().map_or(80, |(width, _)| width.0);
    Some(preview(answer, columns.into(), colors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_output_lies_beside_the_input_and_is_never_an_existing_file() {
        let dir = tempfile::tempdir().unwrap();
        let tiles = dir.path().join("tiles");
        std::fs::create_dir(&tiles).unwrap();
        let expected = |name: &str| dir.path().join(name);
        assert_eq!(free_output(&tiles).unwrap(), expected("tiles-solved.png"));
        std::fs::write(expected("tiles-solved.png"), "").unwrap();
        assert_eq!(free_output(&tiles).unwrap(), expected("tiles-solved-2.png"));
        std::fs::write(expected("tiles-solved-2-1.png"), "").unwrap();
        assert_eq!(free_output(&tiles).unwrap(), expected("tiles-solved-3.png"));
        let sheet = expected("sheet.v2.png");
        std::fs::write(&sheet, "").unwrap();
        assert_eq!(free_output(&sheet).unwrap(), expected("sheet.v2-solved.png"));
        assert_eq!(free_output(Path::new("sheet.png")).unwrap(), PathBuf::from("sheet-solved.png"));
    }

    #[test]
    fn several_boards_are_numbered_before_the_extension() {
        let paths = |out: &str, num| board_paths(Path::new(out), num);
        assert_eq!(paths("a/solved.png", 1), [PathBuf::from("a/solved.png")]);
        assert_eq!(
            paths("a/solved.v2.png", 2),
            ["a/solved.v2-1.png", "a/solved.v2-2.png"].map(PathBuf::from)
        );
    }
}
