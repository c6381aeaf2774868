//! The lists that the specification does not document: accounts, users, wallets.
//!
//! A few pages at a time, each list from where the last read of it stopped, round and round: the first round goes on
//! without much pause, later ones slowly. So what it costs in a minute does not grow with what there is.

use std::sync::Arc;

use super::{is_about_one_item, with_store};
use crate::api::Reader;
use crate::app::Snapshot;
use crate::domain::history::{Page, Source};
use crate::domain::v1::SubWallet;
use crate::domain::{Account, Failure, Reason, User, Wallet};
use crate::runtime::effect_runner::World;
use crate::store::{Store, StoreError};

/// Entries asked for in a page.
const PAGE: u64 = World::PAGE;
/// Pages of each list that one read takes in.
const PAGES: u64 = 4;
/// Pages of a list that are read at most in a round: 100,000 entries.
const MOST: u64 = 1_000;

/// How far each list was read, from one read to the next.
#[derive(Debug, Default)]
pub(in crate::runtime) struct ListRounds {
    accounts: ListRound,
    users: ListRound,
    sub_wallets: ListRound,
    wallets: ListRound,
}

/// How far a list was read in this round.
#[derive(Debug, Default)]
struct ListRound {
    /// Pages read.
    passed: u64,
    /// The first identifier of the first page.
    first: Option<String>,
    /// Whether it was read to its end once.
    whole: bool,
    /// Whether the service did not serve it when it was last asked.
    absent: bool,
    /// How often in a row it was not served, and how many reads pass before it is asked for again.
    refused: (u32, u64),
    /// Entries that could not be read: those of the page that is next, which is asked for again, and of this round.
    unread: u64,
    /// How often the page that is next was asked for again.
    retries: u32,
}

/// How often a page with entries that cannot be read is asked for again before the list is read on: one such entry must
/// not hide all that stand behind it.
const MOST_RETRIES: u32 = 2;

/// The most reads that pass before a list that was not served is asked for again.
const MOST_PASSED: u64 = 64;

impl ListRound {
    /// Whether it is asked for now. What was not served once is asked for with the next read, and then with growing pauses.
    fn is_asked(&mut self) -> bool {
        let (_, rest) = &mut self.refused;
        let is_due = *rest == 0;
        *rest = rest.saturating_sub(1);
        is_due
    }

    /// It was not served.
    fn refuse(&mut self) {
        let (times, rest) = &mut self.refused;
        *rest = (1_u64 << (*times).min(16)).saturating_sub(1).min(MOST_PASSED);
        *times = times.saturating_add(1);
        self.absent = true;
    }

    /// It was served.
    fn accept(&mut self) {
        (self.absent, self.refused) = (false, (0, 0));
    }

    /// Notes how many entries of a page cannot be read; says whether the page is asked for again before those behind it.
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

    /// Counts a page, whose first entry has this identifier; says whether the round ends with it.
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

/// Reads on in every list that is served. One that is not is no failure, and one that fails keeps none of the others from
/// being read; it is read on when lists are due again. Users are listed by version 1, as sub-wallets, where version 2 does
/// not list them.
pub(super) async fn load_lists(world: &World, rounds: &mut ListRounds, v1: bool) -> Result<Snapshot, Failure> {
    let ListRounds { accounts, users, sub_wallets, wallets } = rounds;
    // Asked again though nothing was served, the operator wants it tried once more, or it was a while.
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

/// The first list that failed, while others were read all the same.
#[derive(Debug, Default)]
struct FirstFailure(Option<Failure>);

impl FirstFailure {
    /// Notes what may well concern one list; what is wrong with the service is the same for all.
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

/// Whether a refusal says that a list is not served: no such route, not under this method, not with these parameters.
/// What answers to routes that it does not know may well say 401 or 403 to them; whether the key is good is told by the
/// reads that the specification knows.
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
