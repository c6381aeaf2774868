//! What the service tells of one user, besides balances.

use futures::future::OptionFuture;
use tokio::join;

use super::kept;
use crate::api::Reader;
use crate::app::Snapshot;
use crate::app::users::{FromV1, Particulars};
use crate::domain::v1::{DepositFilter, TransferFilter};
use crate::domain::{Failure, UserId};
use crate::runtime::perform::World;

/// Pages of deposits and of transfers that are read: the newest rows. All of them stand in the history.
const NEWEST: u64 = 1;

/// Reads one user. What is not told costs nothing else.
pub(super) async fn load(world: &World, user: &UserId, v1: bool) -> Result<Snapshot, Failure> {
    let reader = &*world.reader;
    let (person, stats) = join!(person(world, user), reader.user_stats(Some(user)));
    let v1 = OptionFuture::from(v1.then(|| from_v1(reader, user))).await;
    // Of a user whom version 2 does not tell of, version 1 may know the name.
    if person.is_err()
        && let Some(Ok(sub_wallet)) = v1.as_ref().map(|v1| &v1.sub_wallet)
    {
        let known = sub_wallet.user.clone();
        kept(world, move |store| store.keep_visited(&known)).await?;
    }
    Ok(Snapshot::User(Box::new(Particulars { user: user.clone(), person, stats, v1 })))
}

/// The user itself, into the store.
async fn person(world: &World, user: &UserId) -> Result<(), Failure> {
    let person = world.reader.user(user).await?;
    kept(world, move |store| store.keep_visited(&person)).await
}

async fn from_v1(reader: &Reader, user: &UserId) -> FromV1 {
    let deposits = DepositFilter { sub_wallet: Some(user.clone()), ..DepositFilter::default() };
    let transfers = TransferFilter { sub_wallet: Some(user.clone()), ..TransferFilter::default() };
    let (sub_wallet, assets, deposits, transfers) = join!(
        reader.sub_wallet(user),
        reader.sub_wallet_assets(user),
        reader.sub_wallet_deposits(&deposits, NEWEST),
        reader.sub_wallet_transfers(&transfers, NEWEST),
    );
    FromV1 { sub_wallet, assets, deposits, transfers }
}
