//! Arguments of ledger operations: shape already validated, meaning not yet.

use uuid::Uuid;

use crate::domain::Direction;

#[derive(Debug, Clone, Default)]
pub struct NewUser {
    pub email: Option<String>,
    pub display_name: Option<String>,
    /// The business's own reference.
    pub ref_id: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewWallet {
    pub account: Uuid,
    pub user: Option<Uuid>,
    /// Slug, name, or slug and network.
    pub blockchain: String,
    pub name: Option<String>,
    /// The business's own reference: the same one gives one address on all EVM chains.
    pub ref_id: Option<String>,
    /// Whether native coins are forwarded to the settlement account.
    pub auto_sweep: bool,
}

/// Changes to a wallet; absent fields stay as they are.
#[derive(Debug, Clone)]
pub struct WalletPatch {
    pub wallet: Uuid,
    pub user: Option<Uuid>,
    pub name: Option<String>,
    pub is_active: Option<bool>,
    /// Whether native coins are forwarded to the settlement account.
    pub auto_sweep: Option<bool>,
}

#[derive(Debug, Clone)]
pub struct NewWithdrawal {
    pub wallet: Uuid,
    /// Symbol of a listed token.
    pub token: String,
    /// The wallet's chain: slug, name, or slug and network.
    pub blockchain: String,
    /// The recipient, as received.
    pub address: String,
    /// What the recipient gets, as received.
    pub amount: String,
    /// The business's own reference.
    pub ref_id: Option<String>,
    pub note: Option<String>,
    /// The idempotency key, shown in the transaction.
    pub key: Option<Uuid>,
}

/// One payment to several recipients.
#[derive(Debug, Clone)]
pub struct NewBatch {
    pub wallet: Uuid,
    /// Symbol of a listed token.
    pub token: String,
    /// The wallet's chain: slug, name, or slug and network.
    pub blockchain: String,
    /// Address and amount of each recipient, as received; at least one.
    pub to: Vec<(String, String)>,
    /// The business's own reference.
    pub ref_id: Option<String>,
    pub note: Option<String>,
    /// Whether it waits for the next block.
    pub queue: bool,
    /// The idempotency key, shown in the transaction.
    pub key: Option<Uuid>,
}

/// A swap within one wallet.
#[derive(Debug, Clone)]
pub struct NewSwap {
    pub wallet: Uuid,
    /// The wallet's chain: slug, name, or slug and network.
    pub blockchain: String,
    /// Symbol of the sold coin.
    pub from: String,
    /// What leaves the wallet, fee included, as received.
    pub amount: String,
    /// Symbol of the bought coin.
    pub to: String,
    /// The business's own reference.
    pub ref_id: Option<String>,
    pub note: Option<String>,
    /// The idempotency key, shown in the transaction.
    pub key: Option<Uuid>,
}

/// A payment from outside into a wallet.
#[derive(Debug, Clone)]
pub struct NewDeposit {
    pub wallet: Uuid,
    pub token: DepositToken,
    /// In smallest units.
    pub raw: ruint::aliases::U256,
    /// The sender's address.
    pub from: String,
}

/// A token on the wallet's chain.
#[derive(Debug, Clone)]
pub enum DepositToken {
    /// By symbol.
    Listed(String),
    /// Any other contract; its texts are chosen by whoever deployed it.
    Unlisted {
        contract: String,
        /// The symbol that the contract states.
        symbol: String,
        /// The name that the contract states.
        name: String,
        decimals: u8,
    },
}

/// A page of a list. [`Paging::MOST`] caps the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    /// From 1.
    pub page: u64,
    /// Rows per page, from 1.
    pub limit: u64,
}

impl Paging {
    /// Default rows per page.
    pub const USUAL: u64 = 20;
    pub const MOST: u64 = 100;

    /// Rows per page, between 1 and [`Paging::MOST`].
    pub(super) fn rows_per_page(self) -> u64 {
        self.limit.clamp(1, Self::MOST)
    }

    /// Rows on the pages before this one.
    pub(super) fn rows_before_page(self) -> u64 {
        self.page.saturating_sub(1).saturating_mul(self.rows_per_page())
    }
}

impl Default for Paging {
    fn default() -> Self {
        Self { page: 1, limit: Self::USUAL }
    }
}

/// Filter of a transaction list. A filter for an object that does not exist gives an empty list.
#[derive(Debug, Clone, Default)]
pub struct TransactionFilter {
    /// Both directions if absent.
    pub direction: Option<Direction>,
    pub user: Option<Uuid>,
    pub wallet: Option<Uuid>,
    pub account: Option<Uuid>,
    pub paging: Paging,
}

/// Changes to a user; absent fields stay as they are.
#[derive(Debug, Clone)]
pub struct UserPatch {
    pub user: Uuid,
    pub email: Option<String>,
    pub display_name: Option<String>,
    /// The business's own reference.
    pub ref_id: Option<String>,
}
