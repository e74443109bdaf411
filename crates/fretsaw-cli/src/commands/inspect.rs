//! `fretsaw inspect`

use super::Verbosity;
use crate::args::InspectArgs;
use fretsaw::picture::{LayoutCandidate, SheetLayout};
use fretsaw::preparation::{Done, Preparation};
use fretsaw::unstable::sizes_that_fit;
use fretsaw::wear::WearEstimate;
use fretsaw::{Puzzle, Silent, estimate_wear};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::{print_json, print_line};
use fretsaw_cli::table::Table;
use fretsaw_io::{
    Inspection, PieceKind, PuzzleInput, Skipped, input_name, inspect, read_contact_sheet,
    read_inputs, write_picture,
};
use serde::Serialize;
use std::sync::Arc;

pub(super) fn run(args: &InspectArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let name = input_name(&args.input.paths);
    let numbers = args.grid.map(|(cols, rows)| (cols.get(), rows.get()));
    let options = args.input.options(numbers.map(|(cols, _)| cols), numbers.map(|(_, rows)| rows));
    let options = args.trim.on(options);
    let found = inspect(&args.input.paths, &options)?;
    let mut report = Report::new(name.display().to_string(), &found);
    let mut preparation = None;
    // Pieces that cannot be read are described all the same; 'solve' says what is wrong with them.
    if let Ok(input) = read_inputs(&args.input.paths, &options) {
        report.preparation = input.preparation.as_ref().map(PreparationReport::from);
        report.wear = wear_of(&input);
        preparation = input.preparation;
    }
    if let Some(path) = &args.contact_sheet {
        write_picture(path, &read_contact_sheet(&args.input.paths, &options)?, None)?;
    }
    if args.json {
        return print_json(&report);
    }
    for warning in &found.warnings {
        verbosity.warn(warning);
    }
    report.print()?;
    preparation.map_or(Ok(()), |preparation| print_line(format!("before a solve: {preparation}")))
}

/// The wear of more pieces than this is not looked for: it would take long.
const MAX_PIECES_OF_WEAR: usize = 2000;

/// The wear of the pieces, if they are worn.
fn wear_of(input: &PuzzleInput) -> Option<WearEstimate> {
    if input.pieces.num_pieces() > MAX_PIECES_OF_WEAR {
        return None;
    }
    let puzzle =
        Puzzle::new(Arc::clone(&input.pieces)).colours_bleed(input.colour_bleeding.is_any());
    estimate_wear(&puzzle, &Silent).ok().flatten()
}

/// The output of `--json`.
#[derive(Serialize)]
struct Report<'a> {
    input: String,
    kind: &'static str,
    /// The number of pieces; for a sheet by its likeliest layout or by `puzzle.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<u64>,
    pictures: &'a [PieceKind],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CandidateRecord>,
    /// The boards that the pieces fill: columns and rows.
    boards: Vec<[u32; 2]>,
    /// What happened to worn pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    wear: Option<WearEstimate>,
    skipped: Vec<Skipped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preparation: Option<PreparationReport>,
}

/// What is done to the pieces before a solve.
#[derive(Serialize)]
struct PreparationReport {
    width: u32,
    height: u32,
    background: bool,
    sizes: bool,
    /// Lines off every edge.
    trimmed: u32,
    /// The largest tilt in degrees.
    tilt: f64,
}

impl From<&Preparation> for PreparationReport {
    fn from(preparation: &Preparation) -> Self {
        let Done { background, sizes, trimmed_px } = preparation.done();
        let tilts = preparation.windows().iter().map(|window| window.tilt_degrees.abs());
        Self {
            width: preparation.shape().width_px(),
            height: preparation.shape().height_px(),
            background,
            sizes,
            trimmed: trimmed_px,
            tilt: tilts.fold(0.0, f64::max),
        }
    }
}

