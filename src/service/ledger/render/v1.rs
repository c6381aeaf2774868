//! Resources of v1 as in the specification. Where its tables have JSON numbers, amounts are written digit by digit, so
//! that none is rounded.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::domain;
use crate::service::ledger::RequestError;

/// An exact JSON number.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct JsonNumber(Box<RawValue>);

impl JsonNumber {
    pub(in crate::service::ledger) fn from_amount(amount: domain::Amount) -> Result<Self, RequestError> {
        let text = RawValue::from_string(amount.to_string());
        text.map(Self).map_err(|error| RequestError::Internal(format!("an amount is no JSON number: {error}")))
    }
}

/// A user, as v1 shows it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubWallet {
    pub id: String,
    pub client_user_id: Option<String>,
    pub email: Option<String>,
    pub name: Option<String>,
    /// The text `true` or `false`.
    pub is_active: &'static str,
    /// A locale, `xx_XX`.
    pub language: &'static str,
    pub can_trade: bool,
    pub created_at: String,
    pub updated_at: String,
    pub workspace_id: String,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WalletAddress {
    pub id: String,
    pub coin: String,
    pub chain: &'static str,
    pub network: String,
    pub address: String,
    pub workspace_id: String,
    pub created_at: String,
    /// A sub-wallet, or the Prime Wallet.
    pub wallet_id: String,
    pub tag: Option<String>,
}

/// Balance of a coin over all chains.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub coin: &'static str,
    /// Spendable.
    pub balance: String,
    pub frozen: String,
    pub updated_at: String,
}

/// A deposit, or a withdrawal, which v1 shows in the same shape.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Movement {
    pub id: String,
    /// `on_chain` or `internal_transfer`.
    pub destination: &'static str,
    pub workspace_id: String,
    pub from_wallet_id: Option<String>,
    pub to_wallet_id: Option<String>,
    pub coin: String,
    pub chain: &'static str,
    pub network: String,
    pub amount: JsonNumber,
    pub status: &'static str,
    pub network_fee: JsonNumber,
    pub confirmation: u64,
    pub created_at: String,
    pub updated_at: String,
    pub client_tx_id: Option<String>,
    pub from_address: Option<String>,
    pub to_address: Option<String>,
    pub hash: Option<String>,
    pub transaction_link: Option<String>,
    pub tag_memo: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    pub id: String,
    pub workspace_id: String,
    pub client_tx_id: Option<String>,
    pub from_wallet_id: String,
    pub to_wallet_id: Option<String>,
    pub coin: String,
    pub amount: JsonNumber,
    pub status: &'static str,
    pub network_fee: JsonNumber,
    pub tag_memo: Option<String>,
    pub confirmed: bool,
    pub confirmed_at: Option<String>,
    pub created_at: String,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SandboxDeposit {
    pub deposit_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    pub fee: String,
    pub from_coin: &'static str,
    pub from_amount: String,
    pub to_coin: &'static str,
    pub to_amount: String,
    pub swap_price: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SwapPair {
    pub from_coin: &'static str,
    pub to_coin: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Swap {
    pub swap_id: String,
    #[serde(flatten)]
    pub quote: Quote,
}
