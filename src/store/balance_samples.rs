//! Balance samples: the holdings of a scope at a time, as they were reported then.
//!
//! They exist nowhere else: deleting the cache loses them. At most one is taken an hour, they are thinned with age, and
//! the number of series is limited; the series not continued for longest is dropped first. Imitation tokens are not
//! sampled, or anybody could fill the limit by sending some.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::byte_packing::{Packer, Unpacker};
use super::{Cancel, Store, StoreError};
use crate::domain::history::Scope;
use crate::domain::sample_retention::{is_sample_due, thin_samples};
use crate::domain::{
    Amount, BalanceHistory, BalanceSample, Day, Holding, ReportedAmount, Text, Timestamp, TokenBalanceHistory, TokenKey,
};

/// The most series, each of one token of a scope: about four megabytes for a year of a busy console.
const MOST_SERIES: i64 = 2_048;
/// The most tokens of a scope that are sampled, in the order in which the scope lists them.
const MOST_TOKENS: usize = 64;
/// The greatest age of a balance that is sampled as the current one, in milliseconds.
const MAX_SAMPLE_AGE_MS: u64 = 3_600_000;

impl Store {
    /// Samples the holdings of a scope unless this hour has a sample. Returns whether it took one.
    pub fn take_sample(&self, scope: &Scope, now: Timestamp) -> Result<bool, StoreError> {
        let name = scope_name(scope);
        let newest = self.read_in_transaction(|connection| newest_sample_time(connection, &name))?;
        if !is_sample_due(newest, now) {
            return Ok(false);
        }
        let holdings = self.holdings(scope)?;
        let sampled: Vec<_> =
            holdings.iter().filter_map(|holding| sampleable_amount(holding, now)).take(MOST_TOKENS).collect();
        if sampled.is_empty() {
            return Ok(false);
        }
        self.with_write_batch(|batch| {
            for (token, amount) in sampled {
                append_samples(batch.connection, &name, token, &[BalanceSample { at: now, amount }])?;
            }
            drop_surplus_series(batch.connection)?;
            Ok(true)
        })
    }

    /// Samples and flows of a scope since a day, of one token or of all.
    pub fn balance_history(
        &self,
        scope: &Scope,
        token: Option<&TokenKey>,
        since: Day,
        cancel: &Cancel,
    ) -> Result<BalanceHistory, StoreError> {
        let (flows, whole) = self.flows_since(scope, token, since, cancel)?;
        let mut tokens: BTreeMap<TokenKey, TokenBalanceHistory> = BTreeMap::new();
        let empty =
            |token: &TokenKey| TokenBalanceHistory { token: token.clone(), samples: Vec::new(), flows: Vec::new() };
        for (token, flows) in flows {
            tokens.insert(token.clone(), TokenBalanceHistory { flows, ..empty(&token) });
        }
        for (sampled_token, mut samples) in
            self.read_in_transaction(|connection| read_series(connection, &scope_name(scope)))?
        {
            samples.retain(|sample| Day::from_timestamp(sample.at) >= since);
            if token.is_none_or(|token| *token == sampled_token) && !samples.is_empty() {
                tokens.entry(sampled_token.clone()).or_insert_with(|| empty(&sampled_token)).samples = samples;
            }
        }
        Ok(BalanceHistory { since, is_complete: whole, tokens: tokens.into_values().collect() })
    }
}

/// Drops the series not continued for longest, where there are too many.
pub(super) fn drop_surplus_series(connection: &Connection) -> Result<(), StoreError> {
    let count: i64 = connection.query_row("SELECT count(*) FROM sampled", [], |row| row.get(0))?;
    connection.execute(
        "DELETE FROM sampled WHERE (scope, chain, contract) IN
         (SELECT scope, chain, contract FROM sampled ORDER BY newest LIMIT ?1)",
        [(count - MOST_SERIES).max(0)],
    )?;
    Ok(())
}

