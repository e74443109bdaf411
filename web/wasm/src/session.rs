//! One puzzle: from its files to its solution and everything that is made of it.

use crate::advice::Advice;
use crate::boards::{decoded, encoded};
use crate::failure::Failure;
use crate::host::Watcher;
use crate::messages::{Answer, Found, Rating, ReadRequest, SolveRequest, Suggested, limits};
use crate::pixels::{self, Canvas};
use fretsaw::picture::render;
use fretsaw::puzzle::{Cell, Grid, PieceId, Place, QuarterTurn, TurnSet};
use fretsaw::unstable::dissimilarity::TellingSides;
use fretsaw::unstable::estimate_memory;
use fretsaw::verdict::{Help, Verdict};
use fretsaw::{Assembly, Method, PieceSet, Puzzle, PuzzleType, Settings, Solution, solve};
use fretsaw_io::{
    InputOptions, Known, PictureFormat, Prepare, PuzzleInput, SolutionFile, SolutionInfo,
    StopReason, Timing, Upright, encode_picture, encode_solution, parse_solution, read_files,
};
use fretsaw_view::animation::{AnimationFormat, animation};
use fretsaw_view::report::{About, page};
use fretsaw_view::{Answer as Shown, Details};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of an input, by name.
pub(crate) type NamedFiles = Vec<(String, Vec<u8>)>;

/// The most memory that a solve may take. A page has 4 GB, of which the pictures take some.
const MAX_MEMORY: u64 = 2_500_000_000;

/// A puzzle and its latest solution.
pub(crate) struct Session {
    /// For messages and file names.
    name: PathBuf,
    input: PuzzleInput,
    /// The pieces as they are shown: some may be mirrored.
    pieces: Arc<PieceSet>,
    solved: Option<Solved>,
    advice: Option<Advice>,
}

/// A solution and what it is of.
struct Solved {
    document: SolutionFile,
    turns: TurnSet,
}

impl Session {
    /// Reads an input.
    pub(crate) fn read(
        name: &str,
        files: NamedFiles,
        request: &ReadRequest,
    ) -> Result<Self, Failure> {
        let input = read_files(files, &request.options()?)?;
        let pieces = Arc::clone(&input.pieces);
        Ok(Self { name: name.into(), input, pieces, solved: None, advice: None })
    }

    /// Reads an input and a solution of it, such as the command line writes.
    pub(crate) fn read_solved(
        name: &str,
        files: NamedFiles,
        request: &ReadRequest,
        (solution_name, solution): (&str, &[u8]),
    ) -> Result<Self, Failure> {
        let path = Path::new(solution_name);
        let document = parse_solution(path, solution, &limits())?;
        let prepare = Prepare::Again(document.preparation.clone());
        let input = read_files(files, &InputOptions { prepare, ..request.options()? })?;
        let (expected, found) = (document.assembly.num_pieces(), input.pieces.num_pieces());
        let is_other = document.info.fingerprint.is_some_and(|known| known != input.fingerprint);
        if expected != found || is_other {
            return Err(Failure::other(format!(
                "{solution_name}: is a solution of other pieces than {name}: of {expected}, where there are {found}, or \
                 their order or pixels differ; open the one that it belongs to"
            )));
        }
        let mirrored: BTreeSet<PieceId> = document.mirrored.iter().copied().collect();
        let pieces = match mirrored.is_empty() {
            true => Arc::clone(&input.pieces),
            false => Arc::new(input.pieces.mirrored(|piece| mirrored.contains(&piece))),
        };
        let widest = PuzzleType::Type2.turns(pieces.shape());
        let recorded = document.info.settings.get("turns").cloned();
        let turns = recorded.and_then(|turns| serde_json::from_value(turns).ok()).unwrap_or(widest);
        let solved = Some(Solved { document, turns });
        Ok(Self { name: name.into(), input, pieces, solved, advice: None })
    }

