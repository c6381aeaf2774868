//! Sums of every account and of everything, kept true with each write, so that none of them costs more with more wallets.
//!
//! Wallets count in *groups*: those of one user on one chain, whose balances the service states together, and each wallet
//! without a user by itself. What a group adds to the sums of a scope is taken out before something of it changes, and
//! counted in anew at the end of the write. A group that is as it was writes nothing.
//!
//! Amounts with different fraction digits are no sum, so that each number of digits is counted for itself; parts without
//! an exact amount are only counted. Whether sums of rows may be believed, and how old the parts are, is asked when a sum
//! is read (see `kept`): both change without any part of it.

mod kept;

use std::collections::{BTreeMap, BTreeSet};

use ruint::Uint;
use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, params};

use super::held::{self, Sum};
use super::{StoreError, balances};
use crate::domain::history::Scope;
use crate::domain::{Balance, Stated, UserId};

pub(super) use kept::read;

/// Wide enough for any number of amounts.
type Wide = Uint<320, 5>;

/// In place of fraction digits: parts without an exact amount.
const INEXACT: i64 = -1;

/// Wallets that count together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// Those of a user on a chain.
    Of { user: String, chain: String },
    /// One that has no user.
    Alone { wallet: String, chain: String },
}

impl Group {
    /// The group of a wallet.
    pub(super) fn of(wallet: &str, user: Option<&str>, chain: &str) -> Self {
        let chain = chain.to_owned();
        match user {
            Some(user) => Self::Of { user: user.to_owned(), chain },
            None => Self::Alone { wallet: wallet.to_owned(), chain },
        }
    }
}

/// How the tables name a scope; other scopes than accounts and everything have no kept sums.
fn key(scope: &Scope) -> String {
    match scope {
        Scope::Account(id) => of_account(id.as_str()),
        _ => "all".into(),
    }
}

fn of_account(id: &str) -> String {
    format!("account {id}")
}

/// The wallets of a group, and how its balances are known.
struct Shape {
    /// The chain of its wallets.
    chain: String,
    /// Each with its account.
    wallets: Vec<(String, Option<String>)>,
    /// What the service stated of its user on its chain, if it ever did.
    stated: Option<Vec<Balance>>,
}

impl Shape {
    fn of(connection: &Connection, group: &Group) -> Result<Self, StoreError> {
        match group {
            Group::Of { user, chain } => {
                let mut statement =
                    connection.prepare_cached("SELECT id, account FROM wallet WHERE user = ?1 AND blockchain = ?2")?;
                let wallets = statement.query_map([user, chain], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let wallets: Vec<_> = wallets.collect::<Result<_, _>>()?;
                let read = if wallets.is_empty() { None } else { balances::of_user(connection, &UserId::read(user))? };
                let stated = read.map(|(mut balances, _)| {
                    balances.retain(|balance| *balance.token.blockchain == **chain);
                    balances
                });
                Ok(Self { chain: chain.clone(), wallets, stated })
            }
            Group::Alone { wallet, chain } => {
                let mut statement = connection.prepare_cached(
                    "SELECT id, account FROM wallet WHERE id = ?1 AND blockchain = ?2 AND user IS NULL",
                )?;
                let wallets = statement.query_map([wallet, chain], |row| Ok((row.get(0)?, row.get(1)?)))?;
                Ok(Self { chain: chain.clone(), wallets: wallets.collect::<Result<_, _>>()?, stated: None })
            }
        }
    }

    /// Every scope that has wallets of the group, with whether their balances are those that were stated: all of the
    /// group's known wallets lie in it.
    fn scopes(&self) -> BTreeMap<String, bool> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (_, account) in &self.wallets {
            for scope in Self::scopes_of(account.as_deref()) {
                *counts.entry(scope).or_default() += 1;
            }
        }
        let assumed = |count| self.stated.is_some() && count == self.wallets.len();
        counts.into_iter().map(|(scope, count)| (scope, assumed(count))).collect()
    }

    /// The scopes of a wallet.
    fn scopes_of(account: Option<&str>) -> impl Iterator<Item = String> {
        std::iter::once(key(&Scope::All)).chain(account.map(of_account))
    }
}

/// A part of a sum.
struct Part<'a> {
    symbol: &'a str,
    name: Option<&'a str>,
    /// `INEXACT` if there is no exact amount.
    decimals: i64,
    amount: Wide,
    /// Stated of a user and assumed of the wallets, or derived from rows.
    assumed: bool,
}

