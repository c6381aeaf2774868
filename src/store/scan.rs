//! Which rows of a segment a filter finds.

mod bounds;
mod columns;
mod imitations;
mod pieces;

use memchr::memmem::Finder;

use bounds::Bound;
pub(super) use columns::codes_of;
use columns::column;
pub(super) use imitations::Imitations;
pub(super) use pieces::Pieces;

use super::StoreError;
use super::bits::{Codes, Hits};
use super::names::Names;
use super::phrase::Phrases;
use super::row::{fields, kind, place};
use super::segment::{Extent, NO_TIME, Part, ROWS, is_hex_like, slot};
use crate::domain::filter::{Field, Filter, Term, Test, fold};
use crate::domain::history::Scope;
use crate::domain::{Direction, Timestamp, Token, TokenKey};

/// A filter and a scope, with every phrase that they find. Phrases coined later are unknown to it, so it lives for one
/// scan.
pub(super) struct Search {
    scope: Option<Codes>,
    /// The places and the kinds of a token.
    token: Option<[Codes; 2]>,
    terms: Vec<Sought>,
}

/// One word.
enum Sought {
    /// A text that some field holds.
    Text(Box<Matcher>),
    /// A bound of the time or of the amount.
    Bound(Bound),
}

/// One text, with where it is to be looked for.
struct Matcher {
    finder: Finder<'static>,
    needle: String,
    field: Option<Field>,
    /// Phrases that contain it.
    codes: Codes,
    /// Slots of the row's own line, by bit.
    slots: u16,
    hex: bool,
    date: bool,
    /// For `token:`, what only imitates what the word names.
    imitations: Option<Imitations>,
    /// For `from:` and `to:`, which end of the row is the wallet's own depends on its direction.
    end: Option<End>,
}

struct End {
    from: bool,
    outgoing: Codes,
}

const ALL_SLOTS: u16 = (1 << slot::COUNT) - 1;

/// Which fields of a phrase a word looks into, by the phrase's tag.
fn looks_at(field: Option<Field>, tag: u8, at: usize) -> bool {
    let Some(field) = field else { return true };
    match (tag, field) {
        (b'p', Field::Wallet) => at == place::WALLET || at == place::OWN,
        (b'p', Field::Account) => at == place::ACCOUNT,
        (b'p', Field::User) => at == place::USER,
        (b'p', Field::From | Field::To) => at == place::OWN,
        (b'p', Field::Chain) => at == place::CHAIN || at == place::CHAIN_NAME,
        (b'k', Field::Direction) => at == kind::DIRECTION,
        (b'k', Field::SubType) => at == kind::SUB_TYPE,
        (b'k', Field::Token) => matches!(at, kind::SYMBOL | kind::TOKEN_NAME | kind::CONTRACT),
        (b's', Field::Status) => true,
        _ => false,
    }
}

fn slots(field: Option<Field>) -> u16 {
    let one = |at: usize| 1_u16 << at;
    match field {
        None => ALL_SLOTS,
        Some(Field::Id) => one(slot::ID),
        Some(Field::Hash) => one(slot::HASH),
        Some(Field::From | Field::To) => one(slot::OTHER) | one(slot::OWN),
        Some(Field::Wallet) => one(slot::OWN),
        Some(Field::Reference) => one(slot::REFERENCE),
        Some(Field::Note) => one(slot::NOTE),
        Some(Field::Key) => one(slot::KEY),
        Some(Field::Group) => one(slot::GROUP),
        Some(Field::Amount) => one(slot::AMOUNT),
        Some(_) => 0,
    }
}

fn phrase_holds(line: &str, field: Option<Field>, needle: &str) -> bool {
    let Some(&tag) = line.as_bytes().first() else { return false };
    fields(line).enumerate().any(|(at, value)| {
        let Some(value) = value else { return false };
        if !looks_at(field, tag, at) {
            return false;
        }
        let value = fold(value);
        if tag == b'k' && at == kind::DIRECTION { value.starts_with(needle) } else { value.contains(needle) }
    })
}

/// What the phrase about the place says of the rows of a scope.
pub(super) struct Within<'a> {
    field: usize,
    wanted: &'a str,
}

impl<'a> Within<'a> {
    /// `None` where every row is of the scope.
    pub(super) fn of(scope: &'a Scope) -> Option<Self> {
        let (field, wanted) = match scope {
            Scope::All => return None,
            Scope::Account(id) => (place::ACCOUNT, id.as_str()),
            Scope::Wallet(id) => (place::WALLET, id.as_str()),
            Scope::User(id) => (place::USER, id.as_str()),
        };
        Some(Self { field, wanted })
    }

    /// Whether a phrase says so.
    pub(super) fn is(&self, line: &str) -> bool {
        line.starts_with('p') && fields(line).nth(self.field) == Some(Some(self.wanted))
    }
}

