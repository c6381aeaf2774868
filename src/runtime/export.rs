//! Exports rows for other programs. The screen and the command line share this code, so that both write the same.
//!
//! Amounts, times and identifiers are exact texts, also in JSON, whose readers may use binary floating point.

pub mod bookkeeping;
pub mod file;
pub mod journal_records;
pub mod payables;
pub mod receipt;
pub mod report;
pub mod rows;
pub mod table;

pub use table::TableWriter;
