//! Each wallet's sum of each token, from the history.
//!
//! A row counts as its [`BalanceDelta`]. An unclear one makes the sum of its wallet and token unclear, and an unclear
//! sum is not shown.

use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};
use std::ops::RangeInclusive;

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use super::dictionary::{Dictionary, PhraseCode};
use super::row::{self, line_fields};
use super::totals::TotalChanges;
use crate::domain::{Amount, BalanceDelta, Direction, FinalStatuses, Status, Transaction, WalletId};

/// The wallet of rows that name none. They may belong to any wallet, so no wallet's sum is certain beside them.
pub(super) const NO_WALLET: &str = "";

/// Wallet, chain, contract (empty for the chain's own coin).
type WalletTokenKey = (String, String, String);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TokenSum {
    pub(super) symbol: String,
    pub(super) name: Option<String>,
    pub(super) decimals: Option<u8>,
    incoming: U256,
    outgoing: U256,
    /// Rows that lack a fact that sums need.
    unclear: i64,
}

impl TokenSum {
    /// Adds a row (`sign` 1) or removes it (−1). The first row sets the fraction digits: amounts with others are in
    /// another unit, so the sum becomes unclear.
    fn apply_delta(&mut self, movement: BalanceDelta, sign: i64) {
        let (amount, side) = match movement {
            BalanceDelta::In(amount) => (amount, &mut self.incoming),
            BalanceDelta::Out(amount) => (amount, &mut self.outgoing),
            BalanceDelta::Unclear => {
                self.unclear += sign;
                return;
            }
        };
        if *self.decimals.get_or_insert(amount.decimals()) != amount.decimals() {
            self.unclear += sign;
            return;
        }
        let changed = if sign > 0 { side.checked_add(amount.raw()) } else { side.checked_sub(amount.raw()) };
        match changed {
            Some(changed) => *side = changed,
            None => self.unclear += 1,
        }
    }

    fn merge_row_sum(&mut self, decimals: Option<u8>, row_sum: &PhraseRowSum) {
        self.unclear += row_sum.unclear;
        let Some(decimals) = decimals else { return };
        if *self.decimals.get_or_insert(decimals) != decimals {
            self.unclear += row_sum.rows;
            return;
        }
        let incoming = self.incoming.checked_add(row_sum.incoming);
        match incoming.zip(self.outgoing.checked_add(row_sum.outgoing)) {
            Some((incoming, outgoing)) => (self.incoming, self.outgoing) = (incoming, outgoing),
            None => self.unclear += 1,
        }
    }

    /// Whether no row counts in it, or all that did were removed again.
    pub(super) fn is_empty(&self) -> bool {
        self.incoming.is_zero() && self.outgoing.is_zero() && self.unclear == 0
    }

    /// The balance; `None` where the rows are unclear or add up to an impossible one.
    pub(super) fn amount(&self) -> Option<Amount> {
        if self.unclear != 0 {
            return None;
        }
        Amount::new(self.incoming.checked_sub(self.outgoing)?, self.decimals.unwrap_or(0))
    }
}

#[derive(Default)]
struct PhraseRowSum {
    incoming: U256,
    outgoing: U256,
    rows: i64,
    unclear: i64,
}

impl PhraseRowSum {
    fn add_movement(&mut self, movement: BalanceDelta) {
        self.rows += 1;
        let (side, amount) = match movement {
            BalanceDelta::In(amount) => (&mut self.incoming, amount),
            BalanceDelta::Out(amount) => (&mut self.outgoing, amount),
            BalanceDelta::Unclear => {
                self.unclear += 1;
                return;
            }
        };
        match side.checked_add(amount.raw()) {
            Some(sum) => *side = sum,
            None => self.unclear += 1,
        }
    }
}

/// Place phrases whose rows are added up in one pass over the history.
const PHRASES_PER_PASS: PhraseCode = 4_096;
const MAX_PASSES: PhraseCode = 8;

pub(super) struct WalletTotals {
    sums: BTreeMap<WalletTokenKey, TokenSum>,
    final_statuses: FinalStatuses,
}

