//! Caches the first page of each list.
//!
//! Between two polls mostly nothing happens, and parsing the same bytes again would give the same page.

use std::sync::{Mutex, PoisonError};

use crate::api::UnparsedPage;
use crate::domain::history::{Page, TransactionPageRequest};
use crate::domain::{Direction, Failure, Transaction};

#[derive(Debug, Default)]
pub(super) struct FirstPageCache(Mutex<Vec<CachedFirstPage>>);

#[derive(Debug)]
struct CachedFirstPage {
    direction: Direction,
    digest: [u8; 32],
    page: Page<Transaction>,
}

impl FirstPageCache {
    /// Parses a page, unless it is the first of its list and has the same bytes as last time.
    pub(super) fn parse_page(
        &self,
        request: &TransactionPageRequest,
        page: &UnparsedPage,
    ) -> Result<Page<Transaction>, Failure> {
        if request.page_no != 1 {
            return page.parse();
        }
        let digest = page.digest();
        let mut heads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let position = heads.iter().position(|head| head.direction == request.direction);
        if let Some(head) = position.and_then(|nth| heads.get(nth)).filter(|head| head.digest == digest) {
            return Ok(head.page.clone());
        }
        let parsed_page = page.parse()?;
        if let Some(nth) = position {
            heads.swap_remove(nth);
        }
        heads.push(CachedFirstPage { direction: request.direction.clone(), digest, page: parsed_page.clone() });
        Ok(parsed_page)
    }
}