/// The amount of a holding to sample: exact, fresh and not suspicious.
fn sampleable_amount(holding: &Holding, now: Timestamp) -> Option<(&TokenKey, Amount)> {
    let fresh = holding.as_of.is_some_and(|at| at.age(now).as_millis() < u128::from(MAX_SAMPLE_AGE_MS));
    let amount = holding.amount.as_ref().and_then(ReportedAmount::exact).filter(|_| fresh && !holding.suspicious)?;
    Some((&holding.token, amount))
}

fn scope_name(scope: &Scope) -> String {
    match scope {
        Scope::All => "all".into(),
        Scope::Account(id) => format!("account {id}"),
        Scope::Wallet(id) => format!("wallet {id}"),
        Scope::User(id) => format!("user {id}"),
    }
}

fn newest_sample_time(connection: &Connection, scope: &str) -> Result<Option<Timestamp>, StoreError> {
    let newest: Option<i64> = connection
        .prepare_cached("SELECT max(newest) FROM sampled WHERE scope = ?1")?
        .query_row([scope], |row| row.get(0))?;
    Ok(newest.map(Timestamp::from_millis))
}

/// Appends samples, oldest first.
pub(super) fn append_samples(
    connection: &Connection,
    scope: &str,
    token: &TokenKey,
    samples: &[BalanceSample],
) -> Result<(), StoreError> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Ok(()) };
    let (chain, contract) = (token.blockchain.as_str(), token.contract.as_deref().unwrap_or(""));
    let packed: Option<Vec<u8>> = connection
        .prepare_cached("SELECT points FROM sampled WHERE scope = ?1 AND chain = ?2 AND contract = ?3")?
        .query_row([scope, chain, contract], |row| row.get(0))
        .optional()?;
    let mut points = packed.map_or(Ok(Vec::new()), |packed| unpack_samples(&packed))?;
    // A clock that was set back leaves samples in the future, which would block every later one.
    points.retain(|point| point.at < first.at);
    points.extend(samples);
    thin_samples(&mut points, last.at);
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO sampled (scope, chain, contract, newest, points) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![scope, chain, contract, last.at.millis(), pack_samples(&points)])?;
    Ok(())
}

pub(super) fn read_series(
    connection: &Connection,
    scope: &str,
) -> Result<Vec<(TokenKey, Vec<BalanceSample>)>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT chain, contract, points FROM sampled WHERE scope = ?1")?;
    let mut rows = statement.query([scope])?;
    let mut series = Vec::new();
    while let Some(row) = rows.next()? {
        let (chain, contract): (String, String) = (row.get(0)?, row.get(1)?);
        let contract = (!contract.is_empty()).then(|| Text::clean(&contract));
        let points = unpack_samples(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?)?;
        series.push((TokenKey { blockchain: Text::clean(&chain), contract }, points));
    }
    Ok(series)
}

/// Times as differences, amounts in full.
fn pack_samples(points: &[BalanceSample]) -> Vec<u8> {
    let mut packer = Packer::default();
    let mut before = 0;
    for point in points {
        packer.signed(point.at.millis().saturating_sub(before));
        packer.reported_amount(&ReportedAmount::Exact(point.amount));
        before = point.at.millis();
    }
    packer.0
}

fn unpack_samples(packed: &[u8]) -> Result<Vec<BalanceSample>, StoreError> {
    let broken = || StoreError::damaged("samples of a balance cannot be read");
    let mut unpacker = Unpacker(packed);
    let mut points: Vec<BalanceSample> = Vec::new();
    while !unpacker.0.is_empty() {
        let before = points.last().map_or(0, |point| point.at.millis());
        let at = before.checked_add(unpacker.signed().ok_or_else(broken)?).ok_or_else(broken)?;
        let amount = unpacker.reported_amount().as_ref().and_then(ReportedAmount::exact).ok_or_else(broken)?;
        points.push(BalanceSample { at: Timestamp::from_millis(at), amount });
    }
    Ok(points)
}
