//! Finds rows by identifier or hash through indexes, without a scan.

use rusqlite::{Connection, params};
use uuid::Uuid;

use crate::domain::Family;
use crate::service::ledger::addresses::transaction_of_hash;
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::tokens::read_chain;

/// Deposits and internal transfers by identifier. The condition must be that of the index.
const ROWS_BY_ID_SQL: &str = "SELECT h.no, k.chain, h.sub_type FROM history h CROSS JOIN tokens k ON k.no = h.token
    WHERE h.id = ?1 AND h.sub_type IN (0, 5)";

/// Incoming ends of payments within this service.
const ROWS_BY_HASH_SQL: &str = "SELECT h.no, k.chain, h.sub_type FROM history h CROSS JOIN tokens k ON k.no = h.token
    WHERE h.hash_of = ?1";

/// Transfers off the chain (sub-type 5) have no hash.
const OFF_CHAIN_SUB_TYPE: i64 = 5;

/// Row numbers of deposits and internal transfers by identifier, in any workspace.
pub(super) fn find_row_numbers_by_id(connection: &Connection, id: Uuid) -> Result<Vec<i64>, RequestError> {
    let mut statement = connection.prepare_cached(ROWS_BY_ID_SQL)?;
    let numbers = statement.query_map(params![id.into_bytes()], |row| row.get(0))?;
    Ok(numbers.collect::<Result<_, _>>()?)
}

/// Row numbers of deposits by transaction hash, in any workspace.
pub(super) fn find_row_numbers_by_hash(connection: &Connection, hash: &str) -> Result<Vec<i64>, RequestError> {
    let mut addresses = Vec::new();
    for family in [Family::Evm, Family::Solana, Family::Tron, Family::Bitcoin, Family::Xrp, Family::Ton] {
        let Some(transaction) = transaction_of_hash(family, hash) else { continue };
        for sql in [ROWS_BY_ID_SQL, ROWS_BY_HASH_SQL] {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![transaction.into_bytes()])?;
            while let Some(row) = rows.next()? {
                let is_on_chain = row.get::<_, i64>(2)? != OFF_CHAIN_SUB_TYPE;
                if is_on_chain && read_chain(row, 1)?.family == family {
                    addresses.push(row.get(0)?);
                }
            }
        }
    }
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::chain::Pace;
    use crate::service::ledger::{Ledger, LedgerLocation};

    #[test]
    fn nothing_is_found_by_looking_at_every_row() {
        let ledger = Ledger::open(&LedgerLocation::Temporary, Pace::USUAL).unwrap();
        let plan = |sql: &str| {
            let plan = ledger.read(|connection| {
                let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
                let steps = statement.query_map(params![[0_u8; 16]], |row| row.get::<_, String>(3))?;
                Ok(steps.collect::<Result<Vec<_>, _>>()?)
            });
            plan.unwrap().join("; ")
        };
        assert!(plan(ROWS_BY_ID_SQL).starts_with("SEARCH h USING INDEX history_by_id"), "{}", plan(ROWS_BY_ID_SQL));
        assert!(
            plan(ROWS_BY_HASH_SQL).starts_with("SEARCH h USING INDEX history_by_hash"),
            "{}",
            plan(ROWS_BY_HASH_SQL)
        );
    }
}