    /// What was found in the input.
    pub(crate) fn found(&self) -> Found<'_> {
        let PuzzleInput { declared, sheet, preparation, warnings, names, .. } = &self.input;
        let shape = self.pieces.shape();
        let declared = declared.as_ref();
        let grid = declared.and_then(|declared| declared.grid);
        Found {
            pieces: self.pieces.num_pieces(),
            width: shape.width_px(),
            height: shape.height_px(),
            bits: self.pieces.samples().bits(),
            layout: sheet.map(Into::into),
            is_declared: declared.is_some(),
            declared_grid: grid.map(|grid| [grid.cols(), grid.rows()]),
            declared_turns: declared.map(|declared| declared.puzzle_type.turns(shape)),
            preparation: preparation.as_ref().map(ToString::to_string),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            names,
            is_square: shape.is_square(),
            fingerprint: self.input.fingerprint.to_string(),
        }
    }

    /// The pixels of some pieces.
    pub(crate) fn piece_pixels(
        &self,
        range: (usize, usize),
        columns: usize,
        shrink: usize,
    ) -> Canvas {
        pixels::of_pieces(&self.pieces, range, columns, shrink)
    }

    /// Solves the puzzle, from the board given if there is one.
    pub(crate) fn solve(
        &mut self,
        request: &SolveRequest,
        start: Option<&[i32]>,
    ) -> Result<Answer, Failure> {
        let num_pieces = self.pieces.num_pieces();
        let known = Known {
            turns: request.turns(),
            boards: request.boards(),
            start: start.map(|start| decoded(start, num_pieces)).transpose()?,
            constraints: request.constraints(num_pieces)?,
            ..Known::default()
        };
        let puzzle = self.input.puzzle(known).map_err(Failure::other)?;
        let settings = Settings {
            method: Method::Fretsaw(request.effort()),
            seed: request.seed,
            ..Settings::default()
        };
        let checked = limits().check_known_boards(&puzzle.boards, &puzzle.pieces);
        checked.map_err(Failure::other)?;
        check_memory(&puzzle, &settings)?;
        let watcher = Watcher::new(request.only_rate);
        let solution = solve(&puzzle, &settings, &watcher).map_err(Failure::other)?;
        let (solution, guess) = solution.stand_upright(&puzzle);
        let status = StopReason::status(solution.termination, Some(StopReason::Interrupted));
        let timings = watcher.timings();
        let mut document =
            SolutionFile::of_input(&self.input, &puzzle, &settings, &solution, timings, status)
                .map_err(Failure::other)?;
        document.info.upright = guess.map(Upright::from);
        let answer = self.answer(&puzzle, &settings, &solution, &document);
        // The advice is of the same pieces, but perhaps of other turns.
        self.advice = self.advice.take().filter(|advice| advice.turns() == solution.turns);
        self.solved = Some(Solved { document, turns: solution.turns });
        Ok(answer)
    }

    /// What to say about a solution.
    fn answer(
        &self,
        puzzle: &Puzzle,
        settings: &Settings,
        solution: &Solution,
        document: &SolutionFile,
    ) -> Answer {
        let verdict = Verdict::new(puzzle, settings, solution);
        let helps = verdict.iter().flat_map(|verdict| &verdict.helps).map(|help| match help {
            Help::Mirror => "mirror",
            Help::Size => "size",
            Help::Turns => "turns",
            Help::Effort => "effort",
        });
        let alike = TellingSides::of(&puzzle.pieces, puzzle.possible_turns()).ok();
        let alike = alike.filter(|found| !puzzle.positions_known && found.are_few());
        let warnings = self.input.suspicion(puzzle, solution).into_iter();
        Answer {
            warnings: warnings.chain(alike.map(|found| found.to_string())).collect(),
            notes: solution.wear.iter().map(|wear| format!("worn pieces: {wear}")).collect(),
            helps: helps.collect(),
            verdict: verdict.map(|verdict| verdict.to_string()),
            ..answer_of(document, solution.turns)
        }
    }

    /// The solution that was read with the input.
    pub(crate) fn read_answer(&self) -> Result<Answer, Failure> {
        let Solved { document, turns } = self.solution()?;
        Ok(answer_of(document, *turns))
    }

    fn solution(&self) -> Result<&Solved, Failure> {
        self.solved.as_ref().ok_or_else(|| Failure::other("the puzzle is not solved yet; solve it"))
    }

    /// The board of the latest solution.
    pub(crate) fn board(&self) -> Result<Vec<i32>, Failure> {
        Ok(encoded(&self.solution()?.document.assembly))
    }

    /// What knows how well pieces fit.
    fn advice(&mut self) -> Result<&Advice, Failure> {
        let turns = self.solved.as_ref().map(|solved| solved.turns);
        if self.advice.is_none() {
            let known = Known::default();
            let puzzle = self.input.puzzle(known).map_err(Failure::other)?;
            let puzzle = Puzzle {
                turns: turns.or(puzzle.turns),
                pieces: Arc::clone(&self.pieces),
                ..puzzle
            };
            self.advice = Some(Advice::new(&puzzle)?);
        }
        self.advice.as_ref().ok_or_else(|| Failure::other("no advice"))
    }

    /// How certain the places of a board are.
    pub(crate) fn rate(&mut self, board: &[i32]) -> Result<Rating, Failure> {
        let assembly = decoded(board, self.pieces.num_pieces())?;
        let (confidences, seams) = self.advice()?.rated(&assembly);
        Ok(Rating::new(&confidences, &seams))
    }

    /// Which pieces may lie in a place of a board, the likeliest first.
    pub(crate) fn suggest(
        &mut self,
        board: &[i32],
        number: usize,
        cell: Cell,
    ) -> Result<Suggested, Failure> {
        let assembly = decoded(board, self.pieces.num_pieces())?;
        let grid = assembly.boards().get(number).filter(|grid: &&Grid| grid.contains(cell));
        grid.ok_or_else(|| Failure::other("there is no such place"))?;
        let piece = assembly.piece_at(number, cell);
        let turn = piece.and_then(|piece| assembly.place_of(piece));
        let turn = turn.map_or(QuarterTurn::ZERO, |place| place.turn);
        Ok(self.advice()?.suggested(&assembly, Place { board: number, cell, turn }))
    }

    /// The document of a board: that of the latest solution, or if it was changed by hand one with new confidences.
    fn document(&mut self, board: &[i32]) -> Result<SolutionFile, Failure> {
        let assembly = decoded(board, self.pieces.num_pieces())?;
        if let Some(solved) = self.solved.as_ref().filter(|it| it.document.assembly == assembly) {
            return Ok(solved.document.clone());
        }
        let (confidences, seams) = self.advice()?.rated(&assembly);
        let suggestions = self.advice()?.suggestions(&assembly, &confidences);
        let latest = self.solved.as_ref().map(|solved| &solved.document);
        let info = latest.map(|document| document.info.clone()).unwrap_or_default();
        Ok(SolutionFile {
            assembly,
            confidences,
            seams,
            suggestions,
            interchangeable: latest.map(|it| it.interchangeable.clone()).unwrap_or_default(),
            mirrored: latest.map(|it| it.mirrored.clone()).unwrap_or_default(),
            names: self.input.names.clone(),
            preparation: self.input.preparation.clone(),
            info: SolutionInfo {
                status: Some("changed by hand".into()),
                fingerprint: Some(self.input.fingerprint),
                upright: None,
                ..info
            },
        })
    }

    /// The `solution.json` of a board.
    pub(crate) fn solution_file(&mut self, board: &[i32]) -> Result<Vec<u8>, Failure> {
        let document = self.document(board)?;
        Ok(encode_solution(Path::new("solution.json"), &document)?)
    }

    /// The picture of one of the boards as a PNG file.
    pub(crate) fn picture(&self, board: &[i32], number: usize) -> Result<Vec<u8>, Failure> {
        let assembly = decoded(board, self.pieces.num_pieces())?;
        let grid = assembly.boards().get(number).copied();
        let grid = grid.ok_or_else(|| Failure::other("there is no such board"))?;
        limits().check_board(grid, self.pieces.shape()).map_err(Failure::too_large)?;
        let picture = render(&self.pieces, &assembly, number).map_err(Failure::other)?;
        encode_picture(PictureFormat::Png, &picture, self.input.constant_alpha)
            .map_err(Failure::other)
    }

    /// The report on a board.
    pub(crate) fn report(&mut self, board: &[i32]) -> Result<String, Failure> {
        let document = self.document(board)?;
        let about = About {
            title: self.name.display().to_string(),
            warnings: self.input.warnings.iter().map(ToString::to_string).collect(),
            facts: document.info.facts(),
            timings: seconds_of(&document.info.timings),
            settings: (!document.info.settings.is_null())
                .then(|| format!("{:#}", document.info.settings)),
        };
        page(self.shown(&document)?, &about).map_err(Failure::other)
    }

    /// The animation of a board as a GIF file.
    pub(crate) fn animation(&mut self, board: &[i32]) -> Result<Vec<u8>, Failure> {
        let document = self.document(board)?;
        animation(self.shown(&document)?, AnimationFormat::Gif).map_err(Failure::other)
    }

    fn shown<'a>(&'a self, document: &'a SolutionFile) -> Result<Shown<'a>, Failure> {
        let SolutionFile { assembly, confidences, seams, suggestions, names, .. } = document;
        let details = Details { confidences, seams, suggestions, names };
        Shown::new(&self.pieces, assembly, details).map_err(Failure::other)
    }
}