impl<'a> Part<'a> {
    fn stated(balance: &'a Balance) -> Self {
        let (symbol, name) = (&*balance.symbol, balance.name.as_deref());
        let (decimals, amount) = digits(Stated::exact(&balance.amount));
        Self { symbol, name, decimals, amount, assumed: true }
    }

    fn derived(sum: &'a Sum) -> Self {
        let (decimals, amount) = digits(sum.amount());
        Self { symbol: &sum.symbol, name: sum.name.as_deref(), decimals, amount, assumed: false }
    }
}

fn digits(amount: Option<crate::domain::Amount>) -> (i64, Wide) {
    amount.map_or((INEXACT, Wide::ZERO), |amount| (i64::from(amount.decimals()), Wide::from(amount.raw())))
}

/// Which row: scope, chain, contract (empty for the chain's own coin), fraction digits.
type Key = (String, String, String, i64);

/// What is to be added to a row and taken out of it.
#[derive(Default)]
struct Change {
    /// How the token is called now.
    called: Option<(String, Option<String>)>,
    plus: Wide,
    minus: Wide,
    assumed: i64,
    derived: i64,
}

/// What a batch changes.
#[derive(Default)]
pub(super) struct Changes {
    /// Groups that were taken out, and are counted in again at the end.
    out: BTreeSet<Group>,
    rows: BTreeMap<Key, Change>,
    /// By scope and chain, how many wallets more are summed up from rows.
    summed: BTreeMap<(String, String), i64>,
    /// Whether all is added up from nothing at the end.
    anew: bool,
}

/// Which way something counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl Way {
    fn count(self) -> i64 {
        if self == Self::In { 1 } else { -1 }
    }
}

impl Changes {
    /// Takes a group out of all sums. To be said before anything changes that its part in them follows from.
    pub(super) fn unsettle(&mut self, connection: &Connection, group: Group) -> Result<(), StoreError> {
        if !self.anew && !self.out.contains(&group) {
            self.count(connection, &group, Way::Out)?;
            self.out.insert(group);
        }
        Ok(())
    }

    /// Takes out every group of a user.
    pub(super) fn unsettle_user(&mut self, connection: &Connection, user: &UserId) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached("SELECT DISTINCT blockchain FROM wallet WHERE user = ?1")?;
        let chains = statement.query_map([user.as_str()], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        for chain in chains {
            self.unsettle(connection, Group::Of { user: user.to_string(), chain })?;
        }
        Ok(())
    }

    /// Has everything added up from nothing at the end of the batch.
    pub(super) fn start_anew(&mut self) {
        *self = Self { anew: true, ..Self::default() };
    }

    /// Takes in that the rows of a wallet now have another sum of a token (wallet, chain, contract).
    pub(super) fn moved(
        &mut self,
        connection: &Connection,
        (wallet, chain, contract): (&str, &str, &str),
        old: Option<&Sum>,
        new: &Sum,
    ) -> Result<(), StoreError> {
        if self.anew {
            return Ok(());
        }
        let mut statement = connection.prepare_cached("SELECT user, blockchain, account FROM wallet WHERE id = ?1")?;
        let owner = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let Some((user, home, account)) = statement.query_row([wallet], owner).optional()? else { return Ok(()) };
        let (user, home, account): (Option<String>, String, Option<String>) = (user, home, account);
        let group = Group::of(wallet, user.as_deref(), &home);
        if self.out.contains(&group) {
            return Ok(());
        }
        let scopes = Shape::of(connection, &group)?.scopes();
        for scope in Shape::scopes_of(account.as_deref()).filter(|scope| scopes.get(scope) == Some(&false)) {
            if let Some(old) = old {
                self.add(&scope, chain, contract, &Part::derived(old), Way::Out)?;
            }
            self.add(&scope, chain, contract, &Part::derived(new), Way::In)?;
        }
        Ok(())
    }

