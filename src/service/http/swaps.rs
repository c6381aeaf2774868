use super::request::{ChangeRequest, HandlerResult};
use crate::service::ledger::NewSwap;

/// `POST /v2/swap`. The specification shows neither request nor response.
pub(super) async fn create(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let key = fields.required_uuid("idempotencyKey");
    let swap = NewSwap {
        wallet: fields.required_uuid("walletId"),
        blockchain: fields.required_text("blockchain"),
        from: fields.required_text("fromCoin"),
        amount: fields.required_text("fromAmount"),
        to: fields.required_text("toCoin"),
        ref_id: fields.text("refId"),
        note: fields.text("note"),
        key: Some(key),
    };
    request.execute_once(key, move |books| books.swap(&swap)).await
}