/// What a document says about a solution.
fn answer_of(document: &SolutionFile, turns: TurnSet) -> Answer {
    Answer {
        status: document.info.status.clone().unwrap_or_default(),
        turns,
        notes: Vec::new(),
        warnings: Vec::new(),
        verdict: None,
        helps: Vec::new(),
        upright: document.info.upright,
        seconds: document.info.timings.iter().map(|timing| timing.seconds).sum(),
        rating: Rating::new(&document.confidences, &document.seams),
    }
}

fn seconds_of(timings: &[Timing]) -> Vec<(String, f64)> {
    timings.iter().map(|timing| (timing.stage.clone(), timing.seconds)).collect()
}

/// Refuses puzzles whose solve would end for lack of memory.
fn check_memory(puzzle: &Puzzle, settings: &Settings) -> Result<(), Failure> {
    let peak = estimate_memory(puzzle, settings, 1).peak;
    if peak <= MAX_MEMORY {
        return Ok(());
    }
    Err(Failure::too_large(format!(
        "the solve would take about {:.1} GB of memory, more than the {:.1} GB of a page",
        peak as f64 / 1e9,
        MAX_MEMORY as f64 / 1e9
    )))
}

/// The assembly of a board, for those who rate it.
pub(crate) type Rated = (Vec<Option<f64>>, Vec<fretsaw::solution::SeamConfidence>);

/// Every piece with the confidence in it, none for pieces without a place.
pub(crate) fn of_placed(assembly: &Assembly, confidences: &[f64]) -> Vec<Option<f64>> {
    let known = |(index, &confidence): (usize, &f64)| {
        assembly.place_of(PieceId::new(index)).map(|_| confidence)
    };
    confidences.iter().enumerate().map(known).collect()
}
