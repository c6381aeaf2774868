//! Withdrawals of v1: from a sub-wallet or the Prime Wallet, whichever of its wallets can pay.

use rusqlite::params;
use uuid::Uuid;

use super::owners::WalletOwner;
use super::records;
use crate::domain::{Amount, memo};
use crate::service::ledger::legs::PaymentReferences;
use crate::service::ledger::projection::ReadContext;
use crate::service::ledger::render::v1;
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::unit_of_work::UnitOfWork;
use crate::service::ledger::withdrawals::parse_amount;

#[derive(Debug, Clone)]
pub struct NewV1Withdrawal {
    /// A sub-wallet or the Prime Wallet.
    pub sub_wallet: Uuid,
    /// Symbol of a listed token.
    pub coin: String,
    /// Slug, name, or slug and network.
    pub chain: String,
    /// The recipient, as received.
    pub address: String,
    /// What the recipient gets, as received.
    pub amount: String,
    /// The business's own reference, unique per payment.
    pub client_tx_id: Option<String>,
    /// The highest fee that the caller accepts, as received.
    pub fee: Option<String>,
    /// Memo or tag, stored with the payment.
    pub memo: Option<String>,
}

impl UnitOfWork<'_> {
    /// Accepts a withdrawal. It has no idempotency key: a second use of a `clientTxId` is rejected instead.
    pub fn withdraw_v1(&mut self, new: &NewV1Withdrawal) -> Result<v1::Movement, RequestError> {
        let workspace_number = self.workspace.number;
        let owner = WalletOwner::find(self.connection, workspace_number, new.sub_wallet)?;
        let token = self.find_token_of_coin(&new.coin, &new.chain)?;
        let mut problems = Vec::new();
        let address = self.parse_address(token.chain, "withdrawalAddress", &new.address, &mut problems);
        let amount = parse_amount(token.decimals, "amount", &new.amount, &mut problems);
        if let Some(Err(fault)) = new.memo.as_deref().map(|memo| memo::check_memo(Some(token.chain.family), memo)) {
            problems.push(format!("memo: {fault}"));
        }
        let most = new.fee.as_deref().map(|fee| Amount::parse(fee, token.decimals)).transpose();
        let most = most.unwrap_or_else(|error| {
            problems.push(format!("fee: {error}"));
            None
        });
        if !problems.is_empty() {
            return Err(RequestError::Unprocessable(problems));
        }
        self.refuse_used_client_tx_id(new.client_tx_id.as_deref())?;
        let wallet = self.find_paying_wallet(owner, &token, amount)?;
        wallet.refuse_self_payment(&address)?;
        let fee = wallet.withdrawal_fee(&token);
        if most.is_some_and(|most| fee > most.raw()) {
            let fee_text = Amount::new(fee, token.decimals).map(|fee| fee.to_string()).unwrap_or_default();
            return Err(RequestError::bad_request(format!("fee: the withdrawal costs {fee_text} {}", token.symbol)));
        }
        let references =
            PaymentReferences { ref_id: new.client_tx_id.as_deref(), note: None, key: None, tag: new.memo.as_deref() };
        let row = self.insert_payment(&wallet, &token, &address, amount, &references)?;
        if let Some(id) = &new.client_tx_id {
            self.connection
                .prepare_cached("INSERT INTO client_tx_ids (workspace, id, row) VALUES (?1, ?2, ?3)")?
                .execute(params![workspace_number.to_i64(), id, row])?;
        }
        let context = ReadContext { workspace: &self.workspace, now: self.now, pace: self.simulation_settings.pace };
        records::load_movement(self.connection, context, row)
    }

    fn refuse_used_client_tx_id(&self, client_tx_id: Option<&str>) -> Result<(), RequestError> {
        let Some(id) = client_tx_id else { return Ok(()) };
        let used: bool = self
            .connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM client_tx_ids WHERE workspace = ?1 AND id = ?2)")?
            .query_row(params![self.workspace.number.to_i64(), id], |row| row.get(0))?;
        if used {
            return Err(RequestError::bad_request(
                "clientTxId was used before; nothing was executed, and the withdrawal under it stands in the history",
            ));
        }
        Ok(())
    }
}
