use super::request::{ChangeRequest, HandlerResult, ReadRequest};
use crate::service::ledger::{NewWallet, WalletPatch};

pub(super) async fn create(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let key = fields.required_uuid("idempotencyKey");
    let wallet = NewWallet {
        account: fields.required_uuid("accountId"),
        user: fields.identifier("userId"),
        blockchain: fields.required_text("blockchain"),
        name: fields.text("name"),
        ref_id: fields.text("refId"),
        auto_sweep: fields.flag("autoSweep").unwrap_or(false),
    };
    request.execute_once(key, move |books| books.create_wallet(&wallet)).await
}

/// `PATCH /v2/wallets`. The specification has no idempotency key for it; the change is idempotent by itself.
pub(super) async fn change(mut request: ChangeRequest) -> HandlerResult {
    let fields = &mut request.fields;
    let patch = WalletPatch {
        wallet: fields.required_uuid("walletId"),
        user: fields.identifier("userId"),
        name: fields.text("name"),
        is_active: fields.flag("isActive"),
        auto_sweep: fields.flag("autoSweep"),
    };
    request.execute(move |books| books.patch_wallet(&patch)).await
}

/// `GET /v2/wallets`, if lists are enabled.
pub(super) async fn list(mut request: ReadRequest) -> HandlerResult {
    let paging = request.query.paging();
    request.respond_page(move |ledger, workspace_number, _| ledger.wallets(workspace_number, paging)).await
}
