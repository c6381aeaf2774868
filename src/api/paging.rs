//! Reads lists page by page, and detects how the service pages them.

use std::hash::Hash;
use std::ops::RangeInclusive;

use serde_json::value::RawValue;

use super::Reader;
use super::envelope::Payload;
use crate::domain::history::Page;
use crate::domain::paged_list::PagedListReader;
use crate::domain::{Failure, PagedList};

const PAGE_SIZE: u64 = 100;

pub(super) struct RowReader<T, K, R = fn(&RawValue) -> Option<T>> {
    pub(super) parse_row: R,
    pub(super) row_key: fn(&T) -> K,
    /// The pages to read at most, counted from 1.
    pub(super) pages: RangeInclusive<u64>,
}

impl Reader {
    /// Reads a list for which the specification mentions paging, with parameters that it leaves unnamed.
    pub(super) async fn read_list<T, K: Eq + Hash + Clone>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        rows: RowReader<T, K, impl Fn(&RawValue) -> Option<T>>,
        keeps: impl Fn(&T) -> bool,
    ) -> Result<PagedList<T>, Failure> {
        self.read_list_until(path, query, rows, keeps, |_| false).await
    }

    /// The same, stopping at a page that is enough.
    pub(super) async fn read_list_until<T, K: Eq + Hash + Clone>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        rows: RowReader<T, K, impl Fn(&RawValue) -> Option<T>>,
        keeps: impl Fn(&T) -> bool,
        is_enough: impl Fn(&[T]) -> bool,
    ) -> Result<PagedList<T>, Failure> {
        let mut reading = PagedListReader::starting_at_page(*rows.pages.start());
        for page_no in rows.pages {
            let page = parse_page(&self.get_page(path, query, page_no, PAGE_SIZE).await?, &rows.parse_row)?;
            let is_last = is_enough(&page.items);
            if !reading.add_page(page, PAGE_SIZE, rows.row_key, &keeps) || is_last {
                break;
            }
        }
        Ok(reading.finish())
    }

    /// Reads a list for which the specification shows no paging: no page is requested until the envelope reports more
    /// pages, or a page size that this page reaches. A service may send one object instead of a list.
    pub(super) async fn read_unpaged_list<T, K: Eq + Hash + Clone>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        rows: RowReader<T, K, impl Fn(&RawValue) -> Option<T>>,
    ) -> Result<PagedList<T>, Failure> {
        let mut reading = PagedListReader::default();
        for page_no in rows.pages {
            let number = page_no.to_string();
            let mut query = query.to_vec();
            if page_no > 1 {
                query.push((&self.wire_names.page_no, &number));
            }
            let mut page = parse_page(&self.get(path, &query).await?, &rows.parse_row)?;
            if page.page_limit.is_none_or(|limit| limit == 0) {
                page.total_page = page.total_page.or(Some(1));
            }
            if !reading.add_page(page, u64::MAX, rows.row_key, |_| true) {
                break;
            }
        }
        Ok(reading.finish())
    }
}

fn parse_page<T>(body: &str, read: impl Fn(&RawValue) -> Option<T>) -> Result<Page<T>, Failure> {
    Payload::parse(body)?.page_or_any(read)
}
