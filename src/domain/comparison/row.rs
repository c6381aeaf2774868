//! Converts history rows of either version into [`ReportedPayment`].

use super::{AmountOrText, ReportedContract, ReportedPayment};
use crate::domain::v1::Movement;
use crate::domain::{AccountId, ReportedAmount, Text, Transaction, UnreadableField, UserId, WalletId};

impl ReportedPayment {
    pub fn from_row(row: &Transaction) -> Self {
        let text = |name: &str, row_text: Option<&str>| {
            unreadable_field_text(&row.unreadable, name).or_else(|| row_text.map(Text::clean))
        };
        let amount = |name: &str, row_text: Option<&ReportedAmount>| amount_claim(&row.unreadable, name, row_text);
        let is_read = |text: &&Text| !text.is_empty();
        Self {
            key: row.idempotency_key.clone(),
            wallet: text("walletId", row.wallet.as_ref().map(WalletId::as_str)),
            account: text("accountId", row.account.as_ref().map(AccountId::as_str)),
            user: text("userId", row.user.as_ref().map(UserId::as_str)),
            chain: text("blockchain", Some(row.token.blockchain.as_str()).filter(|chain| !chain.is_empty())),
            tokens: Some(&row.symbol).filter(is_read).into_iter().cloned().collect(),
            contract: ReportedContract::from_row(row),
            amount: amount("amount", row.amount.as_ref()),
            total: amount("totalAmount", row.total_amount.as_ref()),
            fee: amount("totalFee", row.total_fee.as_ref()),
            fee_token: row.fee_token.clone(),
            to: text("toAddress", row.to_address.as_deref()),
            reference: text("refId", row.ref_id.as_deref()),
            note: text("note", row.note.as_deref()),
            direction: text("txType", Some(row.direction.word())),
            ..Self::default()
        }
    }

    pub fn from_v1_record(row: &Movement) -> Self {
        let text = |name: &str, row_text: Option<&Text>| {
            unreadable_field_text(&row.unreadable, name).or_else(|| row_text.cloned())
        };
        let amount = |name: &str, row_text: Option<&ReportedAmount>| amount_claim(&row.unreadable, name, row_text);
        Self {
            chain: text("chain", row.chain.as_ref()),
            tokens: text("coin", Some(&row.coin).filter(|coin| !coin.is_empty())).into_iter().collect(),
            amount: amount("amount", row.amount.as_ref()),
            fee: amount("networkFee", row.network_fee.as_ref()),
            to: text("toAddress", row.to_address.as_ref()),
            reference: text("clientTxId", row.client_tx_id.as_ref()),
            memo: text("tagMemo", row.tag_memo.as_ref()),
            ..Self::default()
        }
    }
}

fn unreadable_field_text(unread: &[UnreadableField], name: &str) -> Option<Text> {
    unread.iter().find(|unread| unread.name == name).map(|unread| unread.value.clone())
}

/// An amount of a row; an unreadable one counts as reported.
fn amount_claim(
    unread_fields: &[UnreadableField],
    name: &str,
    row_amount: Option<&ReportedAmount>,
) -> Option<AmountOrText> {
    let unparsed = unreadable_field_text(unread_fields, name).map(AmountOrText::Unparsed);
    unparsed.or_else(|| row_amount.cloned().map(AmountOrText::Reported))
}
