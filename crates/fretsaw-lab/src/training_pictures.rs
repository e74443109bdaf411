//! The photographs that training puzzles are made of.

use crate::picture_changes::in_8_bits;
use anyhow::{Context, ensure};
use fretsaw::picture::Picture;
use fretsaw_io::{Limits, read_picture};
use rayon::prelude::*;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// The pictures of the files, in their order, brought to 8 bits.
pub(crate) fn read_training_pictures(files: &[PathBuf]) -> anyhow::Result<Vec<Picture>> {
    let read = |path: &PathBuf| {
        let picture = in_8_bits(&read_picture(path, &Limits::default())?.picture);
        ensure!(
            matches!(picture.channels(), 1 | 3),
            "{} has {} channels; training pictures have one or three",
            path.display(),
            picture.channels()
        );
        Ok(picture)
    };
    files.par_iter().map(read).collect()
}

/// A file's name and a digest of its content, to record what a network was trained on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileDigest {
    /// Without folders.
    pub(crate) name: String,
    /// The 64 bit FNV-1a hash of its bytes as 16 hexadecimal digits: readers of JSON may round a number.
    pub(crate) fnv1a: String,
}

/// The digests of the files, in their order.
pub(crate) fn digests(files: &[PathBuf]) -> anyhow::Result<Vec<FileDigest>> {
    let digest = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(FileDigest { name, fnv1a: format!("{:016x}", fnv1a(&bytes)) })
    };
    files.par_iter().map(digest).collect()
}

/// Not a cryptographic hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::puzzle::Samples;
    use fretsaw::synthetic::demo_picture;

    #[test]
    fn files_come_back_in_their_order_with_digests_of_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let pictures = [demo_picture(10, 12, 1), demo_picture(8, 9, 2)];
        let files: Vec<PathBuf> =
            ["b.png", "a.png"].iter().map(|name| folder.path().join(name)).collect();
        for (file, picture) in files.iter().zip(&pictures) {
            fretsaw_io::write_picture(file, picture, None).unwrap();
        }
        assert_eq!(read_training_pictures(&files).unwrap(), pictures);
        let before = digests(&files).unwrap();
        assert_eq!(before[0].name, "b.png");
        assert_ne!(before[0].fnv1a, before[1].fnv1a);

        fs::write(&files[1], "foobar").unwrap();
        let after = digests(&files).unwrap();
        assert_eq!(after[0], before[0]);
        // From the test vectors of the hash's authors.
        assert_eq!(after[1].fnv1a, "85944171f73967e8");
        assert!(read_training_pictures(&files).is_err());
        assert!(digests(&[folder.path().join("none.png")]).is_err());
    }

    #[test]
    fn deep_files_become_8_bits_and_those_with_alpha_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("picture.png");
        let write = |channels: usize, samples: Samples| {
            let picture = Picture::new(1, 2, channels, samples).unwrap();
            fretsaw_io::write_picture(&file, &picture, None).unwrap();
        };
        write(1, Samples::U16(vec![0, 65535]));
        let read = read_training_pictures(std::slice::from_ref(&file)).unwrap();
        assert_eq!(read[0].samples(), &Samples::U8(vec![0, 255]));
        write(4, Samples::U8(vec![1, 2, 3, 255, 4, 5, 6, 7]));
        let error = read_training_pictures(std::slice::from_ref(&file)).unwrap_err();
        assert!(error.to_string().contains("picture.png has 4 channels"), "{error}");
    }
}
