//! The columns of a user's addresses, and of a user's records in version 1.

use super::history::amount_cells;
use super::table::{Cell, multi_line_cell, optional_cell};
use crate::app::UserRows;
use crate::app::pages::users::DepositAddress;
use crate::domain::v1::{Asset, Deposit, Transfer};

pub const ADDRESS_COLUMNS: [&str; 8] =
    ["user", "user_name", "blockchain", "address", "tag", "coins", "wallet_name", "known_from"];

/// The cells of an address. A wallet's address accepts every token of its chain, so it names no coins.
pub fn address_cells(of: &UserRows<DepositAddress>, row: &DepositAddress) -> [Cell; ADDRESS_COLUMNS.len()] {
    let [user, name] = owner_cells(of);
    [
        user,
        name,
        Some(row.chain.to_string()),
        Some(row.address.to_string()),
        optional_cell(row.tag.as_ref()),
        multi_line_cell(row.coins.iter()),
        optional_cell(row.wallet.as_ref()),
        Some(if row.is_wallet_address { "wallet" } else { "deposits" }.to_owned()),
    ]
}

pub const ASSET_COLUMNS: [&str; 14] = [
    "user",
    "user_name",
    "coin",
    "imitates_a_token",
    "balance",
    "balance_raw",
    "balance_decimals",
    "balance_disputed_by",
    "frozen",
    "frozen_raw",
    "frozen_decimals",
    "frozen_disputed_by",
    "updated_at",
    "as_of",
];

pub fn asset_cells(of: &UserRows<Asset>, row: &Asset) -> [Cell; ASSET_COLUMNS.len()] {
    let [user, name] = owner_cells(of);
    let [balance, balance_raw, balance_decimals, balance_disputed] = amount_cells(row.balance.as_ref());
    let [frozen, frozen_raw, frozen_decimals, frozen_disputed] = amount_cells(row.frozen.as_ref());
    [
        user,
        name,
        Some(row.coin.to_string()),
        Some(of.imitations.contains(&row.coin).to_string()),
        balance,
        balance_raw,
        balance_decimals,
        balance_disputed,
        frozen,
        frozen_raw,
        frozen_decimals,
        frozen_disputed,
        optional_cell(row.updated_at.as_ref()),
        optional_cell(of.as_of.as_ref()),
    ]
}

pub const DEPOSIT_COLUMNS: [&str; 27] = [
    "user",
    "user_name",
    "id",
    "came",
    "status",
    "confirmations",
    "created_at",
    "updated_at",
    "blockchain",
    "network",
    "coin",
    "imitates_a_token",
    "amount",
    "amount_raw",
    "decimals",
    "amount_disputed_by",
    "network_fee",
    "network_fee_disputed_by",
    "from",
    "to",
    "tag",
    "tx_hash",
    "link",
    "from_wallet",
    "to_wallet",
    "client_tx_id",
    "as_of",
];

pub fn deposit_cells(of: &UserRows<Deposit>, row: &Deposit) -> [Cell; DEPOSIT_COLUMNS.len()] {
    let [user, name] = owner_cells(of);
    let [moved, raw, decimals, disputed] = amount_cells(row.amount.as_ref());
    let [fee, _, _, fee_disputed] = amount_cells(row.network_fee.as_ref());
    [
        user,
        name,
        Some(row.id.to_string()),
        row.destination.as_ref().map(|destination| destination.word().to_owned()),
        row.status.as_ref().map(|status| status.word().to_owned()),
        optional_cell(row.confirmation.as_ref()),
        optional_cell(row.created_at.as_ref()),
        optional_cell(row.updated_at.as_ref()),
        optional_cell(row.chain.as_ref()),
        optional_cell(row.network.as_ref()),
        Some(row.coin.to_string()),
        Some(of.imitations.contains(&row.coin).to_string()),
        moved,
        raw,
        decimals,
        disputed,
        fee,
        fee_disputed,
        optional_cell(row.from_address.as_ref()),
        optional_cell(row.to_address.as_ref()),
        optional_cell(row.tag_memo.as_ref()),
        optional_cell(row.hash.as_ref()),
        optional_cell(row.link.as_ref()),
        optional_cell(row.from_wallet.as_ref()),
        optional_cell(row.to_wallet.as_ref()),
        optional_cell(row.client_tx_id.as_ref()),
        optional_cell(of.as_of.as_ref()),
    ]
}

pub const TRANSFER_COLUMNS: [&str; 20] = [
    "user",
    "user_name",
    "id",
    "status",
    "confirmed",
    "created_at",
    "confirmed_at",
    "coin",
    "imitates_a_token",
    "amount",
    "amount_raw",
    "decimals",
    "amount_disputed_by",
    "network_fee",
    "network_fee_disputed_by",
    "from_wallet",
    "to_wallet",
    "tag",
    "client_tx_id",
    "as_of",
];

pub fn transfer_cells(of: &UserRows<Transfer>, row: &Transfer) -> [Cell; TRANSFER_COLUMNS.len()] {
    let [user, name] = owner_cells(of);
    let [moved, raw, decimals, disputed] = amount_cells(row.amount.as_ref());
    let [fee, _, _, fee_disputed] = amount_cells(row.network_fee.as_ref());
    [
        user,
        name,
        Some(row.id.to_string()),
        row.status.as_ref().map(|status| status.word().to_owned()),
        optional_cell(row.confirmed.as_ref()),
        optional_cell(row.created_at.as_ref()),
        optional_cell(row.confirmed_at.as_ref()),
        Some(row.coin.to_string()),
        Some(of.imitations.contains(&row.coin).to_string()),
        moved,
        raw,
        decimals,
        disputed,
        fee,
        fee_disputed,
        optional_cell(row.from_wallet.as_ref()),
        optional_cell(row.to_wallet.as_ref()),
        optional_cell(row.tag_memo.as_ref()),
        optional_cell(row.client_tx_id.as_ref()),
        optional_cell(of.as_of.as_ref()),
    ]
}

fn owner_cells<T>(of: &UserRows<T>) -> [Cell; 2] {
    [optional_cell(of.user.as_ref()), optional_cell(of.name.as_ref())]
}
