//! `fretsaw bench sheets`

use super::with_threads;
use crate::args::sheets::BenchSheetsArgs;
use crate::failure::Failure;
use crate::stdout::print_line;
use fretsaw_io::{check_file_target, write_text};
use fretsaw_lab::sheet_run::{SheetRun, failures, sets_in, summary};

pub(super) fn run(args: &BenchSheetsArgs) -> Result<(), Failure> {
    if args.count == 0 {
        return Err(Failure::Usage("--count must be at least 1".into()));
    }
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    let sets = if args.sets.is_empty() { sets_in(&args.data)? } else { args.sets.clone() };
    let run = SheetRun { data: args.data.clone(), sets, count: args.count, seed: args.seed };
    let records = with_threads(args.threads, || run.run())??;
    if let Some(out) = &args.out {
        let lines = records.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        write_text(out, &(lines.map_err(anyhow::Error::from)?.join("\n") + "\n"))?;
    }
    let wrong = failures(&records);
    if !wrong.is_empty() {
        print_line(wrong)?;
    }
    print_line(summary(&records))
}
