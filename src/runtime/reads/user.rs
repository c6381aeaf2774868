//! Reads the service's data of one user, except balances.

use std::ops::RangeInclusive;

use futures::future::OptionFuture;
use tokio::join;

use super::with_store;
use crate::api::Reader;
use crate::app::Snapshot;
use crate::app::pages::users::{UserReport, V1UserReport};
use crate::domain::v1::{MovementFilter, TransferFilter};
use crate::domain::{Failure, UserId};
use crate::runtime::resources::ConsoleResources;

/// Pages of deposits and of transfers: only the newest rows. Further ones are read on request.
const PAGE_OF_NEWEST_ROWS: RangeInclusive<u64> = 1..=1;

/// Reads one user. A part that fails does not stop the others.
pub(super) async fn load_user(resources: &ConsoleResources, user: &UserId, v1: bool) -> Result<Snapshot, Failure> {
    let reader = &*resources.reader;
    let (person, stats) = join!(fetch_and_save_user_details(resources, user), reader.fetch_user_stats(Some(user)));
    let v1 = OptionFuture::from(v1.then(|| fetch_v1_user_report(reader, user))).await;
    // Version 1 may have the name of a user that version 2 does not serve.
    if person.is_err()
        && let Some(Ok(sub_wallet)) = v1.as_ref().map(|v1| &v1.sub_wallet)
    {
        let details = sub_wallet.user.clone();
        with_store(resources, move |store| store.save_user_details(&details)).await?;
    }
    Ok(Snapshot::User(Box::new(UserReport { user: user.clone(), person, stats, v1 })))
}

async fn fetch_and_save_user_details(resources: &ConsoleResources, user: &UserId) -> Result<(), Failure> {
    let person = resources.reader.fetch_user(user).await?;
    with_store(resources, move |store| store.save_user_details(&person)).await
}

async fn fetch_v1_user_report(reader: &Reader, user: &UserId) -> V1UserReport {
    let deposits = MovementFilter { sub_wallet: Some(user.clone()), ..MovementFilter::default() };
    let transfers = TransferFilter { sub_wallet: Some(user.clone()), ..TransferFilter::default() };
    let (sub_wallet, assets, deposits, transfers) = join!(
        reader.fetch_sub_wallet(user),
        reader.fetch_sub_wallet_assets(user),
        reader.fetch_sub_wallet_deposits(&deposits, PAGE_OF_NEWEST_ROWS),
        reader.fetch_sub_wallet_transfers(&transfers, PAGE_OF_NEWEST_ROWS),
    );
    V1UserReport { sub_wallet, assets, deposits, transfers }
}
