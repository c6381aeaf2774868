use crate::service::http::request::{ChangeRequest, HandlerResult};
use crate::service::ledger::NewV1Withdrawal;

/// `POST /v1/withdraw/create`. No idempotency key: each request pays, unless its `clientTxId` was used before.
pub(in crate::service::http) async fn create(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let new = NewV1Withdrawal {
        sub_wallet: fields.required_identifier("subWalletId"),
        coin: fields.required_text("coin"),
        chain: fields.required_text("chain"),
        address: fields.required_text("withdrawalAddress"),
        amount: fields.required_text("amount"),
        client_tx_id: fields.text("clientTxId"),
        fee: fields.text("fee"),
        memo: fields.text("memo"),
    };
    request.execute(move |books| books.withdraw_v1(&new)).await
}
