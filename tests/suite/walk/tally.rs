//! What walks came to: a walk that never gets anywhere proves nothing.

use std::collections::BTreeMap;
use std::fmt;

use bursar::domain::order::OrderState;

use super::Observer;

/// What was done on walks, by what it was.
#[derive(Debug, Default)]
pub(super) struct Tally {
    walks: usize,
    /// Sessions that failed, by the first walk of each.
    pub(super) failed_walks: Vec<u64>,
    /// By the word of the operation.
    orders: BTreeMap<&'static str, Orders>,
    /// Changes of the address book.
    pub(super) book_changes: usize,
    /// How often the veil or the lock came while something was open, or at all.
    pub(super) barred: usize,
    /// Requests that changed something.
    changes: usize,
    /// By the name of what was filled in.
    paths: BTreeMap<String, Path>,
}

/// What became of a way of filling in a form.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Path {
    pub(super) reviewed: usize,
    pub(super) sent: usize,
}

/// What became of orders of one operation.
#[derive(Debug, Default, Clone, Copy)]
struct Orders {
    reviewed: usize,
    sent: usize,
    executed: usize,
    over: usize,
}

impl Tally {
    /// Takes in what a session of so many walks came to.
    pub(super) fn takes(&mut self, observer: &Observer, walks: usize) {
        self.walks += walks;
        for report in observer.session.all_orders() {
            let orders = self.orders.entry(report.intent.drafted.draft.operation().journal_name()).or_default();
            orders.reviewed += 1;
            orders.sent += usize::from(!report.intent.attempts.is_empty());
            orders.executed += report.executions;
            let state = report.intent.state(observer.session.now());
            orders.over +=
                usize::from(matches!(state, OrderState::Settled | OrderState::PartlySettled | OrderState::Failed));
        }
        for (name, totals) in &observer.paths {
            let path = self.paths.entry(name.clone()).or_default();
            path.reviewed += totals.reviewed;
            path.sent += totals.sent;
        }
        self.book_changes += observer.session.book_changes().len();
        self.barred += observer.barred;
        self.changes += observer.session.service().record_requests().changes().len();
    }

    /// How many orders of an operation were sent.
    pub(super) fn count_sent(&self, word: &str) -> usize {
        self.orders.get(word).map_or(0, |orders| orders.sent)
    }

    /// How often something was sent by what was filled in under this name.
    pub(super) fn sent_by(&self, path: &str) -> usize {
        self.paths.get(path).map_or(0, |path| path.sent)
    }

    /// How many orders moved money.
    pub(super) fn execution_total(&self) -> usize {
        self.orders.values().map(|orders| orders.executed).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { walks, failed_walks, book_changes, barred, changes, .. } = self;
        if !failed_walks.is_empty() {
            write!(f, "FAILED from the walks {failed_walks:?} on; ")?;
        }
        write!(
            f,
            "{walks} walks: {changes} requests, {book_changes} changes of the book, veiled or locked {barred} times;"
        )?;
        for (word, Orders { reviewed, sent, executed, over }) in &self.orders {
            write!(f, " {word}: {reviewed} reviewed, {sent} sent, {executed} executed, {over} over;")?;
        }
        write!(f, " sent of reviewed:")?;
        for (name, Path { reviewed, sent }) in &self.paths {
            write!(f, " {name} {sent}/{reviewed}")?;
        }
        Ok(())
    }
}
