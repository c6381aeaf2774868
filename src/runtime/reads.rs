//! Reads from the service into the store.

mod balances;
mod lists;
pub(super) mod movements;
mod quotes;
mod user;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use balances::BalanceBackOffList;
pub(super) use balances::refresh_user_balances;

use tokio::time::{Interval, MissedTickBehavior};

use super::first_page_cache::FirstPageCache;
use super::prefetch::Prefetcher;
use super::resources::ConsoleResources;
use crate::app::{Dataset, Snapshot};
use crate::domain::history::Page;
use crate::domain::{Direction, Failure, FailureReason, PagedList, Skew, Transaction, TransactionId, UserId};
use crate::store::{BackfillRead, LatestRead, Store, StoreError, SyncResult};

/// Rows that one stretch of the backfill reads.
const ROWS_PER_BACKFILL: u64 = 2_000;

pub(super) const READ_ONLY_MESSAGE: &str = "this console is read-only";

/// State that reads leave for later ones.
#[derive(Debug, Default)]
pub(super) struct FetchState {
    prefetcher: tokio::sync::Mutex<Prefetcher>,
    reread_interval: tokio::sync::OnceCell<tokio::sync::Mutex<Interval>>,
    first_pages: FirstPageCache,
    list_rounds: tokio::sync::Mutex<lists::ListRounds>,
    outdated_users: Mutex<VecDeque<UserId>>,
    unnamed_users: balances::UnnamedUsers,
    /// The clock skew last reported to the model.
    reported_skew: Mutex<Skew>,
}

/// Most users remembered for a change of their balance.
const MAX_OUTDATED_USERS: usize = 256;

/// The least time between requests for pages that may bring no new rows: pages probed for their position, or read
/// before.
const MIN_TIME_BETWEEN_REREADS: Duration = Duration::from_millis(20);

impl FetchState {
    /// The pace of such requests.
    async fn lock_reread_interval(&self) -> tokio::sync::MutexGuard<'_, Interval> {
        let pace = async || {
            let mut pace = tokio::time::interval(MIN_TIME_BETWEEN_REREADS);
            pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
            tokio::sync::Mutex::new(pace)
        };
        self.reread_interval.get_or_init(pace).await.lock().await
    }

    /// Remembers users whose balances are older than their history.
    fn note_outdated_users(&self, users: Vec<UserId>) {
        let mut outdated = self.outdated_users.lock().unwrap_or_else(PoisonError::into_inner);
        for user in users {
            if outdated.len() < MAX_OUTDATED_USERS && !outdated.contains(&user) {
                outdated.push_back(user);
            }
        }
    }

    /// The clock skew, if it has noticeably changed since the last call.
    pub(super) fn take_skew_change(&self, now: Skew) -> Option<Skew> {
        let mut last_reported_skew = self.reported_skew.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = now.differs_noticeably_from(*last_reported_skew);
        if is_news {
            *last_reported_skew = now;
        }
        is_news.then_some(now)
    }

    /// Takes some of these users, those that changed first.
    fn take_outdated_users(&self, most: usize) -> Vec<UserId> {
        let mut outdated = self.outdated_users.lock().unwrap_or_else(PoisonError::into_inner);
        let most = most.min(outdated.len());
        outdated.drain(..most).collect()
    }
}

/// Reads a data set into the store and returns what changed. All transactions read are added to `payments`, even if the
/// read fails later: each may bear the mark of an order.
pub(super) async fn load_dataset(
    resources: &ConsoleResources,
    fetch_state: &FetchState,
    dataset: &Dataset,
    payments: &mut Vec<Transaction>,
) -> Result<Snapshot, Failure> {
    match dataset {
        Dataset::Latest => read_latest(resources, fetch_state, payments).await,
        Dataset::Backfill => {
            read_backfill(
                resources,
                &mut *fetch_state.lock_reread_interval().await,
                &mut *fetch_state.prefetcher.lock().await,
                payments,
            )
            .await
        }
        Dataset::Lists { v1 } => {
            lists::load_directory_lists(resources, &mut *fetch_state.list_rounds.lock().await, *v1).await
        }
        Dataset::User { user, v1 } => user::load_user(resources, user, *v1).await,
        Dataset::Balances(scope) => balances::load_balances(resources, fetch_state, scope).await,
        Dataset::WatchedBalances(scopes) => {
            let mut failed = None;
            for scope in scopes {
                match balances::load_balances(resources, fetch_state, scope).await {
                    Ok(_) => {}
                    // A fault of one of them must not disable the watches of the others.
                    Err(failure) if is_failure_of_one_item(&failure) || failure.reason == FailureReason::NotFound => {
                        failed = failed.or(Some(failure).filter(is_failure_of_one_item));
                    }
                    Err(failure) => return Err(failure),
                }
            }
            failed.map_or(Ok(Snapshot::WatchedBalances), Err)
        }
        Dataset::Stats => read_user_stats(resources).await,
        Dataset::Markets => read_tokens(resources).await,
        Dataset::Pairs => quotes::load_pairs(resources).await,
        Dataset::Quotes(request) => quotes::load_quotes(resources, request).await,
        // Only a console that can pay requests this.
        Dataset::Orders => Err(Failure::from_read(FailureReason::Local, READ_ONLY_MESSAGE)),
    }
}

