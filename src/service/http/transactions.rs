//! `/v2/transactions` and below.

use super::query::QueryParameters;
use super::request::{ChangeRequest, HandlerResult, ReadRequest};
use crate::domain::Direction;
use crate::service::ledger::{Ledger, NewBatch, NewWithdrawal, TransactionFilter};

pub(super) async fn withdraw(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let key = fields.required_uuid("idempotencyKey");
    let withdrawal = NewWithdrawal {
        wallet: fields.required_uuid("walletId"),
        token: fields.required_text("token"),
        blockchain: fields.required_text("blockchain"),
        address: fields.required_text("withdrawalAddress"),
        amount: fields.required_text("amount"),
        ref_id: fields.text("refId"),
        note: fields.text("note"),
        key: Some(key),
    };
    // No resource returns the metadata; it counts when two requests under one key are compared.
    fields.require_object("metadata");
    request.execute_once(key, move |books| books.withdraw(&withdrawal)).await
}

const MAX_BATCH_RECIPIENTS: usize = 500;

pub(super) async fn withdraw_batch(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let key = fields.required_uuid("idempotencyKey");
    let batch = NewBatch {
        wallet: fields.required_uuid("walletId"),
        token: fields.required_text("token"),
        blockchain: fields.required_text("blockchain"),
        to: fields.required_objects("to", MAX_BATCH_RECIPIENTS, |to| {
            (to.required_text("address"), to.required_text("amount"))
        }),
        ref_id: fields.text("refId"),
        note: fields.text("note"),
        queue: fields.flag("queue").unwrap_or(false),
        key: Some(key),
    };
    fields.require_object("metadata");
    request.execute_once(key, move |books| books.withdraw_batch(&batch)).await
}

pub(super) async fn list(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let listing = TransactionFilter {
        direction: read_direction(query),
        user: query.identifier("userId"),
        wallet: query.identifier("walletId"),
        account: query.identifier("accountId"),
        paging: query.paging(),
    };
    // Pages with pending rows are not cached: confirmations count up with time.
    let read = move |ledger: &Ledger, workspace_number, now| ledger.transactions(workspace_number, &listing, now);
    request.respond_page_cached_if(read, |row| row.status != "pending").await
}

/// `txType`; both directions if absent.
fn read_direction(query: &mut QueryParameters) -> Option<Direction> {
    let word = query.optional_choice("txType", &["incoming", "outgoing"])?;
    Some(if word == "incoming" { Direction::Incoming } else { Direction::Outgoing })
}
