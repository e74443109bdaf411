//! Whole methods: each file reads like one algorithm box.

pub mod fretsaw;
pub mod gallagher;
pub mod reference;
pub mod turn_in_place;
pub mod yu;
