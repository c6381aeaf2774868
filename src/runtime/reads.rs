//! Reads from the service into the store.

use std::sync::Arc;

use futures::stream::{self, StreamExt, TryStreamExt};

use tokio::sync::Mutex;

use super::ahead::Ahead;
use super::perform::World;
use crate::api::Reader;
use crate::app::{Dataset, Snapshot};
use crate::domain::history::{Page, Scope, Source};
use crate::domain::{Failure, Reason, UserId};
use crate::store::{BackRead, HeadRead, Merged, Store, StoreError};

/// Rows that one stretch of the first read takes in.
const STRETCH: u64 = 2_000;
/// Rows asked for in a page.
const PAGE: u64 = 100;
/// Users whose balances one read takes in, and how many of them at once.
const USERS: u32 = 8;
const AT_ONCE: usize = 4;
/// Pages of a list of the directory that are read at most: 100,000 entries.
const PAGES: u64 = 1_000;

/// Reads a data set into the store; says what changed.
pub(super) async fn load(world: &World, ahead: &Mutex<Ahead>, what: &Dataset) -> Result<Snapshot, Failure> {
    match what {
        Dataset::Head => head(world).await,
        Dataset::Back => back(world, &mut *ahead.lock().await).await,
        Dataset::Lists => lists(world).await,
        Dataset::Balances(scope) => balances(world, scope).await,
        Dataset::Stats => stats(world).await,
        Dataset::Markets => markets(world).await,
    }
}

async fn head(world: &World) -> Result<Snapshot, Failure> {
    let mut read = kept(world, HeadRead::start).await?;
    while let Some(wanted) = read.wanted() {
        let page = world.reader.transactions(&wanted.direction, wanted.page_no, PAGE).await?;
        read.feed(&wanted, page).map_err(|error| local(&error))?;
    }
    let now = world.clock.now();
    kept(world, move |_| read.finish(now)).await.map(told)
}

async fn back(world: &World, ahead: &mut Ahead) -> Result<Snapshot, Failure> {
    let mut read = kept(world, |store| BackRead::start(store, STRETCH)).await?;
    while let Some(wanted) = read.wanted() {
        let page = ahead.page(&world.reader, &wanted, PAGE).await?;
        read.feed(&wanted, page).map_err(|error| local(&error))?;
    }
    let now = world.clock.now();
    kept(world, move |_| read.finish(now)).await.map(told)
}

fn told(merged: Merged) -> Snapshot {
    Snapshot::History { added: merged.added, changed: merged.changed, progress: merged.progress }
}

/// The lists that the specification does not document. One that is not served is no failure, and the others count.
async fn lists(world: &World) -> Result<Snapshot, Failure> {
    let mut served = false;
    let accounts = listed(world, |reader, page| async move { reader.accounts(page, PAGE).await }).await?;
    if let Some(accounts) = accounts {
        kept(world, move |store| store.keep_accounts(&accounts, Source::Listed)).await?;
        served = true;
    }
    if let Some(users) = listed(world, |reader, page| async move { reader.users(page, PAGE).await }).await? {
        kept(world, move |store| store.keep_users(&users, Source::Listed)).await?;
        served = true;
    }
    if let Some(wallets) = listed(world, |reader, page| async move { reader.wallets(page, PAGE).await }).await? {
        kept(world, move |store| store.keep_wallets(&wallets, Source::Listed)).await?;
        served = true;
    }
    Ok(Snapshot::Lists { served })
}

/// A list read to its end; `None` where the service does not serve it.
async fn listed<T, F>(world: &World, read: impl Fn(Arc<Reader>, u64) -> F) -> Result<Option<Vec<T>>, Failure>
where
    F: Future<Output = Result<Page<T>, Failure>>,
{
    let mut all = Vec::new();
    for number in 1..=PAGES {
        let page = match read(Arc::clone(&world.reader), number).await {
            Ok(page) => page,
            Err(failure) if matches!(failure.reason, Reason::NotFound | Reason::Refused { .. }) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let last = page.items.is_empty() || page.total_page.is_none_or(|total| number >= total);
        all.extend(page.items);
        if last {
            break;
        }
    }
    Ok(Some(all))
}

async fn balances(world: &World, scope: &Scope) -> Result<Snapshot, Failure> {
    let scope = scope.clone();
    let users = kept(world, move |store| store.users_due(&scope, USERS)).await?;
    let count = u64::try_from(users.len()).unwrap_or(u64::MAX);
    let reads = users.into_iter().map(|user| balances_of(world.clone(), user));
    stream::iter(reads.collect::<Vec<_>>()).buffer_unordered(AT_ONCE).try_collect::<Vec<()>>().await?;
    Ok(Snapshot::Balances { users: count })
}

async fn balances_of(world: World, user: UserId) -> Result<(), Failure> {
    let balances = match world.reader.user_balances(&user).await {
        Ok(page) => {
            if page.unreadable > 0 {
                tracing::warn!(%user, unreadable = page.unreadable, "balances without a readable figure are left out");
            }
            page.items
        }
        // A user that history tells of and the service no longer knows must not hold up the others.
        Err(failure) if matches!(failure.reason, Reason::NotFound) => return Ok(()),
        Err(failure) => return Err(failure),
    };
    let now = world.clock.now();
    kept(&world, move |store| store.keep_balances(&user, &balances, now)).await?;
    Ok(())
}

async fn stats(world: &World) -> Result<Snapshot, Failure> {
    let stats = world.reader.user_stats(None).await?;
    let now = world.clock.now();
    kept(world, move |store| store.keep_stats(stats, now)).await?;
    Ok(Snapshot::Stats(stats))
}

async fn markets(world: &World) -> Result<Snapshot, Failure> {
    let tokens = world.reader.tokens().await?;
    let now = world.clock.now();
    kept(world, move |store| store.keep_tokens(&tokens, now)).await?;
    Ok(Snapshot::Markets)
}

/// Work on the store, off the threads that wait for the network.
async fn kept<T: Send + 'static>(
    world: &World,
    work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Failure> {
    let store = world.store.clone();
    match tokio::task::spawn_blocking(move || work(&store)).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(local(&error)),
        Err(fault) => Err(Failure::of_read(Reason::Local, &format!("the store broke off: {fault}"))),
    }
}

fn local(error: &StoreError) -> Failure {
    Failure::of_read(Reason::Local, &error.to_string())
}
