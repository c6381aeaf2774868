//! Look-ups for payments: the newest outgoing rows, the addresses of all wallets, and the tokens at an address. Their
//! cost does not depend on the length of the history.

use std::collections::HashMap;

use rusqlite::Connection;

use super::cache_state::{self, CacheState};
use super::dictionary::{Dictionary, PhraseCode};
use super::{Store, StoreError, row};
use crate::domain::entry_source::{EntryField, EntryFieldSet};
use crate::domain::{ConfirmationThresholds, Direction, Text, Timestamp, TokenKey, Transaction, UserId, WalletId};

/// Outgoing rows among the newest rows of the history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutgoingRows {
    /// Newest first, each with the time at which it was first read.
    pub outgoing: Vec<(Timestamp, Transaction)>,
    /// The number of rows examined, of any direction.
    pub rows_examined: u64,
    /// The time of the oldest of them that has one.
    pub since: Option<Timestamp>,
    /// Whether there are no others: the backfill is complete and all rows were examined.
    pub is_all: bool,
}

/// The most addresses that are handed out at once.
const ADDRESSES_PER_VISIT: usize = 1_024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletAddress {
    pub id: WalletId,
    pub name: Option<Text>,
    pub address: Text,
    /// As the service spells it.
    pub blockchain: Text,
    pub user: Option<UserId>,
    /// Whether the service reported the address; else it comes from an import alone.
    pub is_reported: bool,
}

impl Store {
    pub fn newest_outgoing_rows(&self, rows: u32) -> Result<OutgoingRows, StoreError> {
        self.read_in_transaction(|connection| {
            let bodies = read_newest_bodies(connection, rows)?;
            self.load_phrases_of_rows(connection, bodies.iter().map(Vec::as_slice))?;
            let phrases = self.read_dictionary();
            let broken = || StoreError::damaged("a row cannot be read");
            let unpack = |body: &[u8]| row::unpack_row(body, &phrases).ok_or_else(broken);
            let mut directions: HashMap<PhraseCode, bool> = HashMap::new();
            let mut rows_found = OutgoingRows { rows_examined: bodies.len() as u64, ..OutgoingRows::default() };
            for body in &bodies {
                let [_, transfer_code, _] = row::read_phrase_codes(body).ok_or_else(broken)?;
                let is_outgoing = *directions.entry(transfer_code).or_insert_with(|| {
                    let direction = row::line_fields(phrases.line(transfer_code).unwrap_or(""))
                        .nth(row::transfer_fields::DIRECTION)
                        .flatten();
                    direction.map(Direction::from_word) == Some(Direction::Outgoing)
                });
                if is_outgoing {
                    let (transaction, times) = unpack(body)?;
                    rows_found.outgoing.push((times.seen_at, transaction));
                }
            }
            for body in bodies.iter().rev() {
                rows_found.since = unpack(body)?.0.reported_time();
                if rows_found.since.is_some() {
                    break;
                }
            }
            let row_count = cache_state::count_rows(cache_state::oldest_and_newest_seq(connection)?);
            rows_found.is_all = CacheState::read(connection)?.is_complete() && row_count == rows_found.rows_examined;
            Ok(rows_found)
        })
    }

    /// The number of confirmations at which transactions settle, judged by the newest `rows`.
    pub fn confirmation_thresholds(&self, rows: u32) -> Result<ConfirmationThresholds, StoreError> {
        self.read_in_transaction(|connection| {
            let bodies = read_newest_bodies(connection, rows)?;
            self.load_phrases_of_rows(connection, bodies.iter().map(Vec::as_slice))?;
            let phrases = self.read_dictionary();
            let rows: Option<Vec<Transaction>> =
                bodies.iter().map(|body| row::unpack_row(body, &phrases).map(|(row, _)| row)).collect();
            Ok(ConfirmationThresholds::from_rows(
                rows.ok_or_else(|| StoreError::damaged("a row cannot be read"))?.iter(),
            ))
        })
    }

