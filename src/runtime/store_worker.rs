//! Runs store queries on one thread, so that a slow disk never delays a key.
//!
//! Of several waiting queries of one kind only the newest is run, in the place of the first, so that none of the queries that
//! every poll repeats is put off for ever while rows arrive faster than they are searched. A new query of a history
//! list also cancels the search that runs for that list.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::completion::{Completion, EffectKind};
use super::{directory_record, guard_facts, watch_readings};
use crate::app::pages::users::UserDetails;
use crate::app::{Msg, RequestId, StoreQuery, StoreResult};
use crate::domain::history::Scope;
use crate::domain::{Failure, FailureReason, UserId};
use crate::store::{Cancel, Store, StoreError};

#[derive(Default)]
struct QueryQueue {
    waiting: VecDeque<(StoreQuery, RequestId)>,
    running: Option<(StoreQuery, Cancel)>,
    closed: bool,
}

impl QueryQueue {
    /// Adds a query, or gives it the place of the one of its kind that waits; returns whether there was one.
    fn enqueue(&mut self, query: StoreQuery, request_id: RequestId) -> bool {
        let replaced = self.waiting.iter_mut().find(|(waiting, _)| is_same_kind(waiting, &query));
        let is_replacement = replaced.is_some();
        if let Some(waiting) = replaced {
            *waiting = (query, request_id);
        } else {
            self.waiting.push_back((query, request_id));
        }
        is_replacement
    }
}

/// The handle to the thread that queries the store.
pub(super) struct StoreWorker {
    shared: Arc<(Mutex<QueryQueue>, Condvar)>,
    /// Closed when the thread has released the store; `None` where nothing is to be removed then.
    end_signal: Option<Receiver<()>>,
    completions: UnboundedSender<Completion>,
}

impl StoreWorker {
    pub(super) fn start(store: Store, completions: UnboundedSender<Completion>) -> io::Result<Self> {
        let shared = Arc::new((Mutex::new(QueryQueue::default()), Condvar::new()));
        let (queue, sender) = (shared.clone(), completions.clone());
        let (alive, ended) = channel();
        // A store in memory is freed with its last owner, which nobody needs to wait for.
        let ended = (!store.is_in_memory()).then_some(ended);
        thread::Builder::new().name("answers".into()).spawn(move || {
            let _alive: std::sync::mpsc::Sender<()> = alive;
            // Declared after `alive`, so dropped before it: when the end is signalled, the store is closed.
            let store = store;
            while let Some((query, request_id, cancel)) = wait_for_query(&queue) {
                run_query(&store, query, request_id, &cancel, &sender);
                // Sending fails only when the console ends.
                let _ = sender.send(Completion::Done(EffectKind::StoreQuery));
            }
        })?;
        Ok(Self { shared, end_signal: ended, completions })
    }

    pub(super) fn submit(&self, query: StoreQuery, request_id: RequestId) {
        let (queue, bell) = &*self.shared;
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((searching, cancel)) = &queue.running
            && is_same_kind(searching, &query)
        {
            cancel.cancel();
        }
        let is_replacement = queue.enqueue(query, request_id);
        bell.notify_one();
        if is_replacement {
            let _ = self.completions.send(Completion::Done(EffectKind::StoreQuery));
        }
    }
}

/// How long dropping waits for the query that is running. A temporary cache is removed by its last owner, which should
/// not be the thread when the process ends.
const DROP_TIMEOUT: Duration = Duration::from_millis(200);

impl Drop for StoreWorker {
    fn drop(&mut self) {
        let (queue, bell) = &*self.shared;
        {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.closed = true;
            queue.waiting.clear();
            if let Some((_, cancel)) = &queue.running {
                cancel.cancel();
            }
        }
        bell.notify_one();
        if let Some(ended) = &self.end_signal {
            let _later_if_not_now = ended.recv_timeout(DROP_TIMEOUT);
        }
    }
}

