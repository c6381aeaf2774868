//! The tail marker: a file beside the journal with the position of its last record.
//!
//! A cleanly truncated tail, or a damaged log that SQLite drops, leaves a journal that is whole in itself, only
//! shorter. The marker shows that. It is written after a record has reached the disk, so that it never claims more than
//! is true, and is not synced: one that is old, damaged or missing only detects less.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::hash_chain::{self, ChainHead};
use super::record::Hash;
use super::{JournalError, location};
use crate::disk::{signed_line, verified_text};

/// The path of a journal's tail marker; a backup has none.
pub(super) fn path(journal: &Path) -> Option<PathBuf> {
    (journal.file_name()? == location::JOURNAL_FILE).then(|| journal.with_file_name("journal.head"))
}

pub(super) fn write(path: &Path, head: &ChainHead) {
    let written = || -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        location::set_private_mode(&mut options);
        // Always of the same length, in one piece and in place: at no moment is there no marker.
        options.open(path)?.write_all(marker_line(head).as_bytes())
    };
    if let Err(error) = written() {
        tracing::debug!(%error, "the marker beside the journal could not be updated");
    }
}

/// Reads the marker. It must be read before the journal itself, which may grow meanwhile.
pub(super) fn read(path: &Path) -> Option<ChainHead> {
    let text = fs::read_to_string(path).ok()?;
    // A marker that was written only in part, or changed, counts as missing.
    let (seq, hash) = verified_text(&text)?.split_once(' ')?;
    Some(ChainHead { seq: seq.parse().ok()?, hash: Hash::try_from(hex::decode(hash).ok()?).ok()? })
}

fn marker_line(head: &ChainHead) -> String {
    signed_line(&format!("{:020} {}", head.seq, hex::encode(head.hash)))
}

/// Checks that a journal that ends at record `end` has everything that the marker counts.
pub(super) fn check_covers_marker(
    connection: &Connection,
    end: u64,
    mark: Option<ChainHead>,
) -> Result<(), JournalError> {
    let Some(mark) = mark else { return Ok(()) };
    if mark.seq > end {
        let next = end.saturating_add(1);
        return Err(JournalError::damaged(
            Some(next),
            &format!("the record is missing, and so are all up to record {}", mark.seq),
        ));
    }
    let hash = match mark.seq {
        0 => ChainHead::beginning(connection)?.hash,
        seq => hash_chain::read_record(connection, seq)?.hash,
    };
    if hash == mark.hash {
        Ok(())
    } else {
        Err(JournalError::damaged(Some(mark.seq), "another journal was here before; this one does not continue it"))
    }
}
