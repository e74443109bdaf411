//! `cargo xtask web`: builds the page in the browser; with `--serve` it serves it, too.

use std::process::ExitCode;
use xtask::{root, web};

const USAGE: &str = "usage: cargo xtask web [--serve [PORT]]

Builds the page in the browser into web/dist. With --serve it serves the page on this machine only [default port: 8000].";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let port = match arguments[..] {
        ["web"] => None,
        ["web", "--serve"] => Some(Ok(web::DEFAULT_PORT)),
        ["web", "--serve", port] => Some(port.parse()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let port = match port.transpose() {
        Ok(port) => port,
        Err(_) => {
            eprintln!("xtask: the port must be a number from 0 to 65535\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let outcome = web::build(&root()).and_then(|dist| match port {
        None => {
            println!("{}: open it with 'cargo xtask web --serve'", dist.display());
            Ok(())
        }
        Some(port) => web::serve(&dist, port),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
