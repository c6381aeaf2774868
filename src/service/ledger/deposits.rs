//! Deposits: payments from outside, and from other wallets of this service.

use super::asks::NewDeposit;
use super::books::{Books, Ids};
use super::refusal::Refusal;
use super::render;
use super::rows::{NewRow, Way};
use super::wallets::{self, Purse};
use super::{history, tokens};
use crate::domain::{Address, Chain, Timestamp};
use crate::service::chain;

impl Books<'_> {
    /// A payment from outside appears on the chain. It is credited when the chain has confirmed it.
    pub fn deposit(&mut self, new: &NewDeposit) -> Result<render::Transaction, Refusal> {
        let wallet = wallets::find(self.connection, self.workspace.tenant, new.wallet)?;
        let no = self.receive(&wallet, new)?;
        history::load(self, no)
    }

    pub(super) fn receive(&mut self, wallet: &Purse, new: &NewDeposit) -> Result<i64, Refusal> {
        let from = Address::check(wallet.chain.family, &new.from)
            .map_err(|error| Refusal::malformed(format!("fromAddress: {error}")))?
            .canonical();
        let token = tokens::of_deposit(self.connection, wallet.chain, &new.token)?;
        if new.raw > self.room(token.no)? {
            return Err(Refusal::malformed("amount: the balance would be larger than any token can hold"));
        }
        let id = self.new_id();
        let due = self.due(wallet.chain, id)?;
        let party = self.party(&from)?;
        self.add(&NewRow {
            id,
            way: Way::In,
            wallet: wallet.no,
            token: token.no,
            amount: new.raw,
            fee: ruint::aliases::U256::ZERO,
            party,
            due,
            hash_of: None,
            ref_id: None,
            key: None,
            note: None,
        })
    }

    /// The other end of a payment within this service: a row of the recipient's workspace, with the same hash, that
    /// settles when the sender's does.
    pub(super) fn arrive(&mut self, recipient: &Purse, sender: &str, sent: &NewRow<'_>) -> Result<(), Refusal> {
        if recipient.tenant == self.workspace.tenant {
            return self.add_arrival(recipient, sender, sent);
        }
        let mut theirs = Books::open(self.connection, recipient.tenant, self.now, Ids::Os, self.pace)?;
        theirs.add_arrival(recipient, sender, sent)?;
        theirs.close()
    }

    fn add_arrival(&mut self, recipient: &Purse, sender: &str, sent: &NewRow<'_>) -> Result<(), Refusal> {
        let id = self.new_id();
        let party = self.party(sender)?;
        self.add(&NewRow {
            id,
            way: Way::In,
            wallet: recipient.no,
            fee: ruint::aliases::U256::ZERO,
            party,
            hash_of: Some(sent.id),
            ref_id: None,
            key: None,
            note: None,
            ..*sent
        })?;
        Ok(())
    }

    /// When a transaction that starts now settles.
    pub(super) fn due(&self, chain: &Chain, transaction: uuid::Uuid) -> Result<Timestamp, Refusal> {
        let rules =
            chain::rules(chain).ok_or_else(|| Refusal::Broken("a wallet is on a chain without rules".into()))?;
        Ok(rules.nth_block_after(self.now, rules.fate(transaction).blocks, self.pace))
    }
}