fn append_page_transactions(page: &Page<Transaction>, transactions: &mut Vec<Transaction>) {
    transactions.extend(page.items.iter().cloned());
}

async fn read_latest(
    resources: &ConsoleResources,
    fetch_state: &FetchState,
    transactions: &mut Vec<Transaction>,
) -> Result<Snapshot, Failure> {
    let mut latest_read = with_store(resources, LatestRead::start).await?;
    while let Some(request) = latest_read.next_page() {
        let page = resources
            .reader
            .fetch_transactions_unparsed(&request.direction, request.page_no, resources.rows_per_page)
            .await?;
        let page = fetch_state.first_pages.parse_page(&request, &page)?;
        append_page_transactions(&page, transactions);
        latest_read.add_page(&request, page).map_err(|error| local_failure(&error))?;
    }
    let now = resources.clock.now();
    let mut merged = with_store(resources, move |_| latest_read.finish(now)).await?;
    fetch_state.note_outdated_users(std::mem::take(&mut merged.affected_users));
    Ok(snapshot_of_sync_result(merged))
}

async fn read_backfill(
    resources: &ConsoleResources,
    interval: &mut Interval,
    prefetcher: &mut Prefetcher,
    transactions: &mut Vec<Transaction>,
) -> Result<Snapshot, Failure> {
    let mut backfill_read = with_store(resources, |store| BackfillRead::start(store, ROWS_PER_BACKFILL)).await?;
    while let Some(request) = backfill_read.next_page() {
        if backfill_read.is_searching_overlap_or_rescanning() {
            interval.tick().await;
        }
        let page = match prefetcher
            .fetch_page_and_prefetch_next(&resources.reader, &resources.clock, &request, resources.rows_per_page)
            .await
        {
            Ok(page) => page,
            Err(failure) if !backfill_read.has_rows() => return Err(failure),
            // Earlier rows are kept: a service that often fails would otherwise never get past its first stretch.
            Err(failure) => {
                let now = resources.clock.now();
                let merged = with_store(resources, move |_| backfill_read.finish(now)).await?;
                return if can_defer_backfill_failure(&failure.reason) {
                    Ok(snapshot_of_sync_result(merged))
                } else {
                    Err(failure)
                };
            }
        };
        append_page_transactions(&page, transactions);
        // The next page arrives meanwhile.
        backfill_read = with_store(resources, move |_| {
            backfill_read.add_page(&request, page)?;
            Ok(backfill_read)
        })
        .await?;
    }
    let now = resources.clock.now();
    with_store(resources, move |_| backfill_read.finish(now)).await.map(snapshot_of_sync_result)
}

/// Whether a stretch that brought rows may omit the failure that ended it: the next one requests the same page first.
/// After rate-limiting or a rejected key, no such request may follow.
fn can_defer_backfill_failure(reason: &FailureReason) -> bool {
    match reason {
        FailureReason::Unreachable
        | FailureReason::TimedOut
        | FailureReason::ConnectionLost
        | FailureReason::NotFound
        | FailureReason::Refused { .. }
        | FailureReason::Redirected
        | FailureReason::TooLarge
        | FailureReason::NotUnderstood => true,
        FailureReason::KeyRejected | FailureReason::Forbidden | FailureReason::Busy { .. } | FailureReason::Local => {
            false
        }
    }
}

fn snapshot_of_sync_result(merged: SyncResult) -> Snapshot {
    Snapshot::History { added: merged.added, changed: merged.changed, progress: Box::new(merged.progress) }
}

