//! Wallets. The specification has no operation that lists them; this one is tried where a service has it.

use crate::api::Reader;
use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::domain::history::Page;
use crate::domain::{AccountId, Failure, State, UserId, Wallet, WalletId};

impl Reader {
    /// A page of the optional list of wallets, counted from 1.
    pub async fn fetch_wallets(&self, page_no: u64, limit: u64) -> Result<Page<Wallet>, Failure> {
        let body = self.get_page(&self.wire_names.list_wallets, &[], page_no, limit).await?;
        Payload::parse(&body)?.page(parse_wallet)
    }
}

/// `None` without an identifier.
pub(in crate::api) fn parse_wallet(fields: &Fields<'_>) -> Option<Wallet> {
    Some(Wallet {
        id: fields.id("id", WalletId::from_text)?,
        name: fields.text("name"),
        address: fields.text("address"),
        blockchain: fields.text("blockchain").unwrap_or_default(),
        protocol: fields.text("protocol"),
        network: fields.text("network"),
        is_evm_compatible: fields.flag("isEvmCompatible"),
        kind: fields.text("type"),
        intent: fields.text("intent"),
        custody_type: fields.text("custodyType"),
        decimals: fields.decimals("decimals"),
        state: fields.open_enum("state", State::from_word),
        gasless_withdraw: fields.flag("gaslessWithdraw"),
        auto_sweep: fields.flag("autoSweep"),
        user: fields.id("userId", UserId::from_text),
        account: fields.id("accountId", AccountId::from_text),
        ref_id: fields.text("refId"),
        created_at: fields.time("createdAt"),
        updated_at: fields.time("updatedAt"),
    })
}
