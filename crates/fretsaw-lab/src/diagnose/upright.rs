//! How often the guess of which way up a picture is, is right.

use crate::images::{Images, images_of};
use clap::Args as ClapArgs;
use fretsaw::Picture;
use fretsaw::puzzle::{QuarterTurn, TurnSet};
use fretsaw::solution::UprightGuess;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_io::{Limits, read_picture};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose upright --data sets --sets mit-432,mcgill-540

All pictures must be upright. The guess for a turned picture is the turned guess, so each picture is looked at \
once. Prints for each set how often the most probable turn is right, and the same for the pictures of which the \
guess is sure, which 'solve' turns; then the same if only half turns are possible, as with a known grid.")]
pub(crate) struct UprightArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The sets
    #[arg(long, value_delimiter = ',', required = true)]
    sets: Vec<String>,
}

pub(crate) fn diagnose(args: &UprightArgs) -> Result<(), Failure> {
    let mut table = Table::with_columns(
        "set | pictures | right % | sure % | right % of sure | \
         half turns: right % | sure % | right % of sure",
    );
    let mut total = [Counts::default(); 2];
    for set in &args.sets {
        let folder = args.data.join(set);
        let mut counts = [Counts::default(); 2];
        for image in images_of(&folder, Images::All)? {
            let picture = read_picture(&folder.join(image), &Limits::default())?.picture;
            for (counts, turns) in counts.iter_mut().zip([TurnSet::Quarter, TurnSet::Half]) {
                counts.add(&picture, turns);
            }
        }
        table.push(row(set, &counts));
        for (total, counts) in total.iter_mut().zip(&counts) {
            total.merge(counts);
        }
    }
    table.push(row("all", &total));
    print_line(table)
}

fn row(name: &str, counts: &[Counts; 2]) -> Vec<String> {
    let shares = counts.iter().flat_map(Counts::shares);
    [name.into(), counts[0].pictures.to_string()].into_iter().chain(shares).collect()
}

#[derive(Clone, Copy, Default)]
struct Counts {
    pictures: usize,
    right: usize,
    sure: usize,
    sure_and_right: usize,
}

impl Counts {
    /// Counts the guess for an upright picture.
    fn add(&mut self, picture: &Picture, turns: TurnSet) {
        let guess = UprightGuess::of(picture, turns);
        let is_right = guess.best() == QuarterTurn::ZERO;
        self.pictures += 1;
        self.right += usize::from(is_right);
        self.sure += usize::from(guess.sure().is_some());
        self.sure_and_right += usize::from(is_right && guess.sure().is_some());
    }

    fn merge(&mut self, other: &Self) {
        self.pictures += other.pictures;
        self.right += other.right;
        self.sure += other.sure;
        self.sure_and_right += other.sure_and_right;
    }

    /// Right, sure, and right of the sure ones, in percent.
    fn shares(&self) -> [String; 3] {
        let percent = |part: usize, of: usize| match of {
            0 => "-".into(),
            _ => format!("{:.1}", 100.0 * part as f64 / of as f64),
        };
        [
            percent(self.right, self.pictures),
            percent(self.sure, self.pictures),
            percent(self.sure_and_right, self.sure),
        ]
    }
}
