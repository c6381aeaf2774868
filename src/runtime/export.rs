//! Exports rows for other programs. The screen and the command line share this code, so that both write the same.
//!
//! Amounts, times and identifiers are exact texts, also in JSON, whose readers may use binary floating point.

#[macro_use]
pub mod table;

pub mod balances;
pub mod book;
pub mod bookkeeping;
pub mod directory;
pub mod events;
pub mod file;
pub mod history;
pub mod markets;
pub mod orders;
pub mod payables;
pub mod receipt;
pub mod report;
pub mod rows;
pub mod user_records;

pub use table::Table;
