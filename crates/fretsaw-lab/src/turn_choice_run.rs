//! How often the choice of turns is right, over sets of pictures whose pieces were turned, or not.

use crate::images::{Images, images_of};
use crate::pools::share_threads;
use crate::set_puzzle::cut_middle;
use anyhow::Context;
use fretsaw::dissimilarity::{Dissimilarity, Measure, find_nearest};
use fretsaw::matching::Matcher;
use fretsaw::observer::Silent;
use fretsaw::picture::{CutSize, ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PieceSet, PuzzleType, QuarterTurn, TurnSet};
use fretsaw::turn_choice::TurnEvidence;
use fretsaw_cli::table::Table;
use fretsaw_io::{Limits, read_picture};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};

/// What to run: every combination.
#[derive(Clone, Debug)]
pub struct TurnChoiceRun {
    /// The folder that holds one folder per set.
    pub data: PathBuf,
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Which pictures of them.
    pub images: Images,
    /// Turns that pieces are given at random.
    pub turns: Vec<TurnSet>,
    /// The size of pieces.
    pub size: CutSize,
    /// Rows and columns of pieces that are cut out of the middle of every picture; the whole if none.
    pub cells: Option<(u32, u32)>,
    /// Seeds 1 to this are used.
    pub num_seeds: u64,
    /// Puzzles at a time.
    pub jobs: usize,
}

/// A puzzle and what was chosen for it.
struct Chosen {
    image: String,
    seed: u64,
    evidence: TurnEvidence,
    choice: TurnSet,
}

impl TurnChoiceRun {
    /// Run and tabulate: per set and turns given, how often each choice was made; and the puzzles for
    /// which it was wrong, with their evidence.
    ///
    /// # Errors
    /// If pictures cannot be read or cut, or their pieces cannot be turned so.
    pub fn run(&self) -> anyhow::Result<(Table, Table)> {
        let mut counts =
            Table::new(&["set", "turns", "puzzles", "none", "half", "quarter", "wrong"]);
        let mut wrong = Table::new(&[
            "set",
            "turns",
            "image",
            "seed",
            "choice",
            "believed",
            "ln none",
            "ln half",
            "ln quarter",
        ]);
        for set in &self.sets {
            let folder = self.data.join(set);
            let images = images_of(&folder, self.images)?;
            for &given in &self.turns {
                let puzzles: Vec<(&String, u64)> = images
                    .iter()
                    .flat_map(|image| (1..=self.num_seeds).map(move |seed| (image, seed)))
                    .collect();
                let chosen = share_threads(self.jobs, &puzzles, |&(image, seed)| {
                    let path = folder.join(image);
                    let evidence = self
                        .choose(&path, given, seed)
                        .with_context(|| path.display().to_string())?;
                    let (evidence, choice) = evidence;
                    Ok(Chosen { image: image.clone(), seed, evidence, choice })
                })?;
                let count = |choice| chosen.iter().filter(|x| x.choice == choice).count();
                let all = [TurnSet::None, TurnSet::Half, TurnSet::Quarter];
                let mut row = vec![set.clone(), name(given).into(), chosen.len().to_string()];
                row.extend(all.map(|choice| count(choice).to_string()));
                row.push((chosen.len() - count(given)).to_string());
                counts.push(row);
                for Chosen { image, seed, evidence, choice } in
                    chosen.into_iter().filter(|x| x.choice != given)
                {
                    let mut row = vec![set.clone(), name(given).into(), image, seed.to_string()];
                    row.push(name(choice).into());
                    let TurnEvidence { num_believed, none, half, quarter } = evidence;
                    let numbers = [num_believed, none, half, quarter];
                    row.extend(numbers.map(|number| format!("{number:.1}")));
                    wrong.push(row);
                }
            }
        }
        Ok((counts, wrong))
    }

    fn choose(
        &self,
        path: &Path,
        given: TurnSet,
        seed: u64,
    ) -> anyhow::Result<(TurnEvidence, TurnSet)> {
        let picture = read_picture(path, &Limits::default())?.picture;
        let shape = self.size.shape_in(picture.size());
        let cut = match self.cells {
            None => cut(&picture, shape)?,
            Some(cells) => cut_middle(&picture, shape, cells)?,
        };
        let upright = scramble(&cut, &ScrambleSettings::new(PuzzleType::Type1, seed))?.pieces;
        let pieces = turned(&upright, given, seed).context(
            "quarter turns change the shape of pieces that are not square: give --turns none or half",
        )?;
        let widest = PuzzleType::Type2.turns(shape);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam)?;
        let candidates = Matcher::default().candidates();
        let nearest = find_nearest(&dissimilarity, widest, &candidates, &Silent)?;
        let evidence = TurnEvidence::new(&nearest, widest);
        Ok((evidence, evidence.choice(widest)))
    }
}

/// The pieces, each turned by one of these turns at random.
fn turned(pieces: &PieceSet, given: TurnSet, seed: u64) -> Option<PieceSet> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let allowed = given.turns();
    let turns: Vec<QuarterTurn> =
        pieces.ids().map(|_| allowed[rng.random_range(0..allowed.len())]).collect();
    pieces.turned(|piece| turns[piece.index()])
}

const fn name(turns: TurnSet) -> &'static str {
    match turns {
        TurnSet::None => "none",
        TurnSet::Half => "half",
        TurnSet::Quarter => "quarter",
    }
}
