//! The stored balances of a user, within the current transaction.

use rusqlite::{Connection, OptionalExtension, params, params_from_iter};

use super::StoreError;
use super::byte_packing::{Packer, Unpacker};
use crate::domain::{ReportedAmount, ReportedBalance, Text, Timestamp, TokenKey, UserId};

pub(super) fn replace_balances(
    connection: &Connection,
    user: &UserId,
    balances: &[ReportedBalance],
) -> Result<(), StoreError> {
    connection.prepare_cached("DELETE FROM balance WHERE user = ?1")?.execute([user.as_str()])?;
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO balance
             (user, chain, contract, symbol, name, amount, environment, updated_at, disputed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for balance in balances {
        let mut amount = Packer::default();
        amount.reported_amount(&balance.amount);
        insert.execute(params![
            user.as_str(),
            balance.token.blockchain.as_str(),
            balance.token.contract.as_deref().unwrap_or(""),
            balance.symbol.as_str(),
            balance.name.as_deref(),
            amount.0,
            balance.environment.as_deref(),
            balance.updated_at.map(Timestamp::millis),
            matches!(balance.amount, ReportedAmount::Disputed { .. }),
        ])?;
    }
    Ok(())
}

pub(super) fn balances_read_at(connection: &Connection, user: &UserId) -> Result<Option<Timestamp>, StoreError> {
    let at: Option<Option<i64>> = connection
        .prepare_cached("SELECT balances_at FROM user WHERE id = ?1")?
        .query_row([user.as_str()], |row| row.get(0))
        .optional()?;
    Ok(at.flatten().map(Timestamp::from_millis))
}

/// With the time of their reading; `None` if they were never read.
pub(super) fn balances_of_user(
    connection: &Connection,
    user: &UserId,
) -> Result<Option<(Vec<ReportedBalance>, Timestamp)>, StoreError> {
    let Some(at) = balances_read_at(connection, user)? else { return Ok(None) };
    Ok(Some((reported_balances(connection, user, None)?, at)))
}

/// The same on one chain, without their time.
pub(super) fn balances_of_user_on_chain(
    connection: &Connection,
    user: &UserId,
    chain: &str,
) -> Result<Option<Vec<ReportedBalance>>, StoreError> {
    balances_read_at(connection, user)?.map(|_| reported_balances(connection, user, Some(chain))).transpose()
}

fn reported_balances(
    connection: &Connection,
    user: &UserId,
    chain: Option<&str>,
) -> Result<Vec<ReportedBalance>, StoreError> {
    let mut sql =
        "SELECT chain, contract, symbol, name, amount, environment, updated_at FROM balance WHERE user = ?1".to_owned();
    if chain.is_some() {
        sql.push_str(" AND chain = ?2");
    }
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter([Some(user.as_str()), chain].into_iter().flatten()))?;
    let mut balances = Vec::new();
    while let Some(row) = rows.next()? {
        let text = |nth: usize| Ok::<_, StoreError>(row.get_ref(nth)?.as_str_or_null().map_err(rusqlite::Error::from)?);
        let clean = |nth: usize| Ok::<_, StoreError>(text(nth)?.map(Text::clean));
        let packed = row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?;
        balances.push(ReportedBalance {
            user: user.clone(),
            token: TokenKey {
                blockchain: clean(0)?.unwrap_or_default(),
                contract: clean(1)?.filter(|contract| !contract.is_empty()),
            },
            symbol: clean(2)?.unwrap_or_default(),
            name: clean(3)?,
            amount: unpack_amount(packed)?,
            environment: clean(5)?,
            updated_at: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
        });
    }
    Ok(balances)
}

pub(super) fn unpack_amount(packed: &[u8]) -> Result<ReportedAmount, StoreError> {
    Unpacker(packed).reported_amount().ok_or_else(|| StoreError::damaged("a balance cannot be read"))
}
