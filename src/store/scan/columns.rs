//! The phrase columns of a segment: a palette, and for each row an index into it.

use super::super::dictionary::PhraseCode;
use super::super::row_set::{CodeSet, RowSet};
use super::super::segment::ROWS_PER_SEGMENT;

pub(super) fn rows_with_codes(piece: &[u8], nth: usize, codes: &CodeSet) -> RowSet {
    let Some((palette, indices, wide, _)) = nth_column(piece, nth) else { return RowSet::NONE };
    let chosen: Vec<bool> =
        palette.as_chunks::<4>().0.iter().map(|code| codes.has(u32::from_le_bytes(*code))).collect();
    if !chosen.contains(&true) {
        return RowSet::NONE;
    }
    let has = |index: usize| chosen.get(index).copied().unwrap_or(false);
    if wide {
        RowSet::of_matches(indices.as_chunks::<2>().0, |index| has(usize::from(u16::from_le_bytes(*index))))
    } else {
        RowSet::of_matches(indices, |index| has(usize::from(*index)))
    }
}

pub(in super::super) fn row_codes(piece: &[u8], nth: usize) -> Vec<PhraseCode> {
    let Some((palette, indices, wide, _)) = nth_column(piece, nth) else { return Vec::new() };
    let code = |index: usize| palette.as_chunks::<4>().0.get(index).copied().map_or(0, u32::from_le_bytes);
    if wide {
        return indices.as_chunks::<2>().0.iter().map(|index| code(usize::from(u16::from_le_bytes(*index)))).collect();
    }
    indices.iter().map(|index| code(usize::from(*index))).collect()
}

type ColumnParts<'a> = (&'a [u8], &'a [u8], bool, &'a [u8]);

fn nth_column(piece: &[u8], nth: usize) -> Option<ColumnParts<'_>> {
    let mut rest = piece;
    for _ in 0..nth {
        (.., rest) = split_column(rest)?;
    }
    split_column(rest)
}

fn split_column(bytes: &[u8]) -> Option<ColumnParts<'_>> {
    let (head, rest) = bytes.split_first_chunk::<2>()?;
    let colours = usize::from(u16::from_le_bytes(*head));
    let (palette, rest) = rest.split_at_checked(4 * colours)?;
    let wide = colours > 256;
    let (indices, rest) = rest.split_at_checked(if wide { 2 * ROWS_PER_SEGMENT } else { ROWS_PER_SEGMENT })?;
    Some((palette, indices, wide, rest))
}
