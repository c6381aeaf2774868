//! Scans a segment for the rows that match a filter.

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
use super::row::{fields, kind, list_position};
use super::row_set::{CodeSet, RowSet};
use super::segment::{Extent, SegmentPart};
use crate::domain::filter::{Field, Filter, Predicate, Term, fold};
use crate::domain::history::Scope;
use crate::domain::{FinalStatuses, Token, TokenKey};

/// A filter and a scope, with every phrase that they match. Phrases added later are unknown to it, so it lives for one
/// scan.
pub(super) struct Search {
    scope: Option<CodeSet>,
    /// The place phrases and the kind phrases of a token.
    token: Option<[CodeSet; 2]>,
    terms: Vec<SearchTerm>,
    /// Whether a term is invalid, so that nothing matches.
    faulty: bool,
}

enum SearchTerm {
    Text(Box<Matcher>),
    Bound(Bound),
    Value(ValueBound),
}

/// Whether a term of a field searches a field of a phrase, by the phrase's tag.
fn looks_at(field: Option<Field>, tag: u8, at: usize) -> bool {
    let Some(field) = field else { return true };
    match (tag, field) {
        (b'p', Field::Wallet) => at == list_position::WALLET || at == list_position::OWN,
        (b'p', Field::Account) => at == list_position::ACCOUNT,
        (b'p', Field::User) => at == list_position::USER,
        (b'p', Field::From | Field::To) => at == list_position::OWN,
        (b'p', Field::Chain) => at == list_position::CHAIN || at == list_position::CHAIN_NAME,
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

pub(super) struct ScopeMatch<'a> {
    field: usize,
    wanted: &'a str,
}

impl<'a> ScopeMatch<'a> {
    /// `None` where every row is of the scope.
    pub(super) fn of(scope: &'a Scope) -> Option<Self> {
        let (field, wanted) = match scope {
            Scope::All => return None,
            Scope::Account(id) => (list_position::ACCOUNT, id.as_str()),
            Scope::Wallet(id) => (list_position::WALLET, id.as_str()),
            Scope::User(id) => (list_position::USER, id.as_str()),
        };
        Some(Self { field, wanted })
    }

    pub(super) fn matches(&self, line: &str) -> bool {
        line.starts_with('p') && fields(line).nth(self.field) == Some(Some(self.wanted))
    }
}

impl Search {
    /// Every phrase must be loaded.
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

    /// Restricts the search to one token by chain and contract, not by a word that others may contain.
    pub(super) fn of_token(self, token: &TokenKey, phrases: &Dictionary) -> Self {
        let (mut places, mut kinds) = (CodeSet::default(), CodeSet::default());
        phrases.each(|code, line| {
            let is = |nth: usize, wanted: Option<&str>| fields(line).nth(nth) == Some(wanted);
            if line.starts_with('p') && is(list_position::CHAIN, Some(&token.blockchain)) {
                places.insert(code);
            }
            if line.starts_with('k') && is(kind::CONTRACT, token.contract.as_deref()) {
                kinds.insert(code);
            }
        });
        Self { token: Some([places, kinds]), ..self }
    }

    /// Adds the rows whose account, wallet or user has a name that matches a term.
    pub(super) fn with_names(mut self, names: &Names, phrases: &Dictionary) -> Self {
        for term in &mut self.terms {
            if let SearchTerm::Text(matcher) = term {
                matcher.codes.join(&names.places(matcher.field, &matcher.needle, phrases));
            }
        }
        self
    }

    /// Whether a term's matches depend on the listed tokens, so that
    /// [`excluding_imitations`](Self::excluding_imitations) leaves something out.
    pub(super) fn needs_listed_tokens(&self) -> bool {
        self.terms.iter().any(|term| match term {
            SearchTerm::Text(matcher) => matcher.imitations.is_some(),
            SearchTerm::Value(_) => true,
            SearchTerm::Bound(_) => false,
        })
    }

    /// Excludes imitations of the listed tokens that the terms name, and prices rows for value terms.
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

    pub(super) fn extent(&self) -> Extent {
        let reads_texts = |term: &SearchTerm| matches!(term, SearchTerm::Text(matcher) if matcher.slots != 0);
        if self.terms.iter().any(reads_texts) { Extent::Whole } else { Extent::Columns }
    }

    pub(super) fn run(&self, source: &SegmentSource<'_>, candidates: RowSet) -> Result<RowSet, StoreError> {
        if self.faulty {
            return Ok(RowSet::NONE);
        }
        let mut hits = candidates;
        if let Some(scope) = &self.scope {
            hits = hits.and(&source.with(SegmentPart::Codes, |codes| Ok(column(codes, 0, scope)))?);
        }
        if let Some([places, kinds]) = &self.token {
            hits = hits.and(
                &source.with(SegmentPart::Codes, |codes| Ok(column(codes, 0, places).and(&column(codes, 1, kinds))))?,
            );
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
