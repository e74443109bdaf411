//! A large board, region by region.
//!
//! A walk over all of the board, so hot at first that all comes loose that is not certain, takes pieces
//! wherever they belong. It gains nearly all that is gained. Then, a few times,
//! the board is divided into square regions, along other lines each time, large ones and small ones in
//! turn. A region with open seams is searched like a small puzzle ([`super::together`]): with its own
//! pieces, next to what lies around it. Regions are one cell apart, so that none touches another and
//! all can be searched at the same time. A short walk over all of the board follows. What was searched
//! in vain is left alone until something changes there, so that the work goes where there is work; when
//! nothing is left, or after so many passes, the search ends.
//!
//! The search goes in steps: a leg of a walk, or some regions. Between two steps all that it knows is a
//! [`State`], which can be saved and gone on from: the result is the same.
//!
//! Cost: linear in what is to be mended; nothing in a step depends on how large the board is but for
//! some copies of it. The walk over all of the board is the only part that uses one thread.

use super::SearchBudget;
use super::arrangement::{Arrangement, Held};
use super::cells::{CellIndex, Cells, OUTSIDE, PinnedCell, Plane};
use super::costs::SeamCosts;
use super::together;
use super::walk::{Cooling, ENERGY_STEP, Snapshot, Walk, Window};
use crate::locations::segment::Position;
use crate::observer::{Cancelled, Muted, Observer, Stage, Termination, check_cancelled};
use crate::puzzle::{PieceId, Side, SideId, TurnSet};
use crate::random::Stream;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Rows and columns of regions, one after the other. The large ones have, with what lies around them, as
/// many pieces as are searched together; the small ones as many sides as [`SeamCosts`] remembers all
/// pairs of.
const SIZES: [i32; 2] = [62, 30];

/// The first walk: hotter than any seam costs, so that whole segments come loose, and no colder than it
/// takes to settle; what comes after is colder. Colder beginnings end far higher
/// (`docs/decisions/0010-large-boards.md`).
const FIRST_COOLING: Cooling = Cooling { from: 16.0, to: 2.0 };
/// Moves of the first walk for each open side and each of [`SearchBudget::rounds`].
const FIRST_MOVES: usize = 450;

/// The walks between passes.
const COOLING: Cooling = Cooling { from: 0.7, to: 0.3 };
const MOVES: usize = 25;

/// Legs of the first walk and of the others for every so many cells, and regions that are searched at a
/// time: some seconds' work at most.
const FIRST_LEGS: usize = 64;
const LEGS: usize = 1;
const CELLS_OF_LEGS: usize = 30_000;
const REGIONS_AT_ONCE: usize = 16;

/// Progress is told in thousandths: so many for the first walk, the others for the passes.
const UNITS: u64 = 1000;
const FIRST_UNITS: u64 = 700;

impl SearchBudget {
    /// How much to search a region.
    const fn of_region(&self) -> Self {
        Self {
            num_walks: self.num_walks.div_ceil(2),
            max_epochs: self.num_passes(),
            patience: 1,
            rounds: self.rounds,
        }
    }

    /// How often to divide the board.
    const fn num_passes(&self) -> usize {
        self.max_epochs.div_ceil(3)
    }

    /// How often to search a region in vain.
    const fn vain_searches(&self) -> usize {
        self.patience.div_ceil(4)
    }
}

/// What a search knows between two steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    board: SavedBoard,
    /// The board when the current walk began.
    before: SavedBoard,
    vain: Vec<u8>,
    pass: usize,
    step: Step,
}

/// Per cell four times the piece plus its turn.
type SavedBoard = Vec<Option<u32>>;

/// What comes next.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Step {
    Walk { leg: usize },
    Regions { regions: Vec<Window>, done: usize },
}

/// A search under way.
struct Search<'a> {
    walk: Walk<'a>,
    /// The board when the current walk began, for the walk may end higher.
    before: Snapshot,
    /// Per cell, how often it was searched in vain.
    vain: Vec<u8>,
    /// 0 is the first walk, without regions.
    pass: usize,
    step: Step,
    work: SearchBudget,
    seed: u64,
}