struct WalletToken<'a> {
    wallet: &'a str,
    chain: &'a str,
    contract: Option<&'a str>,
    symbol: &'a str,
    name: Option<&'a str>,
}

impl WalletTotals {
    pub(super) fn new(final_statuses: FinalStatuses) -> Self {
        Self { sums: BTreeMap::new(), final_statuses }
    }

    pub(super) fn add_row(&mut self, connection: &Connection, transaction: &Transaction) -> Result<(), StoreError> {
        self.apply_row(connection, transaction, 1)
    }

    pub(super) fn remove_row(&mut self, connection: &Connection, transaction: &Transaction) -> Result<(), StoreError> {
        self.apply_row(connection, transaction, -1)
    }

    fn apply_row(&mut self, connection: &Connection, transaction: &Transaction, sign: i64) -> Result<(), StoreError> {
        let Some(movement) = BalanceDelta::from_transaction(transaction, &self.final_statuses) else { return Ok(()) };
        let wallet_token = WalletToken {
            wallet: transaction.wallet.as_ref().map_or(NO_WALLET, WalletId::as_str),
            chain: &transaction.token.blockchain,
            contract: transaction.token.contract.as_deref(),
            symbol: &transaction.symbol,
            name: transaction.token_name.as_deref(),
        };
        self.sum_entry(connection, &wallet_token)?.apply_delta(movement, sign);
        Ok(())
    }

    /// Adds every row of the history, some thousand wallet phrases at a time, so that a long history takes a few passes
    /// and little memory.
    pub(super) fn add_all_rows(&mut self, connection: &Connection, phrases: &Dictionary) -> Result<(), StoreError> {
        let codes = PhraseCode::try_from(phrases.len()).unwrap_or(PhraseCode::MAX);
        let step = PHRASES_PER_PASS.max(codes / MAX_PASSES);
        let mut first = 1;
        while first <= codes {
            let last = first.saturating_add(step - 1);
            for ((wallet_code, transfer_code, decimals), row_sum) in
                sum_rows_by_phrases(connection, phrases, first..=last, &self.final_statuses)?
            {
                let wallet_token = wallet_token_of_phrases(phrases, wallet_code, transfer_code)?;
                self.sum_entry(connection, &wallet_token)?.merge_row_sum(decimals, &row_sum);
            }
            self.save_sums(connection)?;
            first = last.saturating_add(1);
        }
        Ok(())
    }

    fn sum_entry(
        &mut self,
        connection: &Connection,
        wallet_token: &WalletToken<'_>,
    ) -> Result<&mut TokenSum, StoreError> {
        let key = (
            wallet_token.wallet.to_owned(),
            wallet_token.chain.to_owned(),
            wallet_token.contract.unwrap_or("").to_owned(),
        );
        match self.sums.entry(key) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(vacant) => {
                let stored = read_wallet_sum(connection, vacant.key())?;
                Ok(vacant.insert(stored.unwrap_or_else(|| TokenSum {
                    symbol: wallet_token.symbol.to_owned(),
                    name: wallet_token.name.map(str::to_owned),
                    decimals: None,
                    incoming: U256::ZERO,
                    outgoing: U256::ZERO,
                    unclear: 0,
                })))
            }
        }
    }

    pub(super) fn apply_and_save_sums(
        &mut self,
        connection: &Connection,
        totals: &mut TotalChanges,
    ) -> Result<(), StoreError> {
        for (key, sum) in &self.sums {
            let (wallet, chain, contract) = key;
            totals.apply_wallet_sum(
                connection,
                (wallet, chain, contract),
                read_wallet_sum(connection, key)?.as_ref(),
                sum,
            )?;
        }
        self.save_sums(connection)
    }

    fn save_sums(&mut self, connection: &Connection) -> Result<(), StoreError> {
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

/// Rows of one wallet phrase, transfer phrase and number of fraction digits; `None` for unclear rows.
type RowSumsByPhrases = HashMap<(PhraseCode, PhraseCode, Option<u8>), PhraseRowSum>;

fn unreadable_row_error() -> StoreError {
    StoreError::damaged("a row cannot be read")
}

fn sum_rows_by_phrases(
    connection: &Connection,
    phrases: &Dictionary,
    wallet_codes: RangeInclusive<PhraseCode>,
    final_statuses: &FinalStatuses,
) -> Result<RowSumsByPhrases, StoreError> {
    let mut directions: HashMap<PhraseCode, Direction> = HashMap::new();
    let mut statuses: HashMap<PhraseCode, Option<Status>> = HashMap::new();
    let mut groups = RowSumsByPhrases::new();
    let mut statement = connection.prepare_cached("SELECT body FROM deed")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let body = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
        let [wallet_code, transfer_code, status_code] =
            row::read_phrase_codes(body).ok_or_else(unreadable_row_error)?;
        if !wallet_codes.contains(&wallet_code) {
            continue;
        }
        let amounts = row::read_amount_fields(body).ok_or_else(unreadable_row_error)?;
        let first_field = |code: PhraseCode| line_fields(phrases.line(code).unwrap_or("")).next().flatten();
        let direction = directions
            .entry(transfer_code)
            .or_insert_with(|| Direction::from_word(first_field(transfer_code).unwrap_or("")));
        let status = statuses.entry(status_code).or_insert_with(|| first_field(status_code).map(Status::from_word));
        let (amount, total_amount) = (amounts.amount.as_ref(), amounts.total_amount.as_ref());
        let verdict = final_statuses.verdict_of_status(status.as_ref(), amounts.confirmed);
        let Some(movement) = BalanceDelta::from_fields(direction, verdict, status.as_ref(), amount, total_amount)
        else {
            continue;
        };
        let decimals = match movement {
            BalanceDelta::In(amount) | BalanceDelta::Out(amount) => Some(amount.decimals()),
            BalanceDelta::Unclear => None,
        };
        groups.entry((wallet_code, transfer_code, decimals)).or_default().add_movement(movement);
    }
    Ok(groups)
}

