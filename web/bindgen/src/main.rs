//! Makes the JavaScript that calls a wasm module: `fretsaw-web-bindgen MODULE.wasm FOLDER`.

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let module = arguments.next().context("name the wasm module")?;
    let folder = arguments.next().context("name the folder to write to")?;
    Bindgen::new()
        .input_path(module)
        .out_name("fretsaw")
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        // The worker names the module itself.
        .omit_default_module_path(false)
        .generate(folder)
}