/// The board of least energy that was found from a start, or from where a saved search was.
pub(super) fn search(
    cells: &Cells,
    costs: &SeamCosts<'_>,
    turns: TurnSet,
    start: Snapshot,
    work: &SearchBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(Snapshot, Termination), Cancelled> {
    observer.stage_started(Stage::Search, UNITS);
    let walk = Walk::new(cells, costs, turns, start, Stream::new(seed, 0));
    let mut search = Search::begin(walk, work, seed);
    if let Some(saved) = observer.saved_state(Stage::Search) {
        search.go_on_from(&saved);
    }
    let mut told = 0;
    loop {
        let done = search.progress();
        observer.stage_advanced(Stage::Search, done - told);
        told = done;
        check_cancelled(observer)?;
        if observer.is_stopped() {
            return Ok((search.best(), Termination::Stopped));
        }
        if observer.wants_state() {
            observer.save_state(Stage::Search, search.saved());
        }
        if !search.take_step(observer)? {
            return Ok((search.best(), Termination::Finished));
        }
    }
}

impl<'a> Search<'a> {
    fn begin(mut walk: Walk<'a>, work: &SearchBudget, seed: u64) -> Self {
        walk.complete();
        Self {
            before: walk.now().clone(),
            vain: vec![0; walk.cells.len()],
            walk,
            pass: 0,
            step: Step::Walk { leg: 0 },
            work: *work,
            seed,
        }
    }

    /// The state as bytes.
    fn saved(&self) -> Vec<u8> {
        let state = State {
            board: saved_board(self.walk.cells, self.walk.board()),
            before: saved_board(self.walk.cells, &self.before.board),
            vain: self.vain.clone(),
            pass: self.pass,
            step: self.step.clone(),
        };
        // Numbers and lists of numbers, in memory: nothing to go wrong.
        postcard::to_stdvec(&state).unwrap_or_default()
    }

    /// Goes to where a search was whose state was saved. What is no state of this search is ignored.
    fn go_on_from(&mut self, saved: &[u8]) {
        let cells = self.walk.cells;
        let Ok(state) = postcard::from_bytes::<State>(saved) else { return };
        let Some(board) = self.restored(&state.board) else { return };
        let Some(before) = self.restored(&state.before) else { return };
        if state.vain.len() != cells.len() {
            return;
        }
        self.walk.set_on(&board);
        self.before = before;
        self.vain = state.vain;
        self.pass = state.pass;
        self.step = state.step;
    }

    fn restored(&self, saved: &SavedBoard) -> Option<Snapshot> {
        let (cells, costs) = (self.walk.cells, self.walk.costs);
        let num_pieces = self.walk.board().num_pieces();
        let mut held = Vec::with_capacity(saved.len());
        for (cell, key) in cells.all().zip(saved) {
            let Some(key) = *key else { continue };
            let side = SideId::from_index(key as usize);
            if side.piece().index() >= num_pieces {
                return None;
            }
            held.push((cell, Held { piece: side.piece(), turn: side.side() - Side::Top }));
        }
        let is_whole = saved.len() == cells.len() && held.len() == num_pieces;
        let board = Arrangement::of(cells, costs, num_pieces, held);
        let all_lie = (0..num_pieces).all(|index| board.cell_of(PieceId::new(index)) != OUTSIDE);
        (is_whole && all_lie).then(|| Snapshot::new(cells, costs, board))
    }

    /// The best board so far.
    fn best(mut self) -> Snapshot {
        self.walk.return_to_best();
        if self.walk.now().energy() <= self.before.energy() {
            self.walk.into_now()
        } else {
            self.before
        }
    }

    /// Thousandths of the work that are done, if all passes are needed.
    fn progress(&self) -> u64 {
        let share = |done: usize, of: usize, units: u64| units * done as u64 / of.max(1) as u64;
        let per_pass = (UNITS - FIRST_UNITS) / self.work.num_passes().max(1) as u64;
        let Some(passes_before) = self.pass.checked_sub(1) else {
            let Step::Walk { leg } = self.step else { return 0 };
            return share(leg, self.num_legs(), FIRST_UNITS);
        };
        let this_pass = match &self.step {
            Step::Regions { regions, done } => share(*done, regions.len(), per_pass / 2),
            Step::Walk { leg } => per_pass / 2 + share(*leg, self.num_legs(), per_pass / 2),
        };
        FIRST_UNITS + passes_before as u64 * per_pass + this_pass.min(per_pass)
    }

    /// Goes on; false if there is nothing left to do.
    fn take_step(&mut self, observer: &dyn Observer) -> Result<bool, Cancelled> {
        let num_legs = self.num_legs();
        match &mut self.step {
            Step::Regions { regions, done } if *done < regions.len() => {
                let first = *done;
                *done = (first + REGIONS_AT_ONCE).min(regions.len());
                let regions = regions[first..*done].to_vec();
                self.search_regions(first, &regions, observer)?;
            }
            Step::Regions { .. } => {
                self.before.clone_from(self.walk.now());
                self.step = Step::Walk { leg: 0 };
            }
            Step::Walk { leg } if *leg < num_legs => {
                let this_leg = *leg;
                *leg += 1;
                self.walk_leg(this_leg);
            }
            Step::Walk { .. } => return Ok(self.begin_pass()),
        }
        Ok(true)
    }

    /// Legs of a walk over all of the board.
    fn num_legs(&self) -> usize {
        let legs = if self.pass == 0 { FIRST_LEGS } else { LEGS };
        legs * self.walk.cells.len().div_ceil(CELLS_OF_LEGS)
    }

    /// A leg of the walk over all of the board. It depends on the board and on where on its way the
    /// walk is, on nothing else.
    fn walk_leg(&mut self, leg: usize) {
        let num_legs = self.num_legs();
        let (Cooling { from, to }, moves) = if self.pass == 0 {
            (FIRST_COOLING, FIRST_MOVES * self.work.rounds)
        } else {
            (COOLING, MOVES)
        };
        let at = |legs: usize| from * (to / from).powf(legs as f32 / num_legs as f32);
        self.walk.set_out(self.stream(leg));
        let num_moves = (moves * self.walk.num_open()).div_ceil(num_legs);
        self.walk.wander(num_moves, Cooling { from: at(leg), to: at(leg + 1) });
        if leg + 1 < num_legs {
            return;
        }
        self.walk.return_to_best();
        // Added up anew: a sum of differences would not be the same after the state was saved and read.
        self.walk.begin_anew();
        if self.walk.now().energy() > self.before.energy() {
            self.walk.set_on(&self.before);
        }
        for cell in self.walk.cells.all() {
            if self.walk.board().at(cell) != self.before.board.at(cell) {
                self.vain[cell as usize] = 0;
            }
        }
    }

    /// A stream for a part of a pass.
    fn stream(&self, part: usize) -> Stream {
        Stream::new(self.seed, 1 + ((self.pass as u64) << 32 | part as u64))
    }

    /// Divides the board anew; false if there is nothing left to search.
    fn begin_pass(&mut self) -> bool {
        self.pass += 1;
        if self.pass > self.work.num_passes() {
            return false;
        }
        let size = SIZES[(self.pass - 1) % SIZES.len()];
        let mut random = self.stream(u32::MAX as usize);
        let mut first =
            || 1 + i32::try_from(random.below(size.unsigned_abs() as usize)).unwrap_or(0);
        let mut regions = divide(self.walk.cells.plane, size, first(), first());
        let max_vain = self.work.vain_searches();
        regions.retain(|region| {
            region.cells(self.walk.cells).any(|cell| {
                usize::from(self.vain[cell as usize]) < max_vain && self.walk.has_open_seam(cell)
            })
        });
        let has_work = !regions.is_empty();
        self.step = Step::Regions { regions, done: 0 };
        has_work
    }

    /// Searches regions, of which the first has this number.
    fn search_regions(
        &mut self,
        first: usize,
        regions: &[Window],
        observer: &dyn Observer,
    ) -> Result<(), Cancelled> {
        let work = self.work.of_region();
        let mended = regions
            .par_iter()
            .enumerate()
            .map(|(index, &region)| {
                mend(&self.walk, region, &work, self.stream(first + index).next(), observer)
            })
            .collect::<Result<Vec<_>, _>>()?;
        for (region, changes) in regions.iter().zip(&mended) {
            for cell in region.cells(self.walk.cells) {
                let vain = &mut self.vain[cell as usize];
                *vain = if changes.is_empty() { vain.saturating_add(1) } else { 0 };
            }
        }
        self.walk.lay(mended.into_iter().flatten());
        Ok(())
    }
}

fn saved_board(cells: &Cells, board: &Arrangement) -> SavedBoard {
    let key = |Held { piece, turn }: Held| {
        #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
        let key = SideId::new(piece, Side::Top + turn).index() as u32;
        key
    };
    cells.all().map(|cell| board.at(cell).map(key)).collect()
}

/// Regions of a size, one cell apart; those at the top have `first_rows` rows, those at the left
/// `first_cols` columns.
fn divide(plane: Plane, size: i32, first_rows: i32, first_cols: i32) -> Vec<Window> {
    let ranges = |len: u32, first: i32| {
        let len = len.cast_signed();
        let starts = (0..).map(move |index| first - size + index * (size + 1));
        let starts = starts.take_while(move |&start| start < len);
        starts.map(move |start| (start.max(0), (start + size).min(len) - 1))
    };
    let mut regions = Vec::new();
    for (top, bottom) in ranges(plane.rows, first_rows) {
        for (left, right) in ranges(plane.cols, first_cols) {
            regions.push(Window {
                top_left: Position { row: top, col: left },
                bottom_right: Position { row: bottom, col: right },
            });
        }
    }
    regions
}

/// What comes to lie where in a region; nothing if it is best as it is.
fn mend(
    walk: &Walk<'_>,
    region: Window,
    work: &SearchBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<(CellIndex, Option<Held>)>, Cancelled> {
    let Window { top_left, .. } = region;
    let board = walk.board();
    let outer_cells: Vec<CellIndex> = region.cells(walk.cells).collect();
    let position = |&cell: &CellIndex| walk.cells.position(cell) - top_left;
    let cells = Cells::part(outer_cells.iter().map(position).collect());
    let outer = |cell: CellIndex| outer_cells[cell as usize];
    let mut pieces: Vec<PieceId> =
        cells.all().filter_map(|cell| Some(board.at(outer(cell))?.piece)).collect();
    let num_loose = pieces.len();
    let mut numbers: FxHashMap<PieceId, PieceId> =
        pieces.iter().copied().zip((0..).map(PieceId::new)).collect();
    let beyond = cells
        .all()
        .map(|cell| {
            Side::ALL.map(|direction| {
                if cells.next(cell, direction) != OUTSIDE {
                    return None;
                }
                let next = walk.cells.next(outer(cell), direction);
                let side = board.get(next)?.facing(direction.opposite());
                let number = *numbers.entry(side.piece()).or_insert_with(|| {
                    pieces.push(side.piece());
                    PieceId::new(pieces.len() - 1)
                });
                Some(SideId::new(number, side.side()))
            })
        })
        .collect();
    let pins = cells.all().filter(|&cell| walk.cells.is_pinned(outer(cell))).filter_map(|cell| {
        let Held { piece, turn } = board.at(outer(cell))?;
        Some(PinnedCell { cell, piece: numbers[&piece], turn: Some(turn) })
    });
    let pins = pins.collect();
    let cells = cells.with_beyond(beyond).with_pins(pins);
    let mut costs = walk.costs.part(pieces.clone(), num_loose);
    costs.remember_pairs();
    let held = cells.all().filter_map(|cell| {
        let held = board.at(outer(cell))?;
        Some((cell, Held { piece: numbers[&held.piece], ..held }))
    });
    let start = Arrangement::of(&cells, &costs, num_loose, held);
    let start = Snapshot::new(&cells, &costs, start);
    let before = start.energy();
    let muted = Muted(observer);
    let (found, _) = together::search(&cells, &costs, walk.turns, &[start], work, seed, &muted)?;
    if found.energy() > before - ENERGY_STEP {
        return Ok(Vec::new());
    }
    let change = |cell: CellIndex| {
        let held = found.board.at(cell);
        let held = held.map(|held| Held { piece: pieces[held.piece.index()], ..held });
        (outer(cell), held)
    };
    Ok(cells.all().map(change).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::Measured;
    use super::*;
    use crate::matching::Matcher;
    use crate::observer::Silent;
    use crate::puzzle::{Grid, PuzzleType};
    use std::sync::Mutex;

    const WORK: SearchBudget = SearchBudget { num_walks: 2, max_epochs: 9, patience: 1, rounds: 1 };

    #[test]
    fn regions_lie_one_cell_apart_and_are_as_large_as_they_should() {
        for (rows, cols, size) in [(7, 9, 3), (40, 70, 30), (5, 5, 62)] {
            let frame = Grid::new(rows, cols).unwrap();
            let cells = Cells::new(&frame.into());
            for first in 1..=size {
                let regions = divide(cells.plane, size, first, size + 1 - first);
                let mut owner = vec![None; cells.len()];
                for (index, region) in regions.iter().enumerate() {
                    for cell in region.cells(&cells) {
                        assert_eq!(owner[cell as usize].replace(index), None, "in two regions");
                    }
                    let Position { row, col } = region.bottom_right - region.top_left;
                    assert!((0..size).contains(&row) && (0..size).contains(&col));
                }
                for cell in cells.all() {
                    let here = owner[cell as usize];
                    let around = cells.around(cell).into_iter().filter(|&next| next != OUTSIDE);
                    let there: Vec<_> = around.map(|next| owner[next as usize]).collect();
                    let touches_other = |next: &Option<usize>| next.is_some() && *next != here;
                    assert!(here.is_none() || !there.iter().any(touches_other));
                }
            }
        }
    }

    #[test]
    fn what_a_region_gains_the_board_gains_and_the_rest_stays() {
        let puzzle = Measured::new(12, 14, 7, PuzzleType::Type2, 3);
        let model = puzzle.judged(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let cells = Cells::new(&puzzle.frame.into());
        let start = Arrangement::new(&cells, &costs, &puzzle.as_handed_in(puzzle.frame));
        let start = Snapshot::new(&cells, &costs, start);
        let mut walk = Walk::new(&cells, &costs, puzzle.turns, start.clone(), Stream::new(1, 2));
        for (top, left, bottom, right) in [(2, 3, 8, 9), (0, 0, 5, 5), (4, 2, 11, 13)] {
            let region = Window {
                top_left: Position { row: top, col: left },
                bottom_right: Position { row: bottom, col: right },
            };
            let before = walk.now().clone();
            let changes = mend(&walk, region, &WORK, 5, &Silent).unwrap();
            assert!(!changes.is_empty(), "pieces in no order can be laid better");
            walk.lay(changes);
            assert!(walk.now().energy() < before.energy() - ENERGY_STEP);
            for cell in cells.all() {
                if !region.contains(cells.position(cell)) {
                    assert_eq!(walk.board().at(cell), before.board.at(cell));
                }
            }
            assert_eq!(walk.board().to_assembly(&cells).unwrap().num_placed(), 12 * 14);
        }
    }

    /// Keeps the states of a search, and may hand one out.
    #[derive(Default)]
    struct Keeper {
        states: Mutex<Vec<Vec<u8>>>,
        from: Option<Vec<u8>>,
    }

    impl Observer for Keeper {
        fn wants_state(&self) -> bool {
            true
        }

        fn save_state(&self, stage: Stage, state: Vec<u8>) {
            assert_eq!(stage, Stage::Search);
            self.states.lock().unwrap().push(state);
        }

        fn saved_state(&self, _: Stage) -> Option<Vec<u8>> {
            self.from.clone()
        }
    }

    #[test]
    fn a_search_that_goes_on_from_any_state_comes_to_the_same_end() {
        let puzzle = Measured::new(14, 16, 6, PuzzleType::Type2, 4);
        let model = puzzle.judged(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let cells = Cells::new(&puzzle.frame.into());
        let start = Arrangement::new(&cells, &costs, &puzzle.as_handed_in(puzzle.frame));
        let start = Snapshot::new(&cells, &costs, start);
        let run = |from: Option<Vec<u8>>| {
            let keeper = Keeper { from, ..Keeper::default() };
            let start = start.clone();
            let found = search(&cells, &costs, puzzle.turns, start, &WORK, 7, &keeper).unwrap();
            let board = saved_board(&cells, &found.0.board);
            (board, found.0.energy().to_bits(), keeper.states.into_inner().unwrap())
        };
        let (board, energy, states) = run(None);
        assert!(states.len() > 4, "{}", states.len());
        assert!(f64::from_bits(energy) < 0.5 * start.energy());
        for index in [1, states.len() / 2, states.len() - 1] {
            let (again, energy_again, rest) = run(Some(states[index].clone()));
            assert_eq!((&again, energy_again), (&board, energy), "from state {index}");
            assert_eq!(rest, states[index..]);
        }
        // What is no state of this search changes nothing.
        let cut_short = states[1][..states[1].len() / 2].to_vec();
        assert_eq!(run(Some(cut_short)), (board, energy, states));
    }
}
