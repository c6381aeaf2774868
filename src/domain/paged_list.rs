//! Lists read page by page, and whether the service honoured paging and filter.

use std::collections::HashSet;
use std::hash::Hash;

use super::history::Page;

/// A list as read. What a service ignored was done here, and is noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagedList<T> {
    /// The distinct rows, in the order received.
    pub rows: Vec<T>,
    pub unreadable: u64,
    /// Rows that the service sent in spite of the filter, and that were dropped.
    pub filtered_out: u64,
    /// Whether the service sent its first page again when another page was requested.
    pub paging_ignored: bool,
    pub has_more: bool,
    /// Repeated rows, as when the list moved while it was read: others may have been missed.
    pub repeated: u64,
    /// The number of rows from each page.
    pub pages: Vec<usize>,
}

impl<T> Default for PagedList<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            unreadable: 0,
            filtered_out: 0,
            paging_ignored: false,
            has_more: false,
            repeated: 0,
            pages: Vec::new(),
        }
    }
}

impl<T> PagedList<T> {
    /// Appends the next page. A row that is listed already, because new rows moved it onto that page, counts once.
    pub fn append_page<K: PartialEq>(&mut self, mut next: Self, key: impl Fn(&T) -> K) {
        let is_first_page_again = next.rows.first().is_some_and(|row| self.rows.first().map(&key) == Some(key(row)));
        self.paging_ignored |= is_first_page_again;
        self.has_more = next.has_more && !is_first_page_again;
        let before = next.rows.len();
        next.rows.retain(|row| !self.rows.iter().any(|own| key(own) == key(row)));
        let repeated = u64::try_from(before - next.rows.len()).unwrap_or(u64::MAX);
        self.repeated = self.repeated.saturating_add(next.repeated).saturating_add(repeated);
        self.unreadable = self.unreadable.saturating_add(next.unreadable);
        self.filtered_out = self.filtered_out.saturating_add(next.filtered_out);
        self.pages.push(next.rows.len());
        self.rows.append(&mut next.rows);
    }

    /// This newer first page, followed by the rows that were read after it before. If so many rows are new that the two
    /// have none in common, rows between them are unknown, and the earlier ones are dropped.
    #[must_use]
    pub fn followed_by_earlier<K: PartialEq>(mut self, earlier: &Self, key: impl Fn(&T) -> K) -> Self
    where
        T: Clone,
    {
        let is_listed = |row: &T| self.rows.iter().any(|own| key(own) == key(row));
        if earlier.pages.len() < 2 || !self.has_more {
            return self;
        }
        let Some(last_common) = earlier.rows.iter().rposition(is_listed) else { return self };
        let older: Vec<T> = earlier.rows.iter().skip(last_common + 1).cloned().collect();
        self.rows.extend(older);
        self.pages.extend_from_slice(earlier.pages.get(1..).unwrap_or_default());
        self.has_more = earlier.has_more;
        self.paging_ignored |= earlier.paging_ignored;
        self
    }

    /// Why rows may be missing from a list that was read as far as it goes; `None` where it is complete.
    pub fn incompleteness_reason(&self) -> Option<&'static str> {
        match (self.has_more, self.repeated > 0 && self.pages.len() > 1) {
            (true, _) if self.paging_ignored => {
                Some("the service reports several pages, but sends the first page for each")
            }
            (true, _) => Some("the service reports more pages than could be read"),
            (false, true) => Some("the list changed while it was being read"),
            (false, false) => None,
        }
    }

    /// Notes on how the service handled the query, in a few words each.
    pub fn service_deviation_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.unreadable > 0 {
            notes.push(format!("{} unreadable", self.unreadable));
        }
        if self.filtered_out > 0 {
            notes.push(format!("filter ignored, {} of others left out", self.filtered_out));
        }
        if self.paging_ignored {
            notes.push("paging ignored".into());
        }
        notes
    }
}

