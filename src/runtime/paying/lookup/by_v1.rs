//! What version 1 tells of a payment that was asked for by version 1: its withdrawals by their `clientTxId`. A service may
//! show them in the history of version 2 without that reference, or not at all.

use super::Desk;
use super::outgoing::{asked, reference};
use crate::domain::comparison::{Told, ToldAmount};
use crate::domain::draft::Draft;
use crate::domain::intent::Look;
use crate::domain::v1::Deposit;
use crate::domain::{FinalWords, Intent, Reason, Seen, Text, UserId, Verdict};

/// How many pages of withdrawals are read at most; the newest stand first.
const PAGES: u64 = 5;
/// Who says what the request did not say.
const HISTORY: &str = "the history of version 1";

/// What version 1 told.
pub(super) enum ByV1 {
    /// It was not asked: the order is none of it, or was found before.
    NotAsked,
    /// It could not be asked.
    Failed,
    /// It serves no such list, or knows no such sub-wallet.
    NotServed,
    /// Its newest withdrawals were read.
    Told {
        /// Whether these are all of them.
        is_whole: bool,
        /// The one that carries the order's reference, if any does; one that failed says nothing of another.
        found: Option<Box<Seen>>,
        /// Whether all that carry it failed, by the service's word.
        has_failed: bool,
        /// Where it says something else than the request.
        differences: Vec<Text>,
    },
}

impl Desk {
    /// Asks version 1 for a payment that was asked for by it.
    pub(super) async fn ask_v1(&self, order: &Intent) -> ByV1 {
        let draft = &order.drafted.draft;
        let (Draft::Payment(payment), Some(reference)) = (draft, reference(order)) else { return ByV1::NotAsked };
        let payer = UserId::read(payment.paid.wallet.as_str());
        match self.world.reader.sub_wallet_withdrawal_history(&payer, None, PAGES).await {
            Ok(listed) => {
                let own = listed.rows.iter().filter(|row| row.client_tx_id.as_deref() == Some(reference));
                let is_whole = !listed.more && listed.unreadable == 0 && !listed.paging_ignored;
                ByV1::of(&own.collect::<Vec<_>>(), is_whole, order, &self.paying.final_words)
            }
            Err(failure) if failure.reason == Reason::NotFound => ByV1::NotServed,
            Err(failure) => {
                // The next look asks again, and until then nothing is claimed.
                tracing::info!(%failure, "the withdrawals of version 1 could not be read");
                ByV1::Failed
            }
        }
    }
}

impl ByV1 {
    fn of(own: &[&Deposit], is_whole: bool, order: &Intent, words: &FinalWords) -> Self {
        let has_failed = |row: &Deposit| words.verdict(&seen(row)) == Verdict::Failed;
        let stand: Vec<&Deposit> = own.iter().copied().filter(|row| !has_failed(row)).collect();
        let shown = stand.first().or(own.first());
        let mut differences = shown.map(|row| differences(row, order)).unwrap_or_default();
        if let [first, second, ..] = stand.as_slice() {
            let (first, second) = (&first.id, &second.id);
            let said = format!("paid twice? Transactions {first} and {second} both carry its reference");
            differences.push(Text::clean(&said));
        }
        // Where some were not read, one that stands may be among them.
        let has_failed = is_whole && stand.is_empty() && !own.is_empty();
        Self::Told { is_whole, found: shown.map(|row| Box::new(seen(row))), has_failed, differences }
    }

    /// What it tells of the order.
    pub(super) fn found(&self) -> Option<(Seen, Vec<Text>)> {
        let Self::Told { found, differences, .. } = self else { return None };
        found.as_ref().map(|seen| ((**seen).clone(), differences.clone()))
    }

    /// Whether the payment may have been made though nobody was told of it under its reference: then it cannot be said
    /// that it was not seen. Nothing in the history of version 2 needs to show what was asked of version 1, or to carry
    /// what that calls `clientTxId`: only its own list, read whole, can say so.
    pub(super) fn may_hold(&self, order: &Intent, look: &Look) -> bool {
        match self {
            Self::NotAsked => order.drafted.frozen.key.is_none(),
            Self::Failed | Self::NotServed => true,
            Self::Told { is_whole, .. } => !is_whole || look.resembles.is_some(),
        }
    }

