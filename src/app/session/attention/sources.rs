//! The part of the list that does not depend on a running console: the screen and `bursar status` show the same.

use crate::app::orders;
use crate::app::pages::orders::party_text_among;
use crate::domain::address::ShortAddresses;
use crate::domain::address_names::AddressNames;
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget, HistoryFindings, history_items};
use crate::domain::chain::chain_display_name;
use crate::domain::history::Sourced;
use crate::domain::{Order, Text, Timestamp, Wallet, shorten_address};

pub struct AttentionSources<'a> {
    pub orders: &'a [Order],
    pub names: &'a AddressNames,
    /// What the history shows; `None` before it was examined.
    pub findings: Option<&'a HistoryFindings>,
    pub watch_items: Vec<AttentionItem>,
    /// Wallets for which the service reported two addresses.
    pub address_conflicts: &'a [Sourced<Wallet>],
    /// Earlier base addresses of the profile without an answer whether they lead to the same service.
    pub unanswered_addresses: &'a [Text],
}

impl AttentionSources<'_> {
    pub fn items(self, now: Timestamp) -> Vec<AttentionItem> {
        let mut items = orders::order_items(self.orders, self.names, now);
        if let Some(findings) = self.findings {
            let short = ShortAddresses::new(findings.addresses());
            let name_of = |address: &Text, blockchain: &Text| party_text_among(&short, self.names, address, blockchain);
            items.extend(history_items(findings, now, &name_of, &|row| orders::order_of(self.orders, row).is_some()));
        }
        items.extend(self.watch_items);
        items.extend(self.address_conflicts.iter().filter_map(|wallet| address_conflict_item(wallet, now)));
        items.extend(self.unanswered_addresses.iter().map(|address| {
            let subject = format!("is {address}, which this profile used before, the same service?");
            let target = AttentionTarget::Console;
            AttentionItem::new(AttentionKind::Profile, address, now, subject, target)
        }));
        items
    }
}

fn address_conflict_item(wallet: &Sourced<Wallet>, now: Timestamp) -> Option<AttentionItem> {
    let (entry, later) = (&wallet.entry, wallet.contradicting_address()?);
    let name = entry.name.as_ref().map_or("a wallet without a name", |name| name.as_str());
    let chain = chain_display_name(&entry.blockchain);
    let subject = format!("{name} on {chain}: the service now reports {}", shorten_address(later));
    let (mark, target) = (format!("{} {later}", entry.id), AttentionTarget::Wallet(entry.id.clone()));
    Some(AttentionItem::new(AttentionKind::ChangedAddress, &mark, now, subject, target))
}
