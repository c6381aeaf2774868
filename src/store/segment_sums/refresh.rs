//! Brings cached sums up to a snapshot.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::Connection;

use super::{RowAmount, RowToken, SegmentSums, SumCache, SumQuery};
use crate::domain::own_addresses::{ChainAddresses, OwnAddresses};
use crate::domain::{Day, Direction, Status, SubType, Text, Timestamp, TokenKey};
use crate::store::dictionary::{Dictionary, PhraseCode};
use crate::store::history_snapshot::HistorySnapshot;
use crate::store::row::{self, line_fields, transfer_fields, wallet_fields};
use crate::store::row_set::RowSet;
use crate::store::segment::{SegmentPart, position_in_segment, segment_bounds, segment_number_of, seq_at};
use crate::store::{Cancel, Store, StoreError, lock_mutex};

impl<S: Default + Clone> SegmentSums<S> {
    /// The sums of every segment as of the snapshot: only segments that changed since they were cached are read again.
    pub(in crate::store) fn refresh(
        cache: &SumCache<S>,
        capacity: usize,
        query: SumQuery,
        snapshot: &HistorySnapshot<'_>,
        cancel: &Cancel,
        add_row: impl FnMut(&RowAmount<'_>, &mut S),
    ) -> Result<Vec<S>, StoreError> {
        let cached = {
            let mut all = lock_mutex(cache);
            all.iter().position(|cached| cached.query == query).map(|at| all.remove(at))
        };
        let sums = Self::refresh_segments(cached, query, snapshot, cancel, add_row)?;
        let result = sums.by_segment.values().cloned().collect();
        let mut all = lock_mutex(cache);
        if all.len() >= capacity {
            all.remove(0);
        }
        all.push(sums);
        Ok(result)
    }

    fn refresh_segments(
        cached: Option<Self>,
        query: SumQuery,
        snapshot: &HistorySnapshot<'_>,
        cancel: &Cancel,
        mut add_row: impl FnMut(&RowAmount<'_>, &mut S),
    ) -> Result<Self, StoreError> {
        let all: BTreeSet<i64> = snapshot.segment_numbers().collect();
        let is_renamed = |version: u64| {
            query.filter.depends_on_names()
                && lock_mutex(&snapshot.store.inner.touched_segments).last_rename_version() > version
        };
        let addresses = snapshot.store.cached_own_addresses(snapshot.connection)?;
        let cached = cached.filter(|cached| cached.addresses.changes == addresses.changes);
        let (mut by_segment, changed) = match cached {
            Some(cached) if cached.version >= snapshot.version && cached.ends == snapshot.ends => return Ok(cached),
            Some(cached) if !is_renamed(cached.version) => {
                let mut changed = snapshot.segments_touched_since(cached.version);
                let (oldest, newest) = (segment_number_of(cached.ends.0), segment_number_of(cached.ends.1));
                changed.extend(all.iter().filter(|number| **number <= oldest || **number >= newest));
                (cached.by_segment, changed.intersection(&all).copied().collect())
            }
            Some(_) | None => (BTreeMap::new(), all),
        };
        snapshot.store.load_whole_dictionary(snapshot.connection)?;
        let mut search = snapshot.compile_search(&query.filter, &query.scope)?;
        if let Some(token) = &query.token {
            search = search.restricted_to_token(token, &snapshot.store.read_dictionary());
        }
        let mut reader = RowReader::new(snapshot.store, &addresses.own);
        for number in changed {
            cancel.check()?;
            let hits = snapshot.scan_segment(&search, number, RowSet::ALL)?;
            if hits.is_empty() {
                by_segment.remove(&number);
                continue;
            }
            let days = snapshot.with_part(number, SegmentPart::Times, |times| Ok(unpack_row_days(times)))?;
            let mut sums = S::default();
            reader.for_each_row(snapshot.connection, number, hits, &days, |row| add_row(&row, &mut sums))?;
            by_segment.insert(number, sums);
        }
        Ok(Self { query, version: snapshot.version, addresses, ends: snapshot.ends, by_segment })
    }
}

/// From this number of rows on, the bodies of a segment are read in one query.
const BULK_READ_ROWS: u32 = 128;

/// Reads amounts of rows and caches the facts of their phrases: each phrase is looked up once, and the read guard is
/// not held over a whole history, during which no writer could add phrases.
struct RowReader<'a> {
    store: &'a Store,
    own: &'a OwnAddresses,
    own_by_wallet_code: HashMap<PhraseCode, Option<&'a ChainAddresses>>,
    tokens: HashMap<(PhraseCode, PhraseCode), RowToken>,
    /// The direction of a transfer phrase, and whether it is always internal.
    transfers: HashMap<PhraseCode, (Direction, bool, Option<Text>)>,
    statuses: HashMap<PhraseCode, Option<Status>>,
    /// The counterparty's address of the row that is read.
    address: String,
}

impl<'a> RowReader<'a> {
    fn new(store: &'a Store, own: &'a OwnAddresses) -> Self {
        Self {
            store,
            own,
            own_by_wallet_code: HashMap::new(),
            tokens: HashMap::new(),
            transfers: HashMap::new(),
            statuses: HashMap::new(),
            address: String::new(),
        }
    }

