//! Wear: what happens to the pieces of a real puzzle after the picture was cut. Edges are lost, every piece is
//! photographed on its own, a little askew and in another light, and saved on its own.
//!
//! [`Wear`] says what happens, [`worn()`] does it. Without wear pieces stay as they are, bit for bit.

mod edges;
mod extent;
mod geometry;
mod light;
mod worn;

pub(crate) use extent::Extent;
pub(crate) use worn::worn;

use clap::Args as ClapArgs;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// Of the flags in the help of commands.
const HEADING: &str = "Wear of pieces, before they are scrambled";

/// What happens to pieces; zeros and `None` mean nothing. Random numbers are drawn for each piece, if nothing
/// else is said.
#[derive(Clone, Copy, Debug, Default, ClapArgs, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wear {
    /// Every side loses so many lines: 2 (pixels) or 3% (of the shorter side, rounded to whole pixels)
    #[arg(long, help_heading = HEADING, value_name = "LINES", default_value_t, hide_default_value = true)]
    #[serde(skip_serializing_if = "Extent::is_none")]
    pub(crate) erode: Extent,
    /// What is left after --erode is scaled back to the size before
    #[arg(long, help_heading = HEADING, requires = "erode")]
    #[serde(skip_serializing_if = "is_no")]
    pub(crate) scale_back: bool,
    /// Light of each piece: gain of 1 and offset of 0, give or take this and a third of it
    #[arg(long, help_heading = HEADING, value_name = "PERCENT", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 99.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) light: f64,
    /// White balance of each piece: a gain of each channel, 1 give or take this
    #[arg(long, help_heading = HEADING, value_name = "PERCENT", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 99.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) white_balance: f64,
    /// Tone curve of each piece: an exponent of 1, give or take this
    #[arg(long, help_heading = HEADING, value_name = "PERCENT", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 99.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) gamma: f64,
    /// Each piece is saved as JPEG of this quality with 4:2:0 chroma
    #[arg(long, help_heading = HEADING, value_name = "QUALITY", value_parser = clap::value_parser!(u8).range(1..=100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) jpeg: Option<u8>,
    /// Each piece is moved by up to so many pixels, down and across; its own edge pixels fill what is left open
    #[arg(long, help_heading = HEADING, value_name = "PIXELS", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 1000.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) shift: f64,
    /// Each piece is turned about its centre by up to so many degrees
    #[arg(long, help_heading = HEADING, value_name = "DEGREES", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 45.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) tilt: f64,
    /// Gaussian blur of this standard deviation, within each piece
    #[arg(long, help_heading = HEADING, value_name = "PIXELS", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 100.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) blur: f64,
    /// Gaussian noise of this standard deviation, in levels of 255
    #[arg(long, help_heading = HEADING, value_name = "LEVELS", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 255.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) noise: f64,
    /// A line of background of up to so many pixels along each side: near white or near black in all of a puzzle
    #[arg(long, help_heading = HEADING, value_name = "PIXELS", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 1000.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) edge_line: f64,
    /// A ragged edge: plaster covers each side to a depth from 0 to this, in percent of the shorter side
    #[arg(long, help_heading = HEADING, value_name = "PERCENT", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 50.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) ragged: f64,
    /// Cropped by hand: each piece loses up to so much of its width and of its height, more or less of it at either
    /// side; pieces are brought to one size as the program 'fretsaw' does it
    #[arg(long, help_heading = HEADING, value_name = "PERCENT", default_value_t, hide_default_value = true,
          value_parser = |text: &str| amount(text, 5.0))]
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) sizes: f64,
}

