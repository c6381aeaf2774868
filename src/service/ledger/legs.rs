//! The outgoing and the incoming leg of a transaction.

use ruint::aliases::U256;
use uuid::Uuid;

use super::control;
use super::entries::TransactionPosting;
use super::request_error::RequestError;
use super::rows::{NewRow, RowDirection, RowStatus, SubType};
use super::tokens::ChainToken;
use super::unit_of_work::{IdSource, UnitOfWork};
use super::wallets::{self, LedgerWallet};
use crate::domain::{Amount, Chain, Timestamp};
use crate::service::chain::{self, FailurePolicy};

/// When a transaction settles, and its initial status.
pub(super) type SettlementPlan = (Timestamp, RowStatus);

#[derive(Debug)]
pub(super) struct OutgoingLeg<'a> {
    pub(super) id: Uuid,
    pub(super) sub_type: SubType,
    pub(super) wallet: &'a LedgerWallet,
    pub(super) token: &'a ChainToken,
    pub(super) amount: U256,
    pub(super) fee: U256,
    /// Number of the recipient; 0 for several.
    pub(super) counterparty: i64,
    pub(super) settlement: SettlementPlan,
    pub(super) group: Option<Uuid>,
    pub(super) references: PaymentReferences<'a>,
}

#[derive(Debug)]
pub(super) struct IncomingLeg<'a> {
    pub(super) id: Uuid,
    /// The transaction of this service whose incoming end this is.
    pub(super) hash_of: Option<Uuid>,
    pub(super) sub_type: SubType,
    pub(super) wallet: &'a LedgerWallet,
    pub(super) token: &'a ChainToken,
    pub(super) amount: U256,
    /// The sender's address in the form of its family.
    pub(super) from: &'a str,
    pub(super) settlement: SettlementPlan,
    pub(super) group: Option<Uuid>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct PaymentReferences<'a> {
    /// The business's own reference.
    pub(in crate::service) ref_id: Option<&'a str>,
    pub(in crate::service) note: Option<&'a str>,
    /// The idempotency key.
    pub(in crate::service) key: Option<Uuid>,
    /// Memo or tag of a v1 payment.
    pub(in crate::service) tag: Option<&'a str>,
}

