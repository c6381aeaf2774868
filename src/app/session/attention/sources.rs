//! The part of the list that does not depend on a running console: the screen and `bursar status` show the same.

use std::sync::Arc;

use super::due::{DueSources, due_items};
use crate::app::data::attention::CachedHistoryItems;
use crate::app::orders;
use crate::domain::address::ShortAddresses;
use crate::domain::address_names::AddressNames;
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget, HistoryFindings, stuck_payment_items};
use crate::domain::chain::chain_display_name;
use crate::domain::entry_source::Sourced;
use crate::domain::{Order, Text, Timestamp, Transaction, Wallet};

pub struct AttentionSources<'a> {
    pub orders: &'a [Order],
    pub names: &'a Arc<AddressNames>,
    /// What the history shows; `None` before it was examined.
    pub findings: Option<&'a HistoryFindings>,
    pub watch_items: Vec<AttentionItem>,
    /// Wallets for which the service reported two addresses.
    pub address_conflicts: &'a [Sourced<Wallet>],
    /// Earlier base addresses of the profile without an answer whether they lead to the same service.
    pub unanswered_addresses: &'a [Text],
    pub due: DueSources<'a>,
}

impl<'a> AttentionSources<'a> {
    /// The addresses that sentences about orders, findings and wallets may name.
    fn named_addresses(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let recipients = self.orders.iter().filter_map(|order| order.drafted.draft.only_recipient()).map(Text::as_str);
        let due = self.due.templates.iter().filter_map(|template| template.draft.only_recipient()).map(Text::as_str);
        let history_addresses = self.findings.into_iter().flat_map(HistoryFindings::addresses);
        let conflicts = self.address_conflicts.iter();
        let wallets = conflicts.flat_map(|wallet| [wallet.entry.address.as_ref(), wallet.contradicting_address()]);
        recipients.chain(due).chain(history_addresses).chain(wallets.flatten().map(Text::as_str))
    }

    /// The items at a time. `cached` are those of the history, from the last call or empty.
    pub fn items(self, now: Timestamp, cached: &mut CachedHistoryItems) -> Vec<AttentionItem> {
        cached.set_names(self.names, self.named_addresses());
        let is_ours = |row: &Transaction| orders::order_of_transaction(self.orders, row).is_some();
        let mut items = self.findings.map_or_else(Vec::new, |findings| cached.items(findings, &is_ours));
        let parties = cached.address_formatter();
        items.extend(orders::order_items(self.orders, &parties, now));
        items.extend(self.findings.into_iter().flat_map(|findings| stuck_payment_items(findings, now, &parties)));
        items.extend(due_items(&self.due, &parties, now));
        items.extend(self.watch_items);
        let conflicts = self.address_conflicts.iter();
        items.extend(conflicts.filter_map(|wallet| address_conflict_item(wallet, &parties.short, now)));
        items.extend(self.unanswered_addresses.iter().map(|address| {
            let subject = format!("is {address}, which this profile used before, the same service?");
            let target = AttentionTarget::Console;
            AttentionItem::new(AttentionKind::Profile, address, now, subject, target)
        }));
        items
    }
}

fn address_conflict_item(wallet: &Sourced<Wallet>, short: &ShortAddresses, now: Timestamp) -> Option<AttentionItem> {
    let (entry, later) = (&wallet.entry, wallet.contradicting_address()?);
    let name = entry.name.as_ref().map_or("a wallet without a name", |name| name.as_str());
    let chain = chain_display_name(&entry.blockchain);
    let subject = format!("{name} on {chain}: the service now reports {}", short.shorten(later));
    let (mark, target) = (format!("{} {later}", entry.id), AttentionTarget::Wallet(entry.id.clone()));
    Some(AttentionItem::new(AttentionKind::ChangedAddress, &mark, now, subject, target))
}
