//! `/v2/accounts`.

use super::request::{Answer, Changing, Reading};

/// `POST /v2/accounts`.
pub(super) async fn create(mut request: Changing) -> Answer {
    let key = request.fields.required_uuid("idempotencyKey");
    let name = request.fields.required_text("name");
    request.execute_once(key, move |books| books.create_account(&name)).await
}

/// `GET /v2/accounts`, with lists.
pub(super) async fn list(mut request: Reading) -> Answer {
    let paging = request.query.paging();
    request.answer_page(move |ledger, tenant, _| ledger.accounts(tenant, paging)).await
}
