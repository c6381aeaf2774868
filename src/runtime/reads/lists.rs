//! Reads the lists that the specification does not document: accounts, users, wallets.
//!
//! Each read takes a few pages of each list from where the last one stopped, round after round: the first round without
//! much pause, later ones slowly. So the cost per minute does not grow with the size of the lists.

use std::sync::Arc;

use super::{is_failure_of_one_item, with_store};
use crate::api::Reader;
use crate::app::Snapshot;
use crate::domain::entry_source::EntrySource;
use crate::domain::history::Page;
use crate::domain::v1::SubWallet;
use crate::domain::{Account, Failure, FailureReason, User, Wallet};
use crate::runtime::resources::ConsoleResources;
use crate::store::{Store, StoreError};

const ROWS_PER_PAGE: u64 = ConsoleResources::ROWS_PER_PAGE;
/// Pages of each list in one read.
const PAGES_PER_READ: u64 = 4;
/// Most pages of a list in a round: 100,000 entries.
const MAX_PAGES_PER_ROUND: u64 = 1_000;

/// The position in each list between reads.
#[derive(Debug, Default)]
pub(in crate::runtime) struct ListRounds {
    accounts: ListRound,
    users: ListRound,
    sub_wallets: ListRound,
    wallets: ListRound,
}

/// The position in one list.
#[derive(Debug, Default)]
struct ListRound {
    /// Pages read in this round.
    pages_read: u64,
    /// The first identifier of the first page.
    first_id: Option<String>,
    /// Whether the list was read to its end once.
    was_completed: bool,
    /// Whether the service did not serve the list when it was last requested.
    is_unserved: bool,
    /// How often in a row it was not served, and how many reads to skip before the next request.
    unserved_back_off: (u32, u64),
    /// Unreadable entries in this round: the largest count of a single page, reset when a retried page is readable.
    unreadable: u64,
    retries: u32,
}

/// How often a page with unreadable entries is retried before the list is read on: it must not hide the entries after
/// it.
const MAX_PAGE_RETRIES: u32 = 2;

/// Most reads skipped before a list that was not served is requested again.
const MAX_SKIPPED_READS: u64 = 64;

impl ListRound {
    /// Whether to request the list now: one that was not served is retried with growing pauses.
    fn count_down_and_check_due(&mut self) -> bool {
        let (_, rest) = &mut self.unserved_back_off;
        let is_due = *rest == 0;
        *rest = rest.saturating_sub(1);
        is_due
    }

    fn mark_list_unserved(&mut self) {
        let (times, rest) = &mut self.unserved_back_off;
        *rest = (1_u64 << (*times).min(16)).saturating_sub(1).min(MAX_SKIPPED_READS);
        *times = times.saturating_add(1);
        self.is_unserved = true;
    }

    fn mark_list_served(&mut self) {
        (self.is_unserved, self.unserved_back_off) = (false, (0, 0));
    }

    /// Notes how many entries of a page are unreadable; `true` if the page is to be retried before the next one.
    fn count_unreadable_and_check_retry(&mut self, unreadable: u64) -> bool {
        if self.pages_read == 0 && self.retries == 0 {
            self.unreadable = 0;
        }
        if unreadable > 0 && self.retries < MAX_PAGE_RETRIES {
            self.retries += 1;
            self.unreadable = self.unreadable.max(unreadable);
            return true;
        }
        if self.retries > 0 && unreadable == 0 {
            self.unreadable = 0;
        }
        self.unreadable = self.unreadable.max(unreadable);
        self.retries = 0;
        false
    }

    /// Counts a page, whose first entry has this identifier; `true` if the round ends with it.
    fn count_page_and_check_end<T>(&mut self, page: &Page<T>, first: Option<String>) -> bool {
        let is_repeated = self.pages_read > 0 && first.is_some() && first == self.first_id;
        if self.pages_read == 0 {
            self.first_id = first;
        }
        self.pages_read += 1;
        let item_count = u64::try_from(page.items.len()).unwrap_or(u64::MAX).saturating_add(page.unreadable);
        let full = page.page_limit.unwrap_or(ROWS_PER_PAGE).min(ROWS_PER_PAGE);
        let more = item_count > 0 && page.total_page.map_or(item_count >= full, |total| self.pages_read < total);
        let ends = is_repeated || !more || self.pages_read >= MAX_PAGES_PER_ROUND;
        if ends {
            (self.pages_read, self.first_id, self.was_completed) = (0, None, true);
        }
        ends
    }
}

