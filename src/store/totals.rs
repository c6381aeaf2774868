//! Sums of every account and of the workspace, updated with each write, so that their cost does not grow with the
//! number of wallets.
//!
//! Wallets count in *groups*: the wallets of one user on one chain, whose balances the service reports together, and
//! each wallet without a user by itself. A group's part in the sums of a scope is subtracted before anything of the
//! group changes, and added again at the end of the write. An unchanged group writes nothing.
//!
//! Amounts with different fraction digits cannot be added, so each number of digits has its own sum; parts without an
//! exact amount are only counted. Whether sums of rows can be trusted, and how old the parts are, is determined when a
//! sum is read (see `scope_totals`): both change without any part of it.

mod group;
mod scope_totals;
mod total_row;

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use super::wallet_totals::{self, TokenSum};
use crate::domain::UserId;
use group::{Addend, GroupContents};
use total_row::{TotalChange, TotalKey};

pub(super) use group::WalletGroupKey;
pub(super) use scope_totals::read_scope_totals;

#[derive(Default)]
pub(super) struct TotalChanges {
    /// Groups that were subtracted, and are added again at the end.
    removed_groups: BTreeSet<WalletGroupKey>,
    rows: BTreeMap<TotalKey, TotalChange>,
    /// By scope and chain, the change in the number of wallets that are summed from rows.
    summed: BTreeMap<(String, String), i64>,
    /// Whether all sums are rebuilt from nothing at the end.
    rebuilds_all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Adjustment {
    Add,
    Subtract,
}

impl Adjustment {
    fn sign(self) -> i64 {
        if self == Self::Add { 1 } else { -1 }
    }
}

impl TotalChanges {
    /// Subtracts a group from all sums. Call it before any change that affects the group's part in them.
    pub(super) fn remove_group(&mut self, connection: &Connection, group: WalletGroupKey) -> Result<(), StoreError> {
        if !self.rebuilds_all && !self.removed_groups.contains(&group) {
            self.apply_group(connection, &group, Adjustment::Subtract)?;
            self.removed_groups.insert(group);
        }
        Ok(())
    }

    pub(super) fn remove_user(&mut self, connection: &Connection, user: &UserId) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached("SELECT DISTINCT blockchain FROM wallet WHERE user = ?1")?;
        let chains = statement.query_map([user.as_str()], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        for chain in chains {
            self.remove_group(connection, WalletGroupKey::UserWallets { user: user.to_string(), chain })?;
        }
        Ok(())
    }

    pub(super) fn rebuild_all(&mut self) {
        *self = Self { rebuilds_all: true, ..Self::default() };
    }

    /// Applies a new sum of a wallet's rows in a token (wallet, chain, contract).
    pub(super) fn apply_wallet_sum(
        &mut self,
        connection: &Connection,
        (wallet, chain, contract): (&str, &str, &str),
        old: Option<&TokenSum>,
        new: &TokenSum,
    ) -> Result<(), StoreError> {
        if self.rebuilds_all {
            return Ok(());
        }
        let mut statement = connection.prepare_cached("SELECT user, blockchain, account FROM wallet WHERE id = ?1")?;
        let owner = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let Some((user, wallet_chain, account)) = statement.query_row([wallet], owner).optional()? else {
            return Ok(());
        };
        let (user, wallet_chain, account): (Option<String>, String, Option<String>) = (user, wallet_chain, account);
        let group = WalletGroupKey::containing_wallet(wallet, user.as_deref(), &wallet_chain);
        if self.removed_groups.contains(&group) {
            return Ok(());
        }
        let scopes = GroupContents::read(connection, &group)?.scopes();
        for scope in
            GroupContents::scopes_of_account(account.as_deref()).filter(|scope| scopes.get(scope) == Some(&false))
        {
            if let Some(old) = old {
                self.apply_addend(&scope, chain, contract, &Addend::of_row_sum(old), Adjustment::Subtract)?;
            }
            self.apply_addend(&scope, chain, contract, &Addend::of_row_sum(new), Adjustment::Add)?;
        }
        Ok(())
    }

    /// Adds the subtracted groups again, and writes the changed sums.
    pub(super) fn add_groups_and_write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let groups = if self.rebuilds_all {
            connection.execute_batch("DELETE FROM total; DELETE FROM summed;")?;
            all_groups(connection)?
        } else {
            std::mem::take(&mut self.removed_groups)
        };
        for group in groups {
            self.apply_group(connection, &group, Adjustment::Add)?;
        }
        let Self { rows, summed, .. } = std::mem::take(self);
        for (key, change) in rows {
            total_row::write_total(connection, &key, change)?;
        }
        let mut count = connection.prepare_cached(
            "INSERT INTO summed (scope, chain, wallets) VALUES (?1, ?2, ?3)
             ON CONFLICT (scope, chain) DO UPDATE SET wallets = wallets + ?3",
        )?;
        for ((scope, chain), more) in summed.into_iter().filter(|(_, more)| *more != 0) {
            count.execute(params![scope, chain, more])?;
        }
        Ok(())
    }

    fn apply_group(
        &mut self,
        connection: &Connection,
        group: &WalletGroupKey,
        adjustment: Adjustment,
    ) -> Result<(), StoreError> {
        let contents = GroupContents::read(connection, group)?;
        let scopes = contents.scopes();
        for scope in scopes.iter().filter(|(_, assumed)| **assumed).map(|(scope, _)| scope) {
            for balance in contents.reported_balances.iter().flatten() {
                let contract = balance.token.contract.as_deref().unwrap_or("");
                self.apply_addend(scope, &contents.chain, contract, &Addend::of_reported_balance(balance), adjustment)?;
            }
        }
        for (wallet, account) in &contents.wallets {
            let derived: Vec<String> = GroupContents::scopes_of_account(account.as_deref())
                .filter(|scope| scopes.get(scope) == Some(&false))
                .collect();
            if derived.is_empty() {
                continue;
            }
            let sums = wallet_totals::sums_of_wallet(connection, wallet)?;
            for scope in derived {
                for (chain, contract, sum) in &sums {
                    self.apply_addend(&scope, chain, contract, &Addend::of_row_sum(sum), adjustment)?;
                }
                *self.summed.entry((scope, contents.chain.clone())).or_default() += adjustment.sign();
            }
        }
        Ok(())
    }

    fn apply_addend(
        &mut self,
        scope: &str,
        chain: &str,
        contract: &str,
        part: &Addend<'_>,
        adjustment: Adjustment,
    ) -> Result<(), StoreError> {
        let key = (scope.to_owned(), chain.to_owned(), contract.to_owned(), part.decimals);
        let change = self.rows.entry(key).or_default();
        let side = if adjustment == Adjustment::Add { &mut change.plus } else { &mut change.minus };
        *side = side.checked_add(part.amount).ok_or_else(total_row::total_mismatch_error)?;
        if part.assumed {
            change.assumed += adjustment.sign();
        } else {
            change.derived += adjustment.sign();
        }
        if adjustment == Adjustment::Add {
            change.symbol_and_name = Some((part.symbol.to_owned(), part.name.map(str::to_owned)));
        }
        Ok(())
    }
}

fn all_groups(connection: &Connection) -> Result<BTreeSet<WalletGroupKey>, StoreError> {
    let mut statement = connection.prepare("SELECT id, user, blockchain FROM wallet")?;
    let mut rows = statement.query([])?;
    let mut groups = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let (id, user, chain): (String, Option<String>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        groups.insert(WalletGroupKey::containing_wallet(&id, user.as_deref(), &chain));
    }
    Ok(groups)
}