/// Reads a list page by page.
///
/// Rows are identified by keys: a row that arrives twice, because new rows moved it onto the next page, counts once. A
/// service that ignores paging is recognised by the first key arriving again.
#[derive(Debug)]
pub struct PagedListReader<T, K> {
    list: PagedList<T>,
    first: Option<K>,
    seen_keys: HashSet<K>,
    pages: u64,
}

impl<T, K: Eq + Hash + Clone> Default for PagedListReader<T, K> {
    fn default() -> Self {
        Self { list: PagedList::default(), first: None, seen_keys: HashSet::new(), pages: 0 }
    }
}

impl<T, K: Eq + Hash + Clone> PagedListReader<T, K> {
    /// A reader of the pages from this one on, counted from 1.
    pub fn starting_at_page(page_no: u64) -> Self {
        Self { pages: page_no.saturating_sub(1), ..Self::default() }
    }

    /// Adds the next page, for which `page_size` rows were requested; returns whether there is another page to read.
    /// Without a page count, a page with fewer rows than requested is the last.
    pub fn add_page(
        &mut self,
        page: Page<T>,
        page_size: u64,
        key: impl Fn(&T) -> K,
        keeps: impl Fn(&T) -> bool,
    ) -> bool {
        let head = page.items.first().map(&key);
        if self.pages > 0 && head.is_some() && head == self.first {
            self.list.paging_ignored = true;
            self.list.has_more = page.total_page.is_some_and(|total| total > 1);
            return false;
        }
        if self.pages == 0 {
            self.first = head;
        }
        self.pages += 1;
        let item_count = u64::try_from(page.items.len()).unwrap_or(u64::MAX).saturating_add(page.unreadable);
        self.list.unreadable = self.list.unreadable.saturating_add(page.unreadable);
        let before = self.list.rows.len();
        for row in page.items {
            if !self.seen_keys.insert(key(&row)) {
                self.list.repeated += 1;
                continue;
            }
            if keeps(&row) {
                self.list.rows.push(row);
            } else {
                self.list.filtered_out += 1;
            }
        }
        self.list.pages.push(self.list.rows.len() - before);
        let full = page.page_limit.unwrap_or(page_size).min(page_size);
        let has_next_page = page.total_page.map_or(item_count > 0 && item_count >= full, |total| self.pages < total);
        self.list.has_more = has_next_page;
        // After an empty page there is nothing more, whatever the service reports.
        has_next_page && item_count > 0
    }

    pub fn finish(self) -> PagedList<T> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(items: &[u32], total_page: Option<u64>) -> Page<u32> {
        Page { items: items.to_vec(), unreadable: 0, page_no: None, page_limit: None, total_page }
    }

    fn read_pages(pages: &[Page<u32>], page_size: u64) -> (usize, PagedList<u32>) {
        let mut reading = PagedListReader::default();
        let fed = pages
            .iter()
            .take_while(|page| reading.add_page((*page).clone(), page_size, |row| *row, |row| row % 10 != 7));
        (fed.count(), reading.finish())
    }

    #[test]
    fn pages_are_read_to_the_last_and_no_row_twice() {
        let (went_on, list) = read_pages(&[page(&[1, 2], Some(3)), page(&[2, 3], Some(3)), page(&[4], Some(3))], 2);
        assert_eq!((went_on, list.rows.as_slice(), list.has_more), (2, [1, 2, 3, 4].as_slice(), false));
        assert_eq!(list.service_deviation_notes(), [""; 0]);
    }

    #[test]
    fn without_a_number_of_pages_a_short_page_is_the_last() {
        assert_eq!(read_pages(&[page(&[1], None)], 2).0, 0);
        let (went_on, list) = read_pages(&[page(&[1, 2], None), page(&[], None)], 2);
        assert_eq!((went_on, list.rows.as_slice(), list.has_more), (1, [1, 2].as_slice(), false));
    }

