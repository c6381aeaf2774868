//! The words of a filter: how they are read, and which fields each looks into. Pure.
//!
//! Words stand apart by blanks, and every one must be found. A word is found where a field contains it, upper and lower
//! case being one; `field:value` looks into that field alone. Three rules keep short words useful:
//!
//! - a direction is found by its beginning, since both `incoming` and `outgoing` contain `in` and `go`;
//! - day and time of day (UTC) are looked into only by words with `-` or `:`, and by `date:`, since any other number is
//!   far more often an amount;
//! - the commas that group the digits of an amount on screen may be typed or left out.

/// A field that a word can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Token,
    Chain,
    Status,
    Direction,
    From,
    To,
    Hash,
    Reference,
    Note,
    Id,
    Wallet,
    User,
    Account,
    Amount,
    Date,
    SubType,
    Key,
    Group,
}

/// The names of the fields, as they are typed. `Query::filter` documents them.
const NAMES: &[(&str, Field)] = &[
    ("token", Field::Token),
    ("chain", Field::Chain),
    ("status", Field::Status),
    ("dir", Field::Direction),
    ("from", Field::From),
    ("to", Field::To),
    ("hash", Field::Hash),
    ("ref", Field::Reference),
    ("note", Field::Note),
    ("id", Field::Id),
    ("wallet", Field::Wallet),
    ("user", Field::User),
    ("account", Field::Account),
    ("amount", Field::Amount),
    ("date", Field::Date),
    ("type", Field::SubType),
    ("key", Field::Key),
    ("group", Field::Group),
];

/// One word that must be found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Term {
    /// Where it must be found; anywhere if absent.
    pub(super) field: Option<Field>,
    /// What must be found, in lower case; never empty.
    pub(super) needle: String,
}

/// Every word that must be found.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Filter {
    pub(super) terms: Vec<Term>,
}

impl Filter {
    /// Reads what was typed. Any text is a filter; a field name without a value asks for nothing yet.
    pub(super) fn parse(text: &str) -> Self {
        let mut terms: Vec<Term> = Vec::new();
        for word in text.split_whitespace() {
            let word: String = word.chars().filter(|c| !c.is_control()).collect();
            let named = word.split_once(':').and_then(|(name, value)| {
                let (_, field) = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
                Some((*field, value.to_owned()))
            });
            let (field, needle) = match named {
                Some((field, value)) => (Some(field), value),
                None => (None, word),
            };
            let mut needle = fold(&needle);
            if matches!(field, None | Some(Field::Amount)) && is_number(&needle) {
                needle.retain(|c| c != ',');
            }
            let term = Term { field, needle };
            if !term.needle.is_empty() && !terms.contains(&term) {
                terms.push(term);
            }
        }
        Self { terms }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether every row that this filter finds is found by `former` too: a word grew at its end, or one was added.
    pub(super) fn narrows(&self, former: &Self) -> bool {
        former.terms.iter().all(|old| {
            self.terms.iter().any(|new| {
                new.field == old.field
                    && new.needle.starts_with(&old.needle)
                    && new.looks_into_dates() == old.looks_into_dates()
            })
        })
    }
}

impl Term {
    pub(super) fn looks_into_dates(&self) -> bool {
        match self.field {
            Some(field) => field == Field::Date,
            None => self.needle.contains(['-', ':']),
        }
    }

    /// Whether it can be found in a text of hexadecimal digits, hyphens and `0x` alone.
    pub(super) fn may_be_hex(&self) -> bool {
        self.needle.bytes().all(is_hex_like)
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')) && word.contains(',')
}

/// The characters of UUIDs, hashes and EVM addresses, in lower case.
pub(super) fn is_hex_like(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'x' | b'-')
}

/// Lower case, character by character, so that a part of a text folds as the whole does.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().flat_map(char::to_lowercase).collect() }
}
