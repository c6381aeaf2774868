//! Chooses further pages of a list: those where rows that are not final are expected now.

use rusqlite::params;

use super::LatestSync;
use crate::store::{StoreError, lock_mutex};

/// Further pages per list that are fetched for rows that are not final.
const FURTHER_PAGES: usize = 3;
/// Rows that are examined to choose these pages.
const OPEN_ROWS: u32 = 512;

impl LatestSync {
    pub(super) fn choose_further_pages(&mut self, nth: usize) -> Result<(), StoreError> {
        let from = lock_mutex(&self.store.inner.refresh_cursors)[nth].unwrap_or(i64::MAX);
        let open = self.store.read_in_transaction(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT seq, ordinal FROM open_deed WHERE list = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
            )?;
            let list = i64::try_from(nth).unwrap_or(0);
            let rows = statement.query_map(params![list, from, OPEN_ROWS], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<Vec<(i64, i64)>, _>>()?)
        })?;
        let list = &mut self.lists[nth];
        let limit = i64::try_from(list.limit.unwrap_or(1)).unwrap_or(i64::MAX).max(1);
        let arrived = self.state.lists[nth].arrived + list.staged_count + list.new_rows.len() as u64;
        let arrived = i64::try_from(arrived).unwrap_or(i64::MAX);
        let mut stopped = None;
        for (seq, ordinal) in open {
            if list.known_seqs.contains(&seq) {
                continue;
            }
            let page = u64::try_from(arrived.saturating_sub(ordinal).max(0) / limit + 1).unwrap_or(1);
            if !list.read_page_numbers.contains(&page) && !list.further_pages.contains(&page) {
                if list.further_pages.len() == FURTHER_PAGES {
                    break;
                }
                list.further_pages.push_back(page);
            }
            list.sought_rows.push((seq, page));
            stopped = Some(seq);
        }
        // The next sync continues below the last row searched for, and begins again at the top when there are none.
        lock_mutex(&self.store.inner.refresh_cursors)[nth] = stopped;
        // Positions are calculated, and may be wrong for rows that arrived during the backfill. A row that is not at
        // its expected position is searched for page by page, one page a sync.
        if let Some(page) = lock_mutex(&self.store.inner.search_pages)[nth]
            && !list.read_page_numbers.contains(&page)
            && !list.further_pages.contains(&page)
        {
            list.further_pages.push_back(page);
        }
        // Rows may be missing: the end of the list shows whether they are.
        if let Some((expected, limit)) = list.expected.zip(list.limit).filter(|_| self.state.lists[nth].may_have_gaps())
        {
            let last = expected.div_ceil(limit.max(1)).max(1);
            if !list.read_page_numbers.contains(&last) && !list.further_pages.contains(&last) {
                list.further_pages.push_back(last);
            }
        }
        Ok(())
    }
}
