//! The journal's JSON of a payment by version 1.

use serde::{Deserialize, Serialize};

use crate::domain::draft::{Metadata, V1Payment};
use crate::domain::{Text, WalletId, Withdrawal};
use crate::journal::record::fields::{to_string_option, to_text};

#[derive(Serialize, Deserialize)]
pub(in crate::journal::record) struct PaymentBody {
    sub_wallet: String,
    coin: String,
    chain: String,
    to: String,
    amount: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_tx_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fee: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memo: Option<String>,
    /// Version 1 has no note, so no request includes one; a draft's note is stored all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl From<&V1Payment> for PaymentBody {
    fn from(payment: &V1Payment) -> Self {
        let V1Payment {
            withdrawal: Withdrawal { wallet, blockchain, token, amount, to, ref_id, note, metadata: _ },
            fee,
            memo,
        } = payment;
        Self {
            sub_wallet: wallet.to_string(),
            coin: token.to_string(),
            chain: blockchain.to_string(),
            to: to.to_string(),
            amount: amount.to_string(),
            client_tx_id: to_string_option(ref_id.as_ref()),
            fee: to_string_option(fee.as_ref()),
            memo: to_string_option(memo.as_ref()),
            note: to_string_option(note.as_ref()),
        }
    }
}

impl From<PaymentBody> for V1Payment {
    fn from(body: PaymentBody) -> Self {
        let PaymentBody { sub_wallet, coin, chain, to, amount, client_tx_id, fee, memo, note } = body;
        Self {
            withdrawal: Withdrawal {
                wallet: WalletId::read(&sub_wallet),
                blockchain: Text::clean(&chain),
                token: Text::clean(&coin),
                amount: Text::clean(&amount),
                to: Text::clean(&to),
                ref_id: to_text(client_tx_id),
                note: to_text(note),
                metadata: Metadata::default(),
            },
            fee: to_text(fee),
            memo: to_text(memo),
        }
    }
}
