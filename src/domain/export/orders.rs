//! The columns of an order.

mod batch;
mod request_cells;
#[cfg(test)]
mod tests;

use sha2::{Digest, Sha256};

use super::cells::{Cell, columns, multi_line_cell, optional_cell};
use crate::domain::address_names::AddressNames;
use crate::domain::order::{OrderEnd, OrderState, SendReason};
use crate::domain::{AccountId, CreatedObject, Order, Outcome, Timestamp, UserId, WalletId};
use request_cells::RequestCells;

pub use batch::recipient_rows;

columns! {
    /// The cells of an order, or of one recipient of it, with what its request states.
    pub fn order_cells(order: &Order, now: Timestamp, cells: RequestCells, names: &AddressNames) -> ORDER_COLUMNS {
        let drafted = &order.drafted;
        let party = cells.to.as_ref().zip(cells.blockchain.as_ref());
        let party = party.and_then(|(to, chain)| names.party(to, chain)).map(|party| &party.name);
        let to_name = optional_cell(party);
        let account = cells.account.as_deref().and_then(|id| names.account_name(&AccountId::from_text(id)));
        let user = cells.user.as_deref().and_then(|id| names.user_name(&UserId::from_text(id)));
        let wallet = cells.wallet.as_deref().and_then(|id| names.wallet_name(&WalletId::from_text(id)));
        let (account_name, user_name) = (optional_cell(account), optional_cell(user));
        let wallet_name = optional_cell(wallet).or(cells.wallet_name);
        let (to, request) = (&drafted.destination, &drafted.request);
        let confirmed = order.confirmed.as_ref().map(|(stamp, _)| stamp);
        let confirmation = order.confirmed.as_ref().map(|(_, confirmation)| confirmation);
        let last = order.attempts.last();
        let answer = order.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref());
        let created = order.attempts.iter().rev().find_map(|attempt| attempt.answer.as_ref()?.1.created.as_ref());
        let observed = order.last_observation();
        let agreed = order.confirmed_quote();
        let end = order.end.as_ref();
        "order" => Some(order.id.to_string()),
        "operation" => Some(drafted.draft.operation().journal_name().to_owned()),
        "state" => Some(state_text(order.state(now)).to_owned()),
        "profile" => Some(to.profile.to_string()),
        "environment" => optional_cell(to.environment.as_ref()),
        "base_url" => Some(to.base_url.to_string()),
        "key_mark" => Some(to.key_mark.to_string()),
        "drafted_at" => Some(order.created.at.to_string()),
        "drafted_by" => Some(order.created.by.user.to_string()),
        "drafted_on" => Some(order.created.by.host.to_string()),
        "drafted_in_run" => Some(order.created.by.run.to_string()),
        // The payment.
        "wallet" => cells.wallet,
        "wallet_name" => wallet_name,
        "wallet_address" => cells.wallet_address,
        "account" => cells.account,
        "user" => cells.user,
        "blockchain" => cells.blockchain,
        "token" => cells.token,
        "contract" => cells.contract,
        "amount" => cells.amount,
        "amount_raw" => cells.amount_raw,
        "decimals" => cells.decimals,
        "to" => cells.to,
        "ref_id" => cells.ref_id,
        "note" => cells.note,
        "memo" => cells.memo,
        "fee_at_most" => cells.fee_at_most,
        // Created entries.
        "name" => cells.name,
        "email" => cells.email,
        "auto_sweep" => cells.auto_sweep,
        // The request.
        "method" => Some(request.method.clone()),
        "path" => Some(request.path.clone()),
        "idempotency_key" => optional_cell(request.key.as_ref()),
        "request" => Some(request.body.clone()),
        "request_sha256" => Some(hex::encode(Sha256::digest(request.body.as_bytes()))),
        "newest_known" => multi_line_cell(drafted.newest.iter()),
        // The confirmation.
        "confirmed_at" => optional_cell(confirmed.map(|stamp| stamp.at).as_ref()),
        "confirmed_by" => optional_cell(confirmed.map(|stamp| &stamp.by.user)),
        "confirmed_on" => optional_cell(confirmed.map(|stamp| &stamp.by.host)),
        "typed" => confirmation.and_then(|confirmation| multi_line_cell(confirmation.typed.iter())),
        "findings" => confirmation.and_then(|confirmation| multi_line_cell(confirmation.findings.iter())),
        // Sending.
        "attempts" => Some(order.attempts.len().to_string()),
        "sent_because" => multi_line_cell(order.attempts.iter().map(|attempt| send_reason_text(attempt.reason))),
        "first_sent_at" => optional_cell(order.first_sent_at().as_ref()),
        "last_sent_at" => optional_cell(last.map(|attempt| attempt.stamp.at).as_ref()),
        "gives_up_at" => optional_cell(last.map(|attempt| attempt.gives_up_at).as_ref()),
        "outcome" => order.outcome().map(|outcome| outcome_text(outcome).to_owned()),
        "http_status" => optional_cell(answer.and_then(|(_, answer)| answer.status).as_ref()),
        "said" => optional_cell(answer.map(|(_, answer)| &answer.message)),
        "answered_at" => optional_cell(answer.map(|(at, _)| at)),
        "answer" => answer.and_then(|(_, answer)| answer.raw.clone()),
        "differences" => multi_line_cell(order.differences().into_iter().chain(order.cost_alarms())),
        // Reported by the service.
        "made" => created.and_then(|object| match object {
                CreatedObject::Transaction(transaction) => optional_cell(transaction.transaction.as_ref()),
                CreatedObject::User(user) => Some(user.id.to_string()),
                CreatedObject::Account(account) => Some(account.id.to_string()),
                CreatedObject::Wallet(wallet) => Some(wallet.id.to_string()),
                CreatedObject::Address(address) => Some(address.address.to_string()),
            }),
        "transaction" => optional_cell(observed.and_then(|observation| observation.transaction.as_ref())),
        "transaction_status" => optional_cell(observed.and_then(|observation| observation.status.as_ref())),
        "transaction_confirmed" => optional_cell(observed.and_then(|observation| observation.confirmed).as_ref()),
        "transaction_confirmed_at" => optional_cell(observed.and_then(|observation| observation.confirmed_at).as_ref()),
        "confirmations" => optional_cell(observed.and_then(|observation| observation.confirmation).as_ref()),
        "tx_hash" => optional_cell(observed.and_then(|observation| observation.tx_hash.as_ref())),
        "reads" => Some(order.lookups.len().to_string()),
        "last_read_told_at" => optional_cell(order.lookups.last().map(|(at, _)| at)),
        // The end.
        "ended_at" => optional_cell(end.map(|(stamp, _)| stamp.at).as_ref()),
        "ended_by" => optional_cell(end.map(|(stamp, _)| &stamp.by.user)),
        "written_off_because" => end.and_then(|(_, end)| match end {
            OrderEnd::WrittenOff(reason) => Some(reason.to_string()),
            OrderEnd::Settled | OrderEnd::Failed | OrderEnd::Abandoned(_) | OrderEnd::PartlySettled => None,
        }),
        // One recipient of a batch, which has a row for each.
        "recipient" => cells.recipient,
        "label" => cells.label,
        "recipient_status" => cells.recipient_status,
        "batch_file" => cells.batch_file,
        "batch_file_sha256" => cells.batch_file_sha256,
        "bought" => optional_cell(order.drafted.draft.exchange().map(|exchange| exchange.to)),
        "quoted" => optional_cell(agreed.map(|agreed| agreed.amount).as_ref()),
        "quoted_at" => optional_cell(agreed.map(|agreed| agreed.at).as_ref()),
        "bound" => agreed.map(|agreed| agreed.slippage.format_percent()),
        "received" => optional_cell(order.proceeds().map(|received| received.amount).as_ref()),
        "swap_group" => optional_cell(observed.and_then(|observation| observation.swap.as_ref()?.group.as_ref())),
        "to_name" => to_name,
        "account_name" => account_name,
        "user_name" => user_name,
        "recipient_reference" => cells.recipient_reference,
        "metadata" => cells.metadata,
        "queue" => cells.queue,
    }
}

fn send_reason_text(reason: SendReason) -> &'static str {
    match reason {
        SendReason::Confirmed => "confirmed",
        SendReason::Retry => "again by itself",
        SendReason::Operator { warned: false } => "again by the operator",
        SendReason::Operator { warned: true } => "again by the operator, warned",
    }
}

fn outcome_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotSent => "not sent",
        Outcome::Accepted => "accepted",
        Outcome::Refused | Outcome::Declined => "refused",
        Outcome::ProbablyRefused { .. } => "probably refused",
        Outcome::Unknown => "unknown",
    }
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