fn is_same_kind(one: &StoreQuery, other: &StoreQuery) -> bool {
    match (one, other) {
        (StoreQuery::History(one, _), StoreQuery::History(other, _)) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// Waits for the next query; `None` when the worker is closed.
fn wait_for_query(shared: &(Mutex<QueryQueue>, Condvar)) -> Option<(StoreQuery, RequestId, Cancel)> {
    let (queue, bell) = shared;
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.running = None;
    loop {
        if queue.closed {
            return None;
        }
        if let Some((query, request_id)) = queue.waiting.pop_front() {
            let cancel = Cancel::new();
            queue.running = Some((query.clone(), cancel.clone()));
            return Some((query, request_id, cancel));
        }
        queue = bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

/// The result of the first query, which every other depends on.
pub(super) fn query_accounts(store: &Store) -> Result<StoreResult, Failure> {
    store.accounts().map(StoreResult::Accounts).map_err(|error| local_failure(&error))
}

fn local_failure(error: &StoreError) -> Failure {
    Failure::from_read(FailureReason::Local, &error.to_string())
}

fn run_query(
    store: &Store,
    query: StoreQuery,
    request_id: RequestId,
    cancel: &Cancel,
    completions: &UnboundedSender<Completion>,
) {
    // Sending fails only when the console ends.
    let send = |answer| {
        let _ = completions.send(Completion::Message(Msg::StoreAnswered { request_id, answer }));
    };
    let failed = |error: StoreError| local_failure(&error);
    match query {
        StoreQuery::Accounts => send(query_accounts(store)),
        StoreQuery::KnownAddresses(query_text) => {
            let addresses = guard_facts::read_own_and_paid_addresses(store, &query_text);
            send(addresses.map(|(own, paid)| StoreResult::KnownAddresses { own, paid }).map_err(failed));
        }
        StoreQuery::AddressConflicts => {
            send(store.wallets_with_contradicting_address().map(StoreResult::AddressConflicts).map_err(failed));
        }
        StoreQuery::Wallets { scope, filter, first, rows } => {
            let wallets = store.wallets(&scope, &filter, first, rows);
            send(wallets.map(|window| StoreResult::Wallets(scope, window)).map_err(failed));
        }
        StoreQuery::User(user) => {
            send(
                query_user_details(store, &user)
                    .map(|details| StoreResult::User(user, Box::new(details)))
                    .map_err(failed),
            );
        }
        StoreQuery::Users { filter, first, rows, include: included_user, rearrange: arranged } => {
            let arranged = if arranged { store.sort_late_named_users() } else { Ok(()) };
            let user_window =
                arranged.and_then(|()| store.users_window_keeping(&filter, first, rows, included_user.as_ref()));
            send(user_window.map(StoreResult::Users).map_err(failed));
        }
        StoreQuery::WatchedData(watches, book) => {
            send(watch_readings::read_watches(store, &watches, &book).map(StoreResult::WatchedData).map_err(failed));
        }
        StoreQuery::HistoryCheckpoint(at) => {
            let mark = store.checkpoint();
            if let Ok(mark) = &mark {
                // A full disk costs the summary after the next start, and nothing else.
                let _unsaved_visit = store.save_last_visit(at, mark);
            }
            send(mark.map(|mark| StoreResult::HistoryCheckpoint(Box::new(mark))).map_err(failed));
        }
        StoreQuery::LastVisitState => {
            let visit = store.last_visit().map(|visit| visit.map(|(at, mark)| (at, Box::new(mark))));
            send(visit.map(StoreResult::LastVisitState).map_err(failed));
        }
        StoreQuery::ChangesSince(mark) => {
            send(store.changes_since(&mark).map(StoreResult::ChangesSince).map_err(failed));
        }
        StoreQuery::Holdings(scope) => {
            let holdings_and_users =
                store.holdings(&scope).and_then(|all| Ok((all, store.count_users_in_scope(&scope)?)));
            send(holdings_and_users.map(|(all, users)| StoreResult::Holdings { scope, all, users }).map_err(failed));
        }
        StoreQuery::Total => {
            let total = store.holdings(&Scope::All).and_then(|all| {
                let (users, read_since) =
                    (store.count_users_in_scope(&Scope::All)?, store.oldest_balances_time(&Scope::All)?);
                Ok(StoreResult::Total { all, users, read_since })
            });
            send(total.map_err(failed));
        }
        StoreQuery::TotalSamples(valuation, sample) => {
            let (sample, prices) = sample.map(|sample| *sample).unzip();
            let recorded = sample.as_ref().zip(prices).map(|(sample, prices)| store.record_prices(&prices, sample.at));
            let samples = recorded.transpose().and_then(|_: Option<()>| store.add_total_sample(&valuation, sample));
            send(samples.map(StoreResult::TotalSamples).map_err(failed));
        }
        StoreQuery::History(list, span) => {
            let outcome = store.query_history(&span, cancel, &mut |window| {
                send(Ok(StoreResult::History(list, span.query.clone(), window)));
            });
            match outcome {
                // A newer query replaced it: nothing failed.
                Ok(()) | Err(StoreError::Cancelled) => {}
                Err(error) => send(Err(failed(error))),
            }
        }
        StoreQuery::NonMatchingRows(list, query, rows) => match store.rows_not_matched(&query, &rows, cancel) {
            Ok(hidden) => send(Ok(StoreResult::NonMatchingRows(list, query, hidden))),
            // A newer query replaced it.
            Err(StoreError::Cancelled) => {}
            Err(error) => send(Err(failed(error))),
        },
        StoreQuery::Rows(rows) => send(store.read_rows_by_seq(&rows).map(StoreResult::Rows).map_err(failed)),
        StoreQuery::PayerWallets { filter, rows } => {
            let wallets = store.wallets(&Scope::All, &filter, 0, rows);
            send(wallets.map(|window| StoreResult::PayerWallets(filter, window)).map_err(failed));
        }
        StoreQuery::WalletHoldings(wallet) => {
            let holdings = store.holdings(&Scope::Wallet(wallet.clone()));
            send(holdings.map(|holdings| StoreResult::WalletHoldings(wallet, holdings)).map_err(failed));
        }
        StoreQuery::DirectoryRecord(scope, poison_filter) => {
            let record = directory_record::read_directory_record(store, scope, poison_filter);
            send(record.map(|record| StoreResult::DirectoryRecord(record.map(Box::new))).map_err(failed));
        }
        StoreQuery::FeeEstimate(symbol, token) => {
            let fee = guard_facts::estimate_fee_of_token(store, &symbol, &token);
            send(fee.map(|fee| StoreResult::FeeEstimate(token, fee)).map_err(failed));
        }
        StoreQuery::Tokens => {
            let tokens = store.tokens().map(|snapshot| snapshot.map(|(tokens, _)| tokens).unwrap_or_default());
            send(tokens.map(StoreResult::Tokens).map_err(failed));
        }
    }
}

/// Most wallets shown of one user.
const MAX_WALLETS_OF_USER: u32 = 500;

fn query_user_details(store: &Store, user: &UserId) -> Result<UserDetails, StoreError> {
    let scope = Scope::User(user.clone());
    Ok(UserDetails {
        holdings: store.holdings(&scope)?,
        wallets: store.wallets(&scope, "", 0, MAX_WALLETS_OF_USER)?.rows,
        balances_at: store.oldest_balances_time(&scope)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_that_replaces_one_of_its_kind_waits_no_longer_than_that() {
        let mut queue = QueryQueue::default();
        let mut id = RequestId::default();
        for (query, is_replacement) in [
            (StoreQuery::Accounts, false),
            (StoreQuery::Total, false),
            (StoreQuery::Accounts, true),
            (StoreQuery::Total, true),
            (StoreQuery::Tokens, false),
        ] {
            assert_eq!(queue.enqueue(query, id.advance()), is_replacement);
        }
        let ids: Vec<u64> = queue.waiting.iter().map(|(_, id)| id.0).collect();
        assert_eq!(ids, [3, 4, 5]);
        assert!(matches!(queue.waiting[1].0, StoreQuery::Total));
    }
}
