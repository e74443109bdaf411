//! `fretsaw inspect`

use super::Verbosity;
use crate::args::InspectArgs;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::{print_json, print_line};
use fretsaw_cli::table::Table;
use fretsaw_io::{
    InspectionReport, input_name, inspect, read_contact_sheet, read_inputs, write_picture,
};

pub(super) fn run(args: &InspectArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let name = input_name(&args.input.paths);
    let numbers = args.grid.map(|(cols, rows)| (cols.get(), rows.get()));
    let options = args.input.options(numbers.map(|(cols, _)| cols), numbers.map(|(_, rows)| rows));
    let options = args.trim.on(options);
    let found = inspect(&args.input.paths, &options)?;
    // Pieces that cannot be read are described all the same; 'solve' says what is wrong with them.
    let input = read_inputs(&args.input.paths, &options).ok();
    let report = InspectionReport::new(name.display().to_string(), &found, input.as_ref());
    let preparation = input.and_then(|input| input.preparation);
    if let Some(path) = &args.contact_sheet {
        write_picture(path, &read_contact_sheet(&args.input.paths, &options)?, None)?;
    }
    if args.json {
        return print_json(&report);
    }
    for warning in &found.warnings {
        verbosity.warn(warning);
    }
    print_report(&report)?;
    preparation.map_or(Ok(()), |preparation| print_line(format!("before a solve: {preparation}")))
}

fn print_report(report: &InspectionReport<'_>) -> Result<(), Failure> {
    let pieces = report.pieces.map_or("unknown".into(), |pieces| pieces.to_string());
    print_line(format!("{}: {}, pieces: {pieces}\n", report.input, report.kind))?;
    let mut pictures = Table::new(&["pictures", "size", "channels", "bits", "example"]);
    for kind in report.pictures {
        pictures.push(vec![
            kind.count.to_string(),
            format!("{} x {}", kind.width_px, kind.height_px),
            kind.channels.to_string(),
            kind.bits.to_string(),
            kind.example.clone(),
        ]);
    }
    print_line(pictures)?;
    if report.kind == "sheet" {
        print_candidates(report)?;
    }
    if !report.boards.is_empty() {
        let boards: Vec<String> =
            report.boards.iter().map(|[cols, rows]| format!("{cols} x {rows}")).collect();
        print_line(format!("columns x rows that they fill: {}", boards.join(", ")))?;
    }
    report.wear.map_or(Ok(()), |wear| print_line(format!("worn pieces: {wear}")))
}

fn print_candidates(report: &InspectionReport<'_>) -> Result<(), Failure> {
    if !report.candidates.iter().any(|record| record.stands_out) {
        print_line("no piece size stands out\n")?;
    }
    if report.candidates.is_empty() {
        return Ok(());
    }
    let mut table =
        Table::with_columns("piece | columns x rows | gap | left | top | right | bottom | score");
    for record in &report.candidates {
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
