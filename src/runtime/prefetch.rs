//! Prefetches pages of the backfill while earlier ones are merged.
//!
//! A page is requested only when the bytes of the one before it have arrived. So rows that arrive meanwhile push rows
//! from one page into the next, where they are read again, and never out of both.
//!
//! ```text
//! requested   1 ──▶ 2 ──▶ 3 ──▶
//! parsed            1 ──▶ 2 ──▶ 3
//! merged                  1 ──▶ 2 ──▶ 3
//! ```

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle};

use super::clock::Clock;
use crate::api::Reader;
use crate::domain::history::{Page, TransactionPageRequest};
use crate::domain::{Direction, Failure, FailureReason, Timestamp, Transaction};

type PageResult = Result<Page<Transaction>, Failure>;

/// Pages requested ahead: while one is merged, the next is parsed and the one after it downloaded.
const PREFETCHED_PAGES: u64 = 2;

/// The maximum age of a page: one from before a pause of the read, or a sleep of the machine, is out of date.
const MAX_PAGE_AGE: Duration = Duration::from_mins(1);

#[derive(Debug, Default)]
pub(super) struct Prefetcher {
    lists: Vec<PrefetchedList>,
}

/// Consecutive pages of one list.
#[derive(Debug)]
struct PrefetchedList {
    direction: Direction,
    /// The number of pages, where the service reported it.
    total: Option<u64>,
    pending_pages: VecDeque<PendingPage>,
}

/// A page that was requested, or will be when the one before it has arrived.
#[derive(Debug)]
struct PendingPage {
    page_no: u64,
    answer: JoinHandle<PageResult>,
    /// When it arrived, or failed.
    arrived_at: Arc<OnceLock<Timestamp>>,
    /// Signals that its bytes have arrived; taken by the request of the page after it.
    arrival_signal: Option<oneshot::Receiver<()>>,
}

impl Prefetcher {
    /// Returns a page, and has those after it requested.
    pub(super) async fn fetch_page_and_prefetch_next(
        &mut self,
        reader: &Arc<Reader>,
        clock: &Clock,
        request: &TransactionPageRequest,
        limit: u64,
    ) -> PageResult {
        let position = self.lists.iter().position(|list| list.direction == request.direction);
        let nth = position.unwrap_or(self.lists.len());
        if position.is_none() {
            self.lists.push(PrefetchedList {
                direction: request.direction.clone(),
                total: None,
                pending_pages: VecDeque::new(),
            });
        }
        match self.lists.get_mut(nth) {
            Some(list) => list.fetch_page_and_prefetch_next(reader, clock, request.page_no, limit).await,
            None => reader.fetch_transactions(&request.direction, request.page_no, limit).await,
        }
    }
}

impl PrefetchedList {
    async fn fetch_page_and_prefetch_next(
        &mut self,
        reader: &Arc<Reader>,
        clock: &Clock,
        page_no: u64,
        limit: u64,
    ) -> PageResult {
        self.drop_old_pages(clock.now());
        // Only a request for this very page, and those after it, were made late enough to follow the previous one.
        if self.pending_pages.front().is_some_and(|first| first.page_no != page_no) {
            self.pending_pages.clear();
        }
        let last_page =
            self.total.map_or(page_no, |total| total.min(page_no.saturating_add(PREFETCHED_PAGES)).max(page_no));
        self.request_pages_until(reader, clock, page_no, last_page, limit);
        let Some(first) = self.pending_pages.pop_front() else {
            return reader.fetch_transactions(&self.direction, page_no, limit).await;
        };
        let answered = first.answer.await.unwrap_or_else(|fault| Err(interrupted_failure(&fault)));
        match &answered {
            Ok(page) => {
                self.total = page.total_page;
                let is_last = page.items.is_empty() || page.total_page.is_some_and(|total| page_no >= total);
                if self.pending_pages.is_empty() && !is_last {
                    self.request_page(reader, clock, page_no.saturating_add(1), None, limit);
                }
            }
            Err(_) => self.pending_pages.clear(),
        }
        answered
    }

    /// Drops pages that are too old, and all after them.
    fn drop_old_pages(&mut self, now: Timestamp) {
        // A clock that was set back makes nothing fresh.
        let is_old = |arrival: &Timestamp| *arrival > now || arrival.plus(MAX_PAGE_AGE) < now;
        if self.pending_pages.iter().any(|page| page.arrived_at.get().is_some_and(is_old)) {
            self.pending_pages.clear();
        }
    }

    /// Requests every page up to `last`, one after the other.
    fn request_pages_until(&mut self, reader: &Arc<Reader>, clock: &Clock, first: u64, last: u64, limit: u64) {
        let next = self.pending_pages.back().map_or(first, |page| page.page_no.saturating_add(1));
        for page_no in next..=last {
            let before = self.pending_pages.back_mut().and_then(|page| page.arrival_signal.take());
            self.request_page(reader, clock, page_no, before, limit);
        }
    }

    /// Requests a page as soon as `before` signals that the previous one has arrived.
    fn request_page(
        &mut self,
        reader: &Arc<Reader>,
        clock: &Clock,
        page_no: u64,
        before: Option<oneshot::Receiver<()>>,
        limit: u64,
    ) {
        let (tell, is_there) = oneshot::channel();
        let (reader, direction, clock) = (Arc::clone(reader), self.direction.clone(), clock.clone());
        let arrival = Arc::new(OnceLock::new());
        let comes = Arc::clone(&arrival);
        let answer = tokio::spawn(async move {
            if let Some(before) = before
                && before.await.is_err()
            {
                let message = "the page before it was not received";
                return Err(Failure::from_read(FailureReason::ConnectionLost, message));
            }
            let page = reader.fetch_transactions_unparsed(&direction, page_no, limit).await;
            comes.get_or_init(|| clock.now());
            let page = page?;
            // The receiver may be gone.
            let _nobody_waits = tell.send(());
            page.parse()
        });
        self.pending_pages.push_back(PendingPage {
            page_no,
            answer,
            arrived_at: arrival,
            arrival_signal: Some(is_there),
        });
    }
}

fn interrupted_failure(fault: &JoinError) -> Failure {
    Failure::from_read(FailureReason::Local, &format!("the read was interrupted: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requested_page(page_no: u64, arrived_at: Option<i64>) -> PendingPage {
        let is_known = Arc::new(OnceLock::new());
        if let Some(arrived_at) = arrived_at {
            is_known.get_or_init(|| Timestamp::from_millis(arrived_at));
        }
        PendingPage {
            page_no,
            answer: tokio::spawn(std::future::pending()),
            arrived_at: is_known,
            arrival_signal: None,
        }
    }

    #[tokio::test]
    async fn what_came_long_ago_is_asked_for_anew_and_what_is_still_to_come_is_waited_for() {
        let pages_left = |arrivals: [Option<i64>; 2], now: i64| {
            let pending_pages =
                (7..).zip(arrivals).map(|(page_no, arrived_at)| requested_page(page_no, arrived_at)).collect();
            let mut list = PrefetchedList { direction: Direction::Incoming, total: None, pending_pages };
            list.drop_old_pages(Timestamp::from_millis(now));
            list.pending_pages.len()
        };
        assert_eq!(pages_left([Some(1_000), Some(2_000)], 60_000), 2);
        assert_eq!(pages_left([None, None], 9_000_000), 2);
        assert_eq!(pages_left([Some(1_000), None], 9_000_000), 0);
        assert_eq!(pages_left([Some(1_000), Some(8_999_000)], 9_000_000), 0);
        // The clock was set back.
        assert_eq!(pages_left([Some(90_000), None], 60_000), 0);
    }
}
