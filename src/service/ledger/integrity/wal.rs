//! The log of `SQLite` as it lies on the disk: what was committed and not yet written into the file.
//!
//! Each frame is a page, with a sum over all frames before it and itself: the log is a chain. What it lacks is somebody who
//! knows where it ended, since `SQLite` takes the first frame that does not fit for the end, in silence. The format is
//! that of <https://www.sqlite.org/fileformat2.html#walformat>.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// A commit in the log, and the sum up to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Commit {
    /// Which log it is: `SQLite` draws another salt whenever it begins one anew.
    pub(super) salt: [u32; 2],
    /// How many frames it has up to here.
    pub(super) frames: u32,
    /// Their sum.
    pub(super) sum: [u32; 2],
}

impl Commit {
    /// Whether this is of the log that comes after the one of another commit: `SQLite` numbers them where the same program
    /// begins one anew. Another log in which nothing was committed yet does as well.
    pub(super) fn follows(&self, earlier: &Self) -> bool {
        let ([number, _], [before, _]) = (self.salt, earlier.salt);
        number == before.wrapping_add(1) || (self.frames == 0 && self.salt != earlier.salt)
    }
}

/// What a log has behind a place in it.
#[derive(Debug)]
pub(super) struct LogTail {
    /// The last commit.
    pub(super) last: Commit,
    /// Whether the place that was asked for is not of this log: then it was read from its beginning.
    pub(super) is_new: bool,
    /// Each committed frame in its order: the page that it holds, and its own number, from 1.
    pub(super) frames: Vec<(u32, u32)>,
    /// How many pages the database has since the last commit, if there was any.
    pub(super) pages: Option<u32>,
}

/// The bytes of the log's header, and of what stands before each page.
const HEADER: usize = 32;
const FRAME: usize = 24;

struct Header {
    is_big_endian: bool,
    page_size: usize,
    start: Commit,
}

/// Reads what stands behind a commit up to the last one; `None` where there is no log. `each` is shown every commit.
pub(super) fn tail(file: &File, from: Commit, mut each: impl FnMut(&Commit)) -> io::Result<Option<LogTail>> {
    let Some(header) = header(file)? else { return Ok(None) };
    let is_new = from.salt != header.start.salt;
    let mut last = if is_new { header.start } else { from };
    let mut tail = LogTail { last, is_new, frames: Vec::new(), pages: None };
    let mut file = BufReader::with_capacity(64 * 1024, file);
    file.seek(SeekFrom::Start(offset(last.frames, header.page_size)))?;
    let mut frame = vec![0; FRAME + header.page_size];
    let mut uncommitted = Vec::new();
    while file.read_exact(&mut frame).is_ok() {
        let salt = [word(&frame, 8), word(&frame, 12)];
        let stated = [word(&frame, 16), word(&frame, 20)];
        let (about, page) = (frame.get(..8).unwrap_or_default(), frame.get(FRAME..).unwrap_or_default());
        last.sum = summed(summed(last.sum, about, header.is_big_endian), page, header.is_big_endian);
        if salt != last.salt || stated != last.sum {
            break;
        }
        last.frames = last.frames.saturating_add(1);
        uncommitted.push((word(&frame, 0), last.frames));
        let pages = word(&frame, 4);
        if pages > 0 {
            each(&last);
            tail.last = last;
            tail.pages = Some(pages);
            tail.frames.append(&mut uncommitted);
        }
    }
    Ok(Some(tail))
}

/// Reads the page that a frame holds.
pub(super) fn page(mut file: &File, frame: u32, page: &mut [u8]) -> io::Result<()> {
    let before = u64::try_from(FRAME).unwrap_or(0);
    file.seek(SeekFrom::Start(offset(frame.saturating_sub(1), page.len()).saturating_add(before)))?;
    file.read_exact(page)
}

/// Where the frame behind so many stands.
fn offset(frames: u32, page_size: usize) -> u64 {
    let each = u64::try_from(FRAME + page_size).unwrap_or(u64::MAX);
    u64::from(frames).saturating_mul(each).saturating_add(HEADER as u64)
}

/// The header, if there is one that is whole.
fn header(mut file: &File) -> io::Result<Option<Header>> {
    let mut bytes = [0; HEADER];
    file.seek(SeekFrom::Start(0))?;
    if file.read_exact(&mut bytes).is_err() {
        return Ok(None);
    }
    let is_big_endian = match word(&bytes, 0) {
        0x377f_0682 => false,
        0x377f_0683 => true,
        _ => return Ok(None),
    };
    let sum = summed([0, 0], bytes.get(..24).unwrap_or_default(), is_big_endian);
    let page_size = usize::try_from(word(&bytes, 8)).unwrap_or(0);
    if sum != [word(&bytes, 24), word(&bytes, 28)] || !(512..=65_536).contains(&page_size) {
        return Ok(None);
    }
    let start = Commit { salt: [word(&bytes, 16), word(&bytes, 20)], frames: 0, sum };
    Ok(Some(Header { is_big_endian, page_size, start }))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_be_bytes(*word))
}

/// The sum of `SQLite` over bytes, going on from one.
fn summed(mut sum: [u32; 2], bytes: &[u8], is_big_endian: bool) -> [u32; 2] {
    let read = |word: &[u8; 4]| if is_big_endian { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) };
    for pair in bytes.as_chunks::<4>().0.as_chunks::<2>().0 {
        sum[0] = sum[0].wrapping_add(read(&pair[0])).wrapping_add(sum[1]);
        sum[1] = sum[1].wrapping_add(read(&pair[1])).wrapping_add(sum[0]);
    }
    sum
}
