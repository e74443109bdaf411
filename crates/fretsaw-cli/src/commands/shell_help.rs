//! `fretsaw completions` and `fretsaw man`: completion scripts and manual pages, generated from the flags.

use crate::args::Args;
use crate::args::outputs::{CompletionsArgs, ManArgs};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_io::{write_bytes, write_folder};

/// The page of the program itself, written last.
const MAIN_PAGE: &str = "fretsaw.1";

pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "fretsaw", &mut script);
    print_line(String::from_utf8_lossy(&script).trim_end())
}

pub(super) fn man(args: &ManArgs) -> Result<(), Failure> {
    // No page for `help`.
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let Some(dir) = &args.out else {
        let (_, page) = page(&command);
        return print_line(String::from_utf8_lossy(&page).trim_end());
    };
    let mut pages = Vec::new();
    add_pages(&command, &mut pages);
    write_folder(dir, MAIN_PAGE, |dir| {
        pages.iter().try_for_each(|(name, page)| write_bytes(&dir.join(name), page))
    })?;
    Ok(())
}

/// Adds the pages of a command and of all its subcommands.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) {
    pages.push(page(command));
    command.get_subcommands().for_each(|inner| add_pages(inner, pages));
}

/// The file name of a page, such as `fretsaw-solve.1`, and the page.
fn page(command: &Command) -> (String, Vec<u8>) {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = man.render(&mut page);
    (man.get_filename(), page)
}