fn wallet_token_of_phrases(
    phrases: &Dictionary,
    wallet_code: PhraseCode,
    transfer_code: PhraseCode,
) -> Result<WalletToken<'_>, StoreError> {
    let mut wallet_fields = line_fields(phrases.line(wallet_code).ok_or_else(unreadable_row_error)?);
    let (wallet, chain) = (wallet_fields.next().flatten(), wallet_fields.nth(row::wallet_fields::CHAIN - 1).flatten());
    let mut transfer_fields =
        line_fields(phrases.line(transfer_code).ok_or_else(unreadable_row_error)?).skip(row::transfer_fields::SYMBOL);
    let symbol = transfer_fields.next().flatten().unwrap_or("");
    let (name, contract) = (transfer_fields.next().flatten(), transfer_fields.next().flatten());
    Ok(WalletToken { wallet: wallet.unwrap_or(NO_WALLET), chain: chain.unwrap_or(""), contract, symbol, name })
}

const COLUMNS: &str = "symbol, name, decimals, incoming, outgoing, unclear";

fn read_token_sum(row: &rusqlite::Row<'_>) -> rusqlite::Result<TokenSum> {
    let wide = |bytes: [u8; 32]| U256::from_be_bytes::<32>(bytes);
    Ok(TokenSum {
        symbol: row.get(0)?,
        name: row.get(1)?,
        decimals: row.get(2)?,
        incoming: wide(row.get(3)?),
        outgoing: wide(row.get(4)?),
        unclear: row.get(5)?,
    })
}

fn read_wallet_sum(
    connection: &Connection,
    (wallet, chain, contract): &WalletTokenKey,
) -> Result<Option<TokenSum>, StoreError> {
    let sum = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM held WHERE wallet = ?1 AND chain = ?2 AND contract = ?3"))?
        .query_row([wallet, chain, contract], read_token_sum)
        .optional()?;
    Ok(sum)
}

/// Every sum of a wallet: its chain, its contract (empty for the chain's own coin), and the sum.
pub(super) fn sums_of_wallet(
    connection: &Connection,
    wallet: &str,
) -> Result<Vec<(String, String, TokenSum)>, StoreError> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS}, chain, contract FROM held WHERE wallet = ?1"))?;
    let rows = statement.query_map([wallet], |row| Ok((row.get(6)?, row.get(7)?, read_token_sum(row)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
