//! `/v1/instant-swap` and `/v1/swap`.

use crate::service::http::request::{ChangeRequest, HandlerResult, ReadRequest};
use crate::service::ledger::{Ledger, NewV1Swap};

pub(in crate::service::http) async fn quote(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let (from, amount) = (query.required_text("fromCoin"), query.required_text("fromAmount"));
    let to = query.required_text("toCoin");
    request.respond(move |_, _, now| Ledger::quote_swap(&from, &amount, &to, now)).await
}

/// `POST /v1/instant-swap`. No idempotency key: each request swaps.
pub(in crate::service::http) async fn execute(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let new = NewV1Swap {
        wallet: fields.required_identifier("walletId"),
        from: fields.required_text("fromCoin"),
        amount: fields.required_text("fromAmount"),
        to: fields.required_text("toCoin"),
        ext_id: fields.text("extId"),
    };
    request.execute(move |books| books.swap_v1(&new)).await
}

pub(in crate::service::http) async fn list_swap_pairs(mut request: ReadRequest) -> HandlerResult {
    let paging = request.query.paging();
    request.respond_page(move |_, _, _| Ok(Ledger::swap_pairs(paging))).await
}
