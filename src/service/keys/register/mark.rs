//! The mark beside the keys: the number of changes, and the hash of the file after the last one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::service::integrity_mark::{MarkFile, StoredMark};

/// Text of a mark before the register's first state is recorded.
const NEW: &str = "new";

pub(super) const ALONE: &str =
    "one of the two copies in keys.mark cannot be read: a write was cut off, or its bytes were changed";

/// State of the mark in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkState {
    Absent,
    Illegible,
    /// The creation of the register was interrupted, or its present state is to be accepted.
    Unset,
    Present,
}

#[derive(Debug)]
pub(super) struct RegisterMark {
    path: PathBuf,
    keys: File,
}

fn path_of(folder: &Path) -> PathBuf {
    folder.join("keys.mark")
}

pub(super) fn inspect(folder: &Path) -> io::Result<MarkState> {
    Ok(match MarkFile::open_locked(&path_of(folder))?.1 {
        StoredMark::Absent => MarkState::Absent,
        StoredMark::Unreadable => MarkState::Illegible,
        StoredMark::Content { text, .. } if text == NEW => MarkState::Unset,
        StoredMark::Content { .. } => MarkState::Present,
    })
}

/// Resets the mark: the next open records the register as it is.
pub(super) fn begin(folder: &Path) -> io::Result<()> {
    MarkFile::open(&path_of(folder))?.0.write_twice(NEW)
}

impl RegisterMark {
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self { path: path_of(folder), keys: File::open(super::file_of(folder))? })
    }

    /// Records that change `number` is about to be made.
    pub(super) fn changes(&self, number: i64) -> io::Result<()> {
        let (mut file, _) = MarkFile::open(&self.path)?;
        file.write(&format!("changing {number}"))?;
        file.sync()
    }

    /// Records the file's state after `number` changes.
    pub(super) fn is_left(&self, number: i64) -> io::Result<()> {
        let text = format!("keys {number} {}", self.hash()?);
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
            ["keys", changed, hash] => changed.parse() == Ok(number) && hash == self.hash()?,
            _ => false,
        };
        let wrong = "keys.db is not what was written: bytes were changed, or an earlier state was put back";
        Ok((!is_right).then(|| wrong.into()))
    }

    /// Whether a change was begun whose end was not recorded.
    pub(super) fn is_changing(&self) -> bool {
        matches!(MarkFile::open_locked(&self.path), Ok((_, StoredMark::Content { text, .. })) if text.starts_with("changing "))
    }

    /// Whether only one copy of the mark can be read.
    pub(super) fn has_single_copy(&self) -> bool {
        matches!(MarkFile::open(&self.path), Ok((_, StoredMark::Content { is_alone: true, .. })))
    }

    fn hash(&self) -> io::Result<String> {
        let mut bytes = Vec::new();
        let mut keys = &self.keys;
        keys.seek(SeekFrom::Start(0))?;
        keys.read_to_end(&mut bytes)?;
        Ok(hex::encode(Sha256::digest(&bytes)))
    }
}
