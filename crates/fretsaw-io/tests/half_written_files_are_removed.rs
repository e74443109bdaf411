//! A process that exits early can remove its half-written files.
//!
//! The only test in this file, because it removes all temporary files of the process.

use fretsaw_io::{remove_temporary_files, write_streamed, write_text};
use std::fs;

#[test]
fn half_a_file_is_removed_and_its_target_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answer.txt");
    let names = || fs::read_dir(dir.path()).unwrap().count();
    fs::write(&path, "kept").unwrap();
    let interrupted = write_streamed(&path, |file| {
        file.write_all(b"half")?;
        file.flush()?;
        assert_eq!(names(), 2);
        remove_temporary_files();
        assert_eq!(names(), 1);
        file.write_all(b" and half")
    });
    assert!(interrupted.is_err());
    assert_eq!(names(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
    // Nothing is left to remove, and later files can be written.
    remove_temporary_files();
    write_text(&path, "whole").unwrap();
    assert_eq!(names(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
}
