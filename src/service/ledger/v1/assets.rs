//! Balances of sub-wallets and the Prime Wallet, by coin.

use std::collections::HashMap;

use ruint::aliases::U256;
use rusqlite::{Connection, params_from_iter};
use uuid::Uuid;

use super::owners::WalletOwner;
use super::sub_wallets::resolve_coin_and_chain;
use crate::domain::Amount;
use crate::service::ledger::commands::Paging;
use crate::service::ledger::render::{Page, iso_time, v1};
use crate::service::ledger::request_error::RequestError;
use crate::service::ledger::tokens;
use crate::service::ledger::workspaces::WorkspaceNumber;
use crate::service::ledger::{Ledger, columns};

#[derive(Debug, Clone, Copy)]
pub(super) enum AssetScope {
    One(WalletOwner),
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
    fraction: U256,
}

impl Ledger {
    /// Balances of one sub-wallet, or of all together.
    pub fn assets_of_sub_wallets(
        &self,
        workspace_number: WorkspaceNumber,
        sub_wallet: Option<Uuid>,
        coin: Option<&str>,
        paging: Paging,
    ) -> Result<Page<v1::Asset>, RequestError> {
        let (symbol, _) = resolve_coin_and_chain(coin, None)?;
        self.read(|connection| {
            let scope = match sub_wallet {
                None => AssetScope::SubWallets,
                Some(id) => {
                    let owner = WalletOwner::find_sub_wallet(connection, workspace_number, id)?;
                    AssetScope::One(owner.ok_or(RequestError::NotFound("sub-wallet"))?)
                }
            };
            load_assets_page(connection, workspace_number, scope, symbol, paging)
        })
    }

    pub fn assets_of_prime(
        &self,
        workspace_number: WorkspaceNumber,
        coin: Option<&str>,
        paging: Paging,
    ) -> Result<Page<v1::Asset>, RequestError> {
        let (symbol, _) = resolve_coin_and_chain(coin, None)?;
        self.read(|connection| match WalletOwner::find_prime(connection, workspace_number)? {
            Some(prime) => load_assets_page(connection, workspace_number, AssetScope::One(prime), symbol, paging),
            None => Ok(Page::new(Vec::new(), 0, paging.page, paging.rows_per_page())),
        })
    }
}

/// Coins with a present or former balance, in the order of the token list. Unlisted tokens are left out: v1 names coins
/// by symbol alone, and anybody can give a token any symbol.
fn load_assets_page(
    connection: &Connection,
    workspace_number: WorkspaceNumber,
    scope: AssetScope,
    symbol: Option<&str>,
    paging: Paging,
) -> Result<Page<v1::Asset>, RequestError> {
    let (narrowed, value) = match scope {
        AssetScope::One(owner) => {
            let (column, no) = owner.wallets_column_and_number();
            (format!("w.{column} = ?2"), Some(no))
        }
        AssetScope::SubWallets => ("w.user IS NOT NULL".to_owned(), None),
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT k.symbol, k.decimals, b.kind, b.balance, b.updated_at FROM wallets w
         CROSS JOIN books b ON b.wallet = w.no AND b.kind IN (0, 1)
         CROSS JOIN tokens k ON k.no = b.token AND k.listed = 1 WHERE w.workspace = ?1 AND {narrowed}"
    ))?;
    let values = [Some(workspace_number.to_i64()), value].into_iter().flatten();
    let mut rows = statement.query(params_from_iter(values))?;
    let mut sums: HashMap<String, CoinBalance> = HashMap::new();
    while let Some(row) = rows.next()? {
        let coin_balance = sums.entry(row.get(0)?).or_default();
        let sum = if row.get::<_, i64>(2)? == 0 { &mut coin_balance.balance } else { &mut coin_balance.frozen };
        sum.add(columns::read_amount(row, 3)?, row.get(1)?).ok_or_else(too_large_error)?;
        coin_balance.updated = coin_balance.updated.max(row.get(4)?);
    }
    let coins = tokens::listed_coins().filter(|coin| symbol.is_none_or(|symbol| symbol == coin.symbol));
    let coin_balances: Vec<_> =
        coins.filter_map(|coin| sums.remove(coin.symbol).map(|coin_balance| (coin.symbol, coin_balance))).collect();
    let total = coin_balances.len() as u64;
    let skipped = usize::try_from(paging.rows_before_page()).unwrap_or(usize::MAX);
    let page =
        coin_balances.into_iter().skip(skipped).take(usize::try_from(paging.rows_per_page()).unwrap_or(usize::MAX));
    let assets = page.map(|(coin, coin_balance)| {
        let (balance, frozen) = (coin_balance.balance.to_decimal_text()?, coin_balance.frozen.to_decimal_text()?);
        Ok(v1::Asset { coin, balance, frozen, updated_at: iso_time(coin_balance.updated) })
    });
    Ok(Page::new(assets.collect::<Result<_, RequestError>>()?, total, paging.page, paging.rows_per_page()))
}

/// The most fraction digits of any listed token.
const MAX_DECIMALS: u8 = 18;

fn power_of_ten(digits: u8) -> Option<U256> {
    U256::from(10_u8).checked_pow(U256::from(digits))
}

impl ExactSum {
    fn add(&mut self, raw: U256, decimals: u8) -> Option<()> {
        let one = power_of_ten(decimals)?;
        let rest = raw.checked_rem(one)?.checked_mul(power_of_ten(MAX_DECIMALS.checked_sub(decimals)?)?)?;
        let (whole, rest) = (self.whole.checked_add(raw.checked_div(one)?)?, self.fraction.checked_add(rest)?);
        let carried = rest.checked_div(power_of_ten(MAX_DECIMALS)?)?;
        self.whole = whole.checked_add(carried)?;
        self.fraction = rest.checked_rem(power_of_ten(MAX_DECIMALS)?)?;
        Some(())
    }

    fn to_decimal_text(&self) -> Result<String, RequestError> {
        let rest = Amount::new(self.fraction, MAX_DECIMALS).ok_or_else(too_large_error)?.to_string();
        Ok(format!("{}{}", self.whole, rest.strip_prefix('0').unwrap_or_default()))
    }
}

fn too_large_error() -> RequestError {
    RequestError::Internal("what is held of a coin is larger than any sum can hold".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_different_fraction_digits_add_up_exactly_however_large() {
        let mut sum = ExactSum::default();
        sum.add(U256::from(1_500_001), 6).unwrap();
        assert_eq!(sum.to_decimal_text().unwrap(), "1.500001");
        sum.add(U256::from(499_999_000_000_000_001_u64), 18).unwrap();
        assert_eq!(sum.to_decimal_text().unwrap(), "2.000000000000000001");
        sum.add(U256::MAX, 6).unwrap();
        let whole = U256::MAX.checked_div(U256::from(1_000_000)).unwrap().checked_add(U256::from(2)).unwrap();
        assert!(sum.to_decimal_text().unwrap().starts_with(&whole.to_string()), "{}", sum.to_decimal_text().unwrap());
        assert_eq!(ExactSum::default().to_decimal_text().unwrap(), "0");
    }
}
