//! Incoming and outgoing amounts, by token and day.
//!
//! The search columns tell which rows match a scope, a token and a time; only those rows' bodies are read. Sums are
//! cached by segment, so that a new or changed row costs only its own segment.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ruint::aliases::U256;
use rusqlite::Connection;

use super::dictionary::{Dictionary, PhraseCode};
use super::history_snapshot::HistorySnapshot;
use super::row::{self, kind_fields, line_fields, place_fields};
use super::row_set::RowSet;
use super::scan::Search;
use super::segment::{SegmentPart, position_in_segment, segment_bounds, segment_number_of, seq_at};
use super::state::{self, CacheState};
use super::{Cancel, Store, StoreError, holdings, lock_mutex};
use crate::domain::filter::{Filter, FilterTerm, RowPredicate};
use crate::domain::history::Scope;
use crate::domain::{Amount, BalanceDelta, DailyFlow, Day, Direction, Status, Text, Timestamp, TokenKey};

/// Cached results that are kept up to date, the latest last.
const MAX_CACHED_FLOWS: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
struct FlowQuery {
    scope: Scope,
    token: Option<TokenKey>,
    since: Day,
}

pub(super) struct CachedFlows {
    query: FlowQuery,
    version: u64,
    ends: (i64, i64),
    by_segment: BTreeMap<i64, BTreeMap<(TokenKey, Day), FlowSum>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct FlowSum {
    decimals: Option<u8>,
    incoming: U256,
    outgoing: U256,
    rows: u64,
    /// Rows that lack a fact that sums need.
    unclear: u64,
    /// Whether the sums are unusable: too large, or of amounts with different fraction digits.
    broken: bool,
}

impl FlowSum {
    fn add(&mut self, movement: BalanceDelta) {
        let (amount, side) = match movement {
            BalanceDelta::In(amount) => (amount, &mut self.incoming),
            BalanceDelta::Out(amount) => (amount, &mut self.outgoing),
            BalanceDelta::Unclear => {
                self.unclear += 1;
                return;
            }
        };
        self.rows += 1;
        self.broken |= *self.decimals.get_or_insert(amount.decimals()) != amount.decimals();
        match side.checked_add(amount.raw()) {
            Some(sum) => *side = sum,
            None => self.broken = true,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.unclear += other.unclear;
        self.broken |= other.broken;
        if let Some(decimals) = other.decimals {
            self.broken |= *self.decimals.get_or_insert(decimals) != decimals;
        }
        let sums = self.incoming.checked_add(other.incoming).zip(self.outgoing.checked_add(other.outgoing));
        match sums {
            Some((incoming, outgoing)) => (self.incoming, self.outgoing) = (incoming, outgoing),
            None => self.broken = true,
        }
    }

    fn to_daily_flow(self, day: Day) -> DailyFlow {
        let amount = |raw| Amount::new(raw, self.decimals?).filter(|_| !self.broken);
        DailyFlow {
            day,
            incoming: amount(self.incoming),
            outgoing: amount(self.outgoing),
            rows: self.rows,
            unclear: self.unclear,
        }
    }
}

impl Store {
    /// Flows of a scope since a day, of one token or of all, for each token the oldest day first; and whether they are
    /// complete: the history was read to its end and has no gap.
    pub(super) fn flows(
        &self,
        scope: &Scope,
        token: Option<&TokenKey>,
        since: Day,
        cancel: &Cancel,
    ) -> Result<(BTreeMap<TokenKey, Vec<DailyFlow>>, bool), StoreError> {
        let query = FlowQuery { scope: scope.clone(), token: token.cloned(), since };
        let version = self.version();
        self.read_in_transaction(|connection| {
            let state = CacheState::read(connection)?;
            let whole = holdings::is_whole(&state);
            let Some(ends) = state::oldest_and_newest_row(connection)? else { return Ok((BTreeMap::new(), whole)) };
            let picture = HistorySnapshot { store: self, connection, version, ends, sealed: state.sealed };
            let kept = {
                let mut summed = lock_mutex(&self.inner.flow_cache);
                summed.iter().position(|known| known.query == query).map(|at| summed.remove(at))
            };
            let summed = CachedFlows::refresh(kept, query, &picture, cancel)?;
            let flows = summed.daily_flows();
            let mut all = lock_mutex(&self.inner.flow_cache);
            if all.len() >= MAX_CACHED_FLOWS {
                all.remove(0);
            }
            all.push(summed);
            Ok((flows, whole))
        })
    }
}

impl CachedFlows {
    /// Updates the sums to the snapshot: only changed segments are read again.
    fn refresh(
        kept: Option<Self>,
        query: FlowQuery,
        picture: &HistorySnapshot<'_>,
        cancel: &Cancel,
    ) -> Result<Self, StoreError> {
        let all: BTreeSet<i64> = picture.segments().collect();
        let (mut by_segment, again) = match kept {
            Some(kept) if kept.version >= picture.version && kept.ends == picture.ends => return Ok(kept),
            Some(kept) => {
                let mut again = picture.touched_since(kept.version);
                let (oldest, newest) = (segment_number_of(kept.ends.0), segment_number_of(kept.ends.1));
                again.extend(all.iter().filter(|number| **number <= oldest || **number >= newest));
                (kept.by_segment, again.intersection(&all).copied().collect())
            }
            None => (BTreeMap::new(), all),
        };
        picture.store.load_whole_dictionary(picture.connection)?;
        let since = FilterTerm { field: None, predicate: RowPredicate::NotBefore(query.since.start()) };
        let filter = Filter { terms: vec![since], ..Filter::default() };
        let search = {
            let phrases = picture.store.read_dictionary();
            let search = Search::new(&filter, &query.scope, &phrases, picture.store.final_statuses());
            match &query.token {
                Some(token) => search.restricted_to_token(token, &phrases),
                None => search,
            }
        };
        let mut reader = FlowReader::new(picture.store);
        for number in again {
            cancel.check()?;
            let hits = picture.scan_segment(&search, number, RowSet::ALL)?;
            let mut sums = BTreeMap::new();
            if !hits.is_empty() {
                let days = picture.with_part(number, SegmentPart::Times, |times| Ok(days_of_times(times)))?;
                reader.add_segment_rows(picture.connection, number, hits, &days, &mut sums)?;
            }
            if sums.is_empty() {
                by_segment.remove(&number);
            } else {
                by_segment.insert(number, sums);
            }
        }
        Ok(Self { query, version: picture.version, ends: picture.ends, by_segment })
    }

