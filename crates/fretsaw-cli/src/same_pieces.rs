//! Refuses to use a solution with pieces that it is not of.

use fretsaw_cli::failure::Failure;
use fretsaw_io::PiecesFingerprint;
use std::path::Path;

/// Refuses fingerprints that differ, unless forced. A document without one is of unknown pieces.
///
/// `document` knows the pieces by `known`; `other` has those of `found`.
pub(crate) fn check_same_pieces(
    (document, known): (&Path, Option<PiecesFingerprint>),
    (other, found): (&Path, Option<PiecesFingerprint>),
    force: bool,
) -> Result<(), Failure> {
    match (known, found) {
        (Some(known), Some(found)) if known != found && !force => Err(Failure::Usage(format!(
            "{}: is of other pieces than {}: their number, order or pixels differ (fingerprint {known}, not {found}); \
             name the one that it belongs to, or give --force",
            document.display(),
            other.display()
        ))),
        _ => Ok(()),
    }
}
