//! Pages of the first read, each asked for while the one before it is taken in.
//!
//! A page is asked for only when the one before it is there. So rows that arrive meanwhile push rows from one page into
//! the next, where they are met again, and never out of both.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::api::Reader;
use crate::domain::history::{Page, PageWanted};
use crate::domain::{Failure, Transaction};

type Answered = Result<Page<Transaction>, Failure>;

/// Pages that were asked for ahead, one of each list at most.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    under_way: Vec<(PageWanted, JoinHandle<Answered>)>,
}

impl Ahead {
    /// A page; asks for the one behind it.
    pub(super) async fn page(&mut self, reader: &Arc<Reader>, wanted: &PageWanted, limit: u64) -> Answered {
        let begun = self.under_way.iter().position(|(ahead, _)| ahead.direction == wanted.direction);
        // Another page than the one that is wanted was asked for too early to follow it.
        let begun = begun.map(|nth| self.under_way.swap_remove(nth)).filter(|(ahead, _)| ahead == wanted);
        let answered = match begun {
            Some((_, task)) => task.await.ok(),
            None => None,
        };
        let page = match answered {
            Some(page) => page?,
            None => reader.transactions(&wanted.direction, wanted.page_no, limit).await?,
        };
        if !page.items.is_empty() && page.total_page.is_none_or(|total| wanted.page_no < total) {
            let next = PageWanted { direction: wanted.direction.clone(), page_no: wanted.page_no + 1 };
            let (reader, asked) = (Arc::clone(reader), next.clone());
            let task = tokio::spawn(async move { reader.transactions(&asked.direction, asked.page_no, limit).await });
            self.under_way.push((next, task));
        }
        Ok(page)
    }
}
