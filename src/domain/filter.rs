//! The words of a filter on the history: how they are read, and which fields each looks into. Pure.
//!
//! Words stand apart by blanks, and every one must be found. A word is found where a field contains it, upper and lower
//! case being one; `field:value` looks into that field alone. These rules keep short words useful:
//!
//! - a direction is found by its beginning, since both `incoming` and `outgoing` contain `in` and `go`;
//! - letters before a `:` are meant for a field, and refused where there is none of that name; addresses of pages, times
//!   and whatever stands behind a `"` are looked for as they are;
//! - day and time of day (UTC) are looked into only by words with `-` or `:`, and by `date:`, since any other number is
//!   far more often an amount;
//! - accounts, wallets and users are found by the beginning of a word of their names, since `in` is a part of many;
//! - the commas that group the digits of an amount on screen may be typed or left out;
//! - `from:` and `to:` take a time, such as `from:2026-11-01`, `to:2026-11`, `from:yesterday` or `from:-7d`, both ends
//!   included, or else a part of an address;
//! - `amount:` takes a comparison, such as `amount:>=1000` or `amount:>5k`, or else digits that the amount contains;
//!   `value:` compares what a row is worth, and `age:` how long ago it was.
//!
//! A word that can be none of what its field holds is a fault. A filter with a fault finds nothing: all rows, or no row
//! without a reason, would both be taken for the answer to what was typed.

mod term;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use super::history::PriceList;
use super::{Amount, FinalStatuses, Timestamp};

/// A field that a word can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// Symbol, name or contract.
    Token,
    /// The blockchain.
    Chain,
    /// How far it has come.
    Status,
    /// In or out.
    Direction,
    /// Where it came from; or since when.
    From,
    /// Where it went; or until when.
    To,
    /// The chain's name for it.
    Hash,
    /// The business's own reference.
    Reference,
    /// The note.
    Note,
    /// The identifier.
    Id,
    /// The wallet by its identifier, its name or its address.
    Wallet,
    /// The user by identifier or name.
    User,
    /// The account by identifier or name.
    Account,
    /// What moved.
    Amount,
    /// Day and time of day.
    Date,
    /// What kind of movement.
    SubType,
    /// The idempotency key.
    Key,
    /// What the rows of one movement share.
    Group,
    /// What it is worth by the quotes.
    Value,
    /// How long ago it was.
    Age,
}

/// The names of the fields, as they are typed, those first that are typed most.
pub const NAMES: &[(&str, Field)] = &[
    ("dir", Field::Direction),
    ("token", Field::Token),
    ("chain", Field::Chain),
    ("status", Field::Status),
    ("from", Field::From),
    ("to", Field::To),
    ("amount", Field::Amount),
    ("date", Field::Date),
    ("type", Field::SubType),
    ("wallet", Field::Wallet),
    ("account", Field::Account),
    ("user", Field::User),
    ("hash", Field::Hash),
    ("ref", Field::Reference),
    ("note", Field::Note),
    ("id", Field::Id),
    ("key", Field::Key),
    ("group", Field::Group),
    ("value", Field::Value),
    ("age", Field::Age),
];

/// Which side of a bound an amount must lie on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Above it.
    Above,
    /// Above it, or equal.
    AtLeast,
    /// Below it.
    Below,
    /// Below it, or equal.
    AtMost,
}

impl Side {
    const OPERATORS: [(&'static str, Self); 4] =
        [(">=", Self::AtLeast), ("<=", Self::AtMost), (">", Self::Above), ("<", Self::Below)];

    /// The side that a comparison such as `>=1000` names, and what stands behind it.
    fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        Self::OPERATORS.iter().find_map(|(mark, side)| Some((*side, text.strip_prefix(mark)?)))
    }

    /// Whether an amount that compares so with the bound lies on this side.
    pub fn accepts(self, ordering: Ordering) -> bool {
        match self {
            Self::Above => ordering.is_gt(),
            Self::AtLeast => ordering.is_ge(),
            Self::Below => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
        }
    }
}

/// What a row must be to be found by a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// The field contains this, in lower case and never empty.
    Contains(String),
    /// It happened at this time or later.
    NotBefore(Timestamp),
    /// It happened before this time.
    Before(Timestamp),
    /// Its amount lies on a side of this one, whatever the token.
    Amount(Side, Amount),
    /// What it is worth by these prices lies on a side of this amount of the token in which they are told.
    Value(Side, Amount, PriceList),
}

/// What the meaning of some words depends on beside their text.
#[derive(Debug, Clone, Default)]
pub struct ParseContext {
    /// The time from which `yesterday`, `-7d` and ages count; without it they are faults.
    pub now: Option<Timestamp>,
    /// By which prices `value:` compares; without any it is a fault.
    pub prices: PriceList,
    /// Which words of the service are final: a status may be any of them.
    pub words: FinalStatuses,
}

