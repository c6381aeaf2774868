//! Scans a segment for the rows that match a filter.

mod columns;
mod imitations;
mod internal;
mod orders;
mod poison;
mod range_predicate;
mod row_changes;
mod segment_source;
mod text_locations;
mod text_matcher;
mod usual_age;
mod value;

pub(super) use columns::row_codes;
use columns::rows_with_codes;
pub(super) use imitations::Imitations;
use internal::InternalMatcher;
use orders::OrderMatcher;
use poison::PoisonMatcher;
pub(super) use poison::PoisonPhrases;
use range_predicate::RangePredicate;
use row_changes::RowChangeMatcher;
pub(super) use segment_source::SegmentSource;
use text_matcher::TextMatcher;
use usual_age::UsualAgePredicate;
use value::PricedValuePredicate;

use std::sync::Arc;

use rusqlite::Connection;

use super::StoreError;
use super::dictionary::Dictionary;
use super::directory_names::DirectoryNames;
use super::own_addresses::CachedAddresses;
use super::row::{line_fields, transfer_fields, wallet_fields};
use super::row_set::{CodeSet, RowSet};
use super::segment::{SegmentExtent, SegmentPart};
use crate::domain::filter::{Filter, FilterTerm, RowPredicate, fold_case};
use crate::domain::history::Scope;
use crate::domain::poison::PoisonFilter;
use crate::domain::{FinalStatuses, PriceHistory, SettlementTimes, Token, TokenKey};

/// A filter and a scope, with every phrase that they match. Phrases added later are unknown to it, so it lives for one
/// scan.
pub(super) struct Search {
    scope: Option<Arc<CodeSet>>,
    /// The wallet phrases and the transfer phrases of a token.
    token: Option<[CodeSet; 2]>,
    terms: Vec<SearchTerm>,
    poison: Option<PoisonMatcher>,
    /// Whether a term is invalid, so that nothing matches.
    has_invalid_term: bool,
}

enum SearchTerm {
    Text(Box<TextMatcher>),
    Range(RangePredicate),
    Value(PricedValuePredicate),
    Internal(InternalMatcher),
    UsualAge(UsualAgePredicate),
    RowChanges(RowChangeMatcher),
}

pub(super) struct ScopeLineMatcher<'a> {
    field: usize,
    id: &'a str,
}

impl<'a> ScopeLineMatcher<'a> {
    /// `None` where every row is of the scope.
    pub(super) fn for_scope(scope: &'a Scope) -> Option<Self> {
        let (field, id) = match scope {
            Scope::All => return None,
            Scope::Account(id) => (wallet_fields::ACCOUNT, id.as_str()),
            Scope::Wallet(id) => (wallet_fields::WALLET, id.as_str()),
            Scope::User(id) => (wallet_fields::USER, id.as_str()),
        };
        Some(Self { field, id })
    }

    pub(super) fn matches_line(&self, line: &str) -> bool {
        line.starts_with('p') && line_fields(line).nth(self.field) == Some(Some(self.id))
    }

    /// The wallet phrases of the scope. Every phrase must be loaded.
    pub(super) fn find_phrases(&self, phrases: &Dictionary) -> CodeSet {
        let mut codes = CodeSet::default();
        phrases.for_each_line_containing(&fold_case(self.id), |code, line| {
            if self.matches_line(line) {
                codes.insert(code);
            }
        });
        codes
    }
}

impl Search {
    /// `scope` has the wallet phrases of a scope. Every phrase must be loaded.
    pub(super) fn new(
        filter: &Filter,
        scope: Option<Arc<CodeSet>>,
        phrases: &Dictionary,
        final_statuses: &FinalStatuses,
    ) -> Self {
        let sought = |term: &FilterTerm| match &term.predicate {
            RowPredicate::Contains(needle) => {
                let matcher = TextMatcher::new(term, needle, phrases, final_statuses).with_dates_in(&filter.zone);
                let addresses = filter.named_addresses.get(needle);
                SearchTerm::Text(Box::new(matcher.with_counterparties(addresses.cloned())))
            }
            RowPredicate::NotBefore(at) => SearchTerm::Range(RangePredicate::since(*at)),
            RowPredicate::Before(at) => SearchTerm::Range(RangePredicate::before(*at)),
            RowPredicate::Amount(side, amount) => SearchTerm::Range(RangePredicate::amount(*side, *amount)),
            RowPredicate::Value(side, amount, prices) => {
                SearchTerm::Value(PricedValuePredicate::new(*side, *amount, prices.clone()))
            }
            RowPredicate::Internal(is_internal) => SearchTerm::Internal(InternalMatcher::new(*is_internal)),
            RowPredicate::OlderThanUsual(now) => SearchTerm::UsualAge(UsualAgePredicate::new(*now)),
            RowPredicate::New(is_new, changes) => {
                SearchTerm::RowChanges(RowChangeMatcher::new(*is_new, Arc::clone(changes)))
            }
        };
        let terms = filter.terms.iter().map(sought).collect();
        let has_invalid_term = filter.is_faulty();
        Self { scope, token: None, terms, poison: None, has_invalid_term }
    }

    /// Restricts the search to one token by chain and contract, not by a word that others may contain.
    pub(super) fn restricted_to_token(self, token: &TokenKey, phrases: &Dictionary) -> Self {
        let (mut wallets, mut transfers) = (CodeSet::default(), CodeSet::default());
        phrases.for_each_line(|code, line| {
            let is = |nth: usize, expected: Option<&str>| line_fields(line).nth(nth) == Some(expected);
            if line.starts_with('p') && is(wallet_fields::CHAIN, Some(&token.blockchain)) {
                wallets.insert(code);
            }
            if line.starts_with('k') && is(transfer_fields::CONTRACT, token.contract.as_deref()) {
                transfers.insert(code);
            }
        });
        Self { token: Some([wallets, transfers]), ..self }
    }

