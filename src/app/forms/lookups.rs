//! What a form chooses from, and what was chosen.

use crate::app::msg::RequestId;
use crate::domain::history::{Sourced, Window};
use crate::domain::{Account, Holding, TokenKey, User, Wallet, WalletId};
use crate::guard::ExpectedFee;

/// What was chosen, where the words in a field do not say it all.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The wallet that pays.
    pub wallet: Option<Wallet>,
    /// The token that is paid.
    pub token: Option<TokenKey>,
    /// The account of a new wallet.
    pub account: Option<Account>,
    /// The user who is changed.
    pub user: Option<User>,
}

/// Wallets found by what is typed.
#[derive(Debug, Clone, Default)]
pub struct WalletMatches {
    /// The turn of the newest question.
    pub turn: RequestId,
    /// What was looked for; `None` before the first answer.
    pub filter: Option<String>,
    /// The first of them, and how many there are.
    pub window: Window<Sourced<Wallet>>,
}

/// What the chosen wallet holds.
#[derive(Debug, Clone, Default)]
pub struct WalletHoldings {
    /// The turn of the newest question.
    pub turn: RequestId,
    /// Whose it is; `None` before the first answer.
    pub of: Option<WalletId>,
    /// The holdings.
    pub rows: Vec<Holding>,
}

/// What payments of the chosen token cost.
#[derive(Debug, Clone, Default)]
pub struct FeeLookup {
    /// The turn of the newest question.
    pub turn: RequestId,
    /// Of which token; `None` before the first answer.
    pub of: Option<TokenKey>,
    /// What past payments tell, if there are any.
    pub estimate: Option<ExpectedFee>,
}

/// Something that may be chosen for a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChoice {
    /// What stands in the field then.
    pub text: String,
    /// What it is called.
    pub name: String,
    /// What tells it from others.
    pub detail: String,
    /// What is taken.
    pub take: Picked,
}

/// What choosing, or checking, settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    /// The paying wallet.
    Wallet(Box<Wallet>),
    /// The token.
    Token(TokenKey),
    /// The account.
    Account(Box<Account>),
    /// Nothing but the words.
    TextOnly,
    /// What was pasted becomes a batch.
    Batch,
}
