//! The words of a filter on the history: how they are parsed, and which fields each of them searches. Pure.
//!
//! Words are separated by blanks, and a row must match every one. A word matches where a field contains it, ignoring
//! case; `field:value` searches that field alone. These rules keep short words useful:
//!
//! - a direction matches by its beginning, since both `incoming` and `outgoing` contain `in` and `go`;
//! - letters before a `:` are taken as a field's name, and are a fault where no field has that name; page addresses,
//!   times and text behind a `"` are searched as they are;
//! - day and time of day are searched only by words with `-` or `:`, and by `date:`, since any other number is far more
//!   often an amount;
//! - accounts, wallets, users and counterparties match by the beginning of a word of their names, since `in` is a part
//!   of many;
//! - the commas that group the digits of an amount on screen may be typed or left out;
//! - `today`, `yesterday`, `this month`, `last week` and the like are periods, and `-7d` the time since then;
//! - `from:` and `to:` take a time, such as `from:2026-11-01`, `to:last month`, `from:yesterday` or `from:-7d`, both ends
//!   included, or else a part of an address;
//! - days and times are those of the zone in which the screen shows them;
//! - `amount:` takes a comparison, such as `amount:>=1000` or `amount:>5k`, or else digits that the amount contains;
//!   `value:` compares a row's worth, and `age:` how long ago it was; `age:>usual` is what should have settled by then;
//! - a reference and a note are looked for in the order that made a row, too;
//! - `counterparty:` takes whole addresses, separated by commas, or the beginning of a word of a name;
//! - `internal:` takes movements between own wallets, or all others; `new:` what came or changed since the last visit.
//!
//! A word that cannot be anything that its field holds is a fault. A filter with a fault matches nothing: all rows, or
//! no rows without a reason, would both be taken for the answer to what was typed.

mod field;
mod order_row_ids;
mod term;
#[cfg(test)]
mod tests;
mod time;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use field::{FIELD_NAMES, FilterField};
pub use order_row_ids::OrderRowIds;

