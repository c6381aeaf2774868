//! What needs a person, under the veil: kinds and times identify nobody, and all else has a stand-in.

use super::AttentionState;
use crate::app::session::veil::{Veil, WITHHELD_MESSAGE};
use crate::domain::attention::{AttentionItem, AttentionTarget, HistoryFindings};

impl AttentionState {
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let Self {
            findings,
            acknowledgements,
            items,
            cached_history_items: _,
            listing,
            hides_acknowledged,
            examination: _,
            in_flight: _,
            examined_at: _,
            is_outdated: _,
            standing_since: _,
        } = self;
        Self {
            // That the history was examined stays visible.
            findings: findings.as_ref().map(|_| HistoryFindings::default()),
            acknowledgements: acknowledgements.to_masked(|id| veil.mask_attention_id(id)),
            items: items.iter().map(|item| mask_item(veil, item)).collect(),
            listing: listing.to_masked(|id| veil.mask_attention_id(id), |id| veil.mask_attention_id(id)),
            hides_acknowledged: *hides_acknowledged,
            ..Self::default()
        }
    }
}

fn mask_item(veil: &Veil, item: &AttentionItem) -> AttentionItem {
    let AttentionItem { id, kind, since, subject: _, target } = item;
    let target = match target {
        AttentionTarget::Order(order) => AttentionTarget::Order(veil.mask_order_id(order)),
        AttentionTarget::Proposal(order) => AttentionTarget::Proposal(veil.mask_order_id(order)),
        AttentionTarget::Transactions(filter) => AttentionTarget::Transactions(Veil::mask_filter(filter)),
        AttentionTarget::Watch(_) => AttentionTarget::Watch(WITHHELD_MESSAGE.to_owned()),
        AttentionTarget::Wallet(wallet) => AttentionTarget::Wallet(veil.mask_wallet_id(wallet)),
        AttentionTarget::Due { template, due } => AttentionTarget::Due { template: *template, due: *due },
        AttentionTarget::Console => AttentionTarget::Console,
    };
    let (id, subject) = (veil.mask_attention_id(id), WITHHELD_MESSAGE.to_owned());
    AttentionItem { id, kind: *kind, since: *since, subject, target }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::data::attention::CachedHistoryItems;
    use crate::app::session::veil::VeilKey;
    use crate::domain::attention::{AcknowledgementChange, AttentionKind};
    use crate::domain::order::ConsoleIdentity;
    use crate::domain::{Text, Timestamp};

    #[test]
    fn under_the_veil_nothing_names_a_counterparty() {
        let veil = Veil::new(true, VeilKey::new([3; 32]));
        let mut cached_history_items = CachedHistoryItems::default();
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        cached_history_items.set_names(&Arc::default(), std::iter::once(address));
        let target = AttentionTarget::Transactions("to:Norrland".to_owned());
        let item =
            AttentionItem::new(AttentionKind::DuePayment, "Norrland", Timestamp::from_millis(0), "Norrland", target);
        let by = ConsoleIdentity { user: Text::clean("Norrland"), host: Text::default(), run: uuid::Uuid::nil() };
        let change = AcknowledgementChange { item: item.id.clone(), note: Some(Text::clean("asked Norrland")) };
        let findings = Some(HistoryFindings { rows: 1_204, ..HistoryFindings::default() });
        let mut state =
            AttentionState { findings, cached_history_items, items: vec![item], ..AttentionState::default() };
        state.apply_changes(&[change], Timestamp::from_millis(0), &by);
        let masked = state.to_masked(&veil);
        assert_eq!(masked.cached_history_items.addresses, []);
        assert_eq!(masked.findings, Some(HistoryFindings::default()), "an examined history is not called unexamined");
        assert_eq!((masked.items.len(), masked.open_count()), (1, 0), "what is acknowledged stays so");
        assert!(!format!("{masked:?}").contains("Norrland"), "{masked:?}");
    }
}
