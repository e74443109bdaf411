//! The page in the browser: its build and a server for it.

mod build;
mod server;

pub use build::build;
pub use server::{DEFAULT_PORT, Response, respond, serve};

/// What went wrong, in words.
pub type Error = Box<dyn std::error::Error>;
