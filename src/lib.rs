//! bursar: a treasury console in the terminal.

pub mod api;
pub mod app;
pub mod cli;
pub mod config;
pub mod domain;
pub mod runtime;
pub mod secrets;
pub mod service;
pub mod store;
pub mod ui;
