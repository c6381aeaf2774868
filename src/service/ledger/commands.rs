//! What may be asked of the ledger, with the shape already checked and the meaning not yet.

use uuid::Uuid;

use crate::domain::Direction;

/// A user to be made.
#[derive(Debug, Clone, Default)]
pub struct NewUser {
    /// The user's address for mail.
    pub email: Option<String>,
    /// The name that is shown.
    pub display_name: Option<String>,
    /// The business's own reference.
    pub ref_id: Option<String>,
}

/// A wallet to be made.
#[derive(Debug, Clone)]
pub struct NewWallet {
    /// The account it is to stand in.
    pub account: Uuid,
    /// Who is to own it.
    pub user: Option<Uuid>,
    /// Its chain: slug, name, or slug and network.
    pub blockchain: String,
    /// Its name.
    pub name: Option<String>,
    /// The business's own reference: the same one on several EVM chains gives one address.
    pub ref_id: Option<String>,
    /// Whether native tokens are swept to the settlement account.
    pub auto_sweep: bool,
}

/// What is to change in a wallet; absent stays as it is.
#[derive(Debug, Clone)]
pub struct WalletPatch {
    /// The wallet.
    pub wallet: Uuid,
    /// Its new owner.
    pub user: Option<Uuid>,
    /// Its new name.
    pub name: Option<String>,
    /// Whether it works.
    pub is_active: Option<bool>,
    /// Whether native tokens are swept.
    pub auto_sweep: Option<bool>,
}

/// A payment out of a wallet.
#[derive(Debug, Clone)]
pub struct NewWithdrawal {
    /// The wallet that pays.
    pub wallet: Uuid,
    /// Symbol of a listed token.
    pub token: String,
    /// The wallet's chain: slug, name, or slug and network.
    pub blockchain: String,
    /// Who is paid, as it was written.
    pub address: String,
    /// How much the recipient gets, as it was written.
    pub amount: String,
    /// The business's own reference.
    pub ref_id: Option<String>,
    /// A note.
    pub note: Option<String>,
    /// The key under which it is asked for, shown in the transaction.
    pub key: Option<Uuid>,
}

/// One payment out of a wallet to several recipients.
#[derive(Debug, Clone)]
pub struct NewBatch {
    /// The wallet that pays.
    pub wallet: Uuid,
    /// Symbol of a listed token.
    pub token: String,
    /// The wallet's chain: slug, name, or slug and network.
    pub blockchain: String,
    /// Who is paid and how much each gets, as it was written; one at least.
    pub to: Vec<(String, String)>,
    /// The business's own reference.
    pub ref_id: Option<String>,
    /// A note.
    pub note: Option<String>,
    /// Whether it waits for the next block.
    pub queue: bool,
    /// The key under which it is asked for, shown in the transaction.
    pub key: Option<Uuid>,
}

/// A swap of one token of a wallet for another.
#[derive(Debug, Clone)]
pub struct NewSwap {
    /// The wallet.
    pub wallet: Uuid,
    /// The wallet's chain: slug, name, or slug and network.
    pub blockchain: String,
    /// Symbol of what is sold.
    pub from: String,
    /// How much of it leaves the wallet, the fee included, as it was written.
    pub amount: String,
    /// Symbol of what is bought.
    pub to: String,
    /// The business's own reference.
    pub ref_id: Option<String>,
    /// A note.
    pub note: Option<String>,
    /// The key under which it is asked for, shown in the transaction.
    pub key: Option<Uuid>,
}

/// A payment from outside into an address of this service.
#[derive(Debug, Clone)]
pub struct NewDeposit {
    /// The wallet that is paid.
    pub wallet: Uuid,
    /// Of which token.
    pub token: Asset,
    /// How much, in smallest units.
    pub raw: ruint::aliases::U256,
    /// The sender's address.
    pub from: String,
}

/// A token on the wallet's chain.
#[derive(Debug, Clone)]
pub enum Asset {
    /// A listed token, by its symbol.
    Listed(String),
    /// Any other contract: whoever made it chose its words.
    Unlisted {
        /// Its contract.
        contract: String,
        /// The symbol it gives itself.
        symbol: String,
        /// The name it gives itself.
        name: String,
        /// Its fraction digits.
        decimals: u8,
    },
}

/// Which page of a list; both numbers at least 1. More rows than [`Paging::MOST`] are cut to that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    /// Page, from 1.
    pub page: u64,
    /// Rows on a page.
    pub limit: u64,
}

impl Paging {
    /// Rows on a page when nothing was asked.
    pub const USUAL: u64 = 20;
    /// The most rows that a page can have.
    pub const MOST: u64 = 100;

    /// Rows on a page, between 1 and [`Paging::MOST`].
    pub(super) fn rows(self) -> u64 {
        self.limit.clamp(1, Self::MOST)
    }

    /// Rows on the pages before this one.
    pub(super) fn skipped(self) -> u64 {
        self.page.saturating_sub(1).saturating_mul(self.rows())
    }
}

impl Default for Paging {
    fn default() -> Self {
        Self { page: 1, limit: Self::USUAL }
    }
}

/// Which transactions. A narrowing to something that does not exist gives an empty list.
#[derive(Debug, Clone, Default)]
pub struct TransactionFilter {
    /// Only incoming or only outgoing ones; both, newest first, when absent.
    pub direction: Option<Direction>,
    /// Only those of this user's wallets.
    pub user: Option<Uuid>,
    /// Only those of this wallet.
    pub wallet: Option<Uuid>,
    /// Only those of this account's wallets.
    pub account: Option<Uuid>,
    /// Which page.
    pub paging: Paging,
}

/// What is to change in a user; absent stays as it is.
#[derive(Debug, Clone)]
pub struct UserPatch {
    /// The user.
    pub user: Uuid,
    /// The user's new address for mail.
    pub email: Option<String>,
    /// The new name that is shown.
    pub display_name: Option<String>,
    /// The business's own new reference.
    pub ref_id: Option<String>,
}
