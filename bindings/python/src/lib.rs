//! The native part of the Python package `fretsaw`. The Python files beside it check what people give and document what
//! they get; everything else is a call of the library.

#![forbid(unsafe_code)]

mod background;
mod failure;
mod found;
mod input;
mod parts;
mod pixels;
mod solve;
mod stages;
mod tools;

/// The native part of `fretsaw`; use the package instead.
#[pyo3::pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use crate::background::Stop;
    #[pymodule_export]
    use crate::found::Found;
    #[pymodule_export]
    use crate::input::{Input, read_whole};
    #[pymodule_export]
    use crate::parts::{merged, part};
    #[pymodule_export]
    use crate::solve::solve_input;
    #[pymodule_export]
    use crate::stages::{
        Graph, PaperStep, connection_graph, match_sides, paper_steps, rotations, update_graph,
    };
    #[pymodule_export]
    use crate::tools::{
        Truth, cut_picture, demo_picture, inspect_files, inspect_paths, score_answer,
        scramble_picture,
    };

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