impl Search {
    /// Prepares a search; every phrase must be loaded.
    pub(super) fn new(filter: &Filter, scope: &Scope, phrases: &Phrases) -> Self {
        let sought = |term: &Term| match &term.test {
            Test::Holds(needle) => Sought::Text(Box::new(Matcher::new(term, needle, phrases))),
            Test::Since(at) => Sought::Bound(Bound::since(*at)),
            Test::Before(at) => Sought::Bound(Bound::before(*at)),
            Test::Compares(side, amount) => Sought::Bound(Bound::amount(*side, *amount)),
        };
        let terms = filter.terms.iter().map(sought).collect();
        let Some(place) = Within::of(scope) else { return Self { scope: None, token: None, terms } };
        let mut codes = Codes::default();
        phrases.sieve(&fold(place.wanted), |code, line| {
            if place.is(line) {
                codes.insert(code);
            }
        });
        Self { scope: Some(codes), token: None, terms }
    }

    /// The same for rows of one token alone, known by its chain and contract and not by a word that others may contain.
    pub(super) fn of_token(self, token: &TokenKey, phrases: &Phrases) -> Self {
        let (mut places, mut kinds) = (Codes::default(), Codes::default());
        phrases.each(|code, line| {
            let is = |nth: usize, wanted: Option<&str>| fields(line).nth(nth) == Some(wanted);
            if line.starts_with('p') && is(place::CHAIN, Some(&token.blockchain)) {
                places.insert(code);
            }
            if line.starts_with('k') && is(kind::CONTRACT, token.contract.as_deref()) {
                kinds.insert(code);
            }
        });
        Self { token: Some([places, kinds]), ..self }
    }

    /// The same with the rows of what is called by its words.
    pub(super) fn with_names(mut self, names: &Names, phrases: &Phrases) -> Self {
        for term in &mut self.terms {
            if let Sought::Text(matcher) = term {
                matcher.codes.join(&names.places(matcher.field, &matcher.needle, phrases));
            }
        }
        self
    }

    /// Whether a word names tokens, so that [`sparing`](Self::sparing) leaves something out.
    pub(super) fn names_tokens(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Sought::Text(matcher) if matcher.imitations.is_some()))
    }

    /// The same without what imitates the listed tokens that its words name.
    pub(super) fn sparing(mut self, listed: &[Token], phrases: &Phrases) -> Self {
        for term in &mut self.terms {
            if let Sought::Text(matcher) = term
                && let Some(imitations) = &mut matcher.imitations
            {
                *imitations = Imitations::of(&matcher.needle, listed, phrases);
            }
        }
        self
    }

    /// How much of a segment [`run`](Self::run) reads.
    pub(super) fn extent(&self) -> Extent {
        let reads_texts = |term: &Sought| matches!(term, Sought::Text(matcher) if matcher.slots != 0);
        if self.terms.iter().any(reads_texts) { Extent::Whole } else { Extent::Columns }
    }

    /// The rows of a segment that are found among `candidates`.
    pub(super) fn run(&self, source: &Pieces<'_>, candidates: Hits) -> Result<Hits, StoreError> {
        let mut hits = candidates;
        if let Some(scope) = &self.scope {
            hits = hits.and(&source.with(Part::Codes, |codes| Ok(column(codes, 0, scope)))?);
        }
        if let Some([places, kinds]) = &self.token {
            hits = hits
                .and(&source.with(Part::Codes, |codes| Ok(column(codes, 0, places).and(&column(codes, 1, kinds))))?);
        }
        for term in &self.terms {
            if hits.is_empty() {
                break;
            }
            hits = match term {
                Sought::Text(matcher) => matcher.run(source, &hits)?,
                Sought::Bound(bound) => bound.run(source, &hits)?,
            };
        }
        Ok(hits)
    }
}

impl Matcher {
    fn new(term: &Term, needle: &str, phrases: &Phrases) -> Self {
        let mut codes = Codes::default();
        if !matches!(term.field, Some(Field::Date)) {
            phrases.sieve(needle, |code, line| {
                if phrase_holds(line, term.field, needle) {
                    codes.insert(code);
                }
            });
        }
        let end = match term.field {
            Some(field @ (Field::From | Field::To)) => {
                let mut outgoing = Codes::default();
                phrases.each(|code, line| {
                    let direction = fields(line).nth(kind::DIRECTION).flatten();
                    if line.starts_with('k') && direction == Some(Direction::Outgoing.word()) {
                        outgoing.insert(code);
                    }
                });
                Some(End { from: field == Field::From, outgoing })
            }
            _ => None,
        };
        Self {
            finder: Finder::new(needle.as_bytes()).into_owned(),
            needle: needle.to_owned(),
            field: term.field,
            codes,
            slots: slots(term.field),
            hex: needle.bytes().all(is_hex_like),
            date: term.looks_into_dates(),
            imitations: (term.field == Some(Field::Token)).then(Imitations::default),
            end,
        }
    }

