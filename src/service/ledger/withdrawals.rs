//! Withdrawals: payments out of a wallet.

use ruint::aliases::U256;
use uuid::Uuid;

use super::asks::NewWithdrawal;
use super::books::Books;
use super::entries::Movement;
use super::refusal::Refusal;
use super::rows::{NewRow, Stage, Way};
use super::tokens::{self, Known};
use super::wallets::{self, Purse};
use super::{history, render};
use crate::domain::{Address, Amount, Chain};
use crate::service::chain;

impl Books<'_> {
    /// Accepts a withdrawal: amount and fee leave what can be spent at once, and come back if it fails.
    pub fn withdraw(&mut self, new: &NewWithdrawal) -> Result<render::Transaction, Refusal> {
        let wallet = wallets::find(self.connection, self.workspace.tenant, new.wallet)?;
        let (token, address, amount) = self.understand(new)?;
        if wallet.chain.slug != token.chain.slug {
            let (has, asked) = (wallet.chain.name, token.chain.name);
            return Err(Refusal::impossible(format!("the wallet is on {has}, not on {asked}")));
        }
        if !wallet.active {
            return Err(Refusal::impossible("the wallet is inactive; activate it first"));
        }
        if address == wallet.address {
            return Err(Refusal::impossible("the wallet cannot pay itself"));
        }
        let words = Words { ref_id: new.ref_id.as_deref(), note: new.note.as_deref(), key: new.key };
        let no = self.pay(&wallet, &token, &address, amount, &words)?;
        history::load(self, no)
    }

    /// Everything that can be wrong with the words of a request is said at once.
    fn understand(&self, new: &NewWithdrawal) -> Result<(Known, String, U256), Refusal> {
        let Some(chain) = chain::find(&new.blockchain) else {
            return Err(Refusal::malformed(tokens::unknown_chain(&new.blockchain)));
        };
        let mut problems = Vec::new();
        let address = match Address::check(chain.family, &new.address) {
            Ok(address) => address.canonical(),
            Err(error) => {
                problems.push(format!("withdrawalAddress: {error}"));
                String::new()
            }
        };
        let Some(token) = tokens::listed(self.connection, chain, &new.token)? else {
            problems.push(not_listed(&new.token, chain));
            return Err(Refusal::Malformed(problems));
        };
        let amount = match Amount::parse(&new.amount, token.decimals) {
            Ok(amount) if amount.is_zero() => {
                problems.push("amount: more than nothing must be sent".into());
                U256::ZERO
            }
            Ok(amount) => amount.raw(),
            Err(error) => {
                problems.push(format!("amount: {error}"));
                U256::ZERO
            }
        };
        if problems.is_empty() { Ok((token, address, amount)) } else { Err(Refusal::Malformed(problems)) }
    }

    /// Accepts a payment to an address in its canonical form, and gives its row.
    pub(in crate::service) fn pay(
        &mut self,
        wallet: &Purse,
        token: &Known,
        address: &str,
        amount: U256,
        words: &Words<'_>,
    ) -> Result<i64, Refusal> {
        let fee = wallet.fee(token);
        let spendable = self.spendable(wallet.no, token.no)?;
        if amount.checked_add(fee).is_none_or(|total| total > spendable) {
            let shown = |raw| Amount::new(raw, token.decimals).map(|amount| amount.to_string()).unwrap_or_default();
            let (has, amount, fee, symbol) = (shown(spendable), shown(amount), shown(fee), &token.symbol);
            return Err(Refusal::impossible(format!(
                "insufficient balance: the wallet has {has} {symbol}, and {amount} and a fee of {fee} are needed"
            )));
        }
        let id = self.new_id();
        let (due, stage) = self.course(token.chain, id)?;
        let party = self.party(address)?;
        let row = self.add(&NewRow {
            id,
            way: Way::Out,
            stage,
            wallet: wallet.no,
            token: token.no,
            amount,
            fee,
            party,
            due,
            hash_of: None,
            ref_id: words.ref_id,
            key: words.key,
            note: words.note,
        })?;
        let moved = Movement { row, wallet: wallet.no, token: token.no, amount, fee };
        self.freeze(&moved)?;
        match stage {
            Stage::Pending => {}
            Stage::Success => self.succeed(Way::Out, &moved)?,
            Stage::Failed => self.fail(Way::Out, &moved)?,
        }
        if let Some(recipient) = wallets::at(self.connection, token.chain, address)? {
            self.arrive(&recipient, token, amount, &wallet.address, id)?;
        }
        Ok(row)
    }
}

/// What the payer says beside a payment.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct Words<'a> {
    /// The business's own reference.
    pub(in crate::service) ref_id: Option<&'a str>,
    /// A note.
    pub(in crate::service) note: Option<&'a str>,
    /// The key under which it was asked for.
    pub(in crate::service) key: Option<Uuid>,
}

fn not_listed(symbol: &str, chain: &Chain) -> String {
    format!("token: {symbol} is not listed on {}", chain.name)
}
