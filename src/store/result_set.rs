//! What a search found: one bit for each row, kept right while rows arrive and change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use rusqlite::Connection;

use super::by_time::Shares;
use super::price_index::{PriceIndex, worth_key};
use super::row_set::RowSet;
use super::scan::{Search, SegmentSource};
use super::segment::{self, Extent, Part, Segment, bounds, number_of, position_of, seq_at};
use super::{Cancel, Store, StoreError, lock, tokens};
use crate::domain::filter::Filter;
use crate::domain::history::{PriceList, Scope};

/// When each segment was last touched since the cache was opened, and the few that are not full yet.
#[derive(Default)]
pub(super) struct TouchedSegments {
    versions: HashMap<i64, u64>,
    open: HashMap<i64, (u64, Arc<Segment>)>,
    /// When an account, a wallet or a user was last given another name.
    named: u64,
}

impl TouchedSegments {
    pub(super) fn mark_touched(&mut self, segments: &BTreeSet<i64>, version: u64) {
        for number in segments {
            self.versions.insert(*number, version);
            self.open.remove(number);
        }
    }

    pub(super) fn mark_renamed(&mut self, version: u64) {
        self.named = version;
    }

    pub(super) fn named(&self) -> u64 {
        self.named
    }

    fn since(&self, version: u64) -> impl Iterator<Item = i64> + '_ {
        self.versions.iter().filter(move |(_, touched)| **touched > version).map(|(number, _)| *number)
    }
}

/// The picture of the history that a question is answered from.
pub(super) struct HistorySnapshot<'a> {
    pub(super) store: &'a Store,
    pub(super) connection: &'a Connection,
    /// The version that it shows at least.
    pub(super) version: u64,
    /// The oldest and the newest row.
    pub(super) ends: (i64, i64),
    pub(super) sealed: Option<(i64, i64)>,
}