    /// Whether it may be said that the payment failed: it was sent once, and in the whole list all that carries its
    /// reference did.
    pub(super) fn has_failed(&self) -> bool {
        matches!(self, Self::Told { has_failed: true, .. })
    }
}

fn seen(row: &Deposit) -> Seen {
    Seen {
        transaction: Some(row.id.clone()),
        status: row.status.clone(),
        confirmed: None,
        confirmed_at: None,
        confirmation: row.confirmation,
        tx_hash: row.hash.clone(),
        swapped: None,
    }
}

fn differences(row: &Deposit, order: &Intent) -> Vec<Text> {
    let Draft::Payment(payment) = &order.drafted.draft else { return Vec::new() };
    let told = Told {
        chain: row.chain.clone(),
        tokens: Some(row.coin.clone()).filter(|coin| !coin.is_empty()).into_iter().collect(),
        amount: row.amount.clone().map(ToldAmount::Stated),
        to: row.to_address.clone(),
        reference: row.client_tx_id.clone(),
        ..Told::default()
    };
    let mut found = asked(&order.drafted.draft, &payment.paid, None).differences(&told, HISTORY);
    if let Some((wanted, told)) = payment.memo.as_ref().zip(row.tag_memo.as_ref())
        && wanted.trim() != told.trim()
    {
        found.push(Text::clean(&format!("memo: the request says {wanted}, {HISTORY} {told}")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Outcome, Status, TransactionId};
    use crate::runtime::knowledge::tests::order;

    fn withdrawal(id: &str, status: &str) -> Deposit {
        Deposit {
            id: TransactionId::read(id),
            destination: None,
            from_wallet: None,
            to_wallet: None,
            coin: "USDC".into(),
            chain: None,
            network: None,
            amount: None,
            status: Some(Status::read(status)),
            network_fee: None,
            confirmation: None,
            created_at: None,
            updated_at: None,
            client_tx_id: Some("own-1".into()),
            from_address: None,
            to_address: None,
            hash: None,
            link: None,
            tag_memo: None,
        }
    }

    #[test]
    fn a_payment_failed_only_by_a_list_that_was_read_whole() {
        let (order, words) = (order(1, 10, Some(Outcome::Unknown)), FinalWords::default());
        let (failed, stands) = (withdrawal("a", "failed"), withdrawal("b", "pending"));
        let told = |own: &[&Deposit], is_whole| ByV1::of(own, is_whole, &order, &words);
        assert!(told(&[&failed], true).has_failed());
        assert!(!told(&[&failed], false).has_failed(), "one that stands may be among those that were not read");
        assert!(told(&[&failed], false).found().is_some(), "it arrived, whatever became of it");
        assert!(!told(&[&failed, &stands], true).has_failed());
        assert!(!told(&[], true).has_failed());
    }

    #[test]
    fn only_its_own_list_read_whole_tells_that_what_version_1_was_asked_for_was_not_seen() {
        let mut order = order(1, 10, Some(Outcome::Unknown));
        let may_hold = |by_v1: &ByV1, order: &Intent| by_v1.may_hold(order, &Look::default());
        assert!(!may_hold(&ByV1::NotAsked, &order), "the key tells");
        order.drafted.frozen.key = None;
        assert!(may_hold(&ByV1::NotAsked, &order) && may_hold(&ByV1::Failed, &order));
        assert!(may_hold(&ByV1::NotServed, &order));
        let told = |is_whole| ByV1::of(&[], is_whole, &order, &FinalWords::default());
        assert!(may_hold(&told(false), &order) && !may_hold(&told(true), &order));
        let look = Look { resembles: Some(TransactionId::read("x")), ..Look::default() };
        assert!(told(true).may_hold(&order, &look));
    }
}
