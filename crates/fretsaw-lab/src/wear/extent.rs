//! A number of lines of pixels, or a share of a side.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Lines of pixels; written "2", or "3%" of a side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Extent {
    Px(u32),
    /// Above 0 and below 50.
    Percent(f64),
}

impl Default for Extent {
    fn default() -> Self {
        Self::Px(0)
    }
}

impl Extent {
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::Px(0)
    }

    /// Whole lines of a side of this length.
    pub(crate) fn lines_of(self, side_px: usize) -> usize {
        match self {
            Self::Px(px) => px as usize,
            Self::Percent(percent) => {
                #[expect(clippy::cast_possible_truncation, reason = "less than half of a side")]
                let lines = (percent / 100.0 * side_px as f64).round() as usize;
                lines
            }
        }
    }
}

impl FromStr for Extent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is neither whole pixels, as in 2, nor a share, as in 3%");
        let Some(percent) = text.trim().strip_suffix('%') else {
            return text.trim().parse().map(Self::Px).map_err(|_| wrong());
        };
        match percent.trim().parse::<f64>().map_err(|_| wrong())? {
            0.0 => Ok(Self::default()),
            percent if percent > 0.0 && percent < 50.0 => Ok(Self::Percent(percent)),
            _ => Err(format!("{text} is not between 0 and 50 %")),
        }
    }
}

impl TryFrom<String> for Extent {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Extent> for String {
    fn from(extent: Extent) -> Self {
        extent.to_string()
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Px(px) => write!(f, "{px}"),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_pixels_or_shares_of_a_side() {
        for (text, extent, of_50) in [
            ("0", Extent::Px(0), 0),
            ("2", Extent::Px(2), 2),
            ("3%", Extent::Percent(3.0), 2),
            ("2.9%", Extent::Percent(2.9), 1),
        ] {
            assert_eq!(text.parse(), Ok(extent));
            assert_eq!(extent.to_string(), text);
            assert_eq!(extent.lines_of(50), of_50, "{text}");
        }
        assert_eq!("0%".parse(), Ok(Extent::default()));
        for bad in ["", "%", "-1", "2.5", "-3%", "50%", "nan%", "2px"] {
            assert!(bad.parse::<Extent>().is_err(), "{bad}");
        }
    }
}