/// Reads on in every list that is served. A missing list is no failure, and a failing list does not stop the others; it
/// is read on when lists are due again. Without a list of users in version 2, version 1's sub-wallets are read.
pub(super) async fn load_directory_lists(
    resources: &ConsoleResources,
    rounds: &mut ListRounds,
    v1: bool,
) -> Result<Snapshot, Failure> {
    let ListRounds { accounts, users, sub_wallets, wallets } = rounds;
    // None was served: this request is the operator's retry, or comes after a while.
    if [&*accounts, &*users, &*wallets].iter().all(|round| round.is_unserved) {
        [&mut *accounts, users, sub_wallets, wallets].into_iter().for_each(ListRound::mark_list_served);
    }
    let source = EntrySource::Listed;
    let mut failed = FirstFailure::default();
    failed.keep_failure_of_one_item(
        read_next_pages(
            resources,
            accounts,
            |account: &Account| account.id.to_string(),
            |reader, page| async move { reader.fetch_accounts(page, ROWS_PER_PAGE).await },
            move |store, all| store.save_accounts(all, source),
        )
        .await,
    )?;
    failed.keep_failure_of_one_item(
        read_next_pages(
            resources,
            users,
            |user: &User| user.id.to_string(),
            |reader, page| async move { reader.fetch_users(page, ROWS_PER_PAGE).await },
            move |store, all| store.save_users(all, source),
        )
        .await,
    )?;
    let by_v1 = v1 && users.is_unserved;
    if by_v1 {
        failed.keep_failure_of_one_item(
            read_next_pages(
                resources,
                sub_wallets,
                |sub_wallet: &SubWallet| sub_wallet.user.id.to_string(),
                |reader, page| async move { reader.fetch_sub_wallets(page, ROWS_PER_PAGE).await },
                move |store, all| {
                    let users: Vec<_> = all.iter().map(|sub_wallet| sub_wallet.user.clone()).collect();
                    store.save_users(&users, source)
                },
            )
            .await,
        )?;
    }
    failed.keep_failure_of_one_item(
        read_next_pages(
            resources,
            wallets,
            |wallet: &Wallet| wallet.id.to_string(),
            |reader, page| async move { reader.fetch_wallets(page, ROWS_PER_PAGE).await },
            move |store, all| store.save_wallets(all, source),
        )
        .await,
    )?;
    if let Some(failure) = failed.0 {
        return Err(failure);
    }
    let all = [Some(&*accounts), Some(&*users), by_v1.then_some(&*sub_wallets), Some(&*wallets)];
    let served = all.iter().flatten().any(|round| !round.is_unserved);
    let more = all.iter().flatten().any(|round| !round.is_unserved && !round.was_completed);
    let unreadable = all.iter().flatten().map(|round| round.unreadable).sum();
    Ok(Snapshot::Lists { served, more, unreadable })
}

/// The first failure of a list, returned after the others were read.
#[derive(Debug, Default)]
struct FirstFailure(Option<Failure>);

impl FirstFailure {
    /// Keeps a failure that may concern one list only; a failure of the service is returned at once.
    fn keep_failure_of_one_item(&mut self, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Err(failure) if is_failure_of_one_item(&failure) => {
                self.0.get_or_insert(failure);
                Ok(())
            }
            result => result,
        }
    }
}

/// Whether a failure means that a list is not served: no such route, method or parameters. A service may well answer
/// 401 or 403 to unknown routes; whether the key is valid is shown by reads that the specification documents.
fn is_list_unserved(failure: &Failure) -> bool {
    let unknown =
        matches!(failure.reason, FailureReason::NotFound | FailureReason::Refused { status: 405 | 410 | 422 | 501 });
    unknown || !failure.is_retryable()
}

/// Reads the next pages of a list into the store.
async fn read_next_pages<T, F>(
    resources: &ConsoleResources,
    round: &mut ListRound,
    key: impl Fn(&T) -> String,
    read: impl Fn(Arc<Reader>, u64) -> F,
    keep: impl Fn(&Store, &[T]) -> Result<(), StoreError> + Copy + Send + 'static,
) -> Result<(), Failure>
where
    T: Send + 'static,
    F: Future<Output = Result<Page<T>, Failure>>,
{
    if !round.count_down_and_check_due() {
        return Ok(());
    }
    for _ in 0..PAGES_PER_READ {
        let page = match read(Arc::clone(&resources.reader), round.pages_read + 1).await {
            Ok(page) => page,
            Err(failure) if is_list_unserved(&failure) => {
                round.mark_list_unserved();
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        round.mark_list_served();
        let stays = round.count_unreadable_and_check_retry(page.unreadable);
        let ends = !stays && round.count_page_and_check_end(&page, page.items.first().map(&key));
        with_store(resources, move |store| keep(store, &page.items)).await?;
        if stays || ends {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(items: usize, total_page: Option<u64>) -> Page<u8> {
        Page { items: vec![0; items], unreadable: 0, page_no: None, page_limit: None, total_page }
    }

    #[test]
    fn a_round_ends_with_the_last_page_a_short_page_or_the_first_page_again() {
        let name_of = |name: &str| Some(name.to_owned());
        let mut round = ListRound::default();
        assert!(!round.count_page_and_check_end(&page(100, Some(2)), name_of("a")) && !round.was_completed);
        assert!(round.count_page_and_check_end(&page(3, Some(2)), name_of("b")) && round.was_completed);
        assert_eq!(round.pages_read, 0, "and begins anew");
        assert!(!round.count_page_and_check_end(&page(100, None), name_of("a")));
        assert!(round.count_page_and_check_end(&page(100, None), name_of("a")), "the service ignores paging");
        assert!(round.count_page_and_check_end(&page(0, None), None));
        assert!(round.count_page_and_check_end(&page(99, None), name_of("a")));
    }
}
