//! bursar: a treasury console in the terminal.

pub mod app;
pub mod domain;
pub mod store;
