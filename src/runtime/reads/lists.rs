//! Reads the lists that the specification does not document: accounts, users, wallets.
//!
//! Each read takes a few pages of each list from where the last one stopped, round after round: the first round without
//! much pause, later ones slowly. So the cost per minute does not grow with the size of the lists.

use std::sync::Arc;

use super::{is_about_one_item, with_store};
use crate::api::Reader;
use crate::app::Snapshot;
use crate::domain::history::{Page, Source};
use crate::domain::v1::SubWallet;
use crate::domain::{Account, Failure, Reason, User, Wallet};
use crate::runtime::effect_runner::World;
use crate::store::{Store, StoreError};

const PAGE: u64 = World::PAGE;
/// Pages of each list in one read.
const PAGES: u64 = 4;
/// Most pages of a list in a round: 100,000 entries.
const MOST: u64 = 1_000;

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
    passed: u64,
    /// The first identifier of the first page.
    first: Option<String>,
    /// Whether the list was read to its end once.
    whole: bool,
    /// Whether the service did not serve the list when it was last requested.
    absent: bool,
    /// How often in a row it was not served, and how many reads to skip before the next request.
    refused: (u32, u64),
    /// Unreadable entries in this round: the largest count of a single page, reset when a retried page is readable.
    unread: u64,
    retries: u32,
}

/// How often a page with unreadable entries is retried before the list is read on: it must not hide the entries after
/// it.
const MOST_RETRIES: u32 = 2;

/// Most reads skipped before a list that was not served is requested again.
const MOST_PASSED: u64 = 64;

impl ListRound {
    /// Whether to request the list now: one that was not served is retried with growing pauses.
    fn is_asked(&mut self) -> bool {
        let (_, rest) = &mut self.refused;
        let is_due = *rest == 0;
        *rest = rest.saturating_sub(1);
        is_due
    }

    fn refuse(&mut self) {
        let (times, rest) = &mut self.refused;
        *rest = (1_u64 << (*times).min(16)).saturating_sub(1).min(MOST_PASSED);
        *times = times.saturating_add(1);
        self.absent = true;
    }

    fn accept(&mut self) {
        (self.absent, self.refused) = (false, (0, 0));
    }

    /// Notes how many entries of a page are unreadable; `true` if the page is to be retried before the next one.
    fn stays(&mut self, unreadable: u64) -> bool {
        if self.passed == 0 && self.retries == 0 {
            self.unread = 0;
        }
        if unreadable > 0 && self.retries < MOST_RETRIES {
            self.retries += 1;
            self.unread = self.unread.max(unreadable);
            return true;
        }
        if self.retries > 0 && unreadable == 0 {
            self.unread = 0;
        }
        self.unread = self.unread.max(unreadable);
        self.retries = 0;
        false
    }

    /// Counts a page, whose first entry has this identifier; `true` if the round ends with it.
    fn ends_with<T>(&mut self, page: &Page<T>, first: Option<String>) -> bool {
        let again = self.passed > 0 && first.is_some() && first == self.first;
        if self.passed == 0 {
            self.first = first;
        }
        self.passed += 1;
        let came = u64::try_from(page.items.len()).unwrap_or(u64::MAX).saturating_add(page.unreadable);
        let full = page.page_limit.unwrap_or(PAGE).min(PAGE);
        let more = came > 0 && page.total_page.map_or(came >= full, |total| self.passed < total);
        let ends = again || !more || self.passed >= MOST;
        if ends {
            (self.passed, self.first, self.whole) = (0, None, true);
        }
        ends
    }
}

