//! Resources with the names, order and shapes of the specification's tables.

pub mod v1;

use serde::Serialize;

use crate::domain::{self, Timestamp};

use super::request_error::RequestError;

/// `{"success":true,"data":…}`.
#[derive(Debug, Serialize)]
pub struct Envelope<T> {
    success: bool,
    data: T,
}

/// `{"success":true,"data":[…],"totalPage":…,"pageNo":…,"pageLimit":…}`: one page of a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    success: bool,
    pub data: Vec<T>,
    /// Number of pages; 0 for an empty list.
    pub total_page: u64,
    /// From 1.
    pub page_no: u64,
    /// Rows on a full page.
    pub page_limit: u64,
}

impl<T> Page<T> {
    pub(super) fn new(data: Vec<T>, total: u64, page_no: u64, page_limit: u64) -> Self {
        Self { success: true, data, total_page: total.div_ceil(page_limit.max(1)), page_no, page_limit }
    }
}

/// The success envelope around one resource or an unpaged list, serialised.
pub fn bytes_in_envelope<T: Serialize>(data: &T) -> Result<Vec<u8>, RequestError> {
    bytes_without_envelope(&Envelope { success: true, data })
}

/// Serialises a complete body, such as a [`Page`].
pub fn bytes_without_envelope<T: Serialize>(whole: &T) -> Result<Vec<u8>, RequestError> {
    serde_json::to_vec(whole).map_err(|error| RequestError::Internal(error.to_string()))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub id: String,
    pub ref_id: Option<String>,
    pub email: Option<String>,
    pub display_name: Option<String>,
    /// The text `true` or `false`.
    pub is_active: &'static str,
    pub created_at: String,
    pub updated_at: String,
    pub workspace_id: String,
}

/// Counts of successful transactions of a user, or of the whole workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TransactionCounts {
    pub deposits_count: u64,
    #[serde(rename = "depositsCountIn30Days")]
    pub deposits_count_in_30_days: u64,
    pub transaction_volume_count: u64,
    #[serde(rename = "transactionVolumeCountIn30Days")]
    pub transaction_volume_count_in_30_days: u64,
    pub withdraws_count: u64,
    #[serde(rename = "withdrawsCountIn30Days")]
    pub withdraws_count_in_30_days: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub id: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub state: &'static str,
    pub network: String,
    pub evm_details: AccountAddress,
    pub solana_details: AccountAddress,
    pub workspace_id: String,
    pub created_at: String,
    pub updated_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountAddress {
    pub address: String,
    pub ref_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    pub id: String,
    pub address: String,
    pub blockchain: &'static str,
    pub protocol: &'static str,
    pub network: String,
    pub is_evm_compatible: bool,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub intent: &'static str,
    pub gasless_withdraw: bool,
    pub auto_sweep: bool,
    pub state: &'static str,
    pub custody_type: &'static str,
    pub user_id: Option<String>,
    pub account_id: String,
    pub workspace_id: String,
    pub created_at: String,
    pub updated_at: String,
    pub decimals: u8,
    pub name: Option<String>,
    pub ref_id: Option<String>,
}

/// An exact amount in both forms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// With all fraction digits of its token.
    pub formatted: String,
    /// In smallest units.
    pub raw: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    pub id: String,
    pub ref_id: Option<String>,
    pub idempotency_key: Option<String>,
    pub token_name: String,
    pub token_symbol: String,
    pub token_ticker: String,
    pub token_address: Option<String>,
    pub decimals: u8,
    pub chain_decimals: u8,
    pub is_native: bool,
    pub amount: Amount,
    pub total_amount: Amount,
    pub total_fee: Amount,
    pub blockchain: &'static str,
    pub protocol: &'static str,
    pub environment: String,
    pub network: String,
    pub standard: &'static str,
    pub tx_type: &'static str,
    pub tx_sub_type: &'static str,
    pub status: &'static str,
    pub from_address: Option<String>,
    pub to_address: Option<String>,
    pub tx_hash: Option<String>,
    pub fee_level: &'static str,
    pub fee_token: String,
    pub is_batch: bool,
    pub note: Option<String>,
    pub trigger_origin: &'static str,
    pub transaction_group_id: Option<String>,
    pub confirmation: u64,
    pub confirmed: bool,
    pub confirmed_at: Option<String>,
    pub user_id: Option<String>,
    pub wallet_id: String,
    pub account_id: String,
    pub workspace_id: String,
}

/// A user's balance of one token, over all wallets of the user on its chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserTokenBalance {
    pub token: TokenOfBalance,
    pub amount: Amount,
    pub environment: String,
    pub created_at: String,
    pub updated_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenOfBalance {
    pub name: String,
    pub symbol: String,
    pub blockchain: &'static str,
    pub token_address: Option<String>,
    pub is_native: bool,
    pub standard: &'static str,
    pub decimals: u8,
}

/// A listed token with its chains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    pub name: &'static str,
    pub symbol: &'static str,
    pub decimals: u8,
    pub is_native: bool,
    pub standards: Vec<&'static str>,
    pub media: Media,
    pub features: Vec<&'static str>,
    pub blockchains: Vec<Blockchain>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Blockchain {
    pub slug: &'static str,
    pub name: &'static str,
    pub symbol: &'static str,
    pub decimals: u8,
    pub onchain: ProtocolAndChainId,
    pub native_currency: NativeCurrency,
    pub is_testnet: bool,
    pub standards: Vec<&'static str>,
    pub media: Media,
    pub block_explorer: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProtocolAndChainId {
    pub protocol: &'static str,
    pub chain_id: Option<u64>,
}

/// A chain's native coin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NativeCurrency {
    pub name: &'static str,
    pub symbol: &'static str,
    pub decimals: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    pub url: String,
    #[serde(rename = "type")]
    pub mime: &'static str,
}

impl From<domain::Amount> for Amount {
    fn from(amount: domain::Amount) -> Self {
        let raw = amount.raw_digits().into_string();
        let decimals = usize::from(amount.decimals());
        let mut formatted = String::with_capacity(raw.len().max(decimals) + 2);
        let (whole, fraction) = raw.split_at(raw.len().saturating_sub(decimals));
        formatted.push_str(if whole.is_empty() { "0" } else { whole });
        if decimals > 0 {
            formatted.push('.');
            formatted.extend(std::iter::repeat_n('0', decimals - fraction.len()));
            formatted.push_str(fraction);
        }
        Self { formatted, raw }
    }
}

/// ISO 8601 with milliseconds; `millis` is since 1970.
pub(super) fn iso_time(millis: i64) -> String {
    Timestamp::from_millis(millis).to_string()
}