impl HistorySnapshot<'_> {
    /// The segments of the history, the newest first.
    pub(super) fn segments(&self) -> impl DoubleEndedIterator<Item = i64> + use<> {
        (number_of(self.ends.0)..=number_of(self.ends.1)).rev()
    }

    pub(super) fn is_sealed(&self, number: i64) -> bool {
        self.sealed.is_some_and(|(low, high)| (low..=high).contains(&number))
    }

    /// A segment that is not full, or as much of it as is wanted: built from its rows, and kept until one of them changes.
    fn open_segment(&self, number: i64, extent: Extent) -> Result<Arc<Segment>, StoreError> {
        if let Some((built, segment)) = lock(&self.store.inner.touched_segments).open.get(&number)
            && *built <= self.version
            && segment.extent >= extent
        {
            return Ok(Arc::clone(segment));
        }
        self.store.load_phrases(self.connection)?;
        let segment = Arc::new(Segment::read(self.connection, &self.store.phrases(), number, extent)?);
        let mut touched = lock(&self.store.inner.touched_segments);
        if touched.versions.get(&number).is_none_or(|version| *version <= self.version) {
            touched.open.insert(number, (self.version, Arc::clone(&segment)));
        }
        Ok(segment)
    }

    pub(super) fn scan_one(&self, search: &Search, number: i64, candidates: RowSet) -> Result<RowSet, StoreError> {
        if self.is_sealed(number) {
            search.run(&SegmentSource::sealed(self.connection, number), candidates)
        } else {
            let segment = self.open_segment(number, search.extent())?;
            search.run(&SegmentSource::Open(&segment), candidates.and(&self.filled(number)))
        }
    }

    /// Hands a piece of a segment to `read`.
    pub(super) fn with<T>(
        &self,
        number: i64,
        part: Part,
        read: impl FnOnce(&[u8]) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.is_sealed(number) {
            segment::with_piece(self.connection, number, part, read)
        } else {
            read(self.open_segment(number, part.extent())?.piece(part))
        }
    }

    /// The segments that were touched after a version.
    pub(super) fn touched_since(&self, version: u64) -> BTreeSet<i64> {
        lock(&self.store.inner.touched_segments).since(version).collect()
    }

    /// After which version a segment was not touched any more.
    pub(super) fn last_touched(&self, number: i64) -> u64 {
        lock(&self.store.inner.touched_segments).versions.get(&number).copied().unwrap_or(0)
    }

    /// The positions of a segment at which rows stand.
    pub(super) fn filled(&self, number: i64) -> RowSet {
        let (oldest, newest) = bounds(number);
        if self.ends.0 <= oldest && newest <= self.ends.1 {
            return RowSet::ALL;
        }
        let mut hits = RowSet::NONE;
        for seq in oldest.max(self.ends.0)..=newest.min(self.ends.1) {
            hits.set(position_of(seq));
        }
        hits
    }

    /// The search for what a filter finds; every phrase must be loaded.
    fn search(&self, filter: &Filter, scope: &Scope) -> Result<Search, StoreError> {
        let names = if filter.depends_on_names() { Some(self.names()?) } else { None };
        let phrases = self.store.phrases();
        let mut search = Search::new(filter, scope, &phrases, self.store.final_words());
        if let Some(names) = names {
            search = search.with_names(&names, &phrases);
        }
        if !search.needs_listed_tokens() {
            return Ok(search);
        }
        Ok(search.excluding_imitations(&tokens::read(self.connection)?, &phrases))
    }

    /// What rows are worth by some prices, if there are any.
    fn worths(&self, prices: &PriceList) -> Result<Option<PriceIndex>, StoreError> {
        if prices.prices.is_empty() {
            return Ok(None);
        }
        self.store.load_phrases(self.connection)?;
        Ok(Some(PriceIndex::new(prices, &tokens::read(self.connection)?, &self.store.phrases())))
    }

    /// Scans segments, on two threads where there is enough to do.
    fn scan(&self, search: &Search, work: &[(i64, RowSet)], cancel: &Cancel) -> Result<Vec<(i64, RowSet)>, StoreError> {
        let one = |(number, candidates): &(i64, RowSet)| {
            cancel.check()?;
            Ok((*number, self.scan_one(search, *number, *candidates)?))
        };
        let sealed = |(number, _): &&(i64, RowSet)| self.is_sealed(*number);
        // Every second full segment goes to the other thread, which reads through a connection of its own.
        let lease = if work.len() < 8 { None } else { self.store.lease()? };
        let Some(lease) = lease else { return work.iter().map(one).collect() };
        let (theirs, ours): (Vec<_>, Vec<_>) =
            work.iter().enumerate().partition(|(index, item)| index % 2 == 1 && sealed(item));
        std::thread::scope(|threads| {
            let other = threads.spawn(move || {
                let lease = lease;
                theirs
                    .into_iter()
                    .map(|(_, (number, candidates))| {
                        cancel.check()?;
                        Ok((*number, search.run(&SegmentSource::sealed(&lease, *number), *candidates)?))
                    })
                    .collect::<Result<Vec<_>, StoreError>>()
            });
            let ours = ours.into_iter().map(|(_, item)| one(item)).collect::<Result<Vec<_>, _>>();
            let theirs = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let mut all = ours?;
            all.extend(theirs?);
            Ok(all)
        })
    }
}

/// Hears what was found so far, and which segments are still to be looked at.
pub(super) type SoFar<'a, T> = dyn FnMut(&ResultSet, &[i64]) -> Result<T, StoreError> + 'a;

/// The rows that a filter finds within a scope.
pub(super) struct ResultSet {
    pub(super) scope: Scope,
    pub(super) filter: Filter,
    /// As of this version, or newer.
    version: u64,
    ends: (i64, i64),
    hits: BTreeMap<i64, RowSet>,
    /// The segments with hits, the newest first, each with how many hits stand above it.
    ranks: Vec<(i64, u64)>,
    total: u64,
    /// How they are shared out over times, once that was asked.
    pub(super) shares: OnceLock<Arc<Shares>>,
    /// By amount, the largest first.
    by_amount: Option<ByAmount>,
}

