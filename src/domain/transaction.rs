//! Transactions, as the history tells them.

use super::open_enum::open_enum;
use super::outcome::{FinalStatuses, Verdict};
use super::{AccountId, Amount, ReportedAmount, Text, Timestamp, TokenKey, TransactionId, UserId, WalletId};

open_enum! {
    /// Whether funds came in or went out.
    Direction {
        /// Came in.
        Incoming = "incoming",
        /// Went out.
        Outgoing = "outgoing",
    }
}

open_enum! {
    /// How far a transaction has come. Only `pending` is documented; the others are assumed by `bridging`.
    Status {
        /// On its way.
        Pending = "pending",
        /// Done.
        Success = "success",
        /// Will not happen.
        Failed = "failed",
    }
}

open_enum! {
    /// What kind of movement it was. Only `DEPOSIT` is documented; the others are assumed by `bridging`.
    SubType {
        /// A deposit.
        Deposit = "DEPOSIT",
        /// A withdrawal.
        Withdraw = "WITHDRAW",
        /// A withdrawal to several recipients.
        BatchWithdraw = "BATCH_WITHDRAW",
        /// One side of a swap.
        Swap = "SWAP",
        /// A sweep into the settlement account.
        Sweep = "SWEEP",
        /// A free movement between two wallets of the workspace, off the chain.
        InternalTransfer = "INTERNAL_TRANSFER",
    }
}

/// What stands in an answer and cannot be read as what it ought to be: it was not left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableField {
    /// The field's name in the answer.
    pub name: &'static str,
    /// What stands there, as it came.
    pub value: Text,
}

/// A transaction, as far as it was told. What is absent was absent in the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its identifier.
    pub id: TransactionId,
    /// Whether funds came in or went out.
    pub direction: Direction,
    /// What kind of movement it was.
    pub sub_type: Option<SubType>,
    /// How far it has come.
    pub status: Option<Status>,
    /// Of which token.
    pub token: TokenKey,
    /// The token's symbol.
    pub symbol: Text,
    /// The token's name.
    pub token_name: Option<Text>,
    /// The token's standard, such as `ERC20`.
    pub standard: Option<Text>,
    /// What moved, without the fee.
    pub amount: Option<ReportedAmount>,
    /// What the wallet's balance changed by: amount and fee.
    pub total_amount: Option<ReportedAmount>,
    /// The fee.
    pub total_fee: Option<ReportedAmount>,
    /// The token in which the fee was taken.
    pub fee_token: Option<Text>,
    /// How urgent the fee made it.
    pub fee_level: Option<Text>,
    /// Protocol, such as `EVM`.
    pub protocol: Option<Text>,
    /// `mainnet` or `testnet`.
    pub environment: Option<Text>,
    /// `mainnet` or `testnet`.
    pub network: Option<Text>,
    /// Where it came from.
    pub from_address: Option<Text>,
    /// Where it went; absent for a batch with several recipients.
    pub to_address: Option<Text>,
    /// The chain's name for it.
    pub tx_hash: Option<Text>,
    /// Blocks since, counting its own.
    pub confirmation: Option<u64>,
    /// Whether the service calls it final.
    pub confirmed: Option<bool>,
    /// When it became final.
    pub confirmed_at: Option<Timestamp>,
    /// When it was made; not documented, used where a service sends it.
    pub created_at: Option<Timestamp>,
    /// Whether it pays several recipients at once.
    pub is_batch: Option<bool>,
    /// The business's own reference.
    pub ref_id: Option<Text>,
    /// The key under which it was asked for.
    pub idempotency_key: Option<Text>,
    /// A note.
    pub note: Option<Text>,
    /// What set it off.
    pub trigger_origin: Option<Text>,
    /// Shared by the rows of one movement.
    pub group: Option<Text>,
    /// Whose it is.
    pub user: Option<UserId>,
    /// Through which wallet.
    pub wallet: Option<WalletId>,
    /// In which account.
    pub account: Option<AccountId>,
    /// Amounts that stand in the answer and cannot be read. The cache does not keep them.
    pub unreadable: Vec<UnreadableField>,
}

#[cfg(test)]
impl Transaction {
    /// One of which next to nothing is known.
    pub(crate) fn bare(chain: &str) -> Self {
        Self {
            id: TransactionId::read("t"),
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
    /// The time that the service gives it: when it was made, or else when it became final.
    pub fn at(&self) -> Option<Timestamp> {
        self.created_at.or(self.confirmed_at)
    }

    /// What the service's words say of its end.
    pub fn verdict(&self, words: &FinalStatuses) -> Verdict {
        words.judge(self.status.as_ref(), self.confirmed)
    }

    /// Whether it stands above all that has happened: it is on its way, and no time of its end is told.
    pub fn is_on_its_way(&self, words: &FinalStatuses) -> bool {
        !self.is_final(words) && self.confirmed != Some(true) && self.confirmed_at.is_none()
    }

    /// Whether nothing more is expected of it: a final word, or the service's own `confirmed` beside no word at all. One that
    /// is called by a word that nobody knows goes on being watched, confirmed or not.
    pub fn is_final(&self, words: &FinalStatuses) -> bool {
        self.verdict(words) != Verdict::Open
    }

    /// Whether it surely changes no more, so that it keeps its place in a list: it failed, or the service itself calls it
    /// final. A success may still be confirmed.
    pub fn is_at_rest(&self, words: &FinalStatuses) -> bool {
        self.verdict(words) == Verdict::Failed || self.confirmed == Some(true)
    }

    /// What moved, where the service stated it without contradiction.
    pub fn exact_amount(&self) -> Option<Amount> {
        self.amount.as_ref().and_then(ReportedAmount::exact)
    }

    /// The address at the other end.
    pub fn counterparty(&self) -> Option<&Text> {
        match self.direction {
            Direction::Outgoing => self.to_address.as_ref(),
            _ => self.from_address.as_ref(),
        }
    }

    /// The wallet's own address, as this transaction tells it.
    pub fn own_address(&self) -> Option<&Text> {
        match self.direction {
            Direction::Outgoing => self.from_address.as_ref(),
            _ => self.to_address.as_ref(),
        }
    }
}
