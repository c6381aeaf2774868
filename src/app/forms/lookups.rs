//! Look-ups of a form: what can be chosen, and what was chosen.

use crate::app::request_id::RequestId;
use crate::domain::entry_source::Sourced;
use crate::domain::history::Window;
use crate::domain::{Account, Holding, TokenKey, User, Wallet, WalletId};
use crate::guard::ExpectedFee;

/// The choices made, where the text of a field does not identify them.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    pub wallet: Option<Wallet>,
    pub token: Option<TokenKey>,
    pub account: Option<Account>,
    pub user: Option<User>,
}

/// Wallets that match the text of a field.
#[derive(Debug, Clone, Default)]
pub struct WalletMatches {
    pub request_id: RequestId,
    /// The text that was looked up; `None` before the first answer.
    pub filter: Option<String>,
    pub window: Window<Sourced<Wallet>>,
}

#[derive(Debug, Clone, Default)]
pub struct WalletHoldings {
    pub request_id: RequestId,
    /// The wallet of `rows`; `None` before the first answer.
    pub wallet: Option<WalletId>,
    pub rows: Vec<Holding>,
}

#[derive(Debug, Clone, Default)]
pub struct FeeLookup {
    pub request_id: RequestId,
    /// The token of `estimate`; `None` before the first answer.
    pub token: Option<TokenKey>,
    pub estimate: Option<ExpectedFee>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChoice {
    pub text: String,
    pub name: String,
    /// What distinguishes it from other choices of the same name.
    pub detail: String,
    pub picked: Picked,
}

/// What a choice or a check settles beyond the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    Wallet(Box<Wallet>),
    Token(TokenKey),
    Account(Box<Account>),
    /// Nothing but the text.
    TextOnly,
    Batch,
}
