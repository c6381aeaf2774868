//! bursar: a treasury console in the terminal.

pub mod api;
pub mod app;
pub mod domain;
