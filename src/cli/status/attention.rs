//! What needs a person: the list of the screen, less what somebody acknowledged.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::offline_cache::OfflineCache;
use super::RecordedFacts;
use crate::app::data::attention::CachedHistoryItems;
use crate::app::data::look_alikes::{LookAlikeQuery, accepted_payees};
use crate::app::session::attention::AttentionSources;
use crate::app::session::attention::due::DueSources;
use crate::domain::address_names::AddressNames;
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget, sort_items};
use crate::domain::duration;
use crate::domain::{ReadOnlyReason, Text, Timestamp, Zone, network_mismatch};
use crate::runtime::attention_facts::read_findings;

/// How many items the text names; `--json` has all of them.
const NAMED_ITEMS: usize = 5;

pub(super) struct AttentionReport {
    /// The items that nobody acknowledged, the gravest first.
    pub(super) items: Vec<AttentionItem>,
    /// How many others stand.
    pub(super) acknowledged: usize,
}

pub(super) fn collect_attention(
    cache: &OfflineCache,
    recorded: &RecordedFacts,
    names: &Arc<AddressNames>,
    watch_items: Vec<AttentionItem>,
    proposal_items: Vec<AttentionItem>,
    permissions_remedy: Option<String>,
    zone: &Zone,
) -> anyhow::Result<AttentionReport> {
    let (store, profile, now) = (&cache.store, &cache.profile, cache.now);
    let final_statuses = profile.final_statuses();
    let findings = read_findings(
        store,
        &LookAlikeQuery {
            addresses: Vec::new(),
            generation: 0,
            book: recorded.book.clone(),
            cooling: profile.policy.cooling,
            payees: accepted_payees(&recorded.orders, &final_statuses, now),
            final_statuses,
        },
        now,
    )?;
    let sources = AttentionSources {
        orders: &recorded.orders,
        names,
        findings: Some(&findings),
        watch_items,
        address_conflicts: &store.wallets_with_contradicting_address()?,
        unanswered_addresses: &recorded.unanswered,
        due: DueSources {
            templates: recorded.book.templates(),
            paid: &recorded.paid_dues,
            acknowledgements: &recorded.acknowledgements,
            zone,
        },
    };
    let mut items = sources.items(now, &mut CachedHistoryItems::default());
    items.extend(proposal_items);
    let mut add = |kind, mark: &str, subject: String| {
        items.push(AttentionItem::new(kind, mark, now, subject, AttentionTarget::Console));
    };
    if let Some(expected) = profile.network
        && let Some(strange) = store.unexpected_network(expected)?
    {
        let alarm = network_mismatch::alarm_message(expected, &strange);
        add(AttentionKind::Network, "", format!("{alarm} {}", network_mismatch::remedy_message(&strange)));
    }
    if let Some(remedy) = permissions_remedy {
        add(
            AttentionKind::Profile,
            "permissions",
            ReadOnlyReason::WritableConfiguration { remedy: Text::clean(&remedy) }.to_string(),
        );
    }
    sort_items(&mut items);
    let standing = items.len();
    items.retain(|item| recorded.acknowledgements.find(&item.id).is_none());
    Ok(AttentionReport { acknowledged: standing - items.len(), items })
}

/// Since when an item stands; `None` where only a program that keeps running knows.
fn since(item: &AttentionItem) -> Option<Timestamp> {
    match item.target {
        AttentionTarget::Order(_)
        | AttentionTarget::Proposal(_)
        | AttentionTarget::Transactions(_)
        | AttentionTarget::Due { .. } => Some(item.since),
        AttentionTarget::Watch(_) | AttentionTarget::Wallet(_) | AttentionTarget::Console => None,
    }
}

impl AttentionReport {
    /// How many items there are, and the first of them.
    pub(super) fn lines(&self, now: Timestamp) -> Vec<String> {
        if self.items.is_empty() {
            return Vec::new();
        }
        let count = self.items.len();
        let verb = if count == 1 { "needs" } else { "need" };
        let others = match self.acknowledged {
            0 => String::new(),
            acknowledged => format!(" ({acknowledged} more acknowledged)"),
        };
        let mut lines = vec![String::new(), format!("{count} {verb} you{others}")];
        lines.extend(self.items.iter().take(NAMED_ITEMS).map(|item| {
            let ago = since(item).map_or_else(String::new, |at| format!(", {} ago", duration::format_age(at.age(now))));
            format!("! {}{ago}", item.summary())
        }));
        if let Some(more @ 1..) = count.checked_sub(NAMED_ITEMS) {
            lines.push(format!("  and {more} more: `bursar status --json` and page ! of the dashboard list all"));
        }
        lines
    }
}

pub(super) fn to_json(item: &AttentionItem) -> Value {
    json!({
        "item": item.id.as_str(),
        "kind": item.kind.label(),
        "what": item.subject,
        "since": since(item).map(|at| at.to_string()),
        "advice": item.kind.advice(),
    })
}
