//! What each wallet holds of each token, summed up from the history.
//!
//! Incoming rows count once they are done; outgoing rows count from their acceptance, with their fee; failed rows do
//! not count. A row that does not say enough (no amount, amounts that contradict each other, a status nobody knows)
//! makes the sum of its wallet and token unclear, and an unclear sum is not shown.

use std::collections::BTreeMap;

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use crate::domain::{Amount, Direction, Stated, Status, Transaction};

/// Which sum: wallet, chain, contract (empty for the chain's own coin).
type Key = (String, String, String);

/// One sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) symbol: String,
    pub(super) name: Option<String>,
    pub(super) decimals: Option<u8>,
    incoming: U256,
    outgoing: U256,
    /// Rows that did not say enough.
    unclear: i64,
}

impl Sum {
    /// What is held; `None` where the rows do not tell, or tell nonsense.
    pub(super) fn amount(&self) -> Option<Amount> {
        if self.unclear != 0 {
            return None;
        }
        Amount::new(self.incoming.checked_sub(self.outgoing)?, self.decimals.unwrap_or(0))
    }
}

/// Sums that this batch has changed.
#[derive(Default)]
pub(super) struct Tally {
    sums: BTreeMap<Key, Sum>,
}

/// How a row changes its sum.
enum Share {
    In(Amount),
    Out(Amount),
    Unclear,
}

fn share(transaction: &Transaction) -> Option<Share> {
    let exact = |stated: &Option<Stated>| stated.as_ref().and_then(Stated::exact);
    let done = match (&transaction.status, transaction.confirmed) {
        (Some(Status::Failed), _) => return None,
        (Some(Status::Success), _) | (_, Some(true)) => Some(true),
        (Some(Status::Pending), _) => Some(false),
        _ => None,
    };
    let amount = match (&transaction.direction, done) {
        (Direction::Incoming, Some(false)) => return None,
        (Direction::Incoming, Some(true)) => exact(&transaction.amount).map(Share::In),
        (Direction::Outgoing, Some(_)) => exact(&transaction.total_amount).map(Share::Out),
        _ => None,
    };
    Some(amount.unwrap_or(Share::Unclear))
}

impl Tally {
    /// Counts a row in.
    pub(super) fn add(&mut self, connection: &Connection, transaction: &Transaction) -> Result<(), StoreError> {
        self.apply(connection, transaction, 1, U256::checked_add)
    }

    /// Takes a row out that was counted in.
    pub(super) fn remove(&mut self, connection: &Connection, transaction: &Transaction) -> Result<(), StoreError> {
        self.apply(connection, transaction, -1, U256::checked_sub)
    }

    fn apply(
        &mut self,
        connection: &Connection,
        transaction: &Transaction,
        sign: i64,
        change: impl Fn(U256, U256) -> Option<U256>,
    ) -> Result<(), StoreError> {
        let (Some(wallet), Some(share)) = (&transaction.wallet, share(transaction)) else { return Ok(()) };
        let contract = transaction.token.contract.as_deref().unwrap_or("").to_owned();
        let key = (wallet.as_str().to_owned(), transaction.token.blockchain.to_string(), contract);
        let sum = match self.sums.entry(key) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(vacant) => {
                let known = read(connection, vacant.key())?;
                vacant.insert(known.unwrap_or_else(|| Sum {
                    symbol: transaction.symbol.to_string(),
                    name: transaction.token_name.as_ref().map(ToString::to_string),
                    decimals: None,
                    incoming: U256::ZERO,
                    outgoing: U256::ZERO,
                    unclear: 0,
                }))
            }
        };
        let (amount, side) = match share {
            Share::In(amount) => (amount, &mut sum.incoming),
            Share::Out(amount) => (amount, &mut sum.outgoing),
            Share::Unclear => {
                sum.unclear += sign;
                return Ok(());
            }
        };
        // The first row rules; amounts with other fraction digits are not the same unit, so their sum says nothing.
        let decimals = *sum.decimals.get_or_insert(amount.decimals());
        if decimals != amount.decimals() {
            sum.unclear += sign;
            return Ok(());
        }
        match change(*side, amount.raw()) {
            Some(changed) => *side = changed,
            None => sum.unclear += 1,
        }
        Ok(())
    }

    /// Writes what has changed.
    pub(super) fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let mut statement = connection.prepare_cached(
            "INSERT OR REPLACE INTO held (wallet, chain, contract, symbol, name, decimals, incoming, outgoing, unclear)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        for ((wallet, chain, contract), sum) in std::mem::take(&mut self.sums) {
            statement.execute(params![
                wallet,
                chain,
                contract,
                sum.symbol,
                sum.name,
                sum.decimals,
                sum.incoming.to_be_bytes::<32>(),
                sum.outgoing.to_be_bytes::<32>(),
                sum.unclear
            ])?;
        }
        Ok(())
    }
}

const COLUMNS: &str = "symbol, name, decimals, incoming, outgoing, unclear";

fn sum(row: &rusqlite::Row<'_>) -> rusqlite::Result<Sum> {
    let wide = |bytes: [u8; 32]| U256::from_be_bytes::<32>(bytes);
    Ok(Sum {
        symbol: row.get(0)?,
        name: row.get(1)?,
        decimals: row.get(2)?,
        incoming: wide(row.get(3)?),
        outgoing: wide(row.get(4)?),
        unclear: row.get(5)?,
    })
}

fn read(connection: &Connection, (wallet, chain, contract): &Key) -> Result<Option<Sum>, StoreError> {
    let found = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM held WHERE wallet = ?1 AND chain = ?2 AND contract = ?3"))?
        .query_row([wallet, chain, contract], sum)
        .optional()?;
    Ok(found)
}

/// Every sum of a wallet: its contract (empty for the chain's own coin), its chain, and the sum.
pub(super) fn of_wallet(connection: &Connection, wallet: &str) -> Result<Vec<(String, String, Sum)>, StoreError> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS}, chain, contract FROM held WHERE wallet = ?1"))?;
    let rows = statement.query_map([wallet], |row| Ok((row.get(6)?, row.get(7)?, sum(row)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