    fn daily_flows(&self) -> BTreeMap<TokenKey, Vec<DailyFlow>> {
        let mut sums: BTreeMap<&(TokenKey, Day), FlowSum> = BTreeMap::new();
        for (key, sum) in self.by_segment.values().flatten() {
            sums.entry(key).or_default().merge(sum);
        }
        let mut flows: BTreeMap<TokenKey, Vec<DailyFlow>> = BTreeMap::new();
        for ((token, day), sum) in sums {
            flows.entry(token.clone()).or_default().push(sum.to_daily_flow(*day));
        }
        flows
    }
}

/// From this number of rows on, the bodies of a segment are read in one query.
const BULK_READ_ROWS: u32 = 128;

/// Reads rows that move an amount and caches the facts of their phrases: each phrase is looked up once, and the read
/// guard is not held over a whole history, during which no writer could add phrases.
struct FlowReader<'a> {
    store: &'a Store,
    tokens: HashMap<(PhraseCode, PhraseCode), TokenKey>,
    directions: HashMap<PhraseCode, Direction>,
    statuses: HashMap<PhraseCode, Option<Status>>,
}

impl<'a> FlowReader<'a> {
    fn new(store: &'a Store) -> Self {
        Self { store, tokens: HashMap::new(), directions: HashMap::new(), statuses: HashMap::new() }
    }

    fn add_segment_rows(
        &mut self,
        connection: &Connection,
        number: i64,
        hits: RowSet,
        days: &[Day],
        sums: &mut BTreeMap<(TokenKey, Day), FlowSum>,
    ) -> Result<(), StoreError> {
        let day = |position: usize| days.get(position).copied().unwrap_or_default();
        if hits.count() < BULK_READ_ROWS {
            let mut statement = connection.prepare_cached("SELECT body FROM deed WHERE nth = -?1")?;
            for position in hits.positions() {
                let mut rows = statement.query([seq_at(number, position)])?;
                if let Some(found) = rows.next()? {
                    let body = found.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
                    self.count_row(body, day(position), sums)?;
                }
            }
            return Ok(());
        }
        let (oldest, newest) = segment_bounds(number);
        let mut statement = connection.prepare_cached("SELECT -nth, body FROM deed WHERE nth BETWEEN ?1 AND ?2")?;
        let mut rows = statement.query([-newest, -oldest])?;
        while let Some(found) = rows.next()? {
            let position = position_in_segment(found.get(0)?);
            if hits.has(position) {
                let body = found.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
                self.count_row(body, day(position), sums)?;
            }
        }
        Ok(())
    }

    fn count_row(
        &mut self,
        body: &[u8],
        day: Day,
        sums: &mut BTreeMap<(TokenKey, Day), FlowSum>,
    ) -> Result<(), StoreError> {
        let broken = || StoreError::damaged("a row cannot be read");
        let [at, of, status] = row::phrase_codes(body).ok_or_else(broken)?;
        let outline = row::read_amount_fields(body).ok_or_else(broken)?;
        let store = self.store;
        let direction = self.directions.entry(of).or_insert_with(|| {
            let phrases = store.read_dictionary();
            Direction::read(first_field(&phrases, of).unwrap_or(""))
        });
        let status = self
            .statuses
            .entry(status)
            .or_insert_with(|| first_field(&store.read_dictionary(), status).map(Status::read));
        let (amount, total_amount) = (outline.amount.as_ref(), outline.total_amount.as_ref());
        let verdict = self.store.final_statuses().verdict_of_status(status.as_ref(), outline.confirmed);
        let moved = BalanceDelta::from_fields(direction, verdict, status.as_ref(), amount, total_amount);
        let Some(movement) = moved else { return Ok(()) };
        let token = self.tokens.entry((at, of)).or_insert_with(|| token_key_of(&store.read_dictionary(), at, of));
        match sums.get_mut(&(token.clone(), day)) {
            Some(sum) => sum.add(movement),
            None => sums.entry((token.clone(), day)).or_default().add(movement),
        }
        Ok(())
    }
}

fn days_of_times(times: &[u8]) -> Vec<Day> {
    let seconds = times.as_chunks::<4>().0.iter().map(|bytes| i64::from(u32::from_le_bytes(*bytes)));
    seconds.map(|seconds| Day::from_timestamp(Timestamp::from_millis(seconds * 1000))).collect()
}

fn first_field(phrases: &Dictionary, code: PhraseCode) -> Option<&str> {
    line_fields(phrases.line(code).unwrap_or("")).next().flatten()
}

fn token_key_of(phrases: &Dictionary, at: PhraseCode, of: PhraseCode) -> TokenKey {
    let field = |code: PhraseCode, nth: usize| line_fields(phrases.line(code).unwrap_or("")).nth(nth).flatten();
    TokenKey {
        blockchain: Text::clean(field(at, place_fields::CHAIN).unwrap_or("")),
        contract: field(of, kind_fields::CONTRACT).map(Text::clean),
    }
}
