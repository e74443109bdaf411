//! The flags of commands that read a puzzle.

use crate::failure::Failure;
use crate::limits_args::LimitsArgs;
use crate::parse::{parse_piece, parse_trim};
use crate::verbosity::Verbosity;
use clap::Args as ClapArgs;
use fretsaw::picture::SheetLayout;
use fretsaw::preparation::Trim;
use fretsaw::puzzle::PieceShape;
use fretsaw_io::{InputOptions, Prepare, PuzzleInput};
use std::path::{Path, PathBuf};

/// The input files, and the size and layout of the pieces.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// A folder of pieces, piece images, a sheet of pieces, or a zip archive
    #[arg(required = true, value_name = "INPUT", display_order = 0)]
    pub paths: Vec<PathBuf>,
    /// Size of the pieces in pixels: 28, or 40x25 (width x height)
    #[arg(long, value_name = "SIZE", value_parser = parse_piece)]
    pub piece: Option<PieceShape>,
    /// Pixels between the pieces of a sheet [default: found]
    #[arg(long, value_name = "PIXELS")]
    pub gap: Option<u32>,
    /// Pixels around the pieces of a sheet [default: found]
    #[arg(long, value_name = "PIXELS")]
    pub border: Option<u32>,
    /// How large the input may be.
    #[command(flatten)]
    pub limits: LimitsArgs,
}

impl InputArgs {
    /// The options for reading the input, with the known columns and rows of the puzzle.
    pub fn options(&self, columns: Option<u32>, rows: Option<u32>) -> InputOptions {
        InputOptions {
            piece: self.piece,
            columns,
            rows,
            gap_px: self.gap,
            border_px: self.border,
            prepare: Prepare::default(),
            limits: self.limits.limits(),
        }
    }
}

impl InputArgs {
    /// Refuses flags that this input leaves no use for.
    ///
    /// # Errors
    /// If `--gap` or `--border` is given for anything but a sheet without a puzzle file.
    pub fn check_used(&self, input: &PuzzleInput) -> Result<(), Failure> {
        let is_sheet = input.sheet.is_some() && input.declared.is_none();
        let given = [("--gap", self.gap), ("--border", self.border)];
        match given.into_iter().find(|(_, pixels)| pixels.is_some()) {
            Some((flag, _)) if !is_sheet => Err(Failure::Usage(format!(
                "{flag}: only for a sheet without a puzzle.json; leave it out"
            ))),
            _ => Ok(()),
        }
    }
}

/// What to cut off the pieces.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Input")]
pub struct TrimArgs {
    /// Lines to cut off every edge, or auto: dirt and background
    #[arg(long, value_name = "PIXELS", default_value = "auto", hide_default_value = true, value_parser = parse_trim)]
    pub trim: Trim,
}

impl TrimArgs {
    /// The options for reading an input that is trimmed so.
    pub fn on(self, options: InputOptions) -> InputOptions {
        InputOptions { prepare: Prepare::Find(self.trim), ..options }
    }
}

/// Prints the warnings of an input, what was done to its pieces, and the layout found for a sheet.
pub fn tell_input(verbosity: Verbosity, name: &Path, args: &InputArgs, input: &PuzzleInput) {
    for warning in &input.warnings {
        verbosity.warn(warning);
    }
    if let (None, None, Some(layout)) = (args.piece, &input.declared, &input.sheet) {
        verbosity.say(format!(
            "{}: found pieces of {}; if that is wrong, give --piece ('fretsaw inspect' lists other sizes)",
            name.display(),
            describe_layout(layout)
        ));
    }
    if let Some(preparation) = &input.preparation {
        verbosity.say(format!("{}: {preparation}", name.display()));
    }
}

/// A layout in words: size, number, gap and border.
pub fn describe_layout(layout: &SheetLayout) -> String {
    let SheetLayout { shape, columns, rows, gap_x_px, gap_y_px, left_px, top_px, .. } = layout;
    let mut text = format!(
        "{} x {} px, {columns} columns and {rows} rows",
        shape.width_px(),
        shape.height_px()
    );
    if gap_x_px + gap_y_px > 0 {
        text += &format!(", {} px apart", gap_x_px.max(gap_y_px));
    }
    if left_px + top_px > 0 {
        text += &format!(", in a border of {} px", left_px.max(top_px));
    }
    text
}