struct ByAmount {
    version: u64,
    prices: PriceList,
    seqs: Vec<i64>,
}

impl ResultSet {
    /// Every row, without a look at any.
    pub(super) fn all(picture: &HistorySnapshot<'_>) -> Self {
        let hits = picture.segments().map(|number| (number, picture.filled(number))).collect();
        Self::of(picture, Scope::All, Filter::default(), hits)
    }

    fn of(picture: &HistorySnapshot<'_>, scope: Scope, filter: Filter, hits: BTreeMap<i64, RowSet>) -> Self {
        let mut found = Self {
            scope,
            filter,
            version: picture.version,
            ends: picture.ends,
            hits,
            ranks: Vec::new(),
            total: 0,
            shares: OnceLock::new(),
            by_amount: None,
        };
        found.count();
        found
    }

    fn count(&mut self) {
        self.hits.retain(|_, hits| !hits.is_empty());
        self.ranks.clear();
        self.shares = OnceLock::new();
        self.total = 0;
        for (number, hits) in self.hits.iter().rev() {
            self.ranks.push((*number, self.total));
            self.total += u64::from(hits.count());
        }
    }

    /// Searches the whole history, calling `so_far` now and then. Segments whose rows come first by time are looked at first.
    /// `former` is an answer to a wider question, if there is one: only its rows are looked at.
    pub(super) fn search(
        picture: &HistorySnapshot<'_>,
        scope: &Scope,
        filter: &Filter,
        former: Option<&Self>,
        oldest_first: bool,
        cancel: &Cancel,
        so_far: &mut SoFar<'_, ()>,
    ) -> Result<Self, StoreError> {
        picture.store.load_phrases(picture.connection)?;
        let search = picture.search(filter, scope)?;
        let candidates = |number: i64| match former {
            None => Some(RowSet::ALL),
            Some(former) => former.hits.get(&number).copied(),
        };
        let numbers = picture.by_reach(oldest_first)?.into_iter();
        let work: Vec<_> = numbers.filter_map(|number| Some((number, candidates(number)?))).collect();
        let mut found = Self::of(picture, scope.clone(), filter.clone(), BTreeMap::new());
        let (mut rest, mut step) = (work.as_slice(), 4);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(step.min(rest.len()));
            for (number, hits) in picture.scan(&search, now, cancel)? {
                if !hits.is_empty() {
                    found.hits.insert(number, hits);
                }
            }
            rest = later;
            step *= 2;
            if !rest.is_empty() {
                found.count();
                let others: Vec<i64> = rest.iter().map(|(number, _)| *number).collect();
                so_far(&found, &others)?;
            }
        }
        found.count();
        Ok(found)
    }

    /// Brings it up to the picture: only segments in which something happened are looked at again.
    pub(super) fn refresh(&mut self, picture: &HistorySnapshot<'_>, cancel: &Cancel) -> Result<(), StoreError> {
        if self.version >= picture.version && self.ends == picture.ends {
            return Ok(());
        }
        let renamed =
            self.filter.depends_on_names() && lock(&picture.store.inner.touched_segments).named > self.version;
        let mut again = if renamed { picture.segments().collect() } else { picture.touched_since(self.version) };
        let (oldest, newest) = (number_of(self.ends.0), number_of(self.ends.1));
        again.extend(picture.segments().filter(|number| *number <= oldest || *number >= newest));
        again.retain(|number| {
            picture.segments().next_back() <= Some(*number) && Some(*number) <= picture.segments().next()
        });
        if self.filter.is_empty() && self.scope == Scope::All {
            for number in again {
                self.hits.insert(number, picture.filled(number));
            }
        } else {
            picture.store.load_phrases(picture.connection)?;
            let search = picture.search(&self.filter, &self.scope)?;
            let work: Vec<(i64, RowSet)> = again.into_iter().map(|number| (number, RowSet::ALL)).collect();
            for (number, hits) in picture.scan(&search, &work, cancel)? {
                self.hits.insert(number, hits);
            }
        }
        self.version = picture.version;
        self.ends = picture.ends;
        self.count();
        Ok(())
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn hits_of(&self, number: i64) -> RowSet {
        *self.hits.get(&number).unwrap_or(&RowSet::NONE)
    }

    /// Whether a row is a hit.
    pub(super) fn has(&self, seq: i64) -> bool {
        self.hits.get(&number_of(seq)).is_some_and(|hits| hits.has(position_of(seq)))
    }

    /// How many hits are newer than a row.
    pub(super) fn count_newer(&self, seq: i64) -> u64 {
        let number = number_of(seq);
        let at = self.ranks.partition_point(|(other, _)| *other > number);
        match self.ranks.get(at) {
            Some((found, before)) if *found == number => {
                let within = self.hits.get(&number).map_or(0, |hits| hits.count_before(position_of(seq)));
                before + u64::from(within)
            }
            Some((_, before)) => *before,
            None => self.total,
        }
    }

    /// The hits from a rank on, the newest being the first of all.
    pub(super) fn newest(&self, first: u64, rows: u64) -> Vec<i64> {
        let at = self.ranks.partition_point(|(_, before)| *before <= first).saturating_sub(1);
        let mut seqs = Vec::new();
        for (number, before) in self.ranks.iter().skip(at) {
            if *before >= first.saturating_add(rows) {
                break;
            }
            let Some(hits) = self.hits.get(number) else { continue };
            let ranked = (*before..).zip(hits.positions());
            seqs.extend(
                ranked
                    .skip_while(|(rank, _)| *rank < first)
                    .take_while(|(rank, _)| *rank < first + rows)
                    .map(|(_, position)| seq_at(*number, position)),
            );
        }
        seqs
    }

    /// The hits by value where there are prices, else by amount; the largest first.
    pub(super) fn by_amount(
        &mut self,
        picture: &HistorySnapshot<'_>,
        prices: &PriceList,
        cancel: &Cancel,
    ) -> Result<&[i64], StoreError> {
        let same = |sorted: &ByAmount| sorted.version >= self.version && sorted.prices == *prices;
        if !self.by_amount.as_ref().is_some_and(same) {
            let worths = picture.worths(prices)?;
            let mut keyed: Vec<(u64, i64)> = Vec::with_capacity(usize::try_from(self.total).unwrap_or(0));
            for (number, hits) in self.hits.iter().rev() {
                cancel.check()?;
                let worths =
                    worths.as_ref().map(|worths| picture.with(*number, Part::Codes, |codes| Ok(worths.prices(codes))));
                let worths = worths.transpose()?;
                let take = |amounts: &[u8]| {
                    let amounts = amounts.as_chunks::<8>().0;
                    for position in hits.positions() {
                        let amount = amounts.get(position).copied().map_or(0, u64::from_le_bytes);
                        let price = |worths: &Vec<u64>| worths.get(position).copied().unwrap_or(0);
                        let key = worths.as_ref().map_or(amount, |worths| worth_key(amount, price(worths)));
                        keyed.push((key, seq_at(*number, position)));
                    }
                    Ok(())
                };
                picture.with(*number, Part::Amounts, take)?;
            }
            // Of equal amounts the newer comes first.
            keyed.sort_unstable_by(|a, b| b.cmp(a));
            // Collecting what was mapped in place would keep twice the room.
            let mut seqs = Vec::with_capacity(keyed.len());
            seqs.extend(keyed.iter().map(|(_, seq)| *seq));
            self.by_amount = Some(ByAmount { version: self.version, prices: prices.clone(), seqs });
        }
        Ok(self.by_amount.as_ref().map_or(&[], |sorted| &sorted.seqs))
    }
}
