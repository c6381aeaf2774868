//! The sandbox: simulated deposits.

use ruint::aliases::U256;
use uuid::Uuid;

use super::owners::WalletOwner;
use crate::domain::Timestamp;
use crate::service::ledger::legs::{IncomingLeg, OutgoingLeg, PaymentReferences};
use crate::service::ledger::render::v1;
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::rows::{RowStatus, SubType};
use crate::service::ledger::tokens::ChainToken;
use crate::service::ledger::unit_of_work::UnitOfWork;
use crate::service::ledger::wallets;
use crate::service::ledger::withdrawals::parse_amount;

#[derive(Debug, Clone)]
pub struct NewSandboxDeposit {
    pub origin: DepositOrigin,
    /// Symbol of a listed token.
    pub coin: String,
    /// Slug, name, or slug and network.
    pub chain: String,
    /// What arrives, as received.
    pub amount: String,
    /// Whether it settles at once instead of waiting for the chain.
    pub settled: bool,
}

/// Sender and recipient of a deposit.
#[derive(Debug, Clone)]
pub enum DepositOrigin {
    /// From an external address to one of the workspace.
    OnChain { from: String, to: String },
    /// Between sub-wallets or the Prime Wallet; off the chain, without a fee.
    Internal { from: Uuid, to: Uuid },
}

impl UnitOfWork<'_> {
    /// Records a deposit. A pending one settles when its chain would have confirmed it; none is dropped, so that the
    /// outcome of an experiment is predictable.
    pub fn sandbox_deposit(&mut self, new: &NewSandboxDeposit) -> Result<v1::SandboxDeposit, RequestError> {
        let token = self.find_token_of_coin(&new.coin, &new.chain)?;
        let mut problems = Vec::new();
        let amount = parse_amount(token.decimals, "amount", &new.amount, &mut problems);
        let id = self.draw_id_with_outcome(token.chain, true)?;
        let (due, _) = self.settlement_plan(token.chain, id)?;
        let settlement = if new.settled { (self.now, RowStatus::Success) } else { (due, RowStatus::Pending) };
        let deposit = match &new.origin {
            DepositOrigin::OnChain { from, to } => {
                let from = self.parse_address(token.chain, "fromAddress", from, &mut problems);
                let to = self.parse_address(token.chain, "toAddress", to, &mut problems);
                self.deposit_from_outside(&token, amount, (&from, &to), id, settlement, problems)?
            }
            DepositOrigin::Internal { from, to } => {
                if !problems.is_empty() {
                    return Err(RequestError::Unprocessable(problems));
                }
                self.transfer_between_owners(&token, amount, (*from, *to), id, settlement)?
            }
        };
        Ok(v1::SandboxDeposit { deposit_id: deposit.to_string() })
    }

    fn deposit_from_outside(
        &mut self,
        token: &ChainToken,
        amount: U256,
        (from, to): (&str, &str),
        id: Uuid,
        settlement: (Timestamp, RowStatus),
        problems: Vec<String>,
    ) -> Result<Uuid, RequestError> {
        if !problems.is_empty() {
            return Err(RequestError::Unprocessable(problems));
        }
        let workspace_number = self.workspace.number;
        let wallet = wallets::find_wallet_by_address(self.connection, token.chain, to)?
            .filter(|wallet| wallet.workspace_number == workspace_number);
        let wallet = wallet.ok_or_else(|| {
            RequestError::bad_request(format!("toAddress is no address of this workspace on {}", token.chain.name))
        })?;
        self.refuse_overflow(token, amount)?;
        let (sub_type, hash_of, group) = (SubType::Deposit, None, None);
        self.insert_incoming(&IncomingLeg {
            id,
            hash_of,
            sub_type,
            wallet: &wallet,
            token,
            amount,
            from,
            settlement,
            group,
        })?;
        if settlement.1 == RowStatus::Success {
            self.sweep_balance(wallet.no, token.no)?;
        }
        Ok(id)
    }

    /// Moves an amount between two owners, off the chain and without a fee. Returns the identifier of the incoming row.
    fn transfer_between_owners(
        &mut self,
        token: &ChainToken,
        amount: U256,
        (from, to): (Uuid, Uuid),
        id: Uuid,
        settlement: (Timestamp, RowStatus),
    ) -> Result<Uuid, RequestError> {
        let workspace_number = self.workspace.number;
        let (payer, payee) = (
            WalletOwner::find(self.connection, workspace_number, from)?,
            WalletOwner::find(self.connection, workspace_number, to)?,
        );
        let target = self.find_or_create_wallet(payee, token.chain)?;
        let sources = payer.active_wallets(self.connection, workspace_number, token.chain)?;
        let mut refused = RequestError::bad_request(format!("there is no working wallet on {}", token.chain.name));
        let mut source = None;
        for wallet in sources.into_iter().filter(|wallet| wallet.no != target.no) {
            match self.require_funds(&wallet, token, amount, U256::ZERO) {
                Ok(()) => {
                    source = Some(wallet);
                    break;
                }
                Err(refusal) => refused = refusal,
            }
        }
        let wallet = &source.ok_or(refused)?;
        let (arriving, group, counterparty) =
            (self.new_id(), Some(self.new_id()), self.find_or_create_counterparty(&target.address)?);
        let (sub_type, fee, references) = (SubType::InternalTransfer, U256::ZERO, PaymentReferences::default());
        self.insert_outgoing(&OutgoingLeg {
            id,
            sub_type,
            wallet,
            token,
            amount,
            fee,
            counterparty,
            settlement,
            group,
            references,
        })?;
        let (hash_of, from) = (Some(id), wallet.address.as_str());
        self.insert_incoming(&IncomingLeg {
            id: arriving,
            hash_of,
            sub_type,
            wallet: &target,
            token,
            amount,
            from,
            settlement,
            group,
        })?;
        Ok(arriving)
    }
}
