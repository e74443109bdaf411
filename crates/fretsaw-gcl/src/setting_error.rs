//! Settings outside their range, and other failures of the methods.

use fretsaw::unstable::locations::LocationError;

/// A setting outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}; it must be {range}")]
pub struct SettingError {
    /// The setting.
    pub name: &'static str,
    /// The value given.
    pub value: f64,
    /// The allowed range.
    pub range: &'static str,
}

/// Refuses the first setting that is out of range; each is a name, a value, whether the value is within
/// the range, and the range in words.
pub(crate) fn check_settings(
    settings: &[(&'static str, f64, bool, &'static str)],
) -> Result<(), SettingError> {
    match settings.iter().find(|(_, _, is_within, _)| !is_within) {
        Some(&(name, value, _, range)) => Err(SettingError { name, value, range }),
        None => Ok(()),
    }
}

/// The error of a step of a method.
pub(crate) fn failed(error: impl ToString) -> LocationError {
    LocationError::Method(error.to_string())
}
