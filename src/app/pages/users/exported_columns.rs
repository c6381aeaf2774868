//! The columns of a user's addresses, and of a user's records in version 1.

use super::DepositAddress;
use crate::domain::address_names::AddressNames;
use crate::domain::export::cells::{Cell, columns, multi_line_cell, optional_cell};
use crate::domain::export::transactions::reported_amount_cells;
use crate::domain::v1::{AssetBalance, Movement, Transfer};
use crate::domain::{Text, Timestamp, UserId};

/// Whose the rows are, and when they were reported.
#[derive(Debug, Clone)]
pub struct RowOwner {
    pub user: Option<UserId>,
    pub name: Option<Text>,
    /// When version 1 reported them; `None` for rows from elsewhere.
    pub as_of: Option<Timestamp>,
    /// Coins among the rows that imitate the spelling of listed ones.
    pub imitations: Vec<Text>,
}

columns! {
    /// The cells of an address. A wallet's address accepts every token of its chain, so it names no coins.
    pub fn address_cells(of: &RowOwner, row: &DepositAddress) -> ADDRESS_COLUMNS {
        let [user, name] = owner_cells(of);
        "user" => user,
        "user_name" => name,
        "blockchain" => Some(row.chain.to_string()),
        "address" => Some(row.address.to_string()),
        "tag" => optional_cell(row.tag.as_ref()),
        "coins" => multi_line_cell(row.coins.iter()),
        "wallet_name" => optional_cell(row.wallet.as_ref()),
        "known_from" => Some(if row.is_wallet_address { "wallet" } else { "deposits" }.to_owned()),
    }
}

columns! {
    pub fn asset_cells(of: &RowOwner, row: &AssetBalance) -> ASSET_COLUMNS {
        let [user, name] = owner_cells(of);
        let [balance, balance_raw, balance_decimals, balance_disputed] = reported_amount_cells(row.balance.as_ref());
        let [frozen, frozen_raw, frozen_decimals, frozen_disputed] = reported_amount_cells(row.frozen.as_ref());
        "user" => user,
        "user_name" => name,
        "coin" => Some(row.coin.to_string()),
        "imitates_a_token" => Some(of.imitations.contains(&row.coin).to_string()),
        "balance" => balance,
        "balance_raw" => balance_raw,
        "balance_decimals" => balance_decimals,
        "balance_disputed_by" => balance_disputed,
        "frozen" => frozen,
        "frozen_raw" => frozen_raw,
        "frozen_decimals" => frozen_decimals,
        "frozen_disputed_by" => frozen_disputed,
        "updated_at" => optional_cell(row.updated_at.as_ref()),
        "as_of" => optional_cell(of.as_of.as_ref()),
    }
}

columns! {
    /// The cells of a deposit or of a withdrawal.
    pub fn deposit_cells(of: &RowOwner, row: &Movement, names: &AddressNames) -> DEPOSIT_COLUMNS {
        let name_of = |address: &Option<Text>| {
            let address = address.as_ref().zip(row.chain.as_ref());
            optional_cell(address.and_then(|(address, chain)| names.party(address, chain)).map(|party| &party.name))
        };
        let [user, name] = owner_cells(of);
        let [amount, raw, decimals, disputed] = reported_amount_cells(row.amount.as_ref());
        let [fee, _, _, fee_disputed] = reported_amount_cells(row.network_fee.as_ref());
        "user" => user,
        "user_name" => name,
        "id" => Some(row.id.to_string()),
        "came" => row.destination.as_ref().map(|destination| destination.word().to_owned()),
        "status" => row.status.as_ref().map(|status| status.word().to_owned()),
        "confirmations" => optional_cell(row.confirmation.as_ref()),
        "created_at" => optional_cell(row.created_at.as_ref()),
        "updated_at" => optional_cell(row.updated_at.as_ref()),
        "blockchain" => optional_cell(row.chain.as_ref()),
        "network" => optional_cell(row.network.as_ref()),
        "coin" => Some(row.coin.to_string()),
        "imitates_a_token" => Some(of.imitations.contains(&row.coin).to_string()),
        "amount" => amount,
        "amount_raw" => raw,
        "decimals" => decimals,
        "amount_disputed_by" => disputed,
        "network_fee" => fee,
        "network_fee_disputed_by" => fee_disputed,
        "from" => optional_cell(row.from_address.as_ref()),
        "to" => optional_cell(row.to_address.as_ref()),
        "tag" => optional_cell(row.tag_memo.as_ref()),
        "tx_hash" => optional_cell(row.hash.as_ref()),
        "link" => optional_cell(row.link.as_ref()),
        "from_wallet" => optional_cell(row.from_wallet.as_ref()),
        "to_wallet" => optional_cell(row.to_wallet.as_ref()),
        "client_tx_id" => optional_cell(row.client_tx_id.as_ref()),
        "as_of" => optional_cell(of.as_of.as_ref()),
        "from_name" => name_of(&row.from_address),
        "to_name" => name_of(&row.to_address),
    }
}

columns! {
    pub fn transfer_cells(of: &RowOwner, row: &Transfer) -> TRANSFER_COLUMNS {
        let [user, name] = owner_cells(of);
        let [amount, raw, decimals, disputed] = reported_amount_cells(row.amount.as_ref());
        let [fee, _, _, fee_disputed] = reported_amount_cells(row.network_fee.as_ref());
        "user" => user,
        "user_name" => name,
        "id" => Some(row.id.to_string()),
        "status" => row.status.as_ref().map(|status| status.word().to_owned()),
        "confirmed" => optional_cell(row.confirmed.as_ref()),
        "created_at" => optional_cell(row.created_at.as_ref()),
        "confirmed_at" => optional_cell(row.confirmed_at.as_ref()),
        "coin" => Some(row.coin.to_string()),
        "imitates_a_token" => Some(of.imitations.contains(&row.coin).to_string()),
        "amount" => amount,
        "amount_raw" => raw,
        "decimals" => decimals,
        "amount_disputed_by" => disputed,
        "network_fee" => fee,
        "network_fee_disputed_by" => fee_disputed,
        "from_wallet" => optional_cell(row.from_wallet.as_ref()),
        "to_wallet" => optional_cell(row.to_wallet.as_ref()),
        "tag" => optional_cell(row.tag_memo.as_ref()),
        "client_tx_id" => optional_cell(row.client_tx_id.as_ref()),
        "as_of" => optional_cell(of.as_of.as_ref()),
    }
}

fn owner_cells(of: &RowOwner) -> [Cell; 2] {
    [optional_cell(of.user.as_ref()), optional_cell(of.name.as_ref())]
}