    /// At most `rows` rows that are not final, the oldest first, each with the time at which it was first read.
    pub fn pending_rows(&self, rows: u32) -> Result<Vec<(Timestamp, Transaction)>, StoreError> {
        self.read_in_transaction(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT body FROM open_deed JOIN deed ON deed.nth = -open_deed.seq ORDER BY open_deed.seq LIMIT ?1",
            )?;
            let bodies: Vec<Vec<u8>> = statement.query_map([rows], |row| row.get(0))?.collect::<Result<_, _>>()?;
            self.load_phrases_of_rows(connection, bodies.iter().map(Vec::as_slice))?;
            let phrases = self.read_dictionary();
            let unpacked =
                bodies.iter().map(|body| row::unpack_row(body, &phrases).map(|(row, times)| (times.seen_at, row)));
            unpacked.map(|row| row.ok_or_else(|| StoreError::damaged("a row cannot be read"))).collect()
        })
    }

    pub fn wallet_addresses(&self) -> Result<Vec<WalletAddress>, StoreError> {
        let mut all = Vec::new();
        self.visit_wallet_addresses(&mut |addresses| all.extend(addresses))?;
        Ok(all)
    }

    /// Hands out the addresses of all wallets in parts, since there may be tens of thousands. `visit` runs within the
    /// transaction and must not use the store.
    pub fn visit_wallet_addresses(&self, visit: &mut dyn FnMut(Vec<WalletAddress>)) -> Result<(), StoreError> {
        self.read_in_transaction(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, name, address, blockchain, imported, user FROM wallet WHERE address IS NOT NULL",
            )?;
            let mut rows = statement
                .query_map([], |row| {
                    Ok(WalletAddress {
                        id: WalletId::from_text(row.get_ref(0)?.as_str()?),
                        name: row.get_ref(1)?.as_str_or_null()?.map(Text::clean),
                        address: Text::clean(row.get_ref(2)?.as_str()?),
                        blockchain: Text::clean(row.get_ref(3)?.as_str()?),
                        user: row.get_ref(5)?.as_str_or_null()?.map(UserId::from_text),
                        is_reported: !EntryFieldSet::from_bits(row.get(4)?).has(EntryField::Address),
                    })
                })?
                .peekable();
            while rows.peek().is_some() {
                visit(rows.by_ref().take(ADDRESSES_PER_VISIT).collect::<Result<_, _>>()?);
            }
            Ok(())
        })
    }

    /// Tokens, held now or once, whose contract is this address: symbol and token.
    pub fn tokens_with_contract(&self, address: &str) -> Result<Vec<(Text, TokenKey)>, StoreError> {
        self.read_in_transaction(|connection| {
            // A chain's own coin is stored without a contract.
            let mut statement = connection.prepare_cached(
                "SELECT symbol, chain, contract FROM balance WHERE contract <> '' AND contract IN (?1, lower(?1))
                 UNION
                 SELECT symbol, chain, contract FROM held WHERE contract <> '' AND contract IN (?1, lower(?1))",
            )?;
            let rows = statement.query_map([address], |row| {
                let contract = row.get_ref(2)?.as_str()?;
                Ok((Text::clean(row.get_ref(0)?.as_str()?), TokenKey::new(row.get_ref(1)?.as_str()?, Some(contract))))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    pub(super) fn load_phrases_of_rows<'a>(
        &self,
        connection: &Connection,
        bodies: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), StoreError> {
        let codes = bodies.filter_map(row::read_phrase_codes).flatten();
        let missing = self.read_dictionary().unloaded_pages_of(codes);
        if !missing.is_empty() {
            let pages = Dictionary::read_pages(connection, &missing)?;
            self.write_dictionary().insert_pages(pages);
        }
        Ok(())
    }
}

fn read_newest_bodies(connection: &Connection, rows: u32) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT body FROM deed ORDER BY nth LIMIT ?1")?;
    let bodies = statement.query_map([rows], |row| row.get(0))?;
    Ok(bodies.collect::<Result<_, _>>()?)
}
