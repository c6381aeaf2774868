//! The items that the history raises, kept with what they were made of: there may be hundreds, and most answers of the
//! service change none of it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::domain::Transaction;
use crate::domain::address::{AddressWithShortHash, ShortAddresses};
use crate::domain::address_names::{AddressFormatter, AddressNames};
use crate::domain::attention::{AttentionItem, HistoryFindings, history_items};

#[derive(Debug, Clone, Default)]
pub struct CachedHistoryItems {
    names: Arc<AddressNames>,
    /// The addresses that the items and other sentences name.
    pub addresses: Vec<AddressWithShortHash>,
    short: ShortAddresses,
    /// Of each unusual row, whether it was approved here.
    approved_here: Vec<bool>,
    /// `None` before they are made, and after a change.
    items: Option<Vec<AttentionItem>>,
}

impl CachedHistoryItems {
    /// The findings are others than before.
    pub(super) fn invalidate(&mut self) {
        self.items = None;
    }

    /// Takes the names, and the addresses that sentences may name.
    pub(in crate::app) fn set_names<'a>(
        &mut self,
        names: &Arc<AddressNames>,
        addresses: impl Iterator<Item = &'a str> + Clone,
    ) {
        if !Arc::ptr_eq(&self.names, names) {
            self.names = Arc::clone(names);
            self.items = None;
        }
        if !self.addresses.iter().map(AddressWithShortHash::as_str).eq(addresses.clone()) {
            self.addresses = addresses.clone().map(AddressWithShortHash::new).collect();
            self.short = ShortAddresses::new(addresses);
            self.items = None;
        }
    }

    /// Whom the sentences name.
    pub(in crate::app) fn address_formatter(&self) -> AddressFormatter<'_> {
        AddressFormatter { names: &self.names, short: Cow::Borrowed(&self.short) }
    }

    /// The items of these findings; `is_ours` tells the payments that were approved here.
    pub(in crate::app) fn items(
        &mut self,
        findings: &HistoryFindings,
        is_ours: &dyn Fn(&Transaction) -> bool,
    ) -> Vec<AttentionItem> {
        let approved_here: Vec<bool> = findings.unusual_rows().map(|row| is_ours(&row.transaction)).collect();
        if self.approved_here != approved_here {
            self.approved_here = approved_here;
            self.items = None;
        }
        let items = self.items.take().unwrap_or_else(|| history_items(findings, &self.address_formatter(), is_ours));
        self.items.insert(items).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::attention::LookAlikeRows;
    use crate::domain::book::{BookChange, LabelSubject};
    use crate::domain::history::HistoryRow;
    use crate::domain::{AddressBook, Timestamp, TransactionId};

    const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const OTHER: &str = "0x5aAe1111222233334444555566667777Ef1BeAed";

    fn row(id: &str) -> HistoryRow {
        HistoryRow {
            seq: 1,
            seen_at: Timestamp::from_millis(0),
            time: Timestamp::from_millis(0),
            transaction: Transaction { id: TransactionId::from_text(id), ..Transaction::minimal("ethereum") },
            wallet_name: None,
            suspicious: false,
            internal: false,
        }
    }

    fn findings() -> HistoryFindings {
        let look_alikes = vec![LookAlikeRows {
            newest: row("t-1"),
            rows: 1,
            address: OTHER.into(),
            resembles: SUPPLIER.into(),
            reason: "paid before".to_owned(),
        }];
        HistoryFindings { look_alikes, first_paid: vec![row("t-2")], ..HistoryFindings::default() }
    }

    /// What a change is not noticed of would stand in the list for as long as nothing else changes.
    #[test]
    fn the_items_follow_each_of_what_they_are_made_of() {
        let (mut cached, findings) = (CachedHistoryItems::default(), findings());
        let fresh =
            |cached: &CachedHistoryItems, findings: &HistoryFindings, is_ours: &dyn Fn(&Transaction) -> bool| {
                history_items(findings, &cached.address_formatter(), is_ours)
            };
        let (ours, not_ours) = (|_: &Transaction| true, |_: &Transaction| false);
        let nameless = Arc::new(AddressNames::default());
        cached.set_names(&nameless, findings.addresses());
        let first = cached.items(&findings, &not_ours);
        assert_eq!((first.len(), &first), (2, &fresh(&cached, &findings, &not_ours)));
        // Approved here.
        assert_eq!(cached.items(&findings, &ours), fresh(&cached, &findings, &ours));
        // Named.
        let subject = LabelSubject::Address { address: SUPPLIER.into(), blockchain: "ethereum".into() };
        let label = BookChange::Label { subject, name: Some("Norrland".into()) };
        let book = AddressBook::from_changes([(label, Timestamp::from_millis(0))]);
        cached.set_names(&Arc::new(AddressNames::of_book(&book)), findings.addresses());
        let named = cached.items(&findings, &not_ours);
        assert!(named[0].subject.contains("Norrland"), "{named:?}");
        // Shown beside an address of the same ends.
        cached.set_names(&nameless, findings.addresses().chain([OTHER]));
        let beside = cached.items(&findings, &not_ours);
        assert_ne!((&beside[0].subject, &beside), (&first[0].subject, &first));
        assert_eq!(beside, fresh(&cached, &findings, &not_ours));
        // Other findings.
        let none = HistoryFindings::default();
        cached.invalidate();
        assert_eq!(cached.items(&none, &not_ours), []);
    }
}
