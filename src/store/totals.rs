//! Sums of scopes with many wallets, as they were when they were last added up. They are true of that moment and say
//! which it was, so that a first picture may show them while they are added up anew.

use rusqlite::params;

use super::pack::{Packer, Unpacker};
use super::{Store, StoreError, lock};
use crate::domain::history::Scope;
use crate::domain::{Basis, Holding, Text, Timestamp, TokenKey};

/// How much later than those kept sums must be to be worth a write, in milliseconds.
const LATER: i64 = 60_000;

const BASES: [Basis; 4] = [Basis::Stated, Basis::Assumed, Basis::Derived, Basis::Unknown];

fn key(scope: &Scope) -> String {
    match scope {
        Scope::All => "all".into(),
        Scope::Account(id) => format!("account {id}"),
        Scope::Wallet(id) => format!("wallet {id}"),
        Scope::User(id) => format!("user {id}"),
    }
}

impl Store {
    /// Keeps the sums of a scope of `many` wallets, if those that are kept are much older by the last look at the head.
    pub(super) fn keep_total(
        &self,
        scope: &Scope,
        holdings: &[Holding],
        head_at: Option<Timestamp>,
        many: bool,
    ) -> Result<(), StoreError> {
        let at = head_at.map_or(0, Timestamp::millis);
        let scope = key(scope);
        let mut kept = lock(&self.inner.totals_at);
        let before = kept.insert(scope.clone(), at);
        if !many || before.is_some_and(|before| at.saturating_sub(before) < LATER) {
            kept.insert(scope, before.unwrap_or(at));
            return Ok(());
        }
        self.write(|batch| {
            batch.connection.prepare_cached("DELETE FROM total WHERE scope = ?1")?.execute([&scope])?;
            let mut insert = batch.connection.prepare_cached(
                "INSERT INTO total (scope, nth, chain, contract, symbol, name, amount, basis, as_of, suspicious)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?;
            for (nth, holding) in (0_i64..).zip(holdings) {
                let amount = holding.amount.as_ref().map(|amount| {
                    let mut packed = Packer::default();
                    packed.stated(amount);
                    packed.0
                });
                let basis =
                    BASES.iter().position(|basis| *basis == holding.basis).and_then(|at| i64::try_from(at).ok());
                insert.execute(params![
                    scope,
                    nth,
                    holding.token.blockchain.as_str(),
                    holding.token.contract.as_deref().unwrap_or(""),
                    holding.symbol.as_str(),
                    holding.name.as_deref(),
                    amount,
                    basis.unwrap_or(3),
                    holding.as_of.map(Timestamp::millis),
                    holding.suspicious,
                ])?;
            }
            Ok(())
        })
    }

    /// The sums of a scope as they were when they were last kept; `None` if they never were, or once they have been
    /// added up in this session: then [`holdings`](Self::holdings) is as quick, or knows better.
    pub fn kept_holdings(&self, scope: &Scope) -> Result<Option<Vec<Holding>>, StoreError> {
        if lock(&self.inner.totals_at).contains_key(&key(scope)) {
            return Ok(None);
        }
        let holdings = self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT chain, contract, symbol, name, amount, basis, as_of, suspicious FROM total WHERE scope = ?1
                 ORDER BY nth",
            )?;
            let mut rows = statement.query([key(scope)])?;
            let mut holdings = Vec::new();
            while let Some(row) = rows.next()? {
                let text =
                    |nth: usize| row.get::<_, Option<String>>(nth).map(|text| text.map(|text| Text::clean(&text)));
                let packed: Option<Vec<u8>> = row.get(4)?;
                let amount = packed.map(|packed| {
                    Unpacker(&packed).stated().ok_or_else(|| StoreError::damaged("a sum cannot be read"))
                });
                let basis = row.get::<_, i64>(5).map(|at| usize::try_from(at).ok().and_then(|at| BASES.get(at)))?;
                holdings.push(Holding {
                    token: TokenKey {
                        blockchain: text(0)?.unwrap_or_default(),
                        contract: text(1)?.filter(|contract| !contract.is_empty()),
                    },
                    symbol: text(2)?.unwrap_or_default(),
                    name: text(3)?,
                    amount: amount.transpose()?,
                    basis: basis.copied().unwrap_or(Basis::Unknown),
                    as_of: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
                    suspicious: row.get(7)?,
                });
            }
            Ok(holdings)
        })?;
        Ok((!holdings.is_empty()).then_some(holdings))
    }
}
