//! The mark beside the keys: the number of changes, and the hash of the file after the last one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::service::integrity_mark::{MarkFile, StoredMark};

/// Text of a mark before the register's first state is recorded.
const UNSET_TEXT: &str = "new";

pub(super) const SINGLE_COPY_MESSAGE: &str =
    "one of the two copies in keys.mark cannot be read: a write was cut off, or its bytes were changed";

/// State of the mark in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkFileState {
    Absent,
    Illegible,
    /// The creation of the register was interrupted, or its present state is to be accepted.
    Unset,
    Present,
}

#[derive(Debug)]
pub(super) struct RegisterMark {
    path: PathBuf,
    keys_file: File,
}

fn mark_path(folder: &Path) -> PathBuf {
    folder.join("keys.mark")
}

pub(super) fn read_mark_state(folder: &Path) -> io::Result<MarkFileState> {
    Ok(match MarkFile::open_under_shared_lock(&mark_path(folder))?.1 {
        StoredMark::Absent => MarkFileState::Absent,
        StoredMark::Unreadable => MarkFileState::Illegible,
        StoredMark::Content { text, .. } if text == UNSET_TEXT => MarkFileState::Unset,
        StoredMark::Content { .. } => MarkFileState::Present,
    })
}

/// Resets the mark: the next open records the register as it is.
pub(super) fn unset_mark(folder: &Path) -> io::Result<()> {
    MarkFile::open(&mark_path(folder))?.0.write_twice(UNSET_TEXT)
}

impl RegisterMark {
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self { path: mark_path(folder), keys_file: File::open(super::keys_file_path(folder))? })
    }

    /// Records that change `number` is about to be made.
    pub(super) fn record_change_begun(&self, number: i64) -> io::Result<()> {
        let (mut file, _) = MarkFile::open(&self.path)?;
        file.write(&format!("changing {number}"))?;
        file.sync()
    }

    /// Records the file's state after `number` changes.
    pub(super) fn record_state(&self, number: i64) -> io::Result<()> {
        let text = format!("keys {number} {}", self.hash_keys_file()?);
        MarkFile::open(&self.path)?.0.write_twice(&text)
    }

    /// What differs between the mark and the file, whose own counter is `number`.
    pub(super) fn difference(&self, number: i64) -> io::Result<Option<String>> {
        let (_, mark) = MarkFile::open(&self.path)?;
        let StoredMark::Content { text, .. } = mark else { return Ok(Some("keys.mark cannot be read".into())) };
        let words: Vec<&str> = text.split(' ').collect();
        let is_right = match *words.as_slice() {
            // Interrupted during the change, which was made or not.
            ["changing", changed] => {
                changed.parse().is_ok_and(|changed: i64| number == changed || number.saturating_add(1) == changed)
            }
            ["keys", changed, hash] => changed.parse() == Ok(number) && hash == self.hash_keys_file()?,
            _ => false,
        };
        let wrong = "keys.db is not what was written: bytes were changed, or an earlier state was put back";
        Ok((!is_right).then(|| wrong.into()))
    }

    /// Whether a change was begun whose end was not recorded.
    pub(super) fn has_unfinished_change(&self) -> bool {
        matches!(
            MarkFile::open_under_shared_lock(&self.path),
            Ok((_, StoredMark::Content { text, .. })) if text.starts_with("changing ")
        )
    }

    /// Whether only one copy of the mark can be read.
    pub(super) fn has_single_readable_copy(&self) -> bool {
        matches!(MarkFile::open(&self.path), Ok((_, StoredMark::Content { is_only_copy: true, .. })))
    }

    fn hash_keys_file(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let mut keys = &self.keys_file;
        keys.seek(SeekFrom::Start(0))?;
        keys.read_to_end(&mut bytes)?;
        Ok(hex::encode(Sha256::digest(&bytes)))
    }
}
