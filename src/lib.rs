//! bursar: a treasury console in the terminal.

pub mod domain;
