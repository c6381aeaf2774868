//! Transactions, as the history reports them.

use super::open_enum::open_enum;
use super::outcome::{FinalStatuses, Verdict};
use super::{AccountId, Amount, ReportedAmount, Text, Timestamp, TokenKey, TransactionId, UserId, WalletId};

open_enum! {
    Direction {
        Incoming = "incoming",
        Outgoing = "outgoing",
    }
}

open_enum! {
    /// A transaction's status. Only `pending` is documented; the others are assumed by `bridging`.
    Status {
        Pending = "pending",
        Success = "success",
        Failed = "failed",
    }
}

open_enum! {
    /// The kind of movement. Only `DEPOSIT` is documented; the others are assumed by `bridging`.
    SubType {
        Deposit = "DEPOSIT",
        Withdraw = "WITHDRAW",
        /// A withdrawal to several recipients.
        BatchWithdraw = "BATCH_WITHDRAW",
        /// One leg of a swap.
        Swap = "SWAP",
        Sweep = "SWEEP",
        /// A free movement between two wallets of the workspace, off the chain.
        InternalTransfer = "INTERNAL_TRANSFER",
    }
}

/// A field that is present in a response and cannot be read as the value it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableField {
    pub name: &'static str,
    pub value: Text,
}

/// A transaction, as far as it is reported. What is absent was absent in the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: TransactionId,
    pub direction: Direction,
    pub sub_type: Option<SubType>,
    pub status: Option<Status>,
    pub token: TokenKey,
    pub symbol: Text,
    pub token_name: Option<Text>,
    /// The token's standard, such as `ERC20`.
    pub standard: Option<Text>,
    /// Without the fee.
    pub amount: Option<ReportedAmount>,
    /// The change of the wallet's balance: amount and fee.
    pub total_amount: Option<ReportedAmount>,
    pub total_fee: Option<ReportedAmount>,
    pub fee_token: Option<Text>,
    /// The urgency that the fee pays for.
    pub fee_level: Option<Text>,
    /// Such as `EVM`.
    pub protocol: Option<Text>,
    /// `mainnet` or `testnet`.
    pub environment: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    pub from_address: Option<Text>,
    /// Absent for a batch with several recipients.
    pub to_address: Option<Text>,
    pub tx_hash: Option<Text>,
    /// Blocks since, counting its own.
    pub confirmation: Option<u64>,
    /// Whether the service calls it final.
    pub confirmed: Option<bool>,
    pub confirmed_at: Option<Timestamp>,
    /// Not documented; used where a service sends it.
    pub created_at: Option<Timestamp>,
    pub is_batch: Option<bool>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
    pub idempotency_key: Option<Text>,
    pub note: Option<Text>,
    /// What initiated the transaction.
    pub trigger_origin: Option<Text>,
    /// Shared by the rows of one movement.
    pub group: Option<Text>,
    pub user: Option<UserId>,
    pub wallet: Option<WalletId>,
    pub account: Option<AccountId>,
    /// Amounts in the response that could not be read. The cache does not store them.
    pub unreadable: Vec<UnreadableField>,
}

#[cfg(test)]
impl Transaction {
    /// A transaction with nearly every field absent.
    pub(crate) fn minimal(chain: &str) -> Self {
        Self {
            id: TransactionId::from_text("t"),
            direction: Direction::Incoming,
            sub_type: None,
            status: None,
            token: TokenKey::new(chain, None),
            symbol: "ETH".into(),
            token_name: None,
            standard: None,
            amount: None,
            total_amount: None,
            total_fee: None,
            fee_token: None,
            fee_level: None,
            protocol: None,
            environment: None,
            network: None,
            from_address: None,
            to_address: None,
            tx_hash: None,
            confirmation: None,
            confirmed: None,
            confirmed_at: None,
            created_at: None,
            is_batch: None,
            ref_id: None,
            idempotency_key: None,
            note: None,
            trigger_origin: None,
            group: None,
            user: None,
            wallet: None,
            account: None,
            unreadable: Vec::new(),
        }
    }
}

impl Transaction {
    /// The time that the service reports: when it was created, or else when it became final.
    pub fn reported_time(&self) -> Option<Timestamp> {
        self.created_at.or(self.confirmed_at)
    }

    /// The verdict by the service's final statuses.
    pub fn verdict(&self, final_statuses: &FinalStatuses) -> Verdict {
        final_statuses.verdict_of_status(self.status.as_ref(), self.confirmed)
    }

    /// Whether it is listed above everything that has happened: it is pending, and no final time is reported.
    pub fn is_pending_without_final_time(&self, final_statuses: &FinalStatuses) -> bool {
        !self.is_final(final_statuses) && self.confirmed != Some(true) && self.confirmed_at.is_none()
    }

    /// Whether nothing more is expected of it: a final status, or the service's own `confirmed` without any status. A
    /// transaction with an unknown status is still watched, confirmed or not.
    pub fn is_final(&self, final_statuses: &FinalStatuses) -> bool {
        self.verdict(final_statuses) != Verdict::Open
    }

    /// Whether it certainly no longer changes, and so keeps its position in a list: it failed, or the service itself
    /// calls it final. A success may still be confirmed.
    pub fn is_unchangeable(&self, final_statuses: &FinalStatuses) -> bool {
        self.verdict(final_statuses) == Verdict::Failed || self.confirmed == Some(true)
    }

    /// The amount, where the service reported it without contradiction.
    pub fn exact_amount(&self) -> Option<Amount> {
        self.amount.as_ref().and_then(ReportedAmount::exact)
    }

    pub fn counterparty(&self) -> Option<&Text> {
        match self.direction {
            Direction::Outgoing => self.to_address.as_ref(),
            _ => self.from_address.as_ref(),
        }
    }

    /// The wallet's own address, by this transaction.
    pub fn own_wallet_address(&self) -> Option<&Text> {
        match self.direction {
            Direction::Outgoing => self.from_address.as_ref(),
            _ => self.to_address.as_ref(),
        }
    }
}
