//! Balances of sub-wallets and the Prime Wallet, by coin.

use std::collections::HashMap;

use ruint::aliases::U256;
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

use super::owners::Owner;
use super::sub_wallets::resolve_coin_and_chain;
use crate::domain::Amount;
use crate::service::ledger::commands::Paging;
use crate::service::ledger::refusal::RequestError;
use crate::service::ledger::render::{Page, iso, v1};
use crate::service::ledger::tokens;
use crate::service::ledger::workspaces::Tenant;
use crate::service::ledger::{Ledger, columns};

#[derive(Debug, Clone, Copy)]
pub(super) enum AssetScope {
    One(Owner),
    /// All sub-wallets together.
    SubWallets,
}

/// Balance of one coin over all chains.
#[derive(Debug, Default)]
struct CoinBalance {
    balance: ExactSum,
    frozen: ExactSum,
    updated: i64,
}

/// A sum of amounts with different fraction digits. Whole coins and the rest are separate: in the finest units alone,
/// what one chain can hold might not fit.
#[derive(Debug, Default)]
struct ExactSum {
    whole: U256,
    /// In units of 10^-18, below one whole.
    rest: U256,
}

impl Ledger {
    /// Balances of one sub-wallet, or of all together.
    pub fn assets_of_sub_wallets(
        &self,
        tenant: Tenant,
        sub_wallet: Option<Uuid>,
        coin: Option<&str>,
        paging: Paging,
    ) -> Result<Page<v1::Asset>, RequestError> {
        let (symbol, _) = resolve_coin_and_chain(coin, None)?;
        self.read(|connection| {
            let whose = match sub_wallet {
                None => AssetScope::SubWallets,
                Some(id) => {
                    let owner = Owner::sub_wallet(connection, tenant, id)?;
                    AssetScope::One(owner.ok_or(RequestError::NotFound("sub-wallet"))?)
                }
            };
            page(connection, tenant, whose, symbol, paging)
        })
    }

    pub fn assets_of_prime(
        &self,
        tenant: Tenant,
        coin: Option<&str>,
        paging: Paging,
    ) -> Result<Page<v1::Asset>, RequestError> {
        let (symbol, _) = resolve_coin_and_chain(coin, None)?;
        self.read(|connection| match Owner::prime(connection, tenant)? {
            Some(prime) => page(connection, tenant, AssetScope::One(prime), symbol, paging),
            None => Ok(Page::new(Vec::new(), 0, paging.page, paging.rows())),
        })
    }
}

/// Coins with a present or former balance, in the order of the token list. Unlisted tokens are left out: v1 names coins
/// by symbol alone, and anybody can give a token any symbol.
fn page(
    connection: &Connection,
    tenant: Tenant,
    whose: AssetScope,
    symbol: Option<&str>,
    paging: Paging,
) -> Result<Page<v1::Asset>, RequestError> {
    let (narrowed, value) = match whose {
        AssetScope::One(owner) => {
            let (column, no) = owner.column();
            (format!("w.{column} = ?2"), Some(no))
        }
        AssetScope::SubWallets => ("w.user IS NOT NULL".to_owned(), None),
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT k.symbol, k.decimals, b.kind, b.balance, b.updated_at FROM wallets w
         CROSS JOIN books b ON b.wallet = w.no AND b.kind IN (0, 1)
         CROSS JOIN tokens k ON k.no = b.token AND k.listed = 1 WHERE w.workspace = ?1 AND {narrowed}"
    ))?;
    let values = [Some(tenant.number()), value].into_iter().flatten();
    let mut rows = statement.query(params_from_iter(values))?;
    let mut sums: HashMap<String, CoinBalance> = HashMap::new();
    while let Some(row) = rows.next()? {
        let held = sums.entry(row.get(0)?).or_default();
        let sum = if row.get::<_, i64>(2)? == 0 { &mut held.balance } else { &mut held.frozen };
        sum.add(columns::amount(row, 3)?, row.get(1)?).ok_or_else(too_large)?;
        held.updated = held.updated.max(row.get(4)?);
    }
    let wanted = tokens::coins().filter(|coin| symbol.is_none_or(|symbol| symbol == coin.symbol));
    let held: Vec<_> = wanted.filter_map(|coin| sums.remove(coin.symbol).map(|held| (coin.symbol, held))).collect();
    let total = held.len() as u64;
    let skipped = usize::try_from(paging.skipped()).unwrap_or(usize::MAX);
    let some = held.into_iter().skip(skipped).take(usize::try_from(paging.rows()).unwrap_or(usize::MAX));
    let assets = some.map(|(coin, held)| {
        let (balance, frozen) = (held.balance.shown()?, held.frozen.shown()?);
        Ok(v1::Asset { coin, balance, frozen, updated_at: iso(held.updated) })
    });
    Ok(Page::new(assets.collect::<Result<_, RequestError>>()?, total, paging.page, paging.rows()))
}

/// The most fraction digits of any listed token.
const WIDEST: u8 = 18;

fn ten_to(digits: u8) -> Option<U256> {
    U256::from(10_u8).checked_pow(U256::from(digits))
}

impl ExactSum {
    fn add(&mut self, raw: U256, decimals: u8) -> Option<()> {
        let one = ten_to(decimals)?;
        let rest = raw.checked_rem(one)?.checked_mul(ten_to(WIDEST.checked_sub(decimals)?)?)?;
        let (whole, rest) = (self.whole.checked_add(raw.checked_div(one)?)?, self.rest.checked_add(rest)?);
        let carried = rest.checked_div(ten_to(WIDEST)?)?;
        self.whole = whole.checked_add(carried)?;
        self.rest = rest.checked_rem(ten_to(WIDEST)?)?;
        Some(())
    }

    fn shown(&self) -> Result<String, RequestError> {
        let rest = Amount::new(self.rest, WIDEST).ok_or_else(too_large)?.to_string();
        Ok(format!("{}{}", self.whole, rest.strip_prefix('0').unwrap_or_default()))
    }
}

fn too_large() -> RequestError {
    RequestError::Internal("what is held of a coin is larger than any sum can hold".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_different_fraction_digits_add_up_exactly_however_large() {
        let mut sum = ExactSum::default();
        sum.add(U256::from(1_500_001), 6).unwrap();
        assert_eq!(sum.shown().unwrap(), "1.500001");
        sum.add(U256::from(499_999_000_000_000_001_u64), 18).unwrap();
        assert_eq!(sum.shown().unwrap(), "2.000000000000000001");
        sum.add(U256::MAX, 6).unwrap();
        let whole = U256::MAX.checked_div(U256::from(1_000_000)).unwrap().checked_add(U256::from(2)).unwrap();
        assert!(sum.shown().unwrap().starts_with(&whole.to_string()), "{}", sum.shown().unwrap());
        assert_eq!(ExactSum::default().shown().unwrap(), "0");
    }
}
