//! `/v1/sub-wallet` and below.

use crate::service::http::request::{ChangeRequest, HandlerResult, ReadRequest};
use crate::service::ledger::{DepositFilter, NewSubWallet, TransferFilter};

/// `POST /v1/sub-wallet/create`. No idempotency key: each request creates a sub-wallet.
pub(in crate::service::http) async fn create(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let new = NewSubWallet {
        email: fields.text("email"),
        name: fields.text("name"),
        client_user_id: fields.text("clientUserId"),
        can_trade: fields.flag("canTrade"),
    };
    // A sub-wallet without any of them could not be told apart.
    if new.email.is_none() && new.name.is_none() && new.client_user_id.is_none() && !fields.has_problems() {
        fields.add_problem("one of email, name and clientUserId is required");
    }
    if new.email.as_deref().is_some_and(|email| !email.contains('@')) {
        fields.add_problem("email must be an address for mail");
    }
    request.execute(move |books| books.create_sub_wallet(&new)).await
}

/// `POST /v1/sub-wallet/address`. Idempotent: a repeated request returns the same address.
pub(in crate::service::http) async fn create_address(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let sub_wallet = fields.required_identifier("subWalletId");
    let (coin, chain) = (fields.required_text("coin"), fields.required_text("chain"));
    request.execute(move |books| books.find_or_create_deposit_address(sub_wallet, &coin, &chain)).await
}

pub(in crate::service::http) async fn get_one(mut request: ReadRequest) -> HandlerResult {
    let id = request.query.required_identifier("subWalletId");
    request.respond(move |ledger, workspace_number, _| ledger.sub_wallet(workspace_number, id)).await
}

/// `GET /v1/sub-wallet/list`, if lists are enabled.
pub(in crate::service::http) async fn list(mut request: ReadRequest) -> HandlerResult {
    let paging = request.query.paging();
    request.respond_page(move |ledger, workspace_number, _| ledger.sub_wallets(workspace_number, paging)).await
}

pub(in crate::service::http) async fn assets(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let id = query.required_identifier("subWalletId");
    let (coin, paging) = (query.text("coin"), query.paging());
    request
        .respond_page(move |ledger, workspace_number, _| {
            ledger.assets_of_sub_wallets(workspace_number, Some(id), coin.as_deref(), paging)
        })
        .await
}

pub(in crate::service::http) async fn list_deposits(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let filter = DepositFilter {
        sub_wallet: query.identifier("subWalletId"),
        deposit: query.identifier("depositId"),
        hash: query.text("hash"),
        from_address: query.text("fromAddress"),
        to_address: query.text("toAddress"),
        chain: query.text("chain"),
        coin: query.text("coin"),
    };
    let paging = query.paging();
    request
        .respond_page(move |ledger, workspace_number, now| ledger.deposits(workspace_number, &filter, now, paging))
        .await
}

/// `GET /v1/sub-wallet/deposit?subWalletId=`: the deposits of one sub-wallet.
pub(in crate::service::http) async fn list_deposits_of_sub_wallet(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let sub_wallet = Some(query.required_identifier("subWalletId"));
    let filter = DepositFilter { sub_wallet, coin: query.text("coin"), ..DepositFilter::default() };
    let paging = query.paging();
    request
        .respond_page(move |ledger, workspace_number, now| ledger.deposits(workspace_number, &filter, now, paging))
        .await
}

/// `GET /v1/sub-wallet/withdraw?subWalletId=`: the withdrawals of one sub-wallet.
pub(in crate::service::http) async fn list_withdrawals_of_sub_wallet(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let sub_wallet = query.required_identifier("subWalletId");
    let (coin, paging) = (query.text("coin"), query.paging());
    request
        .respond_page(move |ledger, workspace_number, now| {
            ledger.withdrawals(workspace_number, (sub_wallet, coin.as_deref()), now, paging)
        })
        .await
}

pub(in crate::service::http) async fn list_transfers(mut request: ReadRequest) -> HandlerResult {
    let query = &mut request.query;
    let filter = TransferFilter {
        sub_wallet: query.identifier("subWalletId"),
        transfer: query.identifier("transferId"),
        to_wallet: query.identifier("toWalletId"),
        coin: query.text("coin"),
    };
    let paging = query.paging();
    request
        .respond_page(move |ledger, workspace_number, now| ledger.transfers(workspace_number, &filter, now, paging))
        .await
}