    fn for_each_row(
        &mut self,
        connection: &Connection,
        number: i64,
        hits: RowSet,
        days: &[Day],
        mut visit: impl FnMut(RowAmount<'_>),
    ) -> Result<(), StoreError> {
        let day = |position: usize| days.get(position).copied().unwrap_or_default();
        if hits.count() < BULK_READ_ROWS {
            let mut statement = connection.prepare_cached("SELECT body FROM deed WHERE nth = -?1")?;
            for position in hits.positions() {
                let mut rows = statement.query([seq_at(number, position)])?;
                if let Some(row) = rows.next()? {
                    let body = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
                    self.decode_row(body, day(position), &mut visit)?;
                }
            }
            return Ok(());
        }
        let (oldest, newest) = segment_bounds(number);
        let mut statement = connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth BETWEEN ?1 AND ?2")?;
        let mut rows = statement.query([-newest, -oldest])?;
        while let Some(row) = rows.next()? {
            let position = position_in_segment(row.get(0)?);
            if hits.has(position) {
                let body = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
                self.decode_row(body, day(position), &mut visit)?;
            }
        }
        Ok(())
    }

    fn decode_row(&mut self, body: &[u8], day: Day, visit: &mut impl FnMut(RowAmount<'_>)) -> Result<(), StoreError> {
        let broken = || StoreError::damaged("a row cannot be read");
        let [wallet_code, transfer_code, status_code] = row::read_phrase_codes(body).ok_or_else(broken)?;
        let amounts = row::read_amount_fields(body).ok_or_else(broken)?;
        let (store, own) = (self.store, self.own);
        let (direction, is_internal_transfer, fee_token) = self.transfers.entry(transfer_code).or_insert_with(|| {
            let phrases = store.read_dictionary();
            let field = |nth| phrase_field(&phrases, transfer_code, nth);
            let sub_type = field(transfer_fields::SUB_TYPE).map(SubType::from_word);
            (
                Direction::from_word(field(transfer_fields::DIRECTION).unwrap_or("")),
                sub_type.as_ref().is_some_and(SubType::is_internal),
                field(transfer_fields::FEE_TOKEN).map(Text::clean),
            )
        });
        let own = self.own_by_wallet_code.entry(wallet_code).or_insert_with(|| {
            own.on_chain(phrase_field(&store.read_dictionary(), wallet_code, wallet_fields::CHAIN).unwrap_or(""))
        });
        self.address.clear();
        let is_from_own = own.zip(amounts.other_address).is_some_and(|(own, other)| {
            other.append_to(&mut self.address);
            own.has(&self.address)
        });
        let internal = *is_internal_transfer || is_from_own;
        let status = self
            .statuses
            .entry(status_code)
            .or_insert_with(|| phrase_field(&store.read_dictionary(), status_code, 0).map(Status::from_word));
        let verdict = store.final_statuses().verdict_of_status(status.as_ref(), amounts.confirmed);
        let token = self
            .tokens
            .entry((wallet_code, transfer_code))
            .or_insert_with(|| row_token(&store.read_dictionary(), wallet_code, transfer_code));
        visit(RowAmount {
            token,
            day,
            direction,
            status: status.as_ref(),
            verdict,
            amounts,
            fee_token: fee_token.as_ref(),
            internal,
        });
        Ok(())
    }
}

fn unpack_row_days(times: &[u8]) -> Vec<Day> {
    let seconds = times.as_chunks::<4>().0.iter().map(|bytes| i64::from(u32::from_le_bytes(*bytes)));
    seconds.map(|seconds| Day::from_timestamp(Timestamp::from_millis(seconds * 1000))).collect()
}

fn phrase_field(phrases: &Dictionary, code: PhraseCode, nth: usize) -> Option<&str> {
    line_fields(phrases.line(code).unwrap_or("")).nth(nth).flatten()
}

fn row_token(phrases: &Dictionary, wallet_code: PhraseCode, transfer_code: PhraseCode) -> RowToken {
    let transfer_field = |nth: usize| phrase_field(phrases, transfer_code, nth).map(Text::clean);
    RowToken {
        key: TokenKey {
            blockchain: Text::clean(phrase_field(phrases, wallet_code, wallet_fields::CHAIN).unwrap_or("")),
            contract: transfer_field(transfer_fields::CONTRACT),
        },
        symbol: transfer_field(transfer_fields::SYMBOL).unwrap_or_default(),
        name: transfer_field(transfer_fields::TOKEN_NAME),
    }
}
