//! Batches: one transaction that pays several recipients, each exactly the stated amount.

use std::collections::HashSet;

use ruint::aliases::U256;
use rusqlite::params;

use super::commands::NewBatch;
use super::legs::{OutgoingLeg, PaymentReferences};
use super::request_error::RequestError;
use super::rows::SubType;
use super::tokens::{self, ChainToken};
use super::unit_of_work::UnitOfWork;
use super::wallets::{self, LedgerWallet};
use super::withdrawals::{not_listed_message, parse_amount};
use super::{columns, history, render};
use crate::service::chain;

/// A recipient's canonical address, and the amount.
type BatchRecipient = (String, U256);

impl UnitOfWork<'_> {
    /// Accepts a batch atomically: all amounts and one fee leave the spendable balance at once, and return if it fails.
    pub fn withdraw_batch(&mut self, new: &NewBatch) -> Result<render::Transaction, RequestError> {
        let wallet = wallets::find_wallet(self.connection, self.workspace.number, new.wallet)?;
        let (token, recipients) = self.validate_batch(new)?;
        wallet.require_active_on_chain(token.chain)?;
        recipients.iter().try_for_each(|(address, _)| wallet.refuse_self_payment(address))?;
        let too_much = || RequestError::bad_request("the amounts add up to more than any balance can hold");
        let sum = recipients.iter().try_fold(U256::ZERO, |sum, (_, amount)| sum.checked_add(*amount));
        let sum = sum.ok_or_else(too_much)?;
        let fee = batch_fee(&wallet, &token, recipients.len()).ok_or_else(too_much)?;
        self.require_funds(&wallet, &token, sum, fee)?;

        let id = self.new_payment_id(token.chain)?;
        let mut settlement = self.settlement_plan(token.chain, id)?;
        if new.queue {
            // A queued batch starts at the next block.
            let rules = chain::rules(token.chain);
            settlement.0 = rules
                .map_or(settlement.0, |rules| rules.nth_block_after(settlement.0, 1, self.simulation_settings.pace));
        }
        // The row names a recipient only if there is exactly one.
        let addresses: HashSet<&str> = recipients.iter().map(|(address, _)| address.as_str()).collect();
        let only = recipients.first().filter(|_| addresses.len() == 1);
        let counterparty = only.map_or(Ok(0), |(address, _)| self.find_or_create_counterparty(address))?;
        let outgoing = OutgoingLeg {
            id,
            sub_type: SubType::BatchWithdraw,
            wallet: &wallet,
            token: &token,
            amount: sum,
            fee,
            counterparty,
            settlement,
            group: Some(id),
            references: PaymentReferences {
                ref_id: new.ref_id.as_deref(),
                note: new.note.as_deref(),
                key: new.key,
                tag: None,
            },
        };
        let row = self.insert_outgoing(&outgoing)?;
        for (place, (address, amount)) in recipients.iter().enumerate() {
            let counterparty = self.find_or_create_counterparty(address)?;
            self.insert_recipient(row, place, counterparty, *amount)?;
            self.deliver_within_service(&outgoing, address, *amount)?;
        }
        history::load_transaction(self, row)
    }

    /// Accepts a batch that is listed as one row for each recipient, each with an outcome of its own: for sample data, as
    /// some services list them.
    pub(in crate::service) fn insert_split_batch(
        &mut self,
        wallet: &LedgerWallet,
        token: &ChainToken,
        recipients: &[(String, U256, bool)],
        references: PaymentReferences<'_>,
    ) -> Result<(), RequestError> {
        let group = Some(self.new_id());
        for (address, amount, succeeds) in recipients {
            let fee = wallet.withdrawal_fee(token);
            self.require_funds(wallet, token, *amount, fee)?;
            let id = self.draw_id_with_outcome(token.chain, *succeeds)?;
            let counterparty = self.find_or_create_counterparty(address)?;
            let row = self.insert_outgoing(&OutgoingLeg {
                id,
                sub_type: SubType::BatchWithdraw,
                wallet,
                token,
                amount: *amount,
                fee,
                counterparty,
                settlement: self.settlement_plan(token.chain, id)?,
                group,
                references,
            })?;
            self.insert_recipient(row, 0, counterparty, *amount)?;
        }
        Ok(())
    }

    fn insert_recipient(&self, row: i64, position: usize, counterparty: i64, amount: U256) -> Result<(), RequestError> {
        let position = columns::to_sql_integer(position as u64);
        self.connection
            .prepare_cached("INSERT INTO recipients (row, place, party, amount) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![row, position, counterparty, columns::amount_to_bytes(amount)])?;
        Ok(())
    }

    /// Validates a request and reports all problems at once, recipient by recipient.
    fn validate_batch(&self, new: &NewBatch) -> Result<(ChainToken, Vec<BatchRecipient>), RequestError> {
        let chain = chain::find_chain(&new.blockchain);
        let chain = chain.ok_or_else(|| RequestError::unprocessable(tokens::unknown_chain_message(&new.blockchain)))?;
        let mut problems = Vec::new();
        let token = tokens::find_listed_token_by_symbol(self.connection, chain, &new.token)?;
        if token.is_none() {
            problems.push(not_listed_message("token", &new.token, chain));
        }
        let mut recipients = Vec::with_capacity(new.to.len());
        for (place, (address, amount)) in new.to.iter().enumerate() {
            let address = self.parse_address(chain, &format!("to[{place}].address"), address, &mut problems);
            let amount = token.as_ref().map_or(U256::ZERO, |token| {
                parse_amount(token.decimals, &format!("to[{place}].amount"), amount, &mut problems)
            });
            recipients.push((address, amount));
        }
        match token {
            Some(token) if problems.is_empty() => Ok((token, recipients)),
            _ => Err(RequestError::Unprocessable(problems)),
        }
    }
}

/// Fee of a batch: that of one withdrawal, and half of it for each further recipient, since one transaction pays them
/// all.
fn batch_fee(wallet: &LedgerWallet, token: &ChainToken, recipients: usize) -> Option<U256> {
    let one = wallet.withdrawal_fee(token);
    let halves = U256::from(recipients).checked_add(U256::ONE)?;
    one.checked_mul(halves)?.checked_add(U256::ONE).map(|doubled| doubled >> 1)
}
