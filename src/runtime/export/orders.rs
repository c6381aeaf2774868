//! The columns of an order, and of a journal record.

mod attempt_cells;
mod batch;
mod request_cells;
#[cfg(test)]
mod tests;

use sha2::{Digest, Sha256};

use super::table::{Cell, multi_line_cell, optional_cell};
use crate::domain::order::{EventStamp, OrderEnd, OrderState};
use crate::domain::{Order, Timestamp};
use crate::journal::Record;
use request_cells::request_cells;

use attempt_cells::{history_cells, sending_cells};
pub use batch::recipient_rows;

pub const RECORD_COLUMNS: [&str; 12] =
    ["record", "at", "user", "host", "run", "profile", "environment", "order", "kind", "body", "prev_hash", "hash"];

/// The cells of a record. The body is the text covered by its hash.
pub fn record_cells(record: &Record) -> [Cell; RECORD_COLUMNS.len()] {
    [
        Some(record.seq.to_string()),
        Some(record.at.to_string()),
        Some(record.by.user.to_string()),
        Some(record.by.host.to_string()),
        Some(record.by.run.to_string()),
        Some(record.profile.to_string()),
        optional_cell(record.environment.as_ref()),
        optional_cell(record.order.as_ref()),
        Some(record.kind.clone()),
        Some(record.body.clone()),
        Some(hex::encode(record.prev_hash)),
        Some(hex::encode(record.hash)),
    ]
}

pub const ORDER_COLUMNS: [&str; 75] = [
    "order",
    "operation",
    "state",
    "profile",
    "environment",
    "base_url",
    "key_mark",
    "drafted_at",
    "drafted_by",
    "drafted_on",
    "drafted_in_run",
    // The payment.
    "wallet",
    "wallet_name",
    "wallet_address",
    "account",
    "user",
    "blockchain",
    "token",
    "contract",
    "amount",
    "amount_raw",
    "decimals",
    "to",
    "ref_id",
    "note",
    "memo",
    "fee_at_most",
    // Created entries.
    "name",
    "email",
    "auto_sweep",
    // The request.
    "method",
    "path",
    "idempotency_key",
    "request",
    "request_sha256",
    "newest_known",
    // The confirmation.
    "confirmed_at",
    "confirmed_by",
    "confirmed_on",
    "typed",
    "findings",
    // Sending.
    "attempts",
    "sent_because",
    "first_sent_at",
    "last_sent_at",
    "gives_up_at",
    "outcome",
    "http_status",
    "said",
    "answered_at",
    "answer",
    "differences",
    // Reported by the service.
    "made",
    "transaction",
    "transaction_status",
    "transaction_confirmed",
    "transaction_confirmed_at",
    "confirmations",
    "tx_hash",
    "reads",
    "last_read_told_at",
    // The end.
    "ended_at",
    "ended_by",
    "written_off_because",
    // One recipient of a batch, which has a row for each.
    "recipient",
    "label",
    "recipient_status",
    "batch_file",
    "batch_file_sha256",
    "bought",
    "quoted",
    "quoted_at",
    "bound",
    "received",
    "swap_group",
];

pub fn order_cells(intent: &Order, now: Timestamp) -> Vec<Cell> {
    let drafted = &intent.drafted;
    let to = &drafted.destination;
    let mut cells = vec![
        Some(intent.id.to_string()),
        Some(drafted.draft.operation().journal_name().to_owned()),
        Some(state_text(intent.state(now)).to_owned()),
        Some(to.profile.to_string()),
        optional_cell(to.environment.as_ref()),
        Some(to.base_url.to_string()),
        Some(to.key_mark.to_string()),
    ];
    cells.extend(stamp_cells(Some(&intent.created)));
    cells.push(Some(intent.created.by.run.to_string()));
    cells.extend(request_cells(intent));
    let request = &drafted.request;
    cells.extend([
        Some(request.method.clone()),
        Some(request.path.clone()),
        optional_cell(request.key.as_ref()),
        Some(request.body.clone()),
        Some(hex::encode(Sha256::digest(request.body.as_bytes()))),
        multi_line_cell(drafted.newest.iter()),
    ]);
    cells.extend(stamp_cells(intent.confirmed.as_ref().map(|(stamp, _)| stamp)));
    let confirmation = intent.confirmed.as_ref().map(|(_, confirmation)| confirmation);
    cells.push(confirmation.and_then(|confirmation| multi_line_cell(confirmation.typed.iter())));
    cells.push(confirmation.and_then(|confirmation| multi_line_cell(confirmation.findings.iter())));
    cells.extend(sending_cells(intent));
    cells.extend(history_cells(intent));
    let end = intent.end.as_ref();
    cells.extend([
        optional_cell(end.map(|(stamp, _)| stamp.at).as_ref()),
        optional_cell(end.map(|(stamp, _)| &stamp.by.user)),
        end.and_then(|(_, end)| if let OrderEnd::WrittenOff(reason) = end { Some(reason.to_string()) } else { None }),
    ]);
    cells.extend([const { None }; 5]);
    cells.extend(swap_cells(intent));
    cells
}

/// The cells from `bought` to `swap_group`.
fn swap_cells(intent: &Order) -> [Cell; 6] {
    let (agreed, seen) = (intent.confirmed_quote(), intent.last_observed());
    [
        optional_cell(intent.drafted.draft.exchange().map(|exchange| exchange.to)),
        optional_cell(agreed.map(|agreed| agreed.amount).as_ref()),
        optional_cell(agreed.map(|agreed| agreed.at).as_ref()),
        agreed.map(|agreed| agreed.slippage.format_percent()),
        optional_cell(intent.proceeds().map(|received| received.amount).as_ref()),
        optional_cell(seen.and_then(|seen| seen.swap.as_ref()?.group.as_ref())),
    ]
}

fn stamp_cells(stamp: Option<&EventStamp>) -> [Cell; 3] {
    [
        optional_cell(stamp.map(|stamp| stamp.at).as_ref()),
        optional_cell(stamp.map(|stamp| &stamp.by.user)),
        optional_cell(stamp.map(|stamp| &stamp.by.host)),
    ]
}

fn state_text(state: OrderState) -> &'static str {
    match state {
        OrderState::Drafted => "drafted",
        OrderState::Confirmed => "confirmed",
        OrderState::Sending => "sending",
        OrderState::NotSent => "not sent",
        OrderState::Unknown => "unknown",
        OrderState::ProbablyRefused => "probably refused",
        OrderState::Refused => "refused",
        OrderState::Accepted => "accepted",
        OrderState::Settled => "settled",
        OrderState::PartlySettled => "partly settled",
        OrderState::Failed => "failed",
        OrderState::Abandoned => "given up",
        OrderState::WrittenOff => "written off",
    }
}
