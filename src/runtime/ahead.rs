//! Pages of the first read, fetched and read while those before them are taken in.
//!
//! A page is asked for only when the bytes of the one before it are there. So rows that arrive meanwhile push rows from
//! one page into the next, where they are met again, and never out of both.
//!
//! ```text
//! asked for   1 ──▶ 2 ──▶ 3 ──▶
//! read              1 ──▶ 2 ──▶ 3
//! taken in                1 ──▶ 2 ──▶ 3
//! ```

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle};

use crate::api::Reader;
use crate::domain::history::{Page, PageWanted};
use crate::domain::{Direction, Failure, Reason, Transaction};

type Answered = Result<Page<Transaction>, Failure>;

/// Pages that are asked for before they are wanted: while one is taken in, the next is read and the one after it comes.
const AHEAD: u64 = 2;

/// Pages that were asked for ahead.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    lists: Vec<List>,
}

/// Pages of one list, which follow each other.
#[derive(Debug)]
struct List {
    direction: Direction,
    /// How many pages there are, where it was told.
    total: Option<u64>,
    under_way: VecDeque<Asked>,
}

/// A page that was asked for, or will be when the one before it is there.
#[derive(Debug)]
struct Asked {
    page_no: u64,
    answer: JoinHandle<Answered>,
    /// Told once when its bytes are there; taken by the page behind it.
    is_there: Option<oneshot::Receiver<()>>,
}

impl Ahead {
    /// A page; sees to it that those behind it are on their way.
    pub(super) async fn page(&mut self, reader: &Arc<Reader>, wanted: &PageWanted, limit: u64) -> Answered {
        let known = self.lists.iter().position(|list| list.direction == wanted.direction);
        let nth = known.unwrap_or(self.lists.len());
        if known.is_none() {
            self.lists.push(List { direction: wanted.direction.clone(), total: None, under_way: VecDeque::new() });
        }
        match self.lists.get_mut(nth) {
            Some(list) => list.page(reader, wanted.page_no, limit).await,
            None => reader.transactions(&wanted.direction, wanted.page_no, limit).await,
        }
    }
}

impl List {
    async fn page(&mut self, reader: &Arc<Reader>, page_no: u64, limit: u64) -> Answered {
        // Other pages than the one that is wanted and those behind it were asked for too early to follow it.
        if self.under_way.front().is_some_and(|first| first.page_no != page_no) {
            self.under_way.clear();
        }
        let known = self.total.map_or(page_no, |total| total.min(page_no.saturating_add(AHEAD)).max(page_no));
        self.ask_until(reader, page_no, known, limit);
        let Some(first) = self.under_way.pop_front() else {
            return reader.transactions(&self.direction, page_no, limit).await;
        };
        let answered = first.answer.await.unwrap_or_else(|fault| Err(broken_off(&fault)));
        match &answered {
            Ok(page) => {
                self.total = page.total_page;
                let is_last = page.items.is_empty() || page.total_page.is_some_and(|total| page_no >= total);
                if self.under_way.is_empty() && !is_last {
                    self.ask(reader, page_no.saturating_add(1), None, limit);
                }
            }
            Err(_) => self.under_way.clear(),
        }
        answered
    }

    /// Has every page up to this one asked for, each in its turn.
    fn ask_until(&mut self, reader: &Arc<Reader>, first: u64, last: u64, limit: u64) {
        let next = self.under_way.back().map_or(first, |asked| asked.page_no.saturating_add(1));
        for page_no in next..=last {
            let before = self.under_way.back_mut().and_then(|asked| asked.is_there.take());
            self.ask(reader, page_no, before, limit);
        }
    }

    /// Asks for a page as soon as the one before it is there, if there is one that is still to come.
    fn ask(&mut self, reader: &Arc<Reader>, page_no: u64, before: Option<oneshot::Receiver<()>>, limit: u64) {
        let (tell, is_there) = oneshot::channel();
        let (reader, direction) = (Arc::clone(reader), self.direction.clone());
        let answer = tokio::spawn(async move {
            if let Some(before) = before
                && before.await.is_err()
            {
                let words = "the page before it did not come";
                return Err(Failure::of_read(Reason::Broken, words));
            }
            let page = reader.unread_transactions(&direction, page_no, limit).await?;
            // Nobody may be waiting for it.
            let _nobody_waits = tell.send(());
            page.read()
        });
        self.under_way.push_back(Asked { page_no, answer, is_there: Some(is_there) });
    }
}

fn broken_off(fault: &JoinError) -> Failure {
    Failure::of_read(Reason::Local, &format!("the read broke off: {fault}"))
}
