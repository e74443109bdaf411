//! Code shared by the programs `fretsaw` and `fretsaw-lab`: flags, messages, progress and exit codes.
//!
//! The commands of `fretsaw` are in the program, `main.rs`.

pub mod available_memory;
pub mod by_name;
pub mod failure;
pub mod input_args;
pub mod limits_args;
pub mod parse;
pub mod progress;
pub mod stdout;
pub mod stop;
pub mod table;
pub mod threads;
pub mod verbosity;
