//! Balances summed by token, chain, account or wallet.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::app::listing::Keyed;
use crate::domain::history::Scope;
use crate::domain::{Amount, Holding, ReportedAmount, Text, ValuationAmount};

/// What a row of the balances sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BalanceGrouping {
    /// Nothing: each row is a token on a chain.
    #[default]
    TokenAndChain,
    Token,
    Chain,
    Account,
    Wallet,
}

impl BalanceGrouping {
    pub fn label(self) -> &'static str {
        match self {
            Self::TokenAndChain => "by token and chain",
            Self::Token => "by token",
            Self::Chain => "by chain",
            Self::Account => "by account",
            Self::Wallet => "by wallet",
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::TokenAndChain => Self::Token,
            Self::Token => Self::Chain,
            Self::Chain => Self::Account,
            Self::Account => Self::Wallet,
            Self::Wallet => Self::TokenAndChain,
        }
    }
}

/// The most wallets whose balances are summed one by one.
pub const MAX_SUMMED_WALLETS: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKey {
    /// By symbol.
    Token(Text),
    /// By the service's name of the chain.
    Chain(Text),
    Account(Text),
    Wallet(Text),
}

/// Balances together, without imitation tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalanceGroup {
    pub key: GroupKey,
    /// How many balances other than zero.
    pub count: usize,
    /// Of one token only; `None` where a part is unknown or disputed.
    pub amount: Option<Amount>,
    /// `None` where no part has a price.
    pub worth: Option<ValuationAmount>,
    /// Balances without a price, or of unknown amount.
    pub missing: usize,
}

/// The holdings of an account or a wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeHoldings {
    pub scope: Scope,
    pub name: Option<Text>,
    pub holdings: Vec<Holding>,
}

pub fn group_key_of_scope(scope: &Scope) -> Option<GroupKey> {
    match scope {
        Scope::Account(id) => Some(GroupKey::Account(Text::clean(id.as_str()))),
        Scope::Wallet(id) => Some(GroupKey::Wallet(Text::clean(id.as_str()))),
        Scope::All | Scope::User(_) => None,
    }
}

/// Sums holdings by key; the most valuable group first, or sorted by name.
pub fn group_holdings<'a>(
    holdings: impl Iterator<Item = (GroupKey, &'a Holding)>,
    worth: impl Fn(&Holding) -> Option<ValuationAmount>,
) -> Vec<BalanceGroup> {
    let mut groups: BTreeMap<GroupKey, BalanceGroup> = BTreeMap::new();
    for (key, holding) in holdings.filter(|(_, holding)| !holding.suspicious) {
        let exact = holding.amount.as_ref().and_then(ReportedAmount::exact);
        let group = groups.entry(key.clone()).or_insert_with(|| BalanceGroup {
            key,
            count: 0,
            amount: Some(Amount::zero(0)),
            worth: None,
            missing: 0,
        });
        group.amount = group.amount.zip(exact).and_then(|(sum, amount)| sum.checked_add_rescaled(amount));
        if exact.is_some_and(Amount::is_zero) {
            continue;
        }
        group.count += 1;
        match worth(holding) {
            Some(worth) => group.worth = group.worth.unwrap_or(ValuationAmount::ZERO).checked_add(worth),
            None => group.missing += 1,
        }
    }
    let mut groups: Vec<BalanceGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| Reverse(group.worth));
    groups
}

impl Keyed for BalanceGroup {
    type Key = GroupKey;
    const RANKED: bool = true;
    fn key(&self) -> GroupKey {
        self.key.clone()
    }
}
