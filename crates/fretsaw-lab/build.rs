//! Tells the crate from which commit it is built, as `FRETSAW_COMMIT`, if git can tell.
//!
//! Nothing is set where there is no git, or where these files are not git's: in an unpacked archive
//! that lies in somebody else's repository.

use std::process::Command;

/// What programs are compiled from, below the root. Other changed files do not make a commit dirty.
const SOURCES: [&str; 7] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates/fretsaw/src",
    "crates/fretsaw-gcl/src",
    "crates/fretsaw-io/src",
    "crates/fretsaw-lab/src",
    "crates/fretsaw-cli/src",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else { return };
    // A commit moves the branch, not HEAD; the log of HEAD notes both. In a worktree `.git` is a
    // file, so git must say where these are.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        // What does not exist would count as changed at every build.
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && std::path::Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    // Cargo runs this in the folder of the package.
    if git(&["ls-files", "--error-unmatch", "build.rs"]).is_none() {
        return;
    }
    let paths = SOURCES.map(|source| format!("../../{source}"));
    for path in &paths {
        println!("cargo::rerun-if-changed={path}");
    }
    // Without optional locks the index is not refreshed on disk.
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"];
    status.push("--");
    status.extend(paths.iter().map(String::as_str));
    let is_dirty = git(&status).is_none_or(|changes| !changes.is_empty());
    println!("cargo::rustc-env=FRETSAW_COMMIT={commit}{}", if is_dirty { "-dirty" } else { "" });
}

/// What git prints, if it can be run and succeeds.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