/// Whether a failure may concern only the item requested, such as a user or a list.
pub(super) fn is_failure_of_one_item(failure: &Failure) -> bool {
    matches!(
        failure.reason,
        FailureReason::Refused { .. }
            | FailureReason::NotUnderstood
            | FailureReason::TooLarge
            | FailureReason::Redirected
    )
}

/// Most pages searched for a transaction.
const MAX_RAW_PAGES: u64 = 6;

/// A transaction in the service's own format; `None` if the list does not contain it near its rank in the store. Rows
/// that arrived since push it down, so the search goes downwards from there.
pub(super) async fn fetch_raw_transaction(
    resources: &ConsoleResources,
    seq: i64,
    id: &TransactionId,
    direction: &Direction,
) -> Result<Option<String>, Failure> {
    let list = direction.clone();
    let rank = with_store(resources, move |store| store.position_in_service_list(&list, seq)).await?;
    let mut limit = resources.rows_per_page.max(1);
    let mut first = rank / limit + 1;
    let (mut step, mut tried) = (0, 0);
    while tried < MAX_RAW_PAGES {
        let number = first.saturating_add(step);
        let raw_transaction =
            resources.reader.find_raw_transaction(direction, id, number, resources.rows_per_page).await?;
        tried += 1;
        if raw_transaction.raw.is_some() {
            return Ok(raw_transaction.raw);
        }
        // A service with smaller pages has the row on a later one.
        let service_limit =
            raw_transaction.page_limit.filter(|service_limit| *service_limit > 0 && *service_limit < limit);
        if let Some(service_limit) = service_limit {
            limit = service_limit;
            (first, step) = (rank / limit + 1, 0);
            continue;
        }
        step += 1;
        if raw_transaction.entries == 0 {
            break;
        }
    }
    Ok(None)
}

async fn read_user_stats(resources: &ConsoleResources) -> Result<Snapshot, Failure> {
    let stats = resources.reader.fetch_user_stats(None).await?;
    let now = resources.clock.now();
    with_store(resources, move |store| store.save_stats(stats, now)).await?;
    Ok(Snapshot::Stats(stats))
}

async fn read_tokens(resources: &ConsoleResources) -> Result<Snapshot, Failure> {
    let PagedList { rows: tokens, unreadable, .. } = resources.reader.fetch_tokens().await?;
    let now = resources.clock.now();
    with_store(resources, move |store| {
        if unreadable == 0 {
            return store.save_tokens(&tokens, now);
        }
        // An unreadable token has not gone: if it were dropped, its imitations would pass for it.
        let mut all = store.tokens()?.map(|(earlier, _)| earlier).unwrap_or_default();
        all.retain(|other| !tokens.iter().any(|token| token.symbol == other.symbol && token.name == other.name));
        all.extend(tokens);
        store.save_tokens(&all, now)
    })
    .await?;
    Ok(Snapshot::Markets { unreadable })
}

/// Serialises work on the store, so that it waits for its turn without holding a thread and its memory.
#[derive(Debug, Clone, Default)]
pub struct StoreWriteQueue(Arc<tokio::sync::Mutex<()>>);

/// Runs work on the store on a blocking thread.
pub(super) async fn with_store<T: Send + 'static>(
    resources: &ConsoleResources,
    work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Failure> {
    let store = resources.store.clone();
    let queue_guard = resources.store_queue.0.clone().lock_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let _over_when_done = queue_guard;
        work(&store)
    });
    match done.await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(local_failure(&error)),
        Err(fault) => {
            Err(Failure::from_read(FailureReason::Local, &format!("work on the cache was interrupted: {fault}")))
        }
    }
}

fn local_failure(error: &StoreError) -> Failure {
    Failure::from_read(FailureReason::Local, &error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_moved_is_read_once_and_first_come_first() {
        let fetch_state = FetchState::default();
        let users = |names: &[&str]| names.iter().map(|name| UserId::from_text(name)).collect::<Vec<_>>();
        fetch_state.note_outdated_users(users(&["u-1", "u-2"]));
        fetch_state.note_outdated_users(users(&["u-2", "u-3"]));
        assert_eq!(fetch_state.take_outdated_users(2), users(&["u-1", "u-2"]));
        assert_eq!(fetch_state.take_outdated_users(2), users(&["u-3"]));
        assert_eq!(fetch_state.take_outdated_users(2), []);
    }
}
