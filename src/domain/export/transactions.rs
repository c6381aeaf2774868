//! The columns of a transaction.

use super::cells::{Cell, columns, optional_cell};
use crate::domain::address_names::AddressNames;
use crate::domain::history::HistoryRow;
use crate::domain::{Direction, FinalStatuses, ReportedAmount, Status, SubType};

columns! {
    pub fn transaction_cells(
        row: &HistoryRow,
        final_words: &FinalStatuses,
        names: &AddressNames
    ) -> TRANSACTION_COLUMNS {
        let transaction = &row.transaction;
        let counterparty = transaction.counterparty();
        let party = counterparty.and_then(|address| names.party(address, &transaction.token.blockchain));
        let wallet_name = transaction.wallet.as_ref().and_then(|wallet| names.wallet_name(wallet));
        let [amount, raw, decimals, disputed] = reported_amount_cells(transaction.amount.as_ref());
        let [total, _, _, total_disputed] = reported_amount_cells(transaction.total_amount.as_ref());
        let [fee, _, _, fee_disputed] = reported_amount_cells(transaction.total_fee.as_ref());
        "id" => Some(transaction.id.to_string()),
        "direction" => Some(Direction::word(&transaction.direction).to_owned()),
        "type" => transaction.sub_type.as_ref().map(|kind| SubType::word(kind).to_owned()),
        "status" => transaction.status.as_ref().map(|status| Status::word(status).to_owned()),
        "confirmed" => optional_cell(transaction.confirmed.as_ref()),
        "confirmations" => optional_cell(transaction.confirmation.as_ref()),
        "created_at" => optional_cell(transaction.created_at.as_ref()),
        "confirmed_at" => optional_cell(transaction.confirmed_at.as_ref()),
        "first_seen_at" => Some(row.seen_at.to_string()),
        "blockchain" => Some(transaction.token.blockchain.to_string()),
        "network" => optional_cell(transaction.network.as_ref()),
        "environment" => optional_cell(transaction.environment.as_ref()),
        "protocol" => optional_cell(transaction.protocol.as_ref()),
        "token" => Some(transaction.symbol.to_string()),
        "token_name" => optional_cell(transaction.token_name.as_ref()),
        "contract" => optional_cell(transaction.token.contract.as_ref()),
        "standard" => optional_cell(transaction.standard.as_ref()),
        "imitates_a_token" => Some(row.suspicious.to_string()),
        "amount" => amount,
        "amount_raw" => raw,
        "decimals" => decimals,
        "amount_disputed_by" => disputed,
        "total_amount" => total,
        "fee" => fee,
        "fee_token" => optional_cell(transaction.fee_token.as_ref()),
        "fee_level" => optional_cell(transaction.fee_level.as_ref()),
        "from" => optional_cell(transaction.from_address.as_ref()),
        "to" => optional_cell(transaction.to_address.as_ref()),
        "tx_hash" => optional_cell(transaction.tx_hash.as_ref()),
        "is_batch" => optional_cell(transaction.is_batch.as_ref()),
        "ref_id" => optional_cell(transaction.ref_id.as_ref()),
        "idempotency_key" => optional_cell(transaction.idempotency_key.as_ref()),
        "note" => optional_cell(transaction.note.as_ref()),
        "set_off_by" => optional_cell(transaction.trigger_origin.as_ref()),
        "group" => optional_cell(transaction.group.as_ref()),
        "wallet" => optional_cell(transaction.wallet.as_ref()),
        "wallet_name" => optional_cell(wallet_name.or(row.wallet_name.as_ref())),
        "account" => optional_cell(transaction.account.as_ref()),
        "user" => optional_cell(transaction.user.as_ref()),
        // Fields that the service may omit.
        "total_amount_disputed_by" => total_disputed,
        "fee_disputed_by" => fee_disputed,
        "final" => Some(transaction.is_final(final_words).to_string()),
        "internal" => Some(row.internal.to_string()),
        "counterparty_name" => optional_cell(party.map(|party| &party.name)),
        "account_name" => optional_cell(transaction.account.as_ref().and_then(|account| names.account_name(account))),
        "user_name" => optional_cell(transaction.user.as_ref().and_then(|user| names.user_name(user))),
    }
}

/// An amount in four cells: value, smallest units, fraction digits, and the service's contradicting value.
pub fn reported_amount_cells(reported: Option<&ReportedAmount>) -> [Cell; 4] {
    let Some(reported) = reported else { return [None, None, None, None] };
    let amount = reported.even_if_disputed();
    let disputed = match reported {
        ReportedAmount::Exact(_) => None,
        ReportedAmount::Disputed { formatted, .. } => Some(formatted.to_string()),
    };
    [Some(amount.to_string()), Some(amount.raw().to_string()), Some(amount.decimals().to_string()), disputed]
}
