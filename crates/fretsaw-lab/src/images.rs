//! Which pictures of a set take part.

use crate::groups::natural;
use anyhow::{Context, bail};
use std::path::Path;

/// Which pictures of a set: by the number at the start of their names, or else by their place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Images {
    #[default]
    All,
    /// 1, 3 and so on.
    Odd,
    /// 2, 4 and so on.
    Even,
}

fretsaw::named_enum!(Images { All: "all", Odd: "odd", Even: "even" });

impl Images {
    /// Whether a picture is among them: its file name, and its place in the set, from 0.
    fn contain(self, image: &str, place: usize) -> bool {
        let number = number_of(image).unwrap_or(place as u64 + 1);
        match self {
            Self::All => true,
            Self::Odd => number % 2 == 1,
            Self::Even => number.is_multiple_of(2),
        }
    }
    /// The half of a picture by the number at the start of its name; `None` without a number.
    pub(crate) fn half_of(image: &str) -> Option<Self> {
        number_of(image).map(|number| if number % 2 == 1 { Self::Odd } else { Self::Even })
    }
}

/// The number that a name begins with.
fn number_of(image: &str) -> Option<u64> {
    let digits: String = image.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Names of pictures in the folder of a set, in natural order: all of them, or one half.
pub(crate) fn images_of(set: &Path, which: Images) -> anyhow::Result<Vec<String>> {
    let entries =
        std::fs::read_dir(set).with_context(|| format!("cannot read the set {}", set.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_picture = [".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"]
            .iter()
            .any(|ending| name.to_lowercase().ends_with(ending));
        if is_picture {
            names.push(name);
        }
    }
    if names.is_empty() {
        bail!("the set {} holds no pictures", set.display());
    }
    // Numbered names in the order of their numbers.
    names.sort_by(|a, b| natural(a).cmp(&natural(b)));
    let places = names.into_iter().enumerate();
    let chosen: Vec<String> =
        places.filter(|(place, name)| which.contain(name, *place)).map(|(_, name)| name).collect();
    if chosen.is_empty() {
        bail!("the set {} holds no pictures of {} number", set.display(), which.name());
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_odd_or_even_by_number_or_else_by_place() {
        let odd = |image, place| Images::Odd.contain(image, place);
        assert!(odd("01.jpg", 5) && odd("3.png", 1) && !odd("10.png", 0));
        assert!(odd("sea.png", 0) && !odd("sun.png", 1));
        for (place, image) in ["1.png", "2.png", "a.png", "b.png"].into_iter().enumerate() {
            assert!(Images::All.contain(image, place));
            assert_ne!(odd(image, place), Images::Even.contain(image, place));
        }
    }

    #[test]
    fn halves_of_a_set_make_up_the_whole() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["10.png", "2.png", "1.jpg", "notes.txt", "3.png"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let names = |which| images_of(dir.path(), which).unwrap();
        assert_eq!(names(Images::All), ["1.jpg", "2.png", "3.png", "10.png"]);
        assert_eq!(names(Images::Odd), ["1.jpg", "3.png"]);
        assert_eq!(names(Images::Even), ["2.png", "10.png"]);
        assert_eq!(Images::half_of("3.png"), Some(Images::Odd));
        assert_eq!(Images::half_of("10.png"), Some(Images::Even));
        assert_eq!(Images::half_of("sea.png"), None);
        for name in ["1.jpg", "3.png"] {
            std::fs::remove_file(dir.path().join(name)).unwrap();
        }
        let message = images_of(dir.path(), Images::Odd).unwrap_err().to_string();
        assert!(message.contains("no pictures of odd number"), "{message}");
    }
}
