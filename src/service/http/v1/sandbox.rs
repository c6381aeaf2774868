//! `/v1/sandbox`: simulated activity.

use crate::service::http::fields::BodyFields;
use crate::service::http::request::{ChangeRequest, HandlerResult, ReadRequest};
use crate::service::ledger::{DepositOrigin, NewSandboxDeposit};

pub(in crate::service::http) async fn deposit(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let origin = read_deposit_origin(fields);
    let (coin, amount) = (fields.required_text("coin"), fields.required_text("amount"));
    let chain = fields.required_text("chain");
    let settled = fields.required_choice("status", &["success", "pending"]) == "success";
    let new = NewSandboxDeposit { origin, coin, chain, amount, settled };
    request.execute(move |books| books.sandbox_deposit(&new)).await
}

/// Required fields depend on `destination`.
fn read_deposit_origin(fields: &mut BodyFields) -> DepositOrigin {
    let destination = fields.required_choice("destination", &["on_chain", "internal_transfer"]);
    match destination.as_str() {
        "internal_transfer" => DepositOrigin::Internal {
            from: fields.required_identifier("fromWalletId"),
            to: fields.required_identifier("toWalletId"),
        },
        "on_chain" => {
            DepositOrigin::OnChain { from: fields.required_text("fromAddress"), to: fields.required_text("toAddress") }
        }
        _ => DepositOrigin::OnChain { from: String::new(), to: String::new() },
    }
}

/// `POST /v1/sandbox/wallet/address`. Idempotent: a repeated request returns the same address.
pub(in crate::service::http) async fn create_prime_address(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let (coin, chain) = (fields.required_text("coin"), fields.required_text("chain"));
    request.execute(move |books| books.find_or_create_prime_address(&coin, &chain)).await
}

pub(in crate::service::http) async fn sub_wallet_assets(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let id = query.identifier("subWalletId");
    let (coin, paging) = (query.text("coin"), query.paging());
    request
        .respond_page(move |ledger, workspace_number, _| {
            ledger.assets_of_sub_wallets(workspace_number, id, coin.as_deref(), paging)
        })
        .await
}

pub(in crate::service::http) async fn wallet_assets(mut request: ReadRequest) -> HandlerResult {
    let (coin, paging) = (request.query.text("coin"), request.query.paging());
    request
        .respond_page(move |ledger, workspace_number, _| {
            ledger.assets_of_prime(workspace_number, coin.as_deref(), paging)
        })
        .await
}

pub(in crate::service::http) async fn list_prime_addresses(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let (coin, chain, paging) = (query.text("coin"), query.text("chain"), query.paging());
    request
        .respond_page(move |ledger, workspace_number, _| {
            ledger.addresses_of_prime(workspace_number, (coin.as_deref(), chain.as_deref()), paging)
        })
        .await
}
