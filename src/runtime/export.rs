//! Rows for other programs: what the screen and the command line export is made here, so that both write the same.
//!
//! Amounts, times and identifiers are written as exact texts, also in JSON, since a number there may pass through
//! binary floating point in whoever reads it.

pub mod balances;
pub mod file;
pub mod history;
pub mod orders;
pub mod statement;
pub mod table;

pub use table::Table;
