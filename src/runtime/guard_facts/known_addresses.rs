//! The addresses that are known from the store: of own wallets, and of recipients paid in the history.

use super::{ROWS_SEARCHED_FOR_PAYMENTS, paid_recipients};
use crate::domain::{FinalStatuses, Text};
use crate::guard::OwnAddress;
use crate::store::{Store, StoreError};

/// The addresses in the store: of the operator's own wallets, and of recipients paid in the history.
pub fn read_own_and_paid_addresses(
    store: &Store,
    final_statuses: &FinalStatuses,
) -> Result<(Vec<OwnAddress>, Vec<Text>), StoreError> {
    Ok((read_own_addresses(store)?, read_paid_addresses(store, final_statuses)?))
}

/// The addresses of recipients paid in the history.
pub(in crate::runtime) fn read_paid_addresses(
    store: &Store,
    final_statuses: &FinalStatuses,
) -> Result<Vec<Text>, StoreError> {
    let tokens = store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    let outgoing_rows = store.newest_outgoing_rows(ROWS_SEARCHED_FOR_PAYMENTS)?;
    Ok(paid_recipients::settled_recipients(&outgoing_rows, final_statuses, &tokens))
}

pub(super) fn read_own_addresses(store: &Store) -> Result<Vec<OwnAddress>, StoreError> {
    let mut all = Vec::new();
    visit_own_addresses(store, &mut |own| all.extend(own))?;
    Ok(all)
}

/// Hands out the addresses of the operator's own wallets in parts, since there may be tens of thousands. `visit` must not
/// use the store.
pub(in crate::runtime) fn visit_own_addresses(
    store: &Store,
    visit: &mut dyn FnMut(Vec<OwnAddress>),
) -> Result<(), StoreError> {
    store.visit_wallet_addresses(&mut |wallets| {
        let own = wallets.into_iter().map(|wallet| OwnAddress {
            address: wallet.address,
            blockchain: wallet.blockchain,
            wallet: wallet.id,
            name: wallet.name,
            user: wallet.user,
            is_reported: wallet.is_reported,
        });
        visit(own.collect());
    })
}
