//! Rows for other programs: what the screen and the command line export is made here, so that both write the same.
//!
//! Amounts, times and identifiers are written as exact texts, also in JSON, since a number there may pass through
//! binary floating point in whoever reads it.

pub mod balances;
pub mod book;
pub mod directory;
pub mod events;
pub mod file;
pub mod history;
pub mod markets;
pub mod orders;
pub mod rows;
pub mod statement;
pub mod table;
pub mod user_records;

pub use table::Table;
