//! Builds the page: the solver as a wasm module, its JavaScript, and the static files.

use super::Error;
use crate::{files_below, shown};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// For the optimisation of all crates together. What is called often was inlined before; more of it then makes the module a tenth
/// larger, and no faster. So do loops that are unrolled for any number of rounds, which a browser compiles again anyway.
const LAST_OPTIMISATION: &str = "llvm-args=-inline-threshold=25 -unroll-runtime=false";
/// The networks, from the sources of the core.
const NETWORKS: [&str; 7] = [
    "matching/networks.bin",
    "matching/graphic_networks.bin",
    "matching/pixel_network.bin",
    "matching/worn_networks.bin",
    "matching/worn_pixel_network.bin",
    "matching/bled_networks.bin",
    "upright/network.bin",
];

/// Builds the page below `root` and returns its folder, which is made anew.
///
/// # Errors
/// If the target is missing and cannot be added, the build fails, or a file cannot be written.
pub fn build(root: &Path) -> Result<PathBuf, Error> {
    let web = root.join("web");
    add_target()?;
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        // In this folder, so that its `.cargo/config.toml` holds.
        command.current_dir(&web).args(arguments);
        run(&mut command)
    };
    cargo(&[
        "rustc",
        "--release",
        "--locked",
        "--package",
        "fretsaw-web",
        "--target",
        TARGET,
        "--",
        "-C",
        LAST_OPTIMISATION,
    ])?;
    let dist = web.join("dist");
    match fs::remove_dir_all(&dist) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => fs::create_dir_all(&dist)?,
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(web.join("target"), PathBuf::from);
    let module = target.join(TARGET).join("release/fretsaw_web.wasm");
    let solver = dist.join("solver");
    let (module, folder) = (module.to_string_lossy(), solver.to_string_lossy());
    cargo(&[
        "run",
        "--quiet",
        "--locked",
        "--package",
        "fretsaw-web-bindgen",
        "--",
        &module,
        &folder,
    ])?;
    let script = dist.join("solver/fretsaw.js");
    fs::write(&script, shortened(&fs::read_to_string(&script)?))?;
    copy_folder(&web.join("page"), &dist)?;
    for network in NETWORKS {
        let to = dist.join("networks").join(network);
        fs::create_dir_all(to.parent().unwrap_or(&dist))?;
        fs::copy(root.join("crates/fretsaw/src").join(network), to)?;
    }
    list_files(&dist)?;
    Ok(dist)
}

/// Adds the target to the toolchain if it is not there.
fn add_target() -> Result<(), Error> {
    let mut print = Command::new("rustc");
    let libraries = print.args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let libraries = String::from_utf8_lossy(&libraries.stdout).trim().to_string();
    if Path::new(&libraries).is_dir() {
        return Ok(());
    }
    println!("adding the target {TARGET} to the toolchain");
    run(Command::new("rustup").args(["target", "add", TARGET])).map_err(|error| {
        format!("the target {TARGET} is missing: {error}; run 'rustup target add {TARGET}'").into()
    })
}

fn run(command: &mut Command) -> Result<(), Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed: {status}").into()) }
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    for path in files_below(from, None)? {
        let target = to.join(path.strip_prefix(from)?);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        if path.extension().is_some_and(|extension| extension == "js") {
            fs::write(target, shortened(&fs::read_to_string(&path)?))?;
        } else {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}

/// A script without what nobody needs to download: lines that hold only a comment or nothing, and indentation. No script has
/// a text of several lines, whose indentation would count.
fn shortened(script: &str) -> String {
    let mut is_in_comment = false;
    let mut kept = String::with_capacity(script.len());
    for line in script.lines() {
        let text = line.trim();
        is_in_comment |= text.starts_with("/*");
        if !is_in_comment && !text.is_empty() && !text.starts_with("//") {
            kept.push_str(text);
            kept.push('\n');
        }
        is_in_comment &= !text.ends_with("*/");
    }
    kept
}

/// Tells the service worker which files there are, and by a sum over all which version of them.
fn list_files(dist: &Path) -> Result<(), Error> {
    const WORKER: &str = "service-worker.js";
    let mut hasher = DefaultHasher::new();
    let mut names = Vec::new();
    for path in files_below(dist, None)? {
        hasher.write(&fs::read(&path)?);
        let name = shown(dist, &path);
        hasher.write(name.as_bytes());
        if name != WORKER {
            names.push(format!("  \"./{name}\""));
        }
    }
    let path = dist.join(WORKER);
    let text = fs::read_to_string(&path)?;
    let text = text
        .replace(
            "const VERSION = \"development\";",
            &format!("const VERSION = \"{:016x}\";", hasher.finish()),
        )
        .replace("const FILES = [];", &format!("const FILES = [\n{},\n];", names.join(",\n")));
    Ok(fs::write(path, text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    #[test]
    fn all_networks_of_the_core_are_copied() {
        let source = fs::read_to_string(root().join("crates/fretsaw/src/networks.rs")).unwrap();
        let named =
            source.lines().filter_map(|line| line.trim().split_once(": \"")?.1.strip_suffix("\","));
        assert_eq!(named.collect::<Vec<_>>(), NETWORKS);
    }

    #[test]
    fn no_script_has_a_text_of_several_lines() {
        for path in files_below(&root().join("web/page"), None).unwrap() {
            if path.extension().is_some_and(|extension| extension == "js") {
                let script = fs::read_to_string(&path).unwrap();
                let is_open = |line: &&str| line.matches('`').count() % 2 == 1;
                assert_eq!(script.lines().find(is_open), None, "{}", path.display());
            }
        }
    }

    #[test]
    fn scripts_lose_their_comments_and_nothing_else() {
        let script =
            "// Why.\n\n/** What. */\nlet a = 1; // 1\n/**\n * More\n */\n  let b = `//`;\n";
        assert_eq!(shortened(script), "let a = 1; // 1\nlet b = `//`;\n");
    }

    #[test]
    fn the_service_worker_learns_the_files_and_their_version() {
        let dir = tempfile::tempdir().unwrap();
        let worker = root().join("web/page/service-worker.js");
        fs::copy(worker, dir.path().join("service-worker.js")).unwrap();
        fs::write(dir.path().join("index.html"), "page").unwrap();
        list_files(dir.path()).unwrap();
        let text = fs::read_to_string(dir.path().join("service-worker.js")).unwrap();
        assert!(text.contains("\"./index.html\"") && !text.contains("\"development\""), "{text}");
        assert!(!text.contains("\"./service-worker.js\""));
    }
}
