//! Parsers of sizes, numbers and times in flags.

use fretsaw::Grid;
use fretsaw::picture::CutSize;
use fretsaw::preparation::Trim;
use fretsaw::puzzle::PieceShape;
use std::num::NonZeroU32;
use std::time::Duration;

/// Parses the size of a piece: "28" or "40x25" (width x height).
pub fn parse_piece(text: &str) -> Result<PieceShape, String> {
    let (width, height) = if text.contains('x') {
        parse_size(text)?
    } else {
        (parse_number(text)?, parse_number(text)?)
    };
    PieceShape::new(height, width).map_err(|error| error.to_string())
}

/// Parses "28", "40x25" (width x height), or "8xfull" and "fullx8": strips as long as the picture.
pub fn parse_cut_size(text: &str) -> Result<CutSize, String> {
    const FULL: &str = "full";
    let px = |text: &str| {
        let px = NonZeroU32::new(parse_number(text)?);
        px.map(Some).ok_or_else(|| format!("'{text}' is not a size: it must be at least 1"))
    };
    match text.split_once('x') {
        Some((width, FULL)) => Ok(CutSize { height_px: None, width_px: px(width)? }),
        Some((FULL, height)) => Ok(CutSize { height_px: px(height)?, width_px: None }),
        _ => parse_piece(text).map(Into::into),
    }
}

/// Parses "24x18" as (24, 18).
pub fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (first, second) =
        text.split_once('x').ok_or_else(|| format!("'{text}' is not a size like 24x18"))?;
    Ok((parse_number(first)?, parse_number(second)?))
}

/// Parses "24x18" (columns x rows) as (24, 18), neither of them 0.
pub fn parse_grid(text: &str) -> Result<(NonZeroU32, NonZeroU32), String> {
    let (cols, rows) = parse_size(text)?;
    NonZeroU32::new(cols)
        .zip(NonZeroU32::new(rows))
        .ok_or_else(|| format!("'{text}' has no pieces"))
}

/// Parses "24x18" (columns x rows), "24x" or "x18", where the other number is unknown.
pub fn parse_partial_grid(text: &str) -> Result<(Option<u32>, Option<u32>), String> {
    let wrong = || format!("'{text}' is not a grid like 24x18, 24x or x18");
    let (cols, rows) = text.split_once('x').ok_or_else(wrong)?;
    let number = |text: &str| match text.trim() {
        "" => Ok(None),
        text => match parse_number(text)? {
            0 => Err(format!("'{text}' is not a number of columns or rows")),
            number => Ok(Some(number)),
        },
    };
    let (cols, rows) = (number(cols)?, number(rows)?);
    if cols.is_none() && rows.is_none() {
        return Err(wrong());
    }
    let grid = Grid::new(rows.unwrap_or(1).into(), cols.unwrap_or(1).into());
    grid.map(|_| (cols, rows)).map_err(|error| error.to_string())
}

/// The longest time limit: a year.
const MAX_TIME_LIMIT_SECS: f64 = 365.0 * 24.0 * 3600.0;

/// Parses seconds, more than 0.
pub fn parse_time_limit(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.trim().parse().map_err(|_| format!("'{text}' is not a number"))?;
    if !(seconds > 0.0 && seconds <= MAX_TIME_LIMIT_SECS) {
        return Err(format!(
            "it must be above 0 and at most {MAX_TIME_LIMIT_SECS} seconds, a year"
        ));
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Parses "auto", or lines of pixels to trim off every edge.
pub fn parse_trim(text: &str) -> Result<Trim, String> {
    match text.trim() {
        "auto" => Ok(Trim::Auto),
        text => parse_number(text)
            .map(Trim::Px)
            .map_err(|_| format!("'{text}' is neither auto nor a whole number of pixels")),
    }
}

/// Parses a number of bytes: 4000000000, 4G (10^9), 4GiB (2^30), and so on.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a number of bytes such as 500M, 4G or 4GiB");
    let text = text.trim();
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| wrong())?;
    let unit: f64 = match text[end..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    let bytes = number * unit;
    if !(1.0..1e18).contains(&bytes) {
        return Err(wrong());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    Ok(bytes as u64)
}

fn parse_number(text: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("'{text}' is not a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims_are_found_or_given_in_pixels() {
        assert_eq!(parse_trim("auto"), Ok(Trim::Auto));
        assert_eq!(parse_trim("0"), Ok(Trim::Px(0)));
        assert_eq!(parse_trim("12"), Ok(Trim::Px(12)));
        for bad in ["", "-1", "2%", "1.5", "Auto"] {
            assert!(parse_trim(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn time_limits_are_positive_and_at_most_a_year() {
        assert_eq!(parse_time_limit("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time_limit("1e-6"), Ok(Duration::from_micros(1)));
        for bad in ["", "0", "-0", "-1", "nan", "inf", "1e400", "31536001", "ten", "1 s"] {
            assert!(parse_time_limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bytes_may_have_a_unit() {
        assert_eq!(parse_bytes("1000"), Ok(1000));
        assert_eq!(parse_bytes("1.5G"), Ok(1_500_000_000));
        assert_eq!(parse_bytes("2 MiB"), Ok(2 << 20));
        for bad in ["", "G", "-1", "1X", "1e3", "0", "0.1", "1.2.3", "99999999T", "inf"] {
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn one_length_of_a_grid_may_be_left_out() {
        assert_eq!(parse_partial_grid("24x18"), Ok((Some(24), Some(18))));
        assert_eq!(parse_partial_grid("24x"), Ok((Some(24), None)));
        assert_eq!(parse_partial_grid("x18"), Ok((None, Some(18))));
        for bad in ["", "x", "24", "0x18", "24x0", "ax18", "24x18x2", "1000x1001", "x4294967296"] {
            assert!(parse_partial_grid(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn strips_are_as_long_as_the_picture() {
        let eight = NonZeroU32::new(8);
        assert_eq!(parse_cut_size("8xfull"), Ok(CutSize { height_px: None, width_px: eight }));
        assert_eq!(parse_cut_size("fullx8"), Ok(CutSize { height_px: eight, width_px: None }));
        assert_eq!(parse_cut_size("40x25"), Ok(parse_piece("40x25").unwrap().into()));
        for bad in ["full", "fullxfull", "0xfull", "fullx0", "xfull", "8xFull", "8xfullx8"] {
            assert!(parse_cut_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn piece_sizes_are_width_by_height() {
        let oblong = parse_piece("40x25").unwrap();
        assert_eq!((oblong.width_px(), oblong.height_px()), (40, 25));
        assert!(parse_piece("28").unwrap().is_square());
        for bad in ["", "0", "x", "28x", "-3", "1e3", "28x0"] {
            assert!(parse_piece(bad).is_err(), "{bad}");
        }
    }
}
