//! bursar: a treasury console in the terminal.

pub mod app;
pub mod cli;
pub mod domain;
pub mod service;
