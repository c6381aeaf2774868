//! A mark file beside a database states how the database was left: a database cannot notice its own loss.
//!
//! It has two slots of one sector each, written alternately: a write torn by a power cut leaves the other slot, which
//! is one write older. A copy counts only if it is byte for byte what was written.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::disk::{signed_line, verified_text};

/// Bytes of one slot.
const SLOT_BYTES: usize = 512;

#[derive(Debug)]
pub(super) struct MarkFile {
    file: File,
    /// Number of the newest copy; the next one goes to the other slot.
    copy_number: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StoredMark {
    /// No file, or an empty one: its creation was interrupted.
    Absent,
    /// Neither copy can be read.
    Unreadable,
    /// The newest readable copy.
    Content {
        text: String,
        /// Whether the other copy is unreadable: a write was interrupted, or its bytes were changed.
        is_only_copy: bool,
    },
}

impl MarkFile {
    /// Opens or creates the file.
    pub(super) fn open(path: &Path) -> io::Result<(Self, StoredMark)> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        let (number, mark) = read_newest_copy(&mut file)?;
        Ok((Self { file, copy_number: number }, mark))
    }

    /// Opens the file for reading under a shared lock, which keeps the writer from checkpointing until it is dropped.
    pub(super) fn open_under_shared_lock(path: &Path) -> io::Result<(Option<File>, StoredMark)> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((None, StoredMark::Absent)),
            Err(error) => return Err(error),
        };
        file.lock_shared()?;
        let (_, mark) = read_newest_copy(&mut file)?;
        Ok((Some(file), mark))
    }

    /// Writes into the slot of the older copy. It reaches the disk only with [`MarkFile::sync`].
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        let number = self.copy_number.saturating_add(1);
        let place = usize::try_from(number % 2).unwrap_or(0) * SLOT_BYTES;
        self.file.seek(SeekFrom::Start(u64::try_from(place).unwrap_or(0)))?;
        self.file.write_all(&render_slot(number, text))?;
        self.copy_number = number;
        Ok(())
    }

    /// Writes the same text into both slots, and syncs.
    pub(super) fn write_twice(&mut self, text: &str) -> io::Result<()> {
        self.write(text)?;
        self.write(text)?;
        self.sync()
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Runs `work` under the exclusive lock; `None` while another process has the file locked, for example to check it.
    pub(super) fn try_with_exclusive_lock<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.file.try_lock().ok()?;
        let done = work(self);
        // If unlocking fails, closing the file unlocks it.
        let _unlocked = self.file.unlock();
        Some(done)
    }
}

/// The newest copy and its number. An unreadable copy may just be being written by another process, so it is read
/// again.
fn read_newest_copy(file: &mut File) -> io::Result<(u64, StoredMark)> {
    for _ in 0..4 {
        let newest_copy = try_read_newest_copy(file)?;
        if matches!(newest_copy.1, StoredMark::Absent | StoredMark::Content { is_only_copy: false, .. }) {
            return Ok(newest_copy);
        }
    }
    try_read_newest_copy(file)
}

fn try_read_newest_copy(file: &mut File) -> io::Result<(u64, StoredMark)> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(4 * SLOT_BYTES as u64).read_to_end(&mut bytes)?;
    let mut copies: Vec<_> = bytes.chunks(SLOT_BYTES).filter_map(parse_slot).collect();
    copies.sort_by_key(|(number, _)| *number);
    let is_alone = copies.len() != 2 || bytes.len() != 2 * SLOT_BYTES;
    Ok(match copies.pop() {
        Some((number, text)) => (number, StoredMark::Content { text, is_only_copy: is_alone }),
        None if bytes.is_empty() => (0, StoredMark::Absent),
        None => (0, StoredMark::Unreadable),
    })
}

/// The number and text of a slot, if it is exactly as it was written.
fn parse_slot(bytes: &[u8]) -> Option<(u64, String)> {
    let line = std::str::from_utf8(bytes).ok()?.trim_end_matches(' ');
    let (number, text) = verified_text(line)?.split_once(' ')?;
    let mark = (number.parse().ok()?, text.to_owned());
    (render_slot(mark.0, text) == bytes).then_some(mark)
}

fn render_slot(number: u64, text: &str) -> Vec<u8> {
    let mut bytes = signed_line(&format!("{number:020} {text}")).into_bytes();
    bytes.resize(SLOT_BYTES.max(bytes.len()), b' ');
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark_content(text: &str, is_alone: bool) -> StoredMark {
        StoredMark::Content { text: text.into(), is_only_copy: is_alone }
    }

    #[test]
    fn every_bit_of_a_mark_counts_and_the_other_copy_says_what_held_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mark");
        let (mut file, mark) = MarkFile::open(&path).unwrap();
        assert_eq!(mark, StoredMark::Absent);
        file.write("first").unwrap();
        file.write("second").unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mark = || MarkFile::open_under_shared_lock(&path).unwrap().1;
        assert_eq!(mark(), mark_content("second", false));
        for bit in 0..whole.len() * 8 {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, changed).unwrap();
            // The second copy was written into the first place.
            assert_eq!(mark(), mark_content(if bit < SLOT_BYTES * 8 { "first" } else { "second" }, true), "bit {bit}");
        }
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let expected = match length {
                0 => StoredMark::Absent,
                1..SLOT_BYTES => StoredMark::Unreadable,
                _ => mark_content("second", true),
            };
            assert_eq!(mark(), expected, "cut to {length}");
        }
    }

    #[test]
    fn pages_do_not_move_while_somebody_proves_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mark");
        let (mut file, _) = MarkFile::open(&path).unwrap();
        file.write_twice("said").unwrap();
        let (hold, _) = MarkFile::open_under_shared_lock(&path).unwrap();
        assert_eq!(file.try_with_exclusive_lock(|_| ()), None);
        drop(hold);
        assert_eq!(file.try_with_exclusive_lock(|_| ()), Some(()));
    }
}
