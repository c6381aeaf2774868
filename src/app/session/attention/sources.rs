//! The part of the list that does not depend on a running console: the screen and `bursar status` show the same.

use std::borrow::Cow;

use super::due::{DueSources, due_items};
use crate::app::orders;
use crate::domain::address::ShortAddresses;
use crate::domain::address_names::{AddressFormatter, AddressNames};
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget, HistoryFindings, history_items};
use crate::domain::chain::chain_display_name;
use crate::domain::entry_source::Sourced;
use crate::domain::{Order, Text, Timestamp, Transaction, Wallet};

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
    pub due: DueSources<'a>,
}

impl<'a> AttentionSources<'a> {
    /// The addresses that sentences about orders, findings and wallets may name.
    pub fn named_addresses(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let recipients = self.orders.iter().filter_map(|order| order.drafted.draft.only_recipient()).map(Text::as_str);
        let due = self.due.templates.iter().filter_map(|template| template.draft.only_recipient()).map(Text::as_str);
        let history_addresses = self.findings.into_iter().flat_map(HistoryFindings::addresses);
        let conflicts = self.address_conflicts.iter();
        let wallets = conflicts.flat_map(|wallet| [wallet.entry.address.as_ref(), wallet.contradicting_address()]);
        recipients.chain(due).chain(history_addresses).chain(wallets.flatten().map(Text::as_str))
    }

    pub fn items(self, now: Timestamp) -> Vec<AttentionItem> {
        let parties =
            AddressFormatter { names: self.names, short: Cow::Owned(ShortAddresses::new(self.named_addresses())) };
        let mut items = orders::order_items(self.orders, &parties, now);
        if let Some(findings) = self.findings {
            let is_ours = |row: &Transaction| orders::order_of_transaction(self.orders, row).is_some();
            items.extend(history_items(findings, now, &parties, &is_ours));
        }
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
