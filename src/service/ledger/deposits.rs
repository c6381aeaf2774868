//! Deposits: payments from outside, and from other wallets of this service.

use ruint::aliases::U256;
use uuid::Uuid;

use super::asks::NewDeposit;
use super::books::{Books, Ids};
use super::entries::Movement;
use super::refusal::Refusal;
use super::render;
use super::rows::{NewRow, Stage, Way};
use super::tokens::Known;
use super::wallets::{self, Purse};
use super::{history, tokens};
use crate::domain::{Address, Chain, Timestamp};
use crate::service::chain;

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

    /// Writes down a payment from outside, from an address in its canonical form, and gives its row.
    pub(in crate::service) fn receive(
        &mut self,
        wallet: &Purse,
        token: &Known,
        raw: U256,
        from: &str,
    ) -> Result<i64, Refusal> {
        if raw > self.room(token.no)? {
            return Err(Refusal::malformed("amount: the balance would be larger than any token can hold"));
        }
        let id = self.new_id();
        self.come_in(wallet, token, raw, from, (id, None))
    }

    /// Like [`Books::receive`], but of a payment that the chain does not drop.
    pub(in crate::service) fn receive_surely(
        &mut self,
        wallet: &Purse,
        token: &Known,
        raw: U256,
        from: &str,
    ) -> Result<i64, Refusal> {
        let rules = chain::rules(wallet.chain).ok_or_else(without_rules)?;
        let mut id = self.new_id();
        while !rules.fate(id).succeeds {
            id = self.new_id();
        }
        self.come_in(wallet, token, raw, from, (id, None))
    }

    /// The other end of a payment within this service: a row of the recipient's workspace, with the same hash, that
    /// settles when the sender's does.
    pub(super) fn arrive(
        &mut self,
        recipient: &Purse,
        token: &Known,
        raw: U256,
        sender: &str,
        sent: Uuid,
    ) -> Result<(), Refusal> {
        if recipient.tenant == self.workspace.tenant {
            let id = self.new_id();
            self.come_in(recipient, token, raw, sender, (id, Some(sent)))?;
            return Ok(());
        }
        let mut theirs = Books::open(self.connection, recipient.tenant, self.now, Ids::Os, self.pace)?;
        let id = theirs.new_id();
        theirs.come_in(recipient, token, raw, sender, (id, Some(sent)))?;
        theirs.close()
    }

    fn come_in(
        &mut self,
        wallet: &Purse,
        token: &Known,
        amount: U256,
        from: &str,
        (id, hash_of): (Uuid, Option<Uuid>),
    ) -> Result<i64, Refusal> {
        let (due, stage) = self.course(token.chain, hash_of.unwrap_or(id))?;
        let party = self.party(from)?;
        let (wallet, token) = (wallet.no, token.no);
        let row = self.add(&NewRow {
            id,
            way: Way::In,
            stage,
            wallet,
            token,
            amount,
            fee: U256::ZERO,
            party,
            due,
            hash_of,
            ref_id: None,
            key: None,
            note: None,
        })?;
        if stage == Stage::Success {
            self.succeed(Way::In, &Movement { row, wallet, token, amount, fee: U256::ZERO })?;
        }
        Ok(row)
    }

    /// When a transaction that starts now settles, and how far it is at once: pending, unless that lies in the past of
    /// sample data.
    pub(super) fn course(&self, chain: &Chain, on_chain: Uuid) -> Result<(Timestamp, Stage), Refusal> {
        let rules = chain::rules(chain).ok_or_else(without_rules)?;
        let fate = rules.fate(on_chain);
        let due = rules.nth_block_after(self.now, fate.blocks, self.pace);
        let stage = match self.settled_until {
            Some(present) if due <= present && fate.succeeds => Stage::Success,
            Some(present) if due <= present => Stage::Failed,
            _ => Stage::Pending,
        };
        Ok((due, stage))
    }
}

fn without_rules() -> Refusal {
    Refusal::Broken("a wallet is on a chain without rules".into())
}