impl UnitOfWork<'_> {
    pub(super) fn require_funds(
        &mut self,
        wallet: &LedgerWallet,
        token: &ChainToken,
        amount: U256,
        fee: U256,
    ) -> Result<(), RequestError> {
        let spendable = self.spendable_balance(wallet.no, token.no)?;
        if amount.checked_add(fee).is_some_and(|total| total <= spendable) {
            return Ok(());
        }
        let amount_text = |raw| Amount::new(raw, token.decimals).map(|amount| amount.to_string()).unwrap_or_default();
        let (has, amount, fee, symbol) = (amount_text(spendable), amount_text(amount), amount_text(fee), &token.symbol);
        Err(RequestError::bad_request(format!(
            "insufficient balance: the wallet has {has} {symbol}, and {amount} and a fee of {fee} are needed"
        )))
    }

    /// Debits a wallet whose funds were checked, and returns the row.
    pub(super) fn insert_outgoing(&mut self, outgoing: &OutgoingLeg<'_>) -> Result<i64, RequestError> {
        let (wallet, token, (due, status)) = (outgoing.wallet.no, outgoing.token.no, outgoing.settlement);
        let row = self.insert_row(&NewRow {
            id: outgoing.id,
            direction: RowDirection::Out,
            sub_type: outgoing.sub_type,
            status,
            wallet,
            token,
            amount: outgoing.amount,
            fee: outgoing.fee,
            counterparty: outgoing.counterparty,
            due,
            hash_of: None,
            ref_id: outgoing.references.ref_id,
            key: outgoing.references.key,
            note: outgoing.references.note,
            group: outgoing.group,
            tag: outgoing.references.tag,
        })?;
        let posting = TransactionPosting { row, wallet, token, amount: outgoing.amount, fee: outgoing.fee };
        self.freeze_funds(&posting)?;
        match status {
            RowStatus::Pending => {}
            RowStatus::Success => {
                self.post_success(RowDirection::Out, &posting)?;
                self.enqueue_event(row, RowDirection::Out, outgoing.sub_type)?;
            }
            RowStatus::Failed => self.post_failure(RowDirection::Out, &posting)?,
        }
        Ok(row)
    }

    /// Records what a wallet receives, and returns the row.
    pub(super) fn insert_incoming(&mut self, incoming: &IncomingLeg<'_>) -> Result<i64, RequestError> {
        let counterparty = self.find_or_create_counterparty(incoming.from)?;
        let (wallet, token, amount) = (incoming.wallet.no, incoming.token.no, incoming.amount);
        let (due, status) = incoming.settlement;
        let row = self.insert_row(&NewRow {
            id: incoming.id,
            direction: RowDirection::In,
            sub_type: incoming.sub_type,
            status,
            wallet,
            token,
            amount,
            fee: U256::ZERO,
            counterparty,
            due,
            hash_of: incoming.hash_of,
            ref_id: None,
            key: None,
            note: None,
            group: incoming.group,
            tag: None,
        })?;
        if status == RowStatus::Success {
            self.post_success(RowDirection::In, &TransactionPosting { row, wallet, token, amount, fee: U256::ZERO })?;
            self.enqueue_event(row, RowDirection::In, incoming.sub_type)?;
        }
        Ok(row)
    }

    /// Adds the incoming end of a payment, if the address belongs to this service: a row in the recipient's workspace
    /// with the same hash, which settles with the sender's.
    pub(super) fn deliver_within_service(
        &mut self,
        outgoing: &OutgoingLeg<'_>,
        address: &str,
        amount: U256,
    ) -> Result<(), RequestError> {
        let Some(recipient) = wallets::find_wallet_by_address(self.connection, outgoing.token.chain, address)? else {
            return Ok(());
        };
        if recipient.workspace_number == self.workspace.number {
            return self.insert_incoming_for_recipient(&recipient, outgoing, amount);
        }
        let mut recipient_unit = UnitOfWork::open(
            self.connection,
            recipient.workspace_number,
            self.chain_time,
            IdSource::Random,
            self.simulation_settings,
        )?;
        recipient_unit.insert_incoming_for_recipient(&recipient, outgoing, amount)?;
        recipient_unit.close()
    }

    fn insert_incoming_for_recipient(
        &mut self,
        recipient: &LedgerWallet,
        outgoing: &OutgoingLeg<'_>,
        amount: U256,
    ) -> Result<(), RequestError> {
        let id = self.new_id();
        self.insert_incoming(&IncomingLeg {
            id,
            hash_of: Some(outgoing.id),
            sub_type: if outgoing.sub_type == SubType::Sweep { SubType::Sweep } else { SubType::Deposit },
            wallet: recipient,
            token: outgoing.token,
            amount,
            from: &outgoing.wallet.address,
            settlement: outgoing.settlement,
            group: outgoing.group,
        })?;
        Ok(())
    }

    /// When a transaction that starts now settles, and its initial status: pending, unless it would have settled in the
    /// past of sample data.
    pub(super) fn settlement_plan(&self, chain: &Chain, on_chain: Uuid) -> Result<SettlementPlan, RequestError> {
        let rules = chain::rules(chain).ok_or_else(no_chain_rules_error)?;
        let outcome = rules.outcome_of(on_chain, self.simulation_settings.failures);
        let due = rules.nth_block_after(self.chain_time, outcome.blocks_until_outcome, self.simulation_settings.pace);
        let status = match self.settle_immediately_until {
            Some(present) if due <= present && outcome.succeeds => RowStatus::Success,
            Some(present) if due <= present => RowStatus::Failed,
            _ => RowStatus::Pending,
        };
        Ok((due, status))
    }

    /// The identifier of a payment, by which its chain settles or drops it.
    pub(super) fn new_payment_id(&mut self, chain: &Chain) -> Result<Uuid, RequestError> {
        if let Some(succeeds) = self.scripted_outcome {
            return self.draw_id_with_outcome(chain, succeeds);
        }
        let policy = match self.is_requested_by_caller() {
            true if control::take_ordered_failure(self.connection)? => FailurePolicy::Always,
            true => self.simulation_settings.failures_of_callers,
            false => FailurePolicy::ById,
        };
        match policy {
            FailurePolicy::ById => Ok(self.new_id()),
            FailurePolicy::Never => self.draw_id_with_outcome(chain, true),
            FailurePolicy::Always => self.draw_id_with_outcome(chain, false),
        }
    }

    /// A transaction identifier whose outcome by [`FailurePolicy::ById`] is `succeeds`.
    pub(super) fn draw_id_with_outcome(&mut self, chain: &Chain, succeeds: bool) -> Result<Uuid, RequestError> {
        let rules = chain::rules(chain).ok_or_else(no_chain_rules_error)?;
        loop {
            let id = self.new_id();
            if rules.outcome_of(id, FailurePolicy::ById).succeeds == succeeds {
                return Ok(id);
            }
        }
    }
}

fn no_chain_rules_error() -> RequestError {
    RequestError::Internal("a wallet is on a chain without rules".into())
}
