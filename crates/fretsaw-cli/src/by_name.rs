//! Parsers of flags whose values have names.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use fretsaw::puzzle::{PuzzleType, TurnSet};

/// A parser of flags that accepts the names of these values.
///
/// ```
/// # use clap::{Arg, Command};
/// # use fretsaw::unstable::dissimilarity::Measure;
/// # use fretsaw_cli::by_name::by_name;
/// let measure = Arg::new("measure").value_parser(by_name(Measure::ALL, Measure::name));
/// let matches = Command::new("solve").arg(measure).get_matches_from(["solve", "mgc"]);
/// assert_eq!(matches.get_one("measure"), Some(&Measure::Mgc));
/// ```
pub fn by_name<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
    name: impl Fn(T) -> &'static str + Copy + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.map(name)).try_map(move |text| {
        let is_it = |value: &T| name(*value) == text;
        values.into_iter().find(is_it).ok_or_else(|| format!("'{text}' is not known"))
    })
}

/// Types of puzzles, by number.
pub fn puzzle_type() -> impl TypedValueParser<Value = PuzzleType> {
    by_name(PuzzleType::ALL, |puzzle_type| ["1", "2", "3"][puzzle_type as usize])
}

/// Sets of turns that pieces may need.
pub fn turn_set() -> impl TypedValueParser<Value = TurnSet> {
    by_name([TurnSet::None, TurnSet::Half, TurnSet::Quarter], turn_set_name)
}

/// The name of a set of turns.
pub const fn turn_set_name(turns: TurnSet) -> &'static str {
    match turns {
        TurnSet::None => "none",
        TurnSet::Half => "half",
        TurnSet::Quarter => "quarter",
    }
}
