//! The columns of a journal record.

use crate::domain::export::cells::{Cell, columns, optional_cell};
use crate::journal::Record;

columns! {
    /// The cells of a record. The body is the text covered by its hash.
    pub fn journal_record_cells(record: &Record) -> RECORD_COLUMNS {
        "record" => Some(record.seq.to_string()),
        "at" => Some(record.at.to_string()),
        "user" => Some(record.by.user.to_string()),
        "host" => Some(record.by.host.to_string()),
        "run" => Some(record.by.run.to_string()),
        "profile" => Some(record.profile.to_string()),
        "environment" => optional_cell(record.environment.as_ref()),
        "order" => optional_cell(record.order.as_ref()),
        "kind" => Some(record.kind.clone()),
        "body" => Some(record.body.clone()),
        "prev_hash" => Some(hex::encode(record.prev_hash)),
        "hash" => Some(hex::encode(record.hash)),
    }
}
