//! `/v1/instant-swap` and `/v1/swap`.

use crate::service::http::request::{Answer, Changing, Reading};
use crate::service::ledger::{Ledger, NewV1Swap};

/// `GET /v1/instant-swap/quote`.
pub(in crate::service::http) async fn quote(mut request: Reading) -> Answer {
    let query = &mut request.query;
    let (from, amount) = (query.required_text("fromCoin"), query.required_text("fromAmount"));
    let to = query.required_text("toCoin");
    request.answer(move |_, _, now| Ledger::quote(&from, &amount, &to, now)).await
}

/// `POST /v1/instant-swap`. It has no idempotency key: each request swaps.
pub(in crate::service::http) async fn execute(mut request: Changing) -> Answer {
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

/// `GET /v1/swap/pairs`.
pub(in crate::service::http) async fn pairs(mut request: Reading) -> Answer {
    let paging = request.query.paging();
    request.answer_page(move |_, _, _| Ok(Ledger::swap_pairs(paging))).await
}
