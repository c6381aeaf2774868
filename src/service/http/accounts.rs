use super::request::{ChangeRequest, HandlerResult, ReadRequest};

pub(super) async fn create(mut request: ChangeRequest) -> HandlerResult {
    let key = request.fields.required_uuid("idempotencyKey");
    let name = request.fields.required_text("name");
    request.execute_once(key, move |books| books.create_account(&name)).await
}

/// `GET /v2/accounts`, if lists are enabled.
pub(super) async fn list(mut request: ReadRequest) -> HandlerResult {
    let paging = request.query.paging();
    request
        .respond_page(move |ledger, workspace_number, _| ledger.accounts_of_workspace(workspace_number, paging))
        .await
}
