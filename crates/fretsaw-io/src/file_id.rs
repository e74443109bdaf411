//! Whether two paths name the same file.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// What a path names: the same for all paths that lead to the same file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileId {
    /// A file that exists, by device and number, so that links of both kinds and names that differ in case only are
    /// seen through.
    #[cfg(unix)]
    Existing(u64, u64),
    /// A file that exists, by its real path.
    #[cfg(not(unix))]
    Existing(PathBuf),
    /// A file that does not exist: the real path of its folder, and its name in lower case, since some file systems do
    /// not tell cases apart.
    New(PathBuf, String),
}

impl FileId {
    /// What this path names.
    pub fn of(path: &Path) -> Self {
        Self::of_existing(path).unwrap_or_else(|| {
            let folder = match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
            let name = path.file_name().unwrap_or(OsStr::new("")).to_string_lossy();
            Self::New(folder, name.to_lowercase())
        })
    }

    /// The file or folder at this path, if there is one.
    #[cfg(unix)]
    pub fn of_existing(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path).ok().map(|found| Self::Existing(found.dev(), found.ino()))
    }

    /// The file or folder at this path, if there is one.
    #[cfg(not(unix))]
    pub fn of_existing(path: &Path) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::Existing)
    }

    /// Whether the file exists.
    pub const fn exists(&self) -> bool {
        !matches!(self, Self::New(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_same_file_are_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("a.png"), "").unwrap();
        fs::write(at("b.png"), "").unwrap();
        let id = |name: &str| FileId::of(&at(name));
        assert_eq!(id("a.png"), id("./a.png"));
        assert_ne!(id("a.png"), id("b.png"));
        fs::hard_link(at("a.png"), at("hard.png")).unwrap();
        assert_eq!(id("a.png"), id("hard.png"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a.png"), at("soft.png")).unwrap();
            assert_eq!(id("a.png"), id("soft.png"));
        }
        assert_eq!(id("new.png"), id("./NEW.png"));
        assert_ne!(id("new.png"), id("newer.png"));
        assert!(id("a.png").exists() && !id("new.png").exists());
    }
}
