//! What a form chooses from, and what was chosen.

use crate::app::msg::Turn;
use crate::domain::history::{Known, Window};
use crate::domain::{Account, Holding, TokenKey, User, Wallet, WalletId};
use crate::guard::Estimate;

/// What was chosen, where the words in a field do not say it all.
#[derive(Debug, Clone, Default)]
pub struct Picked {
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
pub struct Found {
    /// The turn of the newest question.
    pub turn: Turn,
    /// What was looked for; `None` before the first answer.
    pub filter: Option<String>,
    /// The first of them, and how many there are.
    pub window: Window<Known<Wallet>>,
}

/// What the chosen wallet holds.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// The turn of the newest question.
    pub turn: Turn,
    /// Whose it is; `None` before the first answer.
    pub of: Option<WalletId>,
    /// The holdings.
    pub rows: Vec<Holding>,
}

/// What payments of the chosen token cost.
#[derive(Debug, Clone, Default)]
pub struct Cost {
    /// The turn of the newest question.
    pub turn: Turn,
    /// Of which token; `None` before the first answer.
    pub of: Option<TokenKey>,
    /// What past payments tell, if there are any.
    pub estimate: Option<Estimate>,
}

/// Something that may be chosen for a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What stands in the field then.
    pub text: String,
    /// What it is called.
    pub name: String,
    /// What tells it from others.
    pub about: String,
    /// What is taken.
    pub take: Take,
}

/// What choosing, or checking, settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Take {
    /// The paying wallet.
    Wallet(Box<Wallet>),
    /// The token.
    Token(TokenKey),
    /// The account.
    Account(Box<Account>),
    /// Nothing but the words.
    Words,
    /// What was pasted becomes a batch.
    Batch,
}
