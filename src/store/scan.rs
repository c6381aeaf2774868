//! Which rows of a segment a filter finds.

mod bounds;
mod columns;
mod imitations;
mod matcher;
mod pieces;
mod value;

use bounds::Bound;
pub(super) use columns::codes_of;
use columns::column;
pub(super) use imitations::Imitations;
use matcher::Matcher;
pub(super) use pieces::Pieces;
use value::ValueBound;

use super::StoreError;
use super::bits::{Codes, Hits};
use super::names::Names;
use super::phrase::Phrases;
use super::row::{fields, kind, place};
use super::segment::{Extent, Part};
use crate::domain::filter::{Field, Filter, Term, Test, fold};
use crate::domain::history::Scope;
use crate::domain::{FinalWords, Token, TokenKey};

/// A filter and a scope, with every phrase that they find. Phrases coined later are unknown to it, so it lives for one
/// scan.
pub(super) struct Search {
    scope: Option<Codes>,
    /// The places and the kinds of a token.
    token: Option<[Codes; 2]>,
    terms: Vec<Sought>,
    /// Whether nobody can say what is asked for.
    faulty: bool,
}

/// One word.
enum Sought {
    /// A text that some field holds.
    Text(Box<Matcher>),
    /// A bound of the time or of the amount.
    Bound(Bound),
    /// A bound of what rows are worth.
    Value(ValueBound),
}

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
    pub(super) fn new(filter: &Filter, scope: &Scope, phrases: &Phrases, words: &FinalWords) -> Self {
        let sought = |term: &Term| match &term.test {
            Test::Holds(needle) => Sought::Text(Box::new(Matcher::new(term, needle, phrases, words))),
            Test::Since(at) => Sought::Bound(Bound::since(*at)),
            Test::Before(at) => Sought::Bound(Bound::before(*at)),
            Test::Compares(side, amount) => Sought::Bound(Bound::amount(*side, *amount)),
            Test::Values(side, amount, prices) => Sought::Value(ValueBound::new(*side, *amount, prices.clone())),
        };
        let terms = filter.terms.iter().map(sought).collect();
        let faulty = filter.is_faulty();
        let Some(place) = Within::of(scope) else { return Self { scope: None, token: None, terms, faulty } };
        let mut codes = Codes::default();
        phrases.sieve(&fold(place.wanted), |code, line| {
            if place.is(line) {
                codes.insert(code);
            }
        });
        Self { scope: Some(codes), token: None, terms, faulty }
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

    /// Whether what a word finds depends on which tokens are listed, so that [`sparing`](Self::sparing) leaves something out.
    pub(super) fn needs_listed_tokens(&self) -> bool {
        self.terms.iter().any(|term| match term {
            Sought::Text(matcher) => matcher.imitations.is_some(),
            Sought::Value(_) => true,
            Sought::Bound(_) => false,
        })
    }

    /// The same without what imitates the listed tokens that its words name, or are worth something.
    pub(super) fn sparing(mut self, listed: &[Token], phrases: &Phrases) -> Self {
        for term in &mut self.terms {
            match term {
                Sought::Text(matcher) => {
                    if let Some(imitations) = &mut matcher.imitations {
                        *imitations = Imitations::of(&matcher.needle, listed, phrases);
                    }
                }
                Sought::Value(bound) => bound.price(listed, phrases),
                Sought::Bound(_) => {}
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
        if self.faulty {
            return Ok(Hits::NONE);
        }
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
                Sought::Value(bound) => bound.run(source, &hits)?,
            };
        }
        Ok(hits)
    }
}
