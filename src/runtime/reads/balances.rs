//! Reads balances: those on screen or watched, and those of all users in turn. Names of users whom the service never
//! named are requested along the way.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::stream::{self, FuturesUnordered, StreamExt};

use super::{FetchState, is_failure_of_one_item, with_store};
use crate::app::Snapshot;
use crate::app::data::poll::USERS_PER_READ;
use crate::domain::history::Scope;
use crate::domain::{Failure, FailureReason, Timestamp, UserId};
use crate::runtime::resources::ConsoleResources;
use crate::store::{BalanceReading, Store, StoreError};

/// Users read concurrently.
const MAX_CONCURRENT_READS: usize = 4;

pub(super) async fn load_balances(
    resources: &ConsoleResources,
    fetch_state: &FetchState,
    scope: &Scope,
) -> Result<Snapshot, Failure> {
    let query_scope = scope.clone();
    let (passed_over, number) = resources.balance_back_off.backed_off_users(resources.clock.now());
    // Users whose read failed wait behind all others, or a few such users would take every slot.
    let mut users = with_store(resources, move |store| {
        store.users_with_oldest_balances(&query_scope, USERS_PER_READ.saturating_add(number))
    })
    .await?;
    users.sort_by_key(|user| passed_over.contains(user));
    // Otherwise sums over many users would lag a whole round behind the history; half of each read is for the round.
    if matches!(scope, Scope::All | Scope::Account(_)) {
        let outdated = fetch_state.take_outdated_users(usize::try_from(USERS_PER_READ / 2).unwrap_or(0));
        users.retain(|user| !outdated.contains(user));
        users.splice(0..0, outdated);
    }
    users.truncate(usize::try_from(USERS_PER_READ).unwrap_or(usize::MAX));
    let count = u64::try_from(users.len()).unwrap_or(u64::MAX);
    let of_everybody = if *scope == Scope::All { users.clone() } else { Vec::new() };
    let (mut readings, mut failed, mut ended) = (Vec::new(), None, None);
    let mut users = users.into_iter();
    let mut under_way = FuturesUnordered::new();
    loop {
        while ended.is_none()
            && under_way.len() < MAX_CONCURRENT_READS
            && let Some(user) = users.next()
        {
            under_way.push(fetch_balance_reading(resources.clone(), user));
        }
        let Some(result) = under_way.next().await else { break };
        match result {
            Ok(reading) => readings.push(reading),
            // That a user of the history no longer exists matters only where that user alone was requested.
            Err(Failure { reason: FailureReason::NotFound, .. })
                if !matches!(scope, Scope::User(_) | Scope::Wallet(_)) => {}
            Err(failure) if matches!(failure.reason, FailureReason::NotFound) => failed = Some(failure),
            // A user's fault must not hold up others; a service's fault ends the read, except requests already sent.
            Err(failure) if is_failure_of_one_item(&failure) => failed = failed.or(Some(failure)),
            Err(failure) => ended = ended.or(Some(failure)),
        }
    }
    let (now, scope, whole) = (resources.clock.now(), scope.clone(), ended.is_none());
    with_store(resources, move |store| {
        store.save_balance_readings(&readings)?;
        if whole { sample_balances(store, &scope, now) } else { Ok(()) }
    })
    .await?;
    if ended.is_none() {
        fetch_state.unnamed_users.fetch_names(resources, of_everybody).await;
    }
    ended.or(failed).map_or(Ok(Snapshot::Balances { users: count }), Err)
}

/// Most accounts that are sampled even if not on screen.
const MAX_SAMPLED_ACCOUNTS: usize = 32;

/// Samples a scope's balances once an hour; with all users' balances also those of each account.
fn sample_balances(store: &Store, scope: &Scope, now: Timestamp) -> Result<(), StoreError> {
    if store.take_sample(scope, now)? && *scope == Scope::All {
        for account in store.accounts()?.into_iter().take(MAX_SAMPLED_ACCOUNTS) {
            store.take_sample(&Scope::Account(account.entry.id), now)?;
        }
    }
    Ok(())
}

pub(in crate::runtime) async fn refresh_user_balances(
    resources: ConsoleResources,
    user: UserId,
) -> Result<(), Failure> {
    let reading = fetch_balance_reading(resources.clone(), user).await?;
    with_store(&resources, move |store| store.save_balance_readings(&[reading])).await
}

async fn fetch_balance_reading(resources: ConsoleResources, user: UserId) -> Result<BalanceReading, Failure> {
    let balances = match resources.reader.fetch_user_balances(&user).await {
        // An unreadable balance would be missing from every sum unnoticed. The stored ones remain, and age.
        Ok(list) if list.unreadable > 0 => {
            resources.balance_back_off.add(&user, resources.clock.now());
            let message = format!("{} of the balances of user {user} cannot be read", list.unreadable);
            return Err(Failure::from_read(FailureReason::NotUnderstood, &message));
        }
        Ok(list) => list.rows,
        Err(failure) => {
            if is_failure_of_one_item(&failure) || matches!(failure.reason, FailureReason::NotFound) {
                resources.balance_back_off.add(&user, resources.clock.now());
            }
            return Err(failure);
        }
    };
    Ok(BalanceReading { user, balances, at: resources.clock.now() })
}

