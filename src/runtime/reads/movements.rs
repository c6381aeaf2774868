//! Reads movements of version 1 on request: a page of a user's list, or one movement by its identifier or hash.

use tokio::join;

use crate::api::Reader;
use crate::app::overlays::movement_search::{MovementSearch, MovementSearchResult, WithdrawalSearchResult};
use crate::app::pages::users::{MovementList, MovementPage};
use crate::domain::v1::{Movement, MovementFilter, TransferFilter};
use crate::domain::{Failure, PagedList, TransactionId, UserId};

/// Most pages of one user's withdrawals that a search reads.
const MAX_SEARCHED_PAGES: u64 = 20;

pub(in crate::runtime) async fn fetch_movement_page(
    reader: &Reader,
    list: MovementList,
    user: &UserId,
    page_no: u64,
) -> Result<MovementPage, Failure> {
    let pages = page_no..=page_no;
    match list {
        MovementList::Deposits => {
            let filter = MovementFilter { sub_wallet: Some(user.clone()), ..MovementFilter::default() };
            reader.fetch_sub_wallet_deposits(&filter, pages).await.map(MovementPage::Deposits)
        }
        MovementList::Withdrawals => {
            reader.fetch_sub_wallet_withdrawal_history(user, None, None, pages).await.map(MovementPage::Withdrawals)
        }
        MovementList::Transfers => {
            let filter = TransferFilter { sub_wallet: Some(user.clone()), ..TransferFilter::default() };
            reader.fetch_sub_wallet_transfers(&filter, pages).await.map(MovementPage::Transfers)
        }
    }
}

pub(in crate::runtime) async fn search_movements(reader: &Reader, search: MovementSearch) -> MovementSearchResult {
    let id = TransactionId::from_text(&search.id_or_hash);
    let by_id = MovementFilter { deposit: Some(id.clone()), ..MovementFilter::default() };
    let by_hash = MovementFilter { hash: Some(search.id_or_hash.clone()), ..MovementFilter::default() };
    let transfer = TransferFilter { transfer: Some(id.clone()), ..TransferFilter::default() };
    let (by_id, by_hash, transfer, withdrawal) = join!(
        reader.fetch_sub_wallet_deposits(&by_id, 1..=1),
        reader.fetch_sub_wallet_deposits(&by_hash, 1..=1),
        reader.fetch_sub_wallet_transfers(&transfer, 1..=1),
        search_withdrawals(reader, &search),
    );
    let has_id_or_hash = |row: &Movement| row.has_id_or_hash(&search.id_or_hash);
    MovementSearchResult {
        deposit_by_id: first_match(by_id, has_id_or_hash),
        deposit_by_hash: first_match(by_hash, has_id_or_hash),
        transfer_by_id: first_match(transfer, |row| row.id == id),
        withdrawal,
        search,
    }
}

/// The row that was searched for, which a service that ignores filters may list among others.
fn first_match<T>(list: Result<PagedList<T>, Failure>, is_match: impl Fn(&T) -> bool) -> Result<Option<T>, Failure> {
    list.map(|page| page.rows.into_iter().find(is_match))
}

async fn search_withdrawals(
    reader: &Reader,
    search: &MovementSearch,
) -> Option<Result<WithdrawalSearchResult, Failure>> {
    let user = search.user.as_ref()?;
    let pages = 1..=MAX_SEARCHED_PAGES;
    let withdrawal = reader.find_sub_wallet_withdrawal(user, &search.id_or_hash, pages).await;
    Some(withdrawal.map(|page| WithdrawalSearchResult {
        rows_read: u64::try_from(page.rows.len()).unwrap_or(u64::MAX),
        has_more: page.has_more,
        withdrawal: page.rows.into_iter().find(|row| row.has_id_or_hash(&search.id_or_hash)),
    }))
}
