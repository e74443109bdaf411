//! The flag for the gap between pieces.

use fretsaw::PieceShape;

/// How much is missing between two pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GapBetween {
    /// The solver finds out.
    Auto,
    Px(f64),
    /// Of the shorter side of a piece.
    Percent(f64),
}

/// Parses auto, pixels or a percentage.
pub(crate) fn parse_gap(text: &str) -> Result<GapBetween, String> {
    if text == "auto" {
        return Ok(GapBetween::Auto);
    }
    let wrong = || format!("'{text}' is neither auto nor a width such as 4 (pixels) or 3%");
    let number = |text: &str| {
        let number: Option<f64> = text.trim().parse().ok();
        number.filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(wrong)
    };
    match text.strip_suffix('%') {
        Some(percent) => number(percent).map(GapBetween::Percent),
        None => number(text).map(GapBetween::Px),
    }
}

impl GapBetween {
    /// The gap in pixels between pieces of this shape; `None` if the solver finds it.
    ///
    /// # Errors
    /// If the gap is wider than the pieces.
    pub(crate) fn px(self, shape: PieceShape) -> Result<Option<f64>, String> {
        let side_px = f64::from(shape.height_px().min(shape.width_px()));
        let gap_px = match self {
            Self::Auto => return Ok(None),
            Self::Px(px) => px,
            Self::Percent(percent) => side_px * percent / 100.0,
        };
        if gap_px > side_px {
            return Err(format!(
                "--gap-between: a gap of {gap_px} px is wider than the pieces, which have {side_px} px; give a \
                 smaller one"
            ));
        }
        Ok(Some(gap_px))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_pixels_or_percent_of_the_shorter_side() {
        let shape = PieceShape::new(50, 80).unwrap();
        let px = |text: &str| parse_gap(text).and_then(|gap| gap.px(shape));
        assert_eq!(px("auto"), Ok(None));
        assert_eq!(px("4"), Ok(Some(4.0)));
        assert_eq!(px("0"), Ok(Some(0.0)));
        assert_eq!(px("3%"), Ok(Some(1.5)));
        for wrong in ["-1", "nan", "wide", "", "%", "51", "101%"] {
            assert!(px(wrong).is_err(), "{wrong}");
        }
    }
}
