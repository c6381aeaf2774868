//! Deposits: payments from outside.

use ruint::aliases::U256;
use uuid::Uuid;

use super::asks::NewDeposit;
use super::books::Books;
use super::passages::Coming;
use super::refusal::Refusal;
use super::render;
use super::rows::SubType;
use super::tokens::Known;
use super::wallets::{self, Purse};
use super::{history, tokens};
use crate::domain::Address;

impl Books<'_> {
    /// A payment from outside appears on the chain. It is credited when the chain has confirmed it.
    pub fn deposit(&mut self, new: &NewDeposit) -> Result<render::Transaction, Refusal> {
        let wallet = wallets::find(self.connection, self.workspace.tenant, new.wallet)?;
        let from = Address::check(wallet.chain.family, &new.from)
            .map_err(|error| Refusal::malformed(format!("fromAddress: {error}")))?
            .canonical();
        let token = tokens::of_deposit(self.connection, wallet.chain, &new.token)?;
        let no = self.receive(&wallet, &token, new.raw, &from)?;
        history::load(self, no)
    }

    /// Refuses a credit that would pass 2^256 − 1.
    pub(super) fn refuse_overflow(&mut self, token: &Known, raw: U256) -> Result<(), Refusal> {
        if raw > self.room(token.no)? {
            return Err(Refusal::malformed("amount: the balance would be larger than any token can hold"));
        }
        Ok(())
    }

    /// Writes down a payment from outside, from an address in its canonical form, and gives its row.
    pub(in crate::service) fn receive(
        &mut self,
        wallet: &Purse,
        token: &Known,
        raw: U256,
        from: &str,
    ) -> Result<i64, Refusal> {
        self.refuse_overflow(token, raw)?;
        let id = self.new_id();
        self.appear(wallet, token, raw, from, id)
    }

    /// Like [`Books::receive`], but of a payment that the chain does not drop.
    pub(in crate::service) fn receive_surely(
        &mut self,
        wallet: &Purse,
        token: &Known,
        raw: U256,
        from: &str,
    ) -> Result<i64, Refusal> {
        let id = self.id_with_fate(wallet.chain, true)?;
        self.appear(wallet, token, raw, from, id)
    }

    fn appear(&mut self, wallet: &Purse, token: &Known, amount: U256, from: &str, id: Uuid) -> Result<i64, Refusal> {
        let course = self.course(token.chain, id)?;
        let (sub_type, hash_of, group) = (SubType::Deposit, None, None);
        self.come_in(&Coming { id, hash_of, sub_type, wallet, token, amount, from, course, group })
    }
}
