use super::request::{HandlerResult, ReadRequest};

/// `GET /v1/blockchains/tokens-with-blockchains`, filtered by symbol and chain.
pub(super) async fn list(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let (token, blockchain, paging) = (query.text("token"), query.text("blockchain"), query.paging());
    request
        .respond_page(move |ledger, workspace_number, _| {
            ledger.listed_tokens(workspace_number, token.as_deref(), blockchain.as_deref(), paging)
        })
        .await
}