    fn run(&self, source: &Pieces<'_>, candidates: &Hits) -> Result<Hits, StoreError> {
        if let Some(end) = &self.end {
            return self.run_end(end, source, candidates);
        }
        let mut found = Hits::NONE;
        if !self.codes.is_empty() {
            found = source.with(Part::Codes, |codes| {
                let mut found = Hits::NONE;
                for nth in 0..3 {
                    found = found.or(&column(codes, nth, &self.codes));
                }
                Ok(self.imitations.as_ref().map_or(found, |imitations| found.without(&imitations.hits(codes))))
            })?;
        }
        if self.date {
            found = found.or(&source.with(Part::Times, |times| Ok(self.dates(times)))?);
        }
        found = found.or(&self.texts(source, &candidates.without(&found), self.slots)?);
        Ok(found.and(candidates))
    }

    /// `from:` is the wallet's own address where funds went out, and the other one where they came in; `to:` the reverse.
    fn run_end(&self, end: &End, source: &Pieces<'_>, candidates: &Hits) -> Result<Hits, StoreError> {
        let (outgoing, own) =
            source.with(Part::Codes, |codes| Ok((column(codes, 1, &end.outgoing), column(codes, 0, &self.codes))))?;
        let (own_side, other_side) = if end.from {
            (candidates.and(&outgoing), candidates.without(&outgoing))
        } else {
            (candidates.without(&outgoing), candidates.and(&outgoing))
        };
        let own = own.or(&self.texts(source, &own_side.without(&own), 1 << slot::OWN)?);
        let other = self.texts(source, &other_side, 1 << slot::OTHER)?;
        Ok(own.and(&own_side).or(&other.and(&other_side)))
    }

    fn texts(&self, source: &Pieces<'_>, candidates: &Hits, slots: u16) -> Result<Hits, StoreError> {
        let mut found = Hits::NONE;
        if slots == 0 || candidates.is_empty() {
            return Ok(found);
        }
        source.with(Part::Plain, |lines| self.lines(lines, slots, candidates, &mut found))?;
        if self.hex {
            let rest = candidates.without(&found);
            if !rest.is_empty() {
                source.with(Part::Hex, |lines| self.lines(lines, slots, &rest, &mut found))?;
            }
        }
        Ok(found)
    }

    fn lines(&self, piece: &[u8], slots: u16, candidates: &Hits, found: &mut Hits) -> Result<(), StoreError> {
        let broken = || StoreError::damaged("a segment of the search is cut short");
        let (lengths, text) = piece.split_at_checked(2 * ROWS).ok_or_else(broken)?;
        let length = |row: usize| usize::from(u16::from_le_bytes([lengths[2 * row], lengths[2 * row + 1]]));
        let sparse = candidates.count() < 64;
        let (mut row, mut end, mut from) = (0, length(0), 0);
        loop {
            if sparse || !candidates.has(row) {
                // Straight to the next row that matters.
                while !candidates.has(row) {
                    row += 1;
                    if row == ROWS {
                        return Ok(());
                    }
                    end += length(row);
                }
                from = from.max(end - length(row));
            }
            let until = if sparse { end } else { text.len() };
            let Some(hit) = self.finder.find(text.get(from..until).ok_or_else(broken)?) else {
                if !sparse || row + 1 == ROWS {
                    return Ok(());
                }
                row += 1;
                from = end;
                end += length(row);
                continue;
            };
            let hit = from + hit;
            while end <= hit {
                row += 1;
                if row == ROWS {
                    return Err(broken());
                }
                end += length(row);
            }
            let start = end - length(row);
            let matches = slots == ALL_SLOTS || {
                let at = memchr::memchr_iter(0x1f, &text[start..hit]).count();
                slots >> at & 1 == 1
            };
            if !matches {
                from = hit + 1;
                continue;
            }
            found.set(row);
            from = end;
            row += 1;
            if row == ROWS {
                return Ok(());
            }
            end += length(row);
        }
    }

    fn dates(&self, times: &[u8]) -> Hits {
        let mut found = Hits::NONE;
        let mut day = (u32::MAX, false);
        for (position, bytes) in times.as_chunks::<4>().0.iter().enumerate() {
            let seconds = u32::from_le_bytes(*bytes);
            if seconds == NO_TIME {
                continue;
            }
            if day.0 != seconds / 86_400 {
                let text = Timestamp::from_millis(i64::from(seconds) * 1000).format("%Y-%m-%d");
                day = (seconds / 86_400, text.contains(&self.needle));
            }
            if day.1 || self.finder.find(&time_of_day(seconds % 86_400)).is_some() {
                found.set(position);
            }
        }
        found
    }
}

fn time_of_day(seconds: u32) -> [u8; 8] {
    let two = |number: u32| {
        let number = u8::try_from(number).unwrap_or(0);
        [b'0' + number / 10, b'0' + number % 10]
    };
    let (hours, minutes, seconds) = (two(seconds / 3600), two(seconds / 60 % 60), two(seconds % 60));
    [hours[0], hours[1], b':', minutes[0], minutes[1], b':', seconds[0], seconds[1]]
}
