//! Lists read page by page, with the service's own habits noticed on the way.

use std::hash::Hash;

use serde_json::value::RawValue;

use super::Reader;
use super::envelope::Answer;
use crate::domain::history::Page;
use crate::domain::listed::Reading;
use crate::domain::{Failure, Listed};

/// Rows asked for in a page.
const PAGE: u64 = 100;

/// How the rows of a list are read.
pub(super) struct Rows<T, K, R = fn(&RawValue) -> Option<T>> {
    /// Reads one; `None` where it cannot be one.
    pub(super) read: R,
    /// What it is known by.
    pub(super) key: fn(&T) -> K,
    /// The most pages that are read.
    pub(super) pages: u64,
}

impl Reader {
    /// A list whose paging the specification tells of, with parameters that it leaves unnamed.
    pub(super) async fn listed<T, K: Eq + Hash + Clone>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        rows: Rows<T, K, impl Fn(&RawValue) -> Option<T>>,
        keeps: impl Fn(&T) -> bool,
    ) -> Result<Listed<T>, Failure> {
        self.listed_until(path, query, rows, keeps, |_| false).await
    }

    /// The same, no further than to a page that is enough.
    pub(super) async fn listed_until<T, K: Eq + Hash + Clone>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        rows: Rows<T, K, impl Fn(&RawValue) -> Option<T>>,
        keeps: impl Fn(&T) -> bool,
        is_enough: impl Fn(&[T]) -> bool,
    ) -> Result<Listed<T>, Failure> {
        let mut reading = Reading::default();
        for page_no in 1..=rows.pages {
            let page = page(&self.get_page(path, query, page_no, PAGE).await?, &rows.read)?;
            let is_last = is_enough(&page.items);
            if !reading.feed(page, PAGE, rows.key, &keeps) || is_last {
                break;
            }
        }
        Ok(reading.end())
    }

    /// A list of which the specification shows no paging: none is asked for until its envelope tells of more pages, or of a
    /// number of rows on each that this one has. A service may send one object instead of a list.
    pub(super) async fn listed_whole<T, K: Eq + Hash + Clone>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        rows: Rows<T, K, impl Fn(&RawValue) -> Option<T>>,
    ) -> Result<Listed<T>, Failure> {
        let mut reading = Reading::default();
        for page_no in 1..=rows.pages {
            let number = page_no.to_string();
            let mut query = query.to_vec();
            if page_no > 1 {
                query.push((&self.wire.page_no, &number));
            }
            let mut page = page(&self.get(path, &query).await?, &rows.read)?;
            if page.page_limit.is_none_or(|limit| limit == 0) {
                page.total_page = page.total_page.or(Some(1));
            }
            if !reading.feed(page, u64::MAX, rows.key, |_| true) {
                break;
            }
        }
        Ok(reading.end())
    }
}

fn page<T>(body: &str, read: impl Fn(&RawValue) -> Option<T>) -> Result<Page<T>, Failure> {
    Answer::open(body)?.page_or_any(read)
}
