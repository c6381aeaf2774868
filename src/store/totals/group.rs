//! Wallet groups: wallets whose balances count together, and the scopes whose sums they are part of.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::total_row::{INEXACT_DECIMALS, WideAmount};
use crate::domain::history::Scope;
use crate::domain::{Amount, ReportedAmount, ReportedBalance, UserId};
use crate::store::wallet_totals::TokenSum;
use crate::store::{StoreError, balance_rows};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum WalletGroupKey {
    /// The wallets of a user on a chain.
    UserWallets { user: String, chain: String },
    /// A wallet without a user.
    SingleWallet { wallet: String, chain: String },
}

impl WalletGroupKey {
    pub(in crate::store) fn containing_wallet(wallet: &str, user: Option<&str>, chain: &str) -> Self {
        let chain = chain.to_owned();
        match user {
            Some(user) => Self::UserWallets { user: user.to_owned(), chain },
            None => Self::SingleWallet { wallet: wallet.to_owned(), chain },
        }
    }
}

/// The name of a scope in the tables; only accounts and the whole workspace have stored sums.
pub(super) fn scope_key(scope: &Scope) -> String {
    match scope {
        Scope::Account(id) => account_key(id.as_str()),
        _ => "all".into(),
    }
}

fn account_key(id: &str) -> String {
    format!("account {id}")
}

pub(super) struct GroupContents {
    pub(super) chain: String,
    /// Each with its account.
    pub(super) wallets: Vec<(String, Option<String>)>,
    /// The balances that the service reported for its user on its chain, if it ever did.
    pub(super) reported_balances: Option<Vec<ReportedBalance>>,
}

impl GroupContents {
    pub(super) fn read(connection: &Connection, group: &WalletGroupKey) -> Result<Self, StoreError> {
        match group {
            WalletGroupKey::UserWallets { user, chain } => {
                let mut statement =
                    connection.prepare_cached("SELECT id, account FROM wallet WHERE user = ?1 AND blockchain = ?2")?;
                let wallets = statement.query_map([user, chain], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let wallets: Vec<_> = wallets.collect::<Result<_, _>>()?;
                let user = UserId::from_text(user);
                let reported = if wallets.is_empty() {
                    None
                } else {
                    balance_rows::balances_of_user_on_chain(connection, &user, chain)?
                };
                Ok(Self { chain: chain.clone(), wallets, reported_balances: reported })
            }
            WalletGroupKey::SingleWallet { wallet, chain } => {
                let mut statement = connection.prepare_cached(
                    "SELECT id, account FROM wallet WHERE id = ?1 AND blockchain = ?2 AND user IS NULL",
                )?;
                let wallets = statement.query_map([wallet, chain], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(Self { chain: chain.clone(), wallets: wallets.collect::<Result<_, _>>()?, reported_balances: None })
            }
        }
    }

    /// Every scope that has wallets of the group, with whether their balances are the reported ones: all of the group's
    /// cached wallets lie in it.
    pub(super) fn scopes(&self) -> BTreeMap<String, bool> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (_, account) in &self.wallets {
            for scope in Self::scopes_of_account(account.as_deref()) {
                *counts.entry(scope).or_default() += 1;
            }
        }
        let assumed = |count| self.reported_balances.is_some() && count == self.wallets.len();
        counts.into_iter().map(|(scope, count)| (scope, assumed(count))).collect()
    }

    pub(super) fn scopes_of_account(account: Option<&str>) -> impl Iterator<Item = String> {
        std::iter::once(scope_key(&Scope::All)).chain(account.map(account_key))
    }
}

pub(super) struct Addend<'a> {
    pub(super) symbol: &'a str,
    pub(super) name: Option<&'a str>,
    /// `INEXACT` if there is no exact amount.
    pub(super) decimals: i64,
    pub(super) amount: WideAmount,
    /// Reported for the user and assumed for the wallets; else derived from rows.
    pub(super) assumed: bool,
}

impl<'a> Addend<'a> {
    pub(super) fn of_reported_balance(balance: &'a ReportedBalance) -> Self {
        let (symbol, name) = (&*balance.symbol, balance.name.as_deref());
        let (decimals, amount) = decimals_and_amount(ReportedAmount::exact(&balance.amount));
        Self { symbol, name, decimals, amount, assumed: true }
    }

    pub(super) fn of_row_sum(sum: &'a TokenSum) -> Self {
        let (decimals, amount) = decimals_and_amount(sum.amount());
        Self { symbol: &sum.symbol, name: sum.name.as_deref(), decimals, amount, assumed: false }
    }
}

fn decimals_and_amount(amount: Option<Amount>) -> (i64, WideAmount) {
    amount.map_or((INEXACT_DECIMALS, WideAmount::ZERO), |amount| {
        (i64::from(amount.decimals()), WideAmount::from(amount.raw()))
    })
}