    #[test]
    fn a_first_page_that_comes_again_ends_the_list_with_a_word() {
        let (_, list) = read_pages(&[page(&[1, 2, 3], None), page(&[1, 2, 3], None)], 2);
        assert_eq!((list.rows.as_slice(), list.paging_ignored, list.has_more), ([1, 2, 3].as_slice(), true, false));
        let (_, list) = read_pages(&[page(&[1], Some(2)), page(&[1], Some(2))], 2);
        assert!(list.paging_ignored && list.has_more, "{list:?}");
        assert_eq!(list.service_deviation_notes(), ["paging ignored"]);
    }

    #[test]
    fn a_later_page_is_appended_without_what_is_listed_already() {
        let list_of = |page_no: u64, one: Page<u32>| {
            let mut reading = PagedListReader::starting_at_page(page_no);
            reading.add_page(one, 2, |row| *row, |_| true);
            reading.finish()
        };
        let mut rows = list_of(1, page(&[9, 8], Some(3)));
        assert!(rows.has_more);
        rows.append_page(list_of(2, page(&[8, 6], Some(3))), |row| *row);
        assert_eq!((rows.rows.as_slice(), rows.has_more, rows.repeated), ([9, 8, 6].as_slice(), true, 1));
        rows.append_page(list_of(3, page(&[5], Some(3))), |row| *row);
        assert_eq!((rows.rows.as_slice(), rows.has_more), ([9, 8, 6, 5].as_slice(), false));
        let mut ignored = list_of(1, page(&[9, 8], Some(3)));
        ignored.append_page(list_of(2, page(&[9, 8], Some(3))), |row| *row);
        assert_eq!((ignored.rows.len(), ignored.paging_ignored, ignored.has_more), (2, true, false));
    }

    #[test]
    fn a_newer_first_page_keeps_the_rows_below_it_unless_there_is_a_gap() {
        let of = |rows: &[u32], pages: &[usize]| PagedList {
            rows: rows.to_vec(),
            has_more: true,
            pages: pages.to_vec(),
            ..PagedList::default()
        };
        let earlier = of(&[9, 8, 7, 6], &[2, 2]);
        let renewed = |rows: &[u32]| of(rows, &[2]).followed_by_earlier(&earlier, |row| *row);
        assert_eq!(renewed(&[10, 9]).rows, [10, 9, 8, 7, 6]);
        assert_eq!(renewed(&[9, 7]).rows, [9, 7, 6], "8 is listed no more");
        assert_eq!((renewed(&[12, 11]).rows, renewed(&[12, 11]).pages.len()), (vec![12, 11], 1));
        assert_eq!(of(&[10, 9], &[2]).followed_by_earlier(&of(&[9, 8], &[2]), |row| *row).rows, [10, 9]);
    }

    #[test]
    fn what_may_lack_rows_says_why() {
        let lack = |pages: &[Page<u32>]| read_pages(pages, u64::MAX).1.incompleteness_reason();
        let (one, two, none) = (page(&[1, 2], Some(2)), page(&[3], Some(2)), page(&[], Some(3)));
        assert_eq!(lack(&[one.clone(), two.clone()]), None);
        assert_eq!(lack(&[page(&[1, 1], Some(1))]), None);
        assert_eq!(lack(&[page(&[1, 2], None)]), None);
        assert_eq!(lack(&[one.clone(), page(&[], Some(2))]), None, "one page more is told of than is needed");
        for pages in [vec![one.clone()], vec![one.clone(), none], vec![one.clone(), one.clone()]] {
            assert!(lack(&pages).is_some(), "{pages:?}");
        }
        assert!(lack(&[one, page(&[2, 3], Some(2))]).is_some(), "2 slipped down, and another may have slipped up");
    }

    #[test]
    fn rows_that_the_filter_leaves_out_are_dropped_and_counted() {
        let mut one = page(&[7, 1, 17], None);
        one.unreadable = 2;
        let (_, list) = read_pages(&[one], 9);
        assert_eq!((list.rows.as_slice(), list.filtered_out), ([1].as_slice(), 2));
        assert_eq!(list.service_deviation_notes(), ["2 unreadable", "filter ignored, 2 of others left out"]);
    }
}