/// A layout that a sheet may have.
#[derive(Serialize)]
struct CandidateRecord {
    width: u32,
    height: u32,
    columns: u32,
    rows: u32,
    /// Between columns and between rows.
    gap: [u32; 2],
    /// Left, top, right, bottom.
    margins: [u32; 4],
    score: f64,
    stands_out: bool,
}

impl<'a> Report<'a> {
    fn new(input: String, found: &'a Inspection) -> Self {
        let kind = match (&found.declared, found.sheet.is_some()) {
            (Some(_), _) => "scramble folder",
            (None, true) => "sheet",
            (None, false) => "pieces",
        };
        let loose = found.kinds.iter().map(|kind| kind.count as u64).sum();
        let pieces = match (&found.declared, found.sheet.is_some()) {
            (Some(puzzle), _) => Some(puzzle.num_pieces as u64),
            (None, true) => {
                let first = found.layouts.first().filter(|first| first.stands_out);
                first.map(|first| first.layout.num_pieces())
            }
            (None, false) => Some(loose),
        };
        let number = pieces.and_then(|pieces| usize::try_from(pieces).ok());
        let boards = number.filter(|&number| number >= 2).map(sizes_that_fit).unwrap_or_default();
        Self {
            input,
            kind,
            pieces,
            pictures: &found.kinds,
            candidates: found.layouts.iter().map(CandidateRecord::from).collect(),
            boards: boards.iter().map(|grid| [grid.cols(), grid.rows()]).collect(),
            wear: None,
            skipped: found.skipped(),
            preparation: None,
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let pieces = self.pieces.map_or("unknown".into(), |pieces| pieces.to_string());
        print_line(format!("{}: {}, pieces: {pieces}\n", self.input, self.kind))?;
        let mut pictures = Table::new(&["pictures", "size", "channels", "bits", "example"]);
        for kind in self.pictures {
            pictures.push(vec![
                kind.count.to_string(),
                format!("{} x {}", kind.width_px, kind.height_px),
                kind.channels.to_string(),
                kind.bits.to_string(),
                kind.example.clone(),
            ]);
        }
        print_line(pictures)?;
        if self.kind == "sheet" {
            self.print_candidates()?;
        }
        if !self.boards.is_empty() {
            let boards: Vec<String> =
                self.boards.iter().map(|[cols, rows]| format!("{cols} x {rows}")).collect();
            print_line(format!("columns x rows that they fill: {}", boards.join(", ")))?;
        }
        self.wear.map_or(Ok(()), |wear| print_line(format!("worn pieces: {wear}")))
    }

    fn print_candidates(&self) -> Result<(), Failure> {
        if !self.candidates.iter().any(|record| record.stands_out) {
            print_line("no piece size stands out\n")?;
        }
        if self.candidates.is_empty() {
            return Ok(());
        }
        let mut table = Table::with_columns(
            "piece | columns x rows | gap | left | top | right | bottom | score",
        );
        for record in &self.candidates {
            let [gap_x, gap_y] = record.gap;
            let mut row = vec![
                format!("{} x {}", record.width, record.height),
                format!("{} x {}", record.columns, record.rows),
                if gap_x == gap_y { gap_x.to_string() } else { format!("{gap_x}, {gap_y}") },
            ];
            row.extend(record.margins.map(|margin| margin.to_string()));
            row.push(format!("{:.1}", record.score));
            table.push(row);
        }
        print_line(table)
    }
}

impl From<&LayoutCandidate> for CandidateRecord {
    fn from(&LayoutCandidate { layout, score, stands_out }: &LayoutCandidate) -> Self {
        let SheetLayout { shape, columns, rows, .. } = layout;
        Self {
            width: shape.width_px(),
            height: shape.height_px(),
            columns,
            rows,
            gap: [layout.gap_x_px, layout.gap_y_px],
            margins: [layout.left_px, layout.top_px, layout.right_px, layout.bottom_px],
            score,
            stands_out,
        }
    }
}
