//! The orders that the guard counts: those of the profile, at whatever base address they were made, and all that share
//! a wallet or a payer's address with it, whichever profile made them.

use std::collections::HashSet;

use crate::domain::address::ComparableAddress;
use crate::domain::draft::{PaymentDetails, Sender, Swap};
use crate::domain::order::{AddressRelations, ServiceDestination};
use crate::domain::{Draft, Order, Timestamp, WalletId};
use crate::journal::{Journal, JournalError};
use crate::store::{Store, StoreError};

/// The journal's orders, and the base addresses of a profile.
#[derive(Debug)]
pub struct GuardOrders {
    orders: Vec<Order>,
    addresses: AddressRelations,
}

#[derive(Default)]
struct PayerSet {
    wallets: HashSet<WalletId>,
    addresses: HashSet<ComparableAddress>,
}

impl GuardOrders {
    /// `here` is the profile's destination.
    pub fn from_journal(journal: &Journal, destination: &ServiceDestination) -> Result<Self, JournalError> {
        Ok(Self { orders: journal.all_orders()?, addresses: journal.address_relations(destination)? })
    }

    /// The orders that count for a payment by this draft, or for a check without one: all of the profile, and those
    /// paid from a wallet in this cache or from its address. Two profiles with one wallet share its money.
    pub fn orders_for(
        &self,
        store: &Store,
        paying: Option<(&Draft, &Sender)>,
        now: Timestamp,
    ) -> Result<Vec<Order>, StoreError> {
        let mut payers = PayerSet::default();
        for entry in store.wallet_addresses()? {
            payers.addresses.insert(ComparableAddress::parse(&entry.address));
            payers.wallets.insert(entry.id);
        }
        if let Some((draft, sender)) = paying {
            payers.wallets.extend(paying_wallet_of(draft).cloned());
            payers.addresses.extend(sender.address.as_deref().map(ComparableAddress::parse));
        }
        let counts = |order: &&Order| self.addresses.counts_order(order, now) || payers.is_payer_of(order);
        Ok(self.orders.iter().filter(counts).cloned().collect())
    }
}

impl PayerSet {
    /// Whether one of these wallets or addresses paid an order.
    fn is_payer_of(&self, order: &Order) -> bool {
        let address = order.drafted.sender.as_ref().and_then(|sender| sender.address.as_deref());
        paying_wallet_of(&order.drafted.draft).is_some_and(|wallet| self.wallets.contains(wallet))
            || address.is_some_and(|address| self.addresses.contains(&ComparableAddress::parse(address)))
    }
}

fn paying_wallet_of(draft: &Draft) -> Option<&WalletId> {
    if let Draft::Swap(Swap { wallet, .. }) = draft {
        return Some(wallet);
    }
    draft.payment_details().map(|PaymentDetails { wallet, .. }| wallet)
}