/// One word that must be found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// Where it must be found; anywhere if absent.
    pub field: Option<Field>,
    /// What must be found there.
    pub predicate: Predicate,
}

/// A word that asks for nothing, since nobody could say for what.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The word.
    pub word: String,
    /// What is wrong with it, or what would be right.
    pub message: String,
}

/// Every word that must be found.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Filter {
    /// What was typed.
    pub text: String,
    /// The words.
    pub terms: Vec<Term>,
    /// Words that could not be understood. A filter that has some finds nothing.
    pub faults: Vec<Fault>,
}

impl Filter {
    /// Reads what was typed. A field name without a value asks for nothing yet.
    pub fn parse(text: &str, context: &ParseContext) -> Self {
        let mut filter = Self { text: text.to_owned(), ..Self::default() };
        for word in text.split_whitespace() {
            let word: String = word.chars().filter(|c| !c.is_control()).collect();
            match term::parse_word(&word, context) {
                Ok(terms) => {
                    for term in terms {
                        if !filter.terms.contains(&term) {
                            filter.terms.push(term);
                        }
                    }
                }
                Err(says) => filter.faults.push(Fault { word, message: says }),
            }
        }
        filter
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.faults.is_empty()
    }

    /// Whether it finds nothing, since nobody can say what it asks for.
    pub fn is_faulty(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Whether what rows' accounts, wallets and users are called may decide which it finds.
    pub fn depends_on_names(&self) -> bool {
        self.terms.iter().any(Term::depends_on_names)
    }

    /// Whether every row that this filter finds is found by `former` too: a word grew at its end, or one was added.
    pub fn narrows(&self, former: &Self) -> bool {
        self.is_faulty()
            || !former.is_faulty() && former.terms.iter().all(|old| self.terms.iter().any(|new| new.narrows(old)))
    }
}

impl From<&str> for Filter {
    /// Reads words that need neither the time nor prices.
    fn from(text: &str) -> Self {
        Self::parse(text, &ParseContext::default())
    }
}

impl Term {
    fn narrows(&self, old: &Self) -> bool {
        self.field == old.field
            && match (&self.predicate, &old.predicate) {
                // Which tokens a word names, and which words of the service, is told by all of it.
                (Predicate::Contains(new), Predicate::Contains(former))
                    if matches!(self.field, Some(Field::Token | Field::Status)) =>
                {
                    new == former
                }
                (Predicate::Contains(new), Predicate::Contains(former)) => {
                    new.starts_with(former) && self.depends_on_dates() == old.depends_on_dates()
                }
                (Predicate::NotBefore(new), Predicate::NotBefore(former)) => new >= former,
                (Predicate::Before(new), Predicate::Before(former)) => new <= former,
                (new, former) => new == former,
            }
    }

    fn depends_on_names(&self) -> bool {
        let is_called = matches!(self.field, None | Some(Field::Account | Field::Wallet | Field::User));
        is_called && matches!(self.predicate, Predicate::Contains(_))
    }

    /// Whether day and time of day may hold it.
    pub fn depends_on_dates(&self) -> bool {
        match (self.field, &self.predicate) {
            (Some(field), _) => field == Field::Date,
            (None, Predicate::Contains(needle)) => needle.contains(['-', ':']),
            (None, _) => false,
        }
    }
}

/// The field that a word names, and the value behind it.
pub fn parse_field(word: &str) -> Option<(Field, &str)> {
    let (name, value) = word.split_once(':')?;
    let (_, field) = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some((*field, value))
}

/// Whether a word of a name begins with a text, both folded. What begins with no letter or digit may stand anywhere.
pub fn begins_word(name: &str, text: &str) -> bool {
    let is_part = text.starts_with(char::is_alphanumeric);
    let mut inside = false;
    name.char_indices().any(|(at, character)| {
        let begins = !(is_part && inside);
        inside = character.is_alphanumeric();
        begins && name[at..].starts_with(text)
    })
}

/// The words of a filter on a list whose rows are short: each must be found somewhere in a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordFilter(Vec<String>);

impl WordFilter {
    /// Those of what was typed.
    pub fn parse(filter: &str) -> Self {
        Self(filter.split_whitespace().map(fold).collect())
    }

    /// Whether each is in one of these texts, in upper or lower case.
    pub fn matches<T: AsRef<str>>(&self, texts: impl IntoIterator<Item = T>) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let texts: Vec<String> = texts.into_iter().map(|text| fold(text.as_ref())).collect();
        self.0.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// Lower case, character by character, so that a part of a text folds as the whole does.
pub fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}
