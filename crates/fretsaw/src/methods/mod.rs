//! Whole methods: each file reads like one algorithm box.

pub mod gallagher;
