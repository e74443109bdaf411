//! A process that exits early can remove its half-written files.
//!
//! The only test in this file, because it removes all temporary files of the process.

use fretsaw::picture::Picture;
use fretsaw::puzzle::Samples;
use fretsaw_io::{remove_temporary_files, write_picture};
use std::fs;

#[test]
fn half_a_picture_is_removed_and_its_target_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large.png");
    let names = || fs::read_dir(dir.path()).unwrap().count();
    // Before it writes, the writer tries whether it may: that file is empty and short-lived.
    let has_half_a_file = || {
        let lengths =
            fs::read_dir(dir.path()).unwrap().flatten().flat_map(|entry| entry.metadata());
        lengths.filter(|found| found.len() > 0).count() > 1
    };
    // Noise takes PNG long to write.
    let noise = |index: u32| index.wrapping_mul(2_654_435_761).to_le_bytes()[2];
    let picture =
        Picture::new(2000, 2000, 3, Samples::U8((0..12_000_000).map(noise).collect())).unwrap();
    // On a busy machine a file may be whole before this thread sees its beginning.
    let was_interrupted = (0..20).any(|_| {
        fs::write(&path, "kept").unwrap();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write_picture(&path, &picture, None));
            while !has_half_a_file() && !writer.is_finished() {
                std::thread::yield_now();
            }
            remove_temporary_files();
            assert_eq!(names(), 1);
            writer.join().unwrap().is_err()
        })
    });
    assert!(was_interrupted);
    assert_eq!(names(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
    // Nothing is left to remove, and later files can be written.
    remove_temporary_files();
    let small = Picture::new(2, 2, 1, Samples::U8(vec![1, 2, 3, 4])).unwrap();
    write_picture(&path, &small, None).unwrap();
    assert_eq!(names(), 1);
}
