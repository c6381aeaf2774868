use ruint::aliases::U256;

use super::commands::NewWithdrawal;
use super::legs::{OutgoingLeg, PaymentReferences};
use super::request_error::RequestError;
use super::rows::SubType;
use super::tokens::{self, ChainToken};
use super::unit_of_work::UnitOfWork;
use super::wallets::{self, LedgerWallet};
use super::{history, render};
use crate::domain::address::recognise_address_kind;
use crate::domain::{Address, Amount, Chain};
use crate::service::chain;

impl UnitOfWork<'_> {
    /// Accepts a withdrawal: amount and fee leave the spendable balance, and return if it fails.
    pub fn withdraw(&mut self, new: &NewWithdrawal) -> Result<render::Transaction, RequestError> {
        let wallet = wallets::find_wallet(self.connection, self.workspace.number, new.wallet)?;
        let (token, address, amount) = self.validate_withdrawal(new)?;
        wallet.require_active_on_chain(token.chain)?;
        wallet.refuse_self_payment(&address)?;
        let references =
            PaymentReferences { ref_id: new.ref_id.as_deref(), note: new.note.as_deref(), key: new.key, tag: None };
        let no = self.insert_payment(&wallet, &token, &address, amount, &references)?;
        history::load_transaction(self, no)
    }

    /// Validates a request and reports all problems at once.
    fn validate_withdrawal(&self, new: &NewWithdrawal) -> Result<(ChainToken, String, U256), RequestError> {
        let chain = chain::find_chain(&new.blockchain);
        let chain = chain.ok_or_else(|| RequestError::unprocessable(tokens::unknown_chain_message(&new.blockchain)))?;
        let mut problems = Vec::new();
        let address = self.parse_address(chain, "withdrawalAddress", &new.address, &mut problems);
        let Some(token) = tokens::find_listed_token_by_symbol(self.connection, chain, &new.token)? else {
            problems.push(not_listed_message("token", &new.token, chain));
            return Err(RequestError::Unprocessable(problems));
        };
        let amount = parse_amount(token.decimals, "amount", &new.amount, &mut problems);
        if problems.is_empty() { Ok((token, address, amount)) } else { Err(RequestError::Unprocessable(problems)) }
    }

    /// The canonical form of an address; empty after a problem. An address that names its network must be on the
    /// workspace's.
    pub(super) fn parse_address(&self, chain: &Chain, field: &str, text: &str, problems: &mut Vec<String>) -> String {
        match Address::parse(chain.family, text) {
            Ok(address) if address.mainnet_or_testnet().is_some_and(|network| network != self.workspace.network()) => {
                let environment = &self.workspace.environment;
                problems
                    .push(format!("{field}: the address is of another network; this workspace is on {environment}"));
            }
            // The payment would lose its tag.
            Ok(_) if recognise_address_kind(text).is_some_and(|kind| kind.carries_tag) => {
                problems.push(format!("{field}: the address carries a tag; give the account's own address"));
            }
            Ok(address) => return address.canonical(),
            Err(error) => problems.push(format!("{field}: {error}")),
        }
        String::new()
    }

    /// Accepts a payment to a canonical address, and returns its row.
    pub(in crate::service) fn insert_payment(
        &mut self,
        wallet: &LedgerWallet,
        token: &ChainToken,
        address: &str,
        amount: U256,
        reference: &PaymentReferences<'_>,
    ) -> Result<i64, RequestError> {
        let id = self.new_payment_id(token.chain)?;
        let fee = wallet.withdrawal_fee(token);
        self.require_funds(wallet, token, amount, fee)?;
        let (settlement, counterparty) =
            (self.settlement_plan(token.chain, id)?, self.find_or_create_counterparty(address)?);
        let (sub_type, group, reference) = (SubType::Withdraw, None, *reference);
        let outgoing = OutgoingLeg {
            id,
            sub_type,
            wallet,
            token,
            amount,
            fee,
            counterparty,
            settlement,
            group,
            references: reference,
        };
        let row = self.insert_outgoing(&outgoing)?;
        self.deliver_within_service(&outgoing, address, amount)?;
        Ok(row)
    }
}

/// A positive amount in smallest units; zero after a problem.
pub(super) fn parse_amount(decimals: u8, field: &str, text: &str, problems: &mut Vec<String>) -> U256 {
    match Amount::parse(text, decimals) {
        Ok(amount) if amount.is_zero() => problems.push(format!("{field}: more than nothing must be sent")),
        Ok(amount) => return amount.raw(),
        Err(error) => problems.push(format!("{field}: {error}")),
    }
    U256::ZERO
}

pub(super) fn not_listed_message(field: &str, symbol: &str, chain: &Chain) -> String {
    format!("{field}: {symbol} is not listed on {}", chain.name)
}
