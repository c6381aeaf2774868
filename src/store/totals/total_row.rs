//! Rows of stored sums: one for each token of a scope and each number of fraction digits.

use ruint::Uint;
use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, params};

use crate::store::StoreError;

/// Wide enough for any number of amounts.
pub(super) type WideAmount = Uint<320, 5>;

/// Replaces the fraction digits of parts without an exact amount.
pub(super) const INEXACT_DECIMALS: i64 = -1;

/// Scope, chain, contract (empty for the chain's own coin), fraction digits.
pub(super) type TotalKey = (String, String, String, i64);

#[derive(Default)]
pub(super) struct TotalChange {
    /// The token's current symbol and name.
    pub(super) symbol_and_name: Option<(String, Option<String>)>,
    pub(super) plus: WideAmount,
    pub(super) minus: WideAmount,
    pub(super) assumed: i64,
    pub(super) derived: i64,
}

pub(super) fn total_mismatch_error() -> StoreError {
    StoreError::damaged("a sum does not match its parts")
}

#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct TotalRow {
    pub(super) symbol: String,
    pub(super) name: Option<String>,
    pub(super) amount: WideAmount,
    pub(super) assumed: i64,
    pub(super) derived: i64,
}

pub(super) fn read_total_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<TotalRow> {
    let amount: [u8; 40] = row.get(2)?;
    Ok(TotalRow {
        symbol: row.get(0)?,
        name: row.get(1)?,
        amount: WideAmount::from_be_bytes::<40>(amount),
        assumed: row.get(3)?,
        derived: row.get(4)?,
    })
}

const COLUMNS: &str = "symbol, name, amount, assumed, derived";
const KEY_CONDITION: &str = "scope = ?1 AND chain = ?2 AND contract = ?3 AND decimals = ?4";

/// Writes a row's change, unless it changes nothing.
pub(super) fn write_total(connection: &Connection, key: &TotalKey, change: TotalChange) -> Result<(), StoreError> {
    let (scope, chain, contract, decimals) = key;
    let key_params = params![scope, chain, contract, decimals];
    let mut find = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM total WHERE {KEY_CONDITION}"))?;
    let before = find.query_row(key_params, read_total_row).optional()?.unwrap_or_default();
    let amount = before.amount.checked_add(change.plus).and_then(|sum| sum.checked_sub(change.minus));
    let called = change.symbol_and_name.unwrap_or_else(|| (before.symbol.clone(), before.name.clone()));
    let after = TotalRow {
        symbol: called.0,
        name: called.1,
        amount: amount.ok_or_else(total_mismatch_error)?,
        assumed: before.assumed + change.assumed,
        derived: before.derived + change.derived,
    };
    if after.assumed < 0 || after.derived < 0 {
        return Err(total_mismatch_error());
    }
    if after.assumed + after.derived == 0 {
        connection.prepare_cached(&format!("DELETE FROM total WHERE {KEY_CONDITION}"))?.execute(key_params)?;
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

/// Narrows a sum to the type used elsewhere; `None` where it does not fit.
pub(super) fn narrow_amount(amount: WideAmount) -> Option<U256> {
    U256::checked_from_limbs_slice(amount.as_limbs())
}
