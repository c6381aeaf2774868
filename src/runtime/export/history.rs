//! The columns of a transaction.

use super::table::{Cell, optional_cell};
use crate::domain::history::HistoryRow;
use crate::domain::{Direction, FinalStatuses, ReportedAmount, Status, SubType};

pub const TRANSACTION_COLUMNS: [&str; 42] = [
    "id",
    "direction",
    "type",
    "status",
    "confirmed",
    "confirmations",
    "created_at",
    "confirmed_at",
    "first_seen_at",
    "blockchain",
    "network",
    "environment",
    "protocol",
    "token",
    "token_name",
    "contract",
    "standard",
    "imitates_a_token",
    "amount",
    "amount_raw",
    "decimals",
    "amount_disputed_by",
    "total_amount",
    "fee",
    "fee_token",
    "fee_level",
    "from",
    "to",
    "tx_hash",
    "is_batch",
    "ref_id",
    "idempotency_key",
    "note",
    "set_off_by",
    "group",
    "wallet",
    "wallet_name",
    "account",
    "user",
    // Fields that the service may omit.
    "total_amount_disputed_by",
    "fee_disputed_by",
    "final",
];

pub fn transaction_cells(row: &HistoryRow, final_words: &FinalStatuses) -> [Cell; TRANSACTION_COLUMNS.len()] {
    let transaction = &row.transaction;
    let [moved, raw, decimals, disputed] = amount_cells(transaction.amount.as_ref());
    let [total, _, _, total_disputed] = amount_cells(transaction.total_amount.as_ref());
    let [fee, _, _, fee_disputed] = amount_cells(transaction.total_fee.as_ref());
    [
        Some(transaction.id.to_string()),
        Some(Direction::word(&transaction.direction).to_owned()),
        transaction.sub_type.as_ref().map(|kind| SubType::word(kind).to_owned()),
        transaction.status.as_ref().map(|status| Status::word(status).to_owned()),
        optional_cell(transaction.confirmed.as_ref()),
        optional_cell(transaction.confirmation.as_ref()),
        optional_cell(transaction.created_at.as_ref()),
        optional_cell(transaction.confirmed_at.as_ref()),
        Some(row.seen_at.to_string()),
        Some(transaction.token.blockchain.to_string()),
        optional_cell(transaction.network.as_ref()),
        optional_cell(transaction.environment.as_ref()),
        optional_cell(transaction.protocol.as_ref()),
        Some(transaction.symbol.to_string()),
        optional_cell(transaction.token_name.as_ref()),
        optional_cell(transaction.token.contract.as_ref()),
        optional_cell(transaction.standard.as_ref()),
        Some(row.suspicious.to_string()),
        moved,
        raw,
        decimals,
        disputed,
        total,
        fee,
        optional_cell(transaction.fee_token.as_ref()),
        optional_cell(transaction.fee_level.as_ref()),
        optional_cell(transaction.from_address.as_ref()),
        optional_cell(transaction.to_address.as_ref()),
        optional_cell(transaction.tx_hash.as_ref()),
        optional_cell(transaction.is_batch.as_ref()),
        optional_cell(transaction.ref_id.as_ref()),
        optional_cell(transaction.idempotency_key.as_ref()),
        optional_cell(transaction.note.as_ref()),
        optional_cell(transaction.trigger_origin.as_ref()),
        optional_cell(transaction.group.as_ref()),
        optional_cell(transaction.wallet.as_ref()),
        optional_cell(row.wallet_name.as_ref()),
        optional_cell(transaction.account.as_ref()),
        optional_cell(transaction.user.as_ref()),
        total_disputed,
        fee_disputed,
        Some(transaction.is_final(final_words).to_string()),
    ]
}

/// An amount in four cells: value, smallest units, fraction digits, and the service's contradicting value.
pub(super) fn amount_cells(stated: Option<&ReportedAmount>) -> [Cell; 4] {
    let Some(stated) = stated else { return [None, None, None, None] };
    let amount = stated.raw();
    let disputed = match stated {
        ReportedAmount::Exact(_) => None,
        ReportedAmount::Disputed { formatted, .. } => Some(formatted.to_string()),
    };
    [Some(amount.to_string()), Some(amount.raw().to_string()), Some(amount.decimals().to_string()), disputed]
}