    /// Adds the rows whose account, wallet or user has a name that matches a term.
    pub(super) fn with_names(mut self, names: &DirectoryNames, phrases: &Dictionary) -> Self {
        for term in &mut self.terms {
            if let SearchTerm::Text(matcher) = term {
                matcher.codes.union_with(&names.matching_phrases(matcher.field, &matcher.needle, phrases));
            }
        }
        self
    }

    /// Adds the rows that orders made which the terms find.
    pub(super) fn with_orders(mut self, filter: &Filter, connection: &Connection) -> Result<Self, StoreError> {
        for (term, filter_term) in self.terms.iter_mut().zip(&filter.terms) {
            if let (SearchTerm::Text(matcher), Some(rows)) = (term, filter.rows_of_matching_orders(filter_term)) {
                matcher.orders = Some(OrderMatcher::new(rows, connection)?);
            }
        }
        Ok(self)
    }

    /// Recognises movements between own wallets by these addresses.
    pub(super) fn with_own_addresses(mut self, addresses: &Arc<CachedAddresses>, phrases: &Dictionary) -> Self {
        for term in &mut self.terms {
            if let SearchTerm::Internal(matcher) = term {
                matcher.assign_addresses(addresses, phrases);
            }
        }
        self
    }

    /// Recognises what is older than usual by these times.
    pub(super) fn with_settlement_times(mut self, times: &SettlementTimes, phrases: &Dictionary) -> Self {
        for term in &mut self.terms {
            if let SearchTerm::UsualAge(predicate) = term {
                predicate.assign_times(times, phrases);
            }
        }
        self
    }

    /// Leaves out rows that are there to deceive.
    pub(super) fn excluding_poison(self, poison_filter: PoisonFilter, phrases: Arc<PoisonPhrases>) -> Self {
        Self { poison: Some(PoisonMatcher::new(poison_filter, phrases)), ..self }
    }

    /// Whether a term's matches depend on the listed tokens, so that
    /// [`excluding_imitations`](Self::excluding_imitations) leaves something out.
    pub(super) fn needs_listed_tokens(&self) -> bool {
        self.terms.iter().any(|term| match term {
            SearchTerm::Text(matcher) => matcher.imitations.is_some(),
            SearchTerm::Value(_) => true,
            SearchTerm::Range(_) | SearchTerm::Internal(_) | SearchTerm::UsualAge(_) | SearchTerm::RowChanges(_) => {
                false
            }
        })
    }

    /// Excludes imitations of the listed tokens that the terms name, and prices rows for value terms.
    pub(super) fn excluding_imitations(
        mut self,
        tokens: &[Token],
        history: Option<&PriceHistory>,
        phrases: &Dictionary,
    ) -> Self {
        for term in &mut self.terms {
            match term {
                SearchTerm::Text(matcher) => {
                    if let Some(imitations) = &mut matcher.imitations {
                        *imitations = Imitations::of_listed_tokens(&matcher.needle, tokens, phrases);
                    }
                }
                SearchTerm::Value(predicate) => predicate.assign_prices(tokens, history, phrases),
                SearchTerm::Range(_)
                | SearchTerm::Internal(_)
                | SearchTerm::UsualAge(_)
                | SearchTerm::RowChanges(_) => {}
            }
        }
        self
    }

    pub(super) fn needed_extent(&self) -> SegmentExtent {
        let reads_texts = |term: &SearchTerm| match term {
            SearchTerm::Text(matcher) => matcher.text_fields != 0 || matcher.counterparties.is_some(),
            SearchTerm::Internal(_) => true,
            SearchTerm::Range(_) | SearchTerm::Value(_) | SearchTerm::UsualAge(_) | SearchTerm::RowChanges(_) => false,
        };
        let poison_reads = self.poison.as_ref().is_some_and(PoisonMatcher::reads_texts);
        if poison_reads || self.terms.iter().any(reads_texts) { SegmentExtent::Whole } else { SegmentExtent::Columns }
    }

    pub(super) fn filter_rows_of_segment(
        &self,
        source: &SegmentSource<'_>,
        candidates: RowSet,
    ) -> Result<RowSet, StoreError> {
        if self.has_invalid_term {
            return Ok(RowSet::NONE);
        }
        let mut hits = candidates;
        if let Some(scope) = &self.scope {
            hits = hits.and(&source.with_part(SegmentPart::Codes, |codes| Ok(rows_with_codes(codes, 0, scope)))?);
        }
        if let Some([wallets, transfers]) = &self.token {
            hits = hits.and(&source.with_part(SegmentPart::Codes, |codes| {
                Ok(rows_with_codes(codes, 0, wallets).and(&rows_with_codes(codes, 1, transfers)))
            })?);
        }
        for term in &self.terms {
            if hits.is_empty() {
                break;
            }
            hits = match term {
                SearchTerm::Text(matcher) => matcher.filter_rows_of_segment(source, &hits)?,
                SearchTerm::Range(predicate) => predicate.filter_rows_of_segment(source, &hits)?,
                SearchTerm::Value(predicate) => predicate.filter_rows_of_segment(source, &hits)?,
                SearchTerm::Internal(matcher) => matcher.filter_rows_of_segment(source, &hits)?,
                SearchTerm::UsualAge(predicate) => predicate.filter_rows_of_segment(source, &hits)?,
                SearchTerm::RowChanges(matcher) => matcher.filter_rows_of_segment(source.number(), &hits),
            };
        }
        match &self.poison {
            Some(poison) if !hits.is_empty() => poison.exclude_poison_rows(source, &hits),
            Some(_) | None => Ok(hits),
        }
    }
}
