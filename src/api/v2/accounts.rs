//! Accounts. The specification has no operation that lists them; this one is tried where a service has it.

use crate::api::Reader;
use crate::api::envelope::Payload;
use crate::api::fields::Fields;
use crate::domain::history::Page;
use crate::domain::wallet::State;
use crate::domain::{Account, AccountAddress, AccountId, AccountType, Failure};

impl Reader {
    /// A page of the optional list of accounts, counted from 1.
    pub async fn fetch_accounts(&self, page_no: u64, limit: u64) -> Result<Page<Account>, Failure> {
        let body = self.get_page(&self.wire_names.list_accounts, &[], page_no, limit).await?;
        Payload::parse(&body)?.page(parse_account)
    }
}

/// `None` without an identifier.
pub(in crate::api) fn parse_account(fields: &Fields<'_>) -> Option<Account> {
    Some(Account {
        id: fields.id("id", AccountId::from_text)?,
        name: fields.text("name"),
        kind: fields.open_enum("type", AccountType::from_word),
        state: fields.open_enum("state", State::from_word),
        network: fields.text("network"),
        evm_details: parse_address_details(fields, "evmDetails"),
        solana_details: parse_address_details(fields, "solanaDetails"),
        created_at: fields.time("createdAt"),
        updated_at: fields.time("updatedAt"),
    })
}

fn parse_address_details(fields: &Fields<'_>, name: &str) -> Option<AccountAddress> {
    let details = fields.object(name)?;
    Some(AccountAddress { address: details.text("address"), ref_id: details.text("refId") })
}