    /// Counts in what was taken out, and writes what has changed.
    pub(super) fn settle(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let groups = if self.anew {
            connection.execute_batch("DELETE FROM total; DELETE FROM summed;")?;
            all(connection)?
        } else {
            std::mem::take(&mut self.out)
        };
        for group in groups {
            self.count(connection, &group, Way::In)?;
        }
        let Self { rows, summed, .. } = std::mem::take(self);
        for (key, change) in rows {
            write(connection, &key, change)?;
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

    /// Counts a group as it stands in the database.
    fn count(&mut self, connection: &Connection, group: &Group, way: Way) -> Result<(), StoreError> {
        let shape = Shape::of(connection, group)?;
        let scopes = shape.scopes();
        for scope in scopes.iter().filter(|(_, assumed)| **assumed).map(|(scope, _)| scope) {
            for balance in shape.stated.iter().flatten() {
                let contract = balance.token.contract.as_deref().unwrap_or("");
                self.add(scope, &shape.chain, contract, &Part::stated(balance), way)?;
            }
        }
        for (wallet, account) in &shape.wallets {
            let derived: Vec<String> =
                Shape::scopes_of(account.as_deref()).filter(|scope| scopes.get(scope) == Some(&false)).collect();
            if derived.is_empty() {
                continue;
            }
            let sums = held::of_wallet(connection, wallet)?;
            for scope in derived {
                for (chain, contract, sum) in &sums {
                    self.add(&scope, chain, contract, &Part::derived(sum), way)?;
                }
                *self.summed.entry((scope, shape.chain.clone())).or_default() += way.count();
            }
        }
        Ok(())
    }

    fn add(&mut self, scope: &str, chain: &str, contract: &str, part: &Part<'_>, way: Way) -> Result<(), StoreError> {
        let key = (scope.to_owned(), chain.to_owned(), contract.to_owned(), part.decimals);
        let change = self.rows.entry(key).or_default();
        let side = if way == Way::In { &mut change.plus } else { &mut change.minus };
        *side = side.checked_add(part.amount).ok_or_else(broken)?;
        if part.assumed {
            change.assumed += way.count();
        } else {
            change.derived += way.count();
        }
        if way == Way::In {
            change.called = Some((part.symbol.to_owned(), part.name.map(str::to_owned)));
        }
        Ok(())
    }
}

fn broken() -> StoreError {
    StoreError::damaged("a sum does not go with its parts")
}

/// Every group there is.
fn all(connection: &Connection) -> Result<BTreeSet<Group>, StoreError> {
    let mut statement = connection.prepare("SELECT id, user, blockchain FROM wallet")?;
    let mut rows = statement.query([])?;
    let mut groups = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let (id, user, chain): (String, Option<String>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        groups.insert(Group::of(&id, user.as_deref(), &chain));
    }
    Ok(groups)
}

/// A row as it is kept.
#[derive(Debug, PartialEq, Eq, Default)]
struct Row {
    symbol: String,
    name: Option<String>,
    amount: Wide,
    assumed: i64,
    derived: i64,
}

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let amount: [u8; 40] = row.get(2)?;
    Ok(Row {
        symbol: row.get(0)?,
        name: row.get(1)?,
        amount: Wide::from_be_bytes::<40>(amount),
        assumed: row.get(3)?,
        derived: row.get(4)?,
    })
}

const COLUMNS: &str = "symbol, name, amount, assumed, derived";
const PLACE: &str = "scope = ?1 AND chain = ?2 AND contract = ?3 AND decimals = ?4";

/// Writes a change of a row, if it is one.
fn write(connection: &Connection, key: &Key, change: Change) -> Result<(), StoreError> {
    let (scope, chain, contract, decimals) = key;
    let place = params![scope, chain, contract, decimals];
    let mut find = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM total WHERE {PLACE}"))?;
    let before = find.query_row(place, row).optional()?.unwrap_or_default();
    let amount = before.amount.checked_add(change.plus).and_then(|sum| sum.checked_sub(change.minus));
    let called = change.called.unwrap_or_else(|| (before.symbol.clone(), before.name.clone()));
    let after = Row {
        symbol: called.0,
        name: called.1,
        amount: amount.ok_or_else(broken)?,
        assumed: before.assumed + change.assumed,
        derived: before.derived + change.derived,
    };
    if after.assumed < 0 || after.derived < 0 {
        return Err(broken());
    }
    if after.assumed + after.derived == 0 {
        connection.prepare_cached(&format!("DELETE FROM total WHERE {PLACE}"))?.execute(place)?;
    } else if after != before {
        let mut statement = connection.prepare_cached(
            "INSERT OR REPLACE INTO total
                 (scope, chain, contract, decimals, symbol, name, amount, assumed, derived)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        let amount = after.amount.to_be_bytes::<40>();
        let (symbol, name) = (after.symbol, after.name);
        statement.execute(params![
            scope,
            chain,
            contract,
            decimals,
            symbol,
            name,
            amount,
            after.assumed,
            after.derived
        ])?;
    }
    Ok(())
}

/// What fits the amounts that everything else computes with.
fn narrow(amount: Wide) -> Option<U256> {
    U256::checked_from_limbs_slice(amount.as_limbs())
}