use super::address_names::AddressNames;
use super::history::PriceList;
use super::history_diff::RowChanges;
use super::period::named;
use super::poison::PoisonFilter;
use super::{Amount, FinalStatuses, Order, Timestamp, Zone};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AmountOperator {
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl AmountOperator {
    const OPERATORS: [(&'static str, Self); 4] =
        [(">=", Self::AtLeast), ("<=", Self::AtMost), (">", Self::Above), ("<", Self::Below)];

    /// The side that a comparison such as `>=1000` names, and the text after it.
    fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        Self::OPERATORS.iter().find_map(|(mark, side)| Some((*side, text.strip_prefix(mark)?)))
    }

    /// Whether an amount with this ordering to the bound lies on this side.
    pub fn accepts_ordering(self, ordering: Ordering) -> bool {
        match self {
            Self::Above => ordering.is_gt(),
            Self::AtLeast => ordering.is_ge(),
            Self::Below => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
        }
    }
}

/// What a row must satisfy to match a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RowPredicate {
    /// The field contains this text, which is in lower case and never empty.
    Contains(String),
    NotBefore(Timestamp),
    Before(Timestamp),
    /// The row's amount lies on this side of the bound, whatever the token.
    Amount(AmountOperator, Amount),
    /// The row's worth by these prices lies on this side of the bound, an amount of the price list's token.
    Value(AmountOperator, Amount, PriceList),
    /// The row is a movement between own wallets, or is none.
    Internal(bool),
    /// The row is among these changes, or is not.
    New(bool, Arc<RowChanges>),
    /// At this time the row was older than transactions of its blockchain are when they settle.
    OlderThanUsual(Timestamp),
}

/// What the meaning of some words depends on besides their text.
#[derive(Debug, Clone, Default)]
pub struct FilterContext<'a> {
    /// The time from which `yesterday`, `-7d` and ages count; without it they are faults.
    pub now: Option<Timestamp>,
    /// The zone of days and times.
    pub zone: Zone,
    /// The prices by which `value:` compares; without any it is a fault.
    pub prices: PriceList,
    /// The service's final statuses: a status may be any of them.
    pub final_statuses: FinalStatuses,
    /// By which counterparties are found by name.
    pub names: Arc<AddressNames>,
    /// What came or changed since the operator was last here; without it `new:` is a fault.
    pub row_changes: Option<Arc<RowChanges>>,
    /// By whose references and notes the rows that they made are found.
    pub orders: &'a [Order],
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilterTerm {
    /// The field to search; any field if absent.
    pub field: Option<FilterField>,
    pub predicate: RowPredicate,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FilterFault {
    pub word: String,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Filter {
    pub text: String,
    pub terms: Vec<FilterTerm>,
    /// The zone in which parts of dates are searched.
    pub zone: Zone,
    /// The words that cannot be understood. A filter with a fault matches nothing.
    pub faults: Vec<FilterFault>,
    /// The addresses of those whose name a word finds, by word; in lower case.
    pub named_addresses: BTreeMap<String, Arc<Vec<String>>>,
    /// The rows that terms find by the orders that made them.
    pub order_rows: Vec<(FilterTerm, OrderRowIds)>,
    /// The rows that are left out whatever the words are.
    pub poison_filter: Option<PoisonFilter>,
}

impl Filter {
    /// Parses what was typed. A field name without a value restricts nothing yet.
    pub fn parse(text: &str, context: &FilterContext<'_>) -> Self {
        let mut filter = Self { text: text.to_owned(), zone: context.zone.clone(), ..Self::default() };
        for word in split_words(text) {
            let word: String = word.chars().filter(|c| !c.is_control()).collect();
            match term::parse_filter_word(&word, context) {
                Ok(terms) => {
                    for term in terms {
                        if !filter.terms.contains(&term) {
                            filter.terms.push(term);
                        }
                    }
                }
                Err(message) => filter.faults.push(FilterFault { word, message }),
            }
        }
        filter.collect_named_addresses(&context.names);
        let of_orders =
            |term: &FilterTerm| Some((term.clone(), OrderRowIds::of_orders_matching(term, context.orders)?));
        filter.order_rows = filter.terms.iter().filter_map(of_orders).collect();
        filter
    }

    fn collect_named_addresses(&mut self, names: &AddressNames) {
        for term in &self.terms {
            if let (
                None | Some(FilterField::From | FilterField::To | FilterField::Counterparty),
                RowPredicate::Contains(needle),
            ) = (term.field, &term.predicate)
            {
                let mut addresses: Vec<String> =
                    names.addresses_named(needle).into_iter().map(|address| fold_case(address)).collect();
                if term.field == Some(FilterField::Counterparty) {
                    addresses.extend(needle.split(',').filter(|address| !address.is_empty()).map(str::to_owned));
                }
                addresses.sort();
                if !addresses.is_empty() {
                    self.named_addresses.insert(needle.clone(), Arc::new(addresses));
                }
            }
        }
    }

    pub fn rows_of_matching_orders(&self, term: &FilterTerm) -> Option<&OrderRowIds> {
        self.order_rows.iter().find(|(other, _)| other == term).map(|(_, rows)| rows)
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.faults.is_empty()
    }

    /// Whether it is the same text at any time, with the rows that deceive or without them.
    pub fn is_same_search(&self, other: &Self) -> bool {
        self.text == other.text && self.poison_filter.is_some() == other.poison_filter.is_some()
    }

    /// Whether every row matches.
    pub fn matches_everything(&self) -> bool {
        self.is_empty() && self.poison_filter.is_none()
    }

    /// Whether the filter matches nothing, since it contains a fault.
    pub fn is_faulty(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Whether the result may depend on the names of accounts, wallets and users.
    pub fn depends_on_names(&self) -> bool {
        self.terms.iter().any(FilterTerm::depends_on_names)
    }

    /// Since when and until when the matching rows are, where words bound their time.
    pub fn time_bounds(&self) -> [Option<Timestamp>; 2] {
        let since = self.terms.iter().filter_map(|term| match term.predicate {
            RowPredicate::NotBefore(at) => Some(at),
            _ => None,
        });
        let before = self.terms.iter().filter_map(|term| match term.predicate {
            RowPredicate::Before(at) => Some(at),
            _ => None,
        });
        [since.max(), before.min()]
    }

    /// Whether the result may depend on the addresses of own wallets.
    pub fn depends_on_own_addresses(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.predicate, RowPredicate::Internal(_)))
    }

    /// The time from which it judges what is older than usual, if it does.
    pub fn usual_age_reference_time(&self) -> Option<Timestamp> {
        self.terms.iter().find_map(|term| match term.predicate {
            RowPredicate::OlderThanUsual(now) => Some(now),
            _ => None,
        })
    }

    /// The prices by which it compares values, if it does.
    pub fn prices(&self) -> Option<&PriceList> {
        self.terms.iter().find_map(|term| match &term.predicate {
            RowPredicate::Value(.., prices) => Some(prices),
            _ => None,
        })
    }

    /// Whether every row that this filter matches also matches `former`: a word grew at its end, or one was added.
    pub fn narrows(&self, former: &Self) -> bool {
        self.is_faulty()
            || !former.is_faulty()
                && (former.poison_filter.is_none() || former.poison_filter == self.poison_filter)
                && former.terms.iter().all(|old| {
                    self.terms.iter().any(|new| new.implies(old) && self.narrows_names_and_orders(new, former, old))
                })
    }

    /// Whether the names and orders by which a term finds rows are among those of an earlier term.
    fn narrows_names_and_orders(&self, term: &FilterTerm, former: &Self, earlier: &FilterTerm) -> bool {
        let (RowPredicate::Contains(needle), RowPredicate::Contains(former_needle)) =
            (&term.predicate, &earlier.predicate)
        else {
            return true;
        };
        let is_known = |address: &String| {
            let earlier_addresses = former.named_addresses.get(former_needle);
            earlier_addresses.is_some_and(|addresses| addresses.binary_search(address).is_ok())
        };
        self.named_addresses.get(needle).is_none_or(|addresses| addresses.iter().all(is_known))
            && self.rows_of_matching_orders(term).is_none_or(|rows| {
                former.rows_of_matching_orders(earlier).is_some_and(|earlier_rows| rows.is_subset_of(earlier_rows))
            })
    }
}

impl From<&str> for Filter {
    /// Parses words that need neither the time nor prices.
    fn from(text: &str) -> Self {
        Self::parse(text, &FilterContext::default())
    }
}

impl FilterTerm {
    fn implies(&self, old: &Self) -> bool {
        self.field == old.field
            && match (&self.predicate, &old.predicate) {
                // These depend on the whole word, so a longer word may match other rows.
                (RowPredicate::Contains(new), RowPredicate::Contains(former))
                    if matches!(
                        self.field,
                        Some(FilterField::Token | FilterField::Status | FilterField::Counterparty)
                    ) =>
                {
                    new == former
                }
                (RowPredicate::Contains(new), RowPredicate::Contains(former)) => {
                    new.starts_with(former) && self.searches_dates() == old.searches_dates()
                }
                (RowPredicate::NotBefore(new), RowPredicate::NotBefore(former)) => new >= former,
                (RowPredicate::Before(new), RowPredicate::Before(former)) => new <= former,
                (new, former) => new == former,
            }
    }

    fn depends_on_names(&self) -> bool {
        let is_called =
            matches!(self.field, None | Some(FilterField::Account | FilterField::Wallet | FilterField::User));
        is_called && matches!(self.predicate, RowPredicate::Contains(_))
    }

    pub fn searches_dates(&self) -> bool {
        match (self.field, &self.predicate) {
            (Some(field), _) => field == FilterField::Date,
            (None, RowPredicate::Contains(needle)) => needle.contains(['-', ':']),
            (None, _) => false,
        }
    }
}

/// The words of a filter: what stands between blanks, and a period such as `last month` or `from:last month` as one.
pub fn split_words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let is_unit = named::UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(word));
        match words.last_mut().filter(|before| is_unit && begins_period(before)) {
            Some(before) => *before = &text[offset_of_part(text, before)..offset_of_part(text, word) + word.len()],
            None => words.push(word),
        }
    }
    words
}