/// Reads on in every list that is served. A missing list is no failure, and a failing list does not stop the others; it
/// is read on when lists are due again. Without a list of users in version 2, version 1's sub-wallets are read.
pub(super) async fn load_lists(world: &World, rounds: &mut ListRounds, v1: bool) -> Result<Snapshot, Failure> {
    let ListRounds { accounts, users, sub_wallets, wallets } = rounds;
    // None was served: this request is the operator's retry, or comes after a while.
    if [&*accounts, &*users, &*wallets].iter().all(|round| round.absent) {
        [&mut *accounts, users, sub_wallets, wallets].into_iter().for_each(ListRound::accept);
    }
    let listed = Source::Listed;
    let mut failed = FirstFailure::default();
    failed.take(
        read_on(
            world,
            accounts,
            |account: &Account| account.id.to_string(),
            |reader, page| async move { reader.fetch_accounts(page, PAGE).await },
            move |store, all| store.save_accounts(all, listed),
        )
        .await,
    )?;
    failed.take(
        read_on(
            world,
            users,
            |user: &User| user.id.to_string(),
            |reader, page| async move { reader.fetch_users(page, PAGE).await },
            move |store, all| store.save_users(all, listed),
        )
        .await,
    )?;
    let by_v1 = v1 && users.absent;
    if by_v1 {
        failed.take(
            read_on(
                world,
                sub_wallets,
                |sub_wallet: &SubWallet| sub_wallet.user.id.to_string(),
                |reader, page| async move { reader.fetch_sub_wallets(page, PAGE).await },
                move |store, all| {
                    let users: Vec<_> = all.iter().map(|sub_wallet| sub_wallet.user.clone()).collect();
                    store.save_users(&users, listed)
                },
            )
            .await,
        )?;
    }
    failed.take(
        read_on(
            world,
            wallets,
            |wallet: &Wallet| wallet.id.to_string(),
            |reader, page| async move { reader.fetch_wallets(page, PAGE).await },
            move |store, all| store.save_wallets(all, listed),
        )
        .await,
    )?;
    if let Some(failure) = failed.0 {
        return Err(failure);
    }
    let all = [Some(&*accounts), Some(&*users), by_v1.then_some(&*sub_wallets), Some(&*wallets)];
    let served = all.iter().flatten().any(|round| !round.absent);
    let more = all.iter().flatten().any(|round| !round.absent && !round.whole);
    let unreadable = all.iter().flatten().map(|round| round.unread).sum();
    Ok(Snapshot::Lists { served, more, unreadable })
}

/// The first failure of a list, returned after the others were read.
#[derive(Debug, Default)]
struct FirstFailure(Option<Failure>);

impl FirstFailure {
    /// Keeps a failure that may concern one list only; a failure of the service is returned at once.
    fn take(&mut self, read: Result<(), Failure>) -> Result<(), Failure> {
        match read {
            Err(failure) if is_about_one_item(&failure) => {
                self.0.get_or_insert(failure);
                Ok(())
            }
            read => read,
        }
    }
}

/// Whether a failure means that a list is not served: no such route, method or parameters. A service may well answer
/// 401 or 403 to unknown routes; whether the key is valid is shown by reads that the specification documents.
fn is_not_served(failure: &Failure) -> bool {
    let unknown = matches!(failure.reason, Reason::NotFound | Reason::Refused { status: 405 | 410 | 422 | 501 });
    unknown || !failure.is_retryable()
}

/// Reads the next pages of a list into the store.
async fn read_on<T, F>(
    world: &World,
    round: &mut ListRound,
    key: impl Fn(&T) -> String,
    read: impl Fn(Arc<Reader>, u64) -> F,
    keep: impl Fn(&Store, &[T]) -> Result<(), StoreError> + Copy + Send + 'static,
) -> Result<(), Failure>
where
    T: Send + 'static,
    F: Future<Output = Result<Page<T>, Failure>>,
{
    if !round.is_asked() {
        return Ok(());
    }
    for _ in 0..PAGES {
        let page = match read(Arc::clone(&world.reader), round.passed + 1).await {
            Ok(page) => page,
            Err(failure) if is_not_served(&failure) => {
                round.refuse();
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        round.accept();
        let stays = round.stays(page.unreadable);
        let ends = !stays && round.ends_with(&page, page.items.first().map(&key));
        with_store(world, move |store| keep(store, &page.items)).await?;
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
        let named = |name: &str| Some(name.to_owned());
        let mut round = ListRound::default();
        assert!(!round.ends_with(&page(100, Some(2)), named("a")) && !round.whole);
        assert!(round.ends_with(&page(3, Some(2)), named("b")) && round.whole);
        assert_eq!(round.passed, 0, "and begins anew");
        assert!(!round.ends_with(&page(100, None), named("a")));
        assert!(round.ends_with(&page(100, None), named("a")), "the service ignores paging");
        assert!(round.ends_with(&page(0, None), None));
        assert!(round.ends_with(&page(99, None), named("a")));
    }
}
