//! The flags for output files, and of the commands `apply`, `suggest`, `completions` and `man`.

use clap::Args as ClapArgs;
use clap_complete::Shell;
use fretsaw_cli::input_args::InputArgs;
use fretsaw_cli::limits_args::LimitsArgs;
use std::path::PathBuf;

/// Outputs besides the solved picture.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct ShowArgs {
    /// An HTML page: before and after, confidence, doubtful seams
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// The pieces flying into place, as .gif or animated .png
    #[arg(long, value_name = "FILE")]
    pub(crate) animation: Option<PathBuf>,
    /// Show the solved picture in the terminal
    #[arg(long)]
    pub(crate) preview: bool,
    /// Paint the pieces of the solved picture in even light
    #[arg(long, hide_short_help = true)]
    pub(crate) even_light: bool,
    /// Paint what is missing between worn pieces, interpolated
    #[arg(long, hide_short_help = true)]
    pub(crate) bridge: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw apply solution.json puzzle --out solved.png
  fretsaw apply solution.json pieces-folder --out solved.tif --report report.html

INPUT is the input of the solve, as for 'fretsaw solve'. Several boards are written as solved-1.png, \
solved-2.png and so on.")]
pub(crate) struct ApplyArgs {
    /// The solution, as written by 'fretsaw solve --solution'
    pub(crate) solution: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The solved picture; the file extension selects the format
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// Paint other pieces than those that the solution is of
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw suggest solution.json
  fretsaw suggest solution.json --top 3 --json

Lists the places whose confidence is below 0.9, and alternatives: the candidates of the neighbouring sides, with \
their turns and their likelihoods given the neighbours. Solutions of type 3 puzzles and of other solvers have no \
alternatives.")]
pub(crate) struct SuggestArgs {
    /// The solution, as written by 'fretsaw solve --solution'
    pub(crate) solution: PathBuf,
    /// How many places to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitsArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw completions bash > ~/.local/share/bash-completion/completions/fretsaw
  fretsaw completions fish > ~/.config/fish/completions/fretsaw.fish
  fretsaw completions zsh > _fretsaw

Write the script for zsh to a folder of its $fpath.")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw man | man -l -
  fretsaw man --out man1")]
pub(crate) struct ManArgs {
    /// Write a page for every command into this new or empty folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