/// Where a part of a text starts.
fn offset_of_part(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// The last word of a text and where it starts: empty behind a blank, except where a period such as `last ` wants its
/// unit.
pub fn last_word(text: &str) -> (usize, &str) {
    let tail = text.rsplit(char::is_whitespace).next().unwrap_or("");
    let is_unit = named::UNITS.iter().any(|unit| unit.starts_with(&fold_case(tail)));
    let start = text.len() - tail.len();
    let before = split_words(&text[..start]);
    let start =
        before.last().filter(|word| is_unit && begins_period(word)).map_or(start, |word| offset_of_part(text, word));
    (start, &text[start..])
}

/// Whether a word, with or without its field, becomes a period with the unit after it.
fn begins_period(word: &str) -> bool {
    named::begins_name(split_field(word).map_or(word, |(_, value)| value))
}

pub fn split_field(word: &str) -> Option<(FilterField, &str)> {
    let (name, value) = word.split_once(':')?;
    let (_, field) = FIELD_NAMES.iter().find(|(field_name, _)| field_name.eq_ignore_ascii_case(name))?;
    Some((*field, value))
}

/// Whether a word of a name begins with a text, both folded. A text that begins with no letter or digit may occur
/// anywhere.
pub fn has_word_with_prefix(name: &str, text: &str) -> bool {
    let is_part = text.starts_with(char::is_alphanumeric);
    let mut inside = false;
    name.char_indices().any(|(at, character)| {
        let begins = !(is_part && inside);
        inside = character.is_alphanumeric();
        begins && name[at..].starts_with(text)
    })
}

/// The words of a filter on a list with short rows: each must occur somewhere in a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllWordsFilter(Vec<String>);

impl AllWordsFilter {
    pub fn parse(filter: &str) -> Self {
        Self(filter.split_whitespace().map(fold_case).collect())
    }

    /// Whether each word occurs in one of these texts, ignoring case.
    pub fn matches<T: AsRef<str>>(&self, texts: impl IntoIterator<Item = T>) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts.into_iter().map(|text| fold_case(text.as_ref())).collect();
        self.0.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// Lower case, character by character, so that a part of a text folds as the whole does.
pub fn fold_case(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}