/// Parses a number from 0 to `most`.
fn amount(text: &str, most: f64) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%');
    let number: f64 = number.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if !(0.0..=most).contains(&number) {
        return Err(format!("it must be between 0 and {most}"));
    }
    Ok(number)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(amount: &f64) -> bool {
    *amount == 0.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_no(flag: &bool) -> bool {
    !*flag
}

impl Wear {
    /// Whether pieces stay as they are.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// All that it says, in numbers, in the order of the flags.
    fn amounts(&self) -> [f64; 14] {
        let &Self {
            erode,
            scale_back,
            light,
            white_balance,
            gamma,
            jpeg,
            shift,
            tilt,
            blur,
            noise,
            edge_line,
            ragged,
            sizes,
        } = self;
        let (percent, px) = match erode {
            Extent::Px(px) => (0.0, f64::from(px)),
            Extent::Percent(percent) => (percent, 0.0),
        };
        let scale_back = f64::from(u8::from(scale_back));
        let jpeg = jpeg.map_or(0.0, f64::from);
        [
            percent,
            px,
            scale_back,
            light,
            white_balance,
            gamma,
            jpeg,
            shift,
            tilt,
            blur,
            noise,
            edge_line,
            ragged,
            sizes,
        ]
    }
}

impl Ord for Wear {
    fn cmp(&self, other: &Self) -> Ordering {
        let pairs = self.amounts().into_iter().zip(other.amounts());
        pairs.map(|(a, b)| a.total_cmp(&b)).find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Wear {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Wear {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Wear {}

impl fmt::Display for Wear {
    /// What it says in words, separated by commas; nothing if pieces stay as they are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if !self.erode.is_none() {
            words.push(format!("eroded {}", self.erode));
        }
        if self.scale_back {
            words.push("scaled back".into());
        }
        for (name, amount, unit) in [
            ("light", self.light, "%"),
            ("white balance", self.white_balance, "%"),
            ("gamma", self.gamma, "%"),
            ("piece JPEG", self.jpeg.map_or(0.0, f64::from), ""),
            ("shift", self.shift, " px"),
            ("tilt", self.tilt, " degrees"),
            ("blur", self.blur, " px"),
            ("noise", self.noise, ""),
            ("edge line", self.edge_line, " px"),
            ("ragged", self.ragged, "%"),
            ("sizes", self.sizes, "%"),
        ] {
            if amount > 0.0 {
                words.push(format!("{name} {amount}{unit}"));
            }
        }
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_wear_is_nothing_in_words_and_in_json() {
        let none = Wear::default();
        assert!(none.is_none());
        assert_eq!(none.to_string(), "");
        assert_eq!(serde_json::to_string(&none).unwrap(), "{}");
    }

    #[test]
    fn json_gives_back_what_was_said() {
        let wear = Wear {
            erode: Extent::Percent(3.0),
            scale_back: true,
            light: 10.0,
            jpeg: Some(85),
            ragged: 2.0,
            ..Wear::default()
        };
        let json = serde_json::to_string(&wear).unwrap();
        assert_eq!(json, r#"{"erode":"3%","scale_back":true,"light":10.0,"jpeg":85,"ragged":2.0}"#);
        assert_eq!(serde_json::from_str::<Wear>(&json).unwrap(), wear);
        assert_eq!(wear.to_string(), "eroded 3%, scaled back, light 10%, piece JPEG 85, ragged 2%");
        assert!(serde_json::from_str::<Wear>(r#"{"fire":1}"#).is_err());
    }

    #[test]
    fn more_wear_comes_after_less() {
        let eroded = |erode| Wear { erode, ..Wear::default() };
        let by_percent = [2.0, 10.0, 12.0].map(|percent| eroded(Extent::Percent(percent)));
        assert!(by_percent.is_sorted());
        assert!(Wear::default() < eroded(Extent::Px(1)) && eroded(Extent::Px(1)) < by_percent[0]);
        assert_ne!(eroded(Extent::Px(2)), eroded(Extent::Percent(2.0)));
    }

    #[test]
    fn amounts_out_of_range_are_refused() {
        assert_eq!(amount("10", 99.0), Ok(10.0));
        assert_eq!(amount("2.5%", 99.0), Ok(2.5));
        for bad in ["-1", "100", "nan", "inf", "", "ten"] {
            assert!(amount(bad, 99.0).is_err(), "{bad}");
        }
    }
}
