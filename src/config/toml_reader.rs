//! Reads TOML tables key by key, with the line of any fault.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::domain::{Amount, AmountError, Text};

const AMOUNT_DECIMALS: u8 = 36;
const LONGEST_DURATION: Duration = Duration::from_hours(24 * 30);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TomlFault {
    /// Counted from 1.
    pub(super) line: usize,
    /// The remedy.
    pub(super) message: String,
}

#[derive(Clone, Copy)]
pub(super) struct TomlTable<'a> {
    source: &'a str,
    /// As `[profiles.main]`; empty for the root.
    name: &'a str,
    entries: &'a DeTable<'a>,
}

#[derive(Clone, Copy)]
pub(super) struct TomlValue<'a> {
    source: &'a str,
    key: &'a str,
    spanned: &'a Spanned<DeValue<'a>>,
}

/// The line of a byte offset, counted from 1.
pub(super) fn line_of(source: &str, offset: usize) -> usize {
    source.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

impl<'a> TomlTable<'a> {
    pub(super) fn root(source: &'a str, entries: &'a DeTable<'a>) -> Self {
        Self { source, name: "", entries }
    }

    pub(super) fn reject_unknown_keys(&self, known_keys: &[&str]) -> Result<(), TomlFault> {
        let Some((key, _)) = self.entries.iter().find(|(key, _)| !known_keys.contains(&key.get_ref().as_ref())) else {
            return Ok(());
        };
        let written = key.get_ref().as_ref();
        let message = if is_secret_key_name(written) {
            format!("“{}” does not belong in a file; run `bursar key set`", Text::clean(written))
        } else {
            let hint = nearest_key(written, known_keys).map_or_else(
                || format!("known keys are {}", known_keys.join(", ")),
                |near| format!("did you mean “{near}”?"),
            );
            let place = if self.name.is_empty() { String::new() } else { format!(" in [{}]", self.name) };
            format!("unknown key “{}”{place}; {hint}", Text::clean(written))
        };
        Err(self.fault(key, message))
    }

    pub(super) fn get(&self, key: &'a str) -> Option<TomlValue<'a>> {
        let value = self.entries.get(key)?;
        Some(TomlValue { source: self.source, key, spanned: value })
    }

    /// The entries in alphabetical order.
    pub(super) fn entries(&self) -> impl Iterator<Item = TomlValue<'a>> + use<'a> {
        let source = self.source;
        self.entries.iter().map(move |(key, value)| TomlValue { source, key: key.get_ref(), spanned: value })
    }

    fn fault(&self, key: &Spanned<DeString<'_>>, message: String) -> TomlFault {
        TomlFault { line: line_of(self.source, key.span().start), message }
    }
}

impl<'a> TomlValue<'a> {
    pub(super) fn key(&self) -> &'a str {
        self.key
    }

    /// A fault at this value; `message` is the remedy.
    pub(super) fn fault(&self, message: &str) -> TomlFault {
        TomlFault {
            line: line_of(self.source, self.spanned.span().start),
            message: format!("{}: {message}", Text::clean(self.key)),
        }
    }

    /// A text that is not empty.
    pub(super) fn text(&self) -> Result<&'a str, TomlFault> {
        let text = self.spanned.get_ref().as_str().filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.fault("write a text in quotation marks"))
    }

    /// A duration like "30m", from `least` to 30 days.
    pub(super) fn duration(&self, least: Duration) -> Result<Duration, TomlFault> {
        let wrong = || {
            let least = humantime::format_duration(least);
            self.fault(&format!("write a time from {least} to 30 days, as in \"30m\" or \"2h\""))
        };
        let duration = humantime::parse_duration(self.text().map_err(|_| wrong())?).map_err(|_| wrong())?;
        if (least..=LONGEST_DURATION).contains(&duration) { Ok(duration) } else { Err(wrong()) }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.spanned.get_ref().as_str() == Some(word)
    }

    /// The meaning of one of the given words.
    pub(super) fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, TomlFault> {
        let written = self.spanned.get_ref().as_str().unwrap_or_default();
        choices.iter().find(|(word, _)| *word == written).map(|(_, meaning)| *meaning).ok_or_else(|| {
            let quoted: Vec<_> = choices.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            self.fault(&format!("write {}", quoted.join(" or ")))
        })
    }

    /// A list of words, in lower case.
    pub(super) fn lowercase_words(&self) -> Result<Vec<String>, TomlFault> {
        let wrong = || self.fault("write a list of words, as in [\"success\", \"completed\"]");
        let list = self.spanned.get_ref().as_array().ok_or_else(wrong)?;
        let word = |value: &Spanned<DeValue<'_>>| {
            let text = value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty());
            text.map(str::to_lowercase).ok_or_else(wrong)
        };
        list.iter().map(word).collect()
    }

    /// A list of texts, as written.
    pub(super) fn text_list(&self) -> Result<Vec<String>, TomlFault> {
        let wrong = || self.fault("write a list of texts, as in [\"/usr/local/bin/alert\", \"treasury\"]");
        let list = self.spanned.get_ref().as_array().ok_or_else(wrong)?;
        let word = |value: &Spanned<DeValue<'_>>| value.get_ref().as_str().map(str::to_owned).ok_or_else(wrong);
        list.iter().map(word).collect()
    }

    pub(super) fn flag(&self) -> Result<bool, TomlFault> {
        self.spanned.get_ref().as_bool().ok_or_else(|| self.fault("write true or false"))
    }

    /// A whole number within bounds, inclusive.
    pub(super) fn number(&self, from: u64, to: u64) -> Result<u64, TomlFault> {
        let written = self.spanned.get_ref().as_integer().filter(|number| number.radix() == 10);
        let number = written.and_then(|number| number.as_str().parse().ok());
        number
            .filter(|number| (from..=to).contains(number))
            .ok_or_else(|| self.fault(&format!("write a whole number from {from} to {to}")))
    }

    /// An exact amount, in quotation marks: a TOML number would pass through binary floating point.
    pub(super) fn amount(&self) -> Result<Amount, TomlFault> {
        let text = self.text().map_err(|_| self.fault("write an amount in quotation marks, as in \"1234.56\""))?;
        Amount::parse_as_written(text, AMOUNT_DECIMALS).map_err(|error| match error {
            AmountError::TooPrecise { .. } | AmountError::TooSmall { .. } => {
                self.fault(&format!("write at most {AMOUNT_DECIMALS} decimal places"))
            }
            error => self.fault(&error.to_string()),
        })
    }

    /// A list of tables that are named `name`, as in `[[name]]`.
    pub(super) fn tables(&self, name: &'a str) -> Result<Vec<(Self, TomlTable<'a>)>, TomlFault> {
        let wrong = || self.fault(&format!("write each as a table of its own, as in [[{name}]]"));
        let list = self.spanned.get_ref().as_array().ok_or_else(wrong)?;
        let entry = |spanned: &'a Spanned<DeValue<'a>>| {
            let value = TomlValue { source: self.source, key: self.key, spanned };
            value.table(name).map(|table| (value, table))
        };
        list.iter().map(entry).collect()
    }

    pub(super) fn table(&self, name: &'a str) -> Result<TomlTable<'a>, TomlFault> {
        let entries = self.spanned.get_ref().as_table().ok_or_else(|| self.fault("write a table, as in [name]"))?;
        Ok(TomlTable { source: self.source, name, entries })
    }
}

fn is_secret_key_name(key: &str) -> bool {
    ["key", "secret", "token", "password"].iter().any(|word| key.to_ascii_lowercase().contains(word))
}

fn nearest_key<'k>(written: &str, known_keys: &[&'k str]) -> Option<&'k str> {
    let scored = known_keys.iter().map(|key| (levenshtein_distance(written, key), *key));
    scored.min().filter(|(distance, key)| *distance <= key.len().div_ceil(3)).map(|(_, key)| key)
}

/// Levenshtein distance.
fn levenshtein_distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (line, a) in from.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, b) in to.chars().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.chars().count()]
}
