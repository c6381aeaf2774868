//! Reads the write-ahead log of `SQLite`: commits that are not yet in the file.
//!
//! Each frame is a page with a checksum over itself and all frames before it, so the log is a chain. Its end is not
//! recorded: `SQLite` silently takes the first bad frame for it. Format:
//! <https://www.sqlite.org/fileformat2.html#walformat>.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// A commit in the log, with the checksum up to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WalCommit {
    /// Identifies the log: `SQLite` draws a new salt whenever it restarts the log.
    pub(super) salt: [u32; 2],
    /// Frames up to and including this commit.
    pub(super) frames: u32,
    pub(super) checksum: [u32; 2],
}

impl WalCommit {
    /// Whether this commit's log is the successor of another one's: `SQLite` increments the first salt when a process
    /// restarts its log. A log of any other salt without a commit counts, too.
    pub(super) fn is_of_next_log(&self, earlier: &Self) -> bool {
        let ([number, _], [before, _]) = (self.salt, earlier.salt);
        number == before.wrapping_add(1) || (self.frames == 0 && self.salt != earlier.salt)
    }
}

/// The part of a log behind a commit.
#[derive(Debug)]
pub(super) struct LogTail {
    pub(super) last_commit: WalCommit,
    /// Whether the log was restarted since that commit: then it was read from its beginning.
    pub(super) is_new: bool,
    /// Committed frames in order: page number, and frame number from 1.
    pub(super) frames: Vec<(u32, u32)>,
    /// Pages of the database after the last commit, if there is one.
    pub(super) database_pages: Option<u32>,
}

/// Bytes of the log's header, and of each frame's header.
const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;

struct WalHeader {
    is_big_endian: bool,
    page_size: usize,
    start: WalCommit,
}

/// Reads from a commit to the last one, calling `each` for every commit; `None` without a log.
pub(super) fn read_tail(file: &File, from: WalCommit, mut each: impl FnMut(&WalCommit)) -> io::Result<Option<LogTail>> {
    let Some(header) = read_header(file)? else { return Ok(None) };
    let is_new = from.salt != header.start.salt;
    let mut last = if is_new { header.start } else { from };
    let mut tail = LogTail { last_commit: last, is_new, frames: Vec::new(), database_pages: None };
    let mut file = BufReader::with_capacity(64 * 1024, file);
    file.seek(SeekFrom::Start(frame_offset(last.frames, header.page_size)))?;
    let mut frame = vec![0; FRAME_HEADER_BYTES + header.page_size];
    let mut uncommitted = Vec::new();
    while file.read_exact(&mut frame).is_ok() {
        let salt = [read_word(&frame, 8), read_word(&frame, 12)];
        let checksum = [read_word(&frame, 16), read_word(&frame, 20)];
        let (about, page) = (frame.get(..8).unwrap_or_default(), frame.get(FRAME_HEADER_BYTES..).unwrap_or_default());
        last.checksum =
            extend_checksum(extend_checksum(last.checksum, about, header.is_big_endian), page, header.is_big_endian);
        if salt != last.salt || checksum != last.checksum {
            break;
        }
        last.frames = last.frames.saturating_add(1);
        uncommitted.push((read_word(&frame, 0), last.frames));
        let pages = read_word(&frame, 4);
        if pages > 0 {
            each(&last);
            tail.last_commit = last;
            tail.database_pages = Some(pages);
            tail.frames.append(&mut uncommitted);
        }
    }
    Ok(Some(tail))
}

/// Reads the page of a frame, numbered from 1.
pub(super) fn read_frame_page(mut file: &File, frame: u32, page: &mut [u8]) -> io::Result<()> {
    let before = u64::try_from(FRAME_HEADER_BYTES).unwrap_or(0);
    file.seek(SeekFrom::Start(frame_offset(frame.saturating_sub(1), page.len()).saturating_add(before)))?;
    file.read_exact(page)
}

/// Offset of the frame that follows `frames` others.
fn frame_offset(frames: u32, page_size: usize) -> u64 {
    let each = u64::try_from(FRAME_HEADER_BYTES + page_size).unwrap_or(u64::MAX);
    u64::from(frames).saturating_mul(each).saturating_add(HEADER_BYTES as u64)
}

/// The header, if it is intact.
fn read_header(mut file: &File) -> io::Result<Option<WalHeader>> {
    let mut bytes = [0; HEADER_BYTES];
    file.seek(SeekFrom::Start(0))?;
    if file.read_exact(&mut bytes).is_err() {
        return Ok(None);
    }
    let is_big_endian = match read_word(&bytes, 0) {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return Ok(None),
    };
    let sum = extend_checksum([0, 0], bytes.get(..24).unwrap_or_default(), is_big_endian);
    let page_size = usize::try_from(read_word(&bytes, 8)).unwrap_or(0);
    if sum != [read_word(&bytes, 24), read_word(&bytes, 28)] || !(512..=65_536).contains(&page_size) {
        return Ok(None);
    }
    let start = WalCommit { salt: [read_word(&bytes, 16), read_word(&bytes, 20)], frames: 0, checksum: sum };
    Ok(Some(WalHeader { is_big_endian, page_size, start }))
}

fn read_word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_be_bytes(*word))
}

/// Continues the checksum of `SQLite` over `bytes`.
fn extend_checksum(mut sum: [u32; 2], bytes: &[u8], is_big_endian: bool) -> [u32; 2] {
    let read = |word: &[u8; 4]| if is_big_endian { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) };
    for pair in bytes.as_chunks::<4>().0.as_chunks::<2>().0 {
        sum[0] = sum[0].wrapping_add(read(&pair[0])).wrapping_add(sum[1]);
        sum[1] = sum[1].wrapping_add(read(&pair[1])).wrapping_add(sum[0]);
    }
    sum
}
