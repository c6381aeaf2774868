use ruint::aliases::U256;
use uuid::Uuid;

use super::commands::NewDeposit;
use super::legs::IncomingLeg;
use super::render;
use super::request_error::RequestError;
use super::rows::SubType;
use super::tokens::ChainToken;
use super::unit_of_work::UnitOfWork;
use super::wallets::{self, LedgerWallet};
use super::{history, tokens};
use crate::domain::Address;

impl UnitOfWork<'_> {
    /// Records a payment from outside. It is credited when the chain has confirmed it.
    pub fn deposit(&mut self, new: &NewDeposit) -> Result<render::Transaction, RequestError> {
        let wallet = wallets::find_wallet(self.connection, self.workspace.number, new.wallet)?;
        let from = Address::parse(wallet.chain.family, &new.from)
            .map_err(|error| RequestError::unprocessable(format!("fromAddress: {error}")))?
            .canonical();
        let token = tokens::ensure_deposit_token(self.connection, wallet.chain, &new.token)?;
        let no = self.receive_payment(&wallet, &token, new.raw, &from)?;
        history::load_transaction(self, no)
    }

    /// Rejects a credit that would exceed 2^256 − 1.
    pub(super) fn refuse_overflow(&mut self, token: &ChainToken, raw: U256) -> Result<(), RequestError> {
        if raw > self.remaining_capacity(token.no)? {
            return Err(RequestError::unprocessable("amount: the balance would be larger than any token can hold"));
        }
        Ok(())
    }

    /// Records a payment from outside, from a canonical address, and returns its row.
    pub(in crate::service) fn receive_payment(
        &mut self,
        wallet: &LedgerWallet,
        token: &ChainToken,
        raw: U256,
        from: &str,
    ) -> Result<i64, RequestError> {
        self.refuse_overflow(token, raw)?;
        let id = self.new_id();
        self.insert_received_payment(wallet, token, raw, from, id)
    }

    /// Like [`UnitOfWork::receive_payment`], but the chain never drops the payment.
    pub(in crate::service) fn receive_payment_that_succeeds(
        &mut self,
        wallet: &LedgerWallet,
        token: &ChainToken,
        raw: U256,
        from: &str,
    ) -> Result<i64, RequestError> {
        let id = self.draw_id_with_outcome(wallet.chain, true)?;
        self.insert_received_payment(wallet, token, raw, from, id)
    }

    fn insert_received_payment(
        &mut self,
        wallet: &LedgerWallet,
        token: &ChainToken,
        amount: U256,
        from: &str,
        id: Uuid,
    ) -> Result<i64, RequestError> {
        let settlement = self.settlement_plan(token.chain, id)?;
        let (sub_type, hash_of, group) = (SubType::Deposit, None, None);
        self.insert_incoming(&IncomingLeg { id, hash_of, sub_type, wallet, token, amount, from, settlement, group })
    }
}
