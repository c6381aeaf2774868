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
pub(super) use pieces::SegmentSource;
use value::ValueBound;

use super::StoreError;
use super::dictionary::Dictionary;
use super::names::Names;
use super::row::{fields, kind, place};
use super::row_set::{CodeSet, RowSet};
use super::segment::{Extent, Part};
use crate::domain::filter::{Field, Filter, Predicate, Term, fold};
use crate::domain::history::Scope;
use crate::domain::{FinalStatuses, Token, TokenKey};

/// A filter and a scope, with every phrase that they find. Phrases coined later are unknown to it, so it lives for one
/// scan.
pub(super) struct Search {
    scope: Option<CodeSet>,
    /// The places and the kinds of a token.
    token: Option<[CodeSet; 2]>,
    terms: Vec<SearchTerm>,
    /// Whether nobody can say what is asked for.
    faulty: bool,
}

/// One word.
enum SearchTerm {
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
pub(super) struct ScopeMatch<'a> {
    field: usize,
    wanted: &'a str,
}

impl<'a> ScopeMatch<'a> {
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
    pub(super) fn matches(&self, line: &str) -> bool {
        line.starts_with('p') && fields(line).nth(self.field) == Some(Some(self.wanted))
    }
}

impl Search {
    /// Prepares a search; every phrase must be loaded.
    pub(super) fn new(filter: &Filter, scope: &Scope, phrases: &Dictionary, words: &FinalStatuses) -> Self {
        let sought = |term: &Term| match &term.predicate {
            Predicate::Contains(needle) => SearchTerm::Text(Box::new(Matcher::new(term, needle, phrases, words))),
            Predicate::NotBefore(at) => SearchTerm::Bound(Bound::since(*at)),
            Predicate::Before(at) => SearchTerm::Bound(Bound::before(*at)),
            Predicate::Amount(side, amount) => SearchTerm::Bound(Bound::amount(*side, *amount)),
            Predicate::Value(side, amount, prices) => {
                SearchTerm::Value(ValueBound::new(*side, *amount, prices.clone()))
            }
        };
        let terms = filter.terms.iter().map(sought).collect();
        let faulty = filter.is_faulty();
        let Some(place) = ScopeMatch::of(scope) else { return Self { scope: None, token: None, terms, faulty } };
        let mut codes = CodeSet::default();
        phrases.each_containing(&fold(place.wanted), |code, line| {
            if place.matches(line) {
                codes.insert(code);
            }
        });
        Self { scope: Some(codes), token: None, terms, faulty }
    }

    /// The same for rows of one token alone, known by its chain and contract and not by a word that others may contain.
    pub(super) fn of_token(self, token: &TokenKey, phrases: &Dictionary) -> Self {
        let (mut places, mut kinds) = (CodeSet::default(), CodeSet::default());
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
    pub(super) fn with_names(mut self, names: &Names, phrases: &Dictionary) -> Self {
        for term in &mut self.terms {
            if let SearchTerm::Text(matcher) = term {
                matcher.codes.join(&names.places(matcher.field, &matcher.needle, phrases));
            }
        }
        self
    }

    /// Whether what a word finds depends on which tokens are listed, so that [`excluding_imitations`](Self::excluding_imitations) leaves something out.
    pub(super) fn needs_listed_tokens(&self) -> bool {
        self.terms.iter().any(|term| match term {
            SearchTerm::Text(matcher) => matcher.imitations.is_some(),
            SearchTerm::Value(_) => true,
            SearchTerm::Bound(_) => false,
        })
    }

    /// The same without what imitates the listed tokens that its words name, or are worth something.
    pub(super) fn excluding_imitations(mut self, listed: &[Token], phrases: &Dictionary) -> Self {
        for term in &mut self.terms {
            match term {
                SearchTerm::Text(matcher) => {
                    if let Some(imitations) = &mut matcher.imitations {
                        *imitations = Imitations::of(&matcher.needle, listed, phrases);
                    }
                }
                SearchTerm::Value(bound) => bound.price(listed, phrases),
                SearchTerm::Bound(_) => {}
            }
        }
        self
    }

    /// How much of a segment [`run`](Self::run) reads.
    pub(super) fn extent(&self) -> Extent {
        let reads_texts = |term: &SearchTerm| matches!(term, SearchTerm::Text(matcher) if matcher.slots != 0);
        if self.terms.iter().any(reads_texts) { Extent::Whole } else { Extent::Columns }
    }

    /// The rows of a segment that are found among `candidates`.
    pub(super) fn run(&self, source: &SegmentSource<'_>, candidates: RowSet) -> Result<RowSet, StoreError> {
        if self.faulty {
            return Ok(RowSet::NONE);
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
                SearchTerm::Text(matcher) => matcher.run(source, &hits)?,
                SearchTerm::Bound(bound) => bound.run(source, &hits)?,
                SearchTerm::Value(bound) => bound.run(source, &hits)?,
            };
        }
        Ok(hits)
    }
}
