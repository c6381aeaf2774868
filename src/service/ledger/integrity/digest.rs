//! A digest of all pages of a file that can be updated page by page.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use ruint::aliases::U256;
use sha2::Sha256;

use super::wal;

/// XOR of the hashes of all pages, each hashed with its number. A page of zeros or beyond the end contributes nothing:
/// `SQLite` leaves holes where it need not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Digest(U256);

impl Digest {
    /// Adds a page, or removes one that was added.
    pub(super) fn toggle_page(self, number: u32, page: &[u8]) -> Self {
        Self(self.0 ^ hash_page(number, page))
    }

    pub(super) fn to_hex(self) -> String {
        hex::encode(self.0.to_be_bytes::<32>())
    }

    pub(super) fn from_hex(text: &str) -> Option<Self> {
        U256::try_from_be_slice(&hex::decode(text).ok()?).map(Self)
    }
}

fn hash_page(number: u32, page: &[u8]) -> U256 {
    if page.iter().all(|byte| *byte == 0) {
        return U256::ZERO;
    }
    let hash = sha2::Digest::finalize(sha2::Digest::chain_update(
        <Sha256 as sha2::Digest>::new_with_prefix(number.to_be_bytes()),
        page,
    ));
    U256::try_from_be_slice(&hash).unwrap_or_default()
}

/// Reads a page of a file, numbered from 1; zeros beyond the end.
pub(super) fn read_page(mut file: &File, number: u32, page: &mut [u8]) -> io::Result<()> {
    let size = u64::try_from(page.len()).unwrap_or(u64::MAX);
    file.seek(SeekFrom::Start(u64::from(number.saturating_sub(1)).saturating_mul(size)))?;
    let mut done = 0;
    while let Some(rest) = page.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match file.read(rest)? {
            0 => {
                rest.fill(0);
                break;
            }
            some => done += some,
        }
    }
    Ok(())
}

/// The digest of a file with pages of a log laid over it: `log` has the frame of each such page.
pub(super) fn digest_file(
    file: &File,
    page_size: usize,
    log: Option<(&File, &HashMap<u32, u32>)>,
) -> io::Result<Digest> {
    let mut digest = Digest::default();
    let mut page = vec![0; page_size];
    if let Some((log, frames)) = log {
        for (number, frame) in frames {
            wal::read_frame_page(log, *frame, &mut page)?;
            digest = digest.toggle_page(*number, &page);
        }
    }
    let is_over = |number| log.is_some_and(|(_, frames)| frames.contains_key(&number));
    let mut source = io::BufReader::with_capacity(64 * page_size, file);
    source.seek(SeekFrom::Start(0))?;
    for number in 1.. {
        page.fill(0);
        let mut length = 0;
        while let Some(rest) = page.get_mut(length..).filter(|rest| !rest.is_empty()) {
            match source.read(rest)? {
                0 => break,
                some => length += some,
            }
        }
        if length == 0 {
            break;
        }
        if !is_over(number) {
            digest = digest.toggle_page(number, &page);
        }
    }
    Ok(digest)
}