/// Users without a name: a service that does not list users reports a name only when that user is requested.
#[derive(Debug, Default)]
pub(super) struct UnnamedUsers(Mutex<FailedNameReads>);

#[derive(Debug, Default)]
struct FailedNameReads {
    /// When each user's name was requested in vain.
    users: HashMap<UserId, Timestamp>,
    /// Until when no name is requested, since the service seems to report none.
    paused_until: Option<Timestamp>,
}

/// How long a name that was requested in vain is not requested again.
const FAILED_NAME_PAUSE: Duration = Duration::from_mins(10);
/// Most such users remembered. While there are so many, no other names are requested.
const MAX_FAILED_NAMES: usize = 1_024;

impl UnnamedUsers {
    /// Requests the names of those users that have none. Best effort: a failure says nothing about the balances that
    /// were read before, nor about the key.
    async fn fetch_names(&self, resources: &ConsoleResources, users: Vec<UserId>) {
        let now = resources.clock.now();
        if !self.may_fetch_names(now) {
            return;
        }
        let Ok(strangers) = with_store(resources, move |store| store.unnamed_users(users)).await else { return };
        let strangers: Vec<UserId> = {
            let names = self.lock();
            strangers.into_iter().filter(|user| !names.users.contains_key(user)).collect()
        };
        if strangers.is_empty() {
            return;
        }
        let mut user_reads = stream::iter(strangers)
            .map(|user| async move { (resources.reader.fetch_user(&user).await, user) })
            .buffer_unordered(MAX_CONCURRENT_READS);
        let (mut people, mut in_vain, mut is_closed) = (Vec::new(), Vec::new(), false);
        while let Some((user_result, user)) = user_reads.next().await {
            match user_result {
                Ok(person) => {
                    in_vain.extend(person.display_name.is_none().then_some(user));
                    people.push(person);
                }
                Err(failure) if is_failure_of_one_item(&failure) || failure.reason == FailureReason::NotFound => {
                    in_vain.push(user);
                }
                // The service is busy, or has no such route.
                Err(failure) => {
                    is_closed = !matches!(failure.reason, FailureReason::Busy { .. });
                    break;
                }
            }
        }
        drop(user_reads);
        is_closed |= people.is_empty() && !in_vain.is_empty();
        self.note_failed_names(now, in_vain, is_closed);
        let saved =
            with_store(resources, move |store| people.iter().try_for_each(|person| store.save_user_details(person)))
                .await;
        if let Err(failure) = saved {
            tracing::info!(%failure, "names of users were not saved");
        }
    }

    fn may_fetch_names(&self, now: Timestamp) -> bool {
        let mut names = self.lock();
        names.users.retain(|_, at| at.age(now) < FAILED_NAME_PAUSE);
        names.users.len() < MAX_FAILED_NAMES && names.paused_until.is_none_or(|until| until <= now)
    }

    /// Remembers names requested in vain, and whether requesting any others is futile, too.
    fn note_failed_names(&self, now: Timestamp, in_vain: Vec<UserId>, is_closed: bool) {
        let mut names = self.lock();
        if is_closed {
            names.paused_until = Some(now.plus(FAILED_NAME_PAUSE));
        }
        names.users.extend(in_vain.into_iter().map(|user| (user, now)));
    }

    fn lock(&self) -> MutexGuard<'_, FailedNameReads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a user whose balances could not be read yields to others.
const BACK_OFF_TIME: Duration = Duration::from_mins(1);

/// Users whose balances could not be read, and when.
#[derive(Debug, Clone, Default)]
pub struct BalanceBackOffList(Arc<Mutex<HashMap<UserId, Timestamp>>>);

impl BalanceBackOffList {
    fn add(&self, user: &UserId, now: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(user.clone(), now);
    }

    /// The users that yield to others, and their number.
    fn backed_off_users(&self, now: Timestamp) -> (HashSet<UserId>, u32) {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.retain(|_, since| since.age(now) < BACK_OFF_TIME);
        (users.keys().cloned().collect(), u32::try_from(users.len()).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_could_not_be_read_lets_others_go_first_for_a_while() {
        let passed_over = BalanceBackOffList::default();
        let user = UserId::from_text("u-1");
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000);
        passed_over.add(&user, at(0));
        assert_eq!(passed_over.backed_off_users(at(59)), (HashSet::from([user]), 1));
        assert_eq!(passed_over.backed_off_users(at(60)), (HashSet::new(), 0));
    }
}
