//! Watches as a person types them: `USDC of account "Treasury" below 10000 margin 100 notify both`.

#[cfg(test)]
mod tests;

use std::time::Duration;

use super::{AlertChannels, Watch, WatchCondition, WatchScope};
use crate::domain::{Amount, Direction, Text};

/// Fraction digits that a typed amount may have.
const AMOUNT_DECIMALS: u8 = 36;
/// The period of flows, failures and counterparties, if none is typed.
const DEFAULT_PERIOD: Duration = Duration::from_hours(24);

/// A sentence of each kind.
pub const EXAMPLES: [&str; 8] = [
    "USDC below 10000",
    "USDC on ethereum of account Treasury above 500000 margin 1000",
    "total below 1000000 notify both",
    "ETH changes by 0.5 within 1h",
    "USDT sent above 50000 within 24h",
    "stuck",
    "failures 3 within 24h",
    "with \"Zebra Stores\" at least 1000 within 24h",
];

/// The words of the language, after which a name needs quotation marks to be one of them.
const KEYWORDS: [&str; 24] = [
    "on", "of", "account", "wallet", "below", "above", "margin", "changes", "by", "within", "received", "sent",
    "pending", "longer", "than", "stuck", "failures", "with", "at", "least", "notify", "named", "muted", "age",
];

struct WordReader<'a> {
    rest: &'a str,
}

impl<'a> WordReader<'a> {
    fn peek(&self) -> Option<&'a str> {
        WordReader { rest: self.rest }.next_word().map(|(word, _)| word)
    }

    /// The next word, and whether it was quoted.
    fn next_word(&mut self) -> Option<(&'a str, bool)> {
        let rest = self.rest.trim_start();
        if let Some(quoted) = rest.strip_prefix('"') {
            let (word, after) = quoted.split_once('"').unwrap_or((quoted, ""));
            self.rest = after;
            return Some((word, true));
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        (!word.is_empty()).then_some((word, false))
    }

    fn skip_keyword(&mut self, word: &str) -> bool {
        let is_next = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word));
        if is_next {
            self.next_word();
        }
        is_next
    }

    fn require_keyword(&mut self, word: &str, after: &str) -> Result<(), String> {
        if self.skip_keyword(word) { Ok(()) } else { Err(format!("write “{word}” after {after}")) }
    }

    fn name(&mut self, of: &str) -> Result<Text, String> {
        match self.next_word() {
            Some((word, true)) if !word.trim().is_empty() => Ok(Text::clean(word.trim())),
            Some((word, false)) if !is_keyword(word) => Ok(Text::clean(word)),
            _ => Err(format!("{of} needs a name; put one of several words in quotation marks")),
        }
    }

    fn amount(&mut self, after: &str) -> Result<Amount, String> {
        let (word, _) = self.next_word().ok_or_else(|| format!("write an amount after {after}, as in 10000"))?;
        Amount::parse(word, AMOUNT_DECIMALS).map_err(|error| format!("{after}: {error}"))
    }

    fn duration(&mut self, after: &str) -> Result<Duration, String> {
        let example = || format!("write a duration after {after}, as in 30m, 24h or 7d");
        let (word, _) = self.next_word().ok_or_else(example)?;
        humantime::parse_duration(word).ok().filter(|period| *period >= Duration::from_secs(1)).ok_or_else(example)
    }

    fn period_or_default(&mut self) -> Result<Duration, String> {
        if self.skip_keyword("within") { self.duration("within") } else { Ok(DEFAULT_PERIOD) }
    }
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

impl Watch {
    /// Reads a sentence.
    ///
    /// # Errors
    /// What would be right, in words.
    pub fn parse_sentence(sentence: &str) -> Result<Self, String> {
        let mut reader = WordReader { rest: sentence };
        let token = match reader.peek() {
            None => return Err(format!("write what to watch, as in: {}", EXAMPLES[0])),
            Some(word) if is_keyword(word) => None,
            Some(word) if word.eq_ignore_ascii_case("total") => {
                reader.next_word();
                None
            }
            Some(_) => Some(reader.name("a token")?),
        };
        let is_total = token.is_none() && sentence.trim_start().to_ascii_lowercase().starts_with("total");
        let mut watch = Self {
            name: None,
            token,
            chain: None,
            scope: WatchScope::Everything,
            condition: WatchCondition::Stuck,
            max_age: None,
            alert: AlertChannels::default(),
            is_muted: false,
        };
        parse_chain_and_scope(&mut reader, &mut watch)?;
        watch.condition = parse_condition(&mut reader)?;
        parse_options(&mut reader, &mut watch)?;
        watch.check(is_total)?;
        Ok(watch)
    }

    /// Whether its parts fit each other.
    fn check(&self, is_total: bool) -> Result<(), String> {
        let has_place = self.chain.is_some() || self.scope != WatchScope::Everything;
        match &self.condition {
            _ if self.is_of_total() && !is_total => {
                Err("name the token first, as in USDC below 10000, or write total for the value of everything".into())
            }
            _ if self.is_of_total() && has_place => Err("the total is that of everything; leave the place out".into()),
            WatchCondition::Flow { .. } if self.token.is_none() => {
                Err("name the token first, as in USDT sent above 50000".into())
            }
            WatchCondition::Counterparty { at_least: Some(_), .. } if self.token.is_none() => {
                Err("an amount needs its token first, as in USDC with \"Zebra Stores\" at least 1000".into())
            }
            WatchCondition::Change { by, .. } if by.is_zero() => {
                Err("a change of 0 is always reached; write more than 0".into())
            }
            WatchCondition::Failures { at_least: 0, .. } => {
                Err("0 failures are always reached; write 1 or more".into())
            }
            _ if is_total && !self.is_of_total() => {
                Err("the total can be below or above an amount, or change by one".into())
            }
            _ => Ok(()),
        }
    }

    /// The sentence that reads as this watch.
    pub fn sentence(&self) -> String {
        let mut parts = Vec::new();
        match &self.token {
            Some(token) => parts.push(quote(token)),
            None if self.is_of_total() => parts.push("total".into()),
            None => {}
        }
        parts.extend(self.chain.as_ref().map(|chain| format!("on {}", quote(chain))));
        match &self.scope {
            WatchScope::Everything => {}
            WatchScope::Account(name) => parts.push(format!("of account {}", quote(name))),
            WatchScope::Wallet(name) => parts.push(format!("of wallet {}", quote(name))),
        }
        let period =
            |period: &Duration| format!("within {}", humantime::format_duration(*period).to_string().replace(' ', ""));
        parts.push(match &self.condition {
            WatchCondition::Below { limit, margin } => format!("below {limit} margin {margin}"),
            WatchCondition::Above { limit, margin } => format!("above {limit} margin {margin}"),
            WatchCondition::Change { by, within } => format!("changes by {by} {}", period(within)),
            WatchCondition::Flow { direction: Direction::Incoming, above, within } => {
                format!("received above {above} {}", period(within))
            }
            WatchCondition::Flow { above, within, .. } => format!("sent above {above} {}", period(within)),
            WatchCondition::Pending { longer } => {
                format!("pending longer than {}", period(longer).trim_start_matches("within "))
            }
            WatchCondition::Stuck => "stuck".into(),
            WatchCondition::Failures { at_least, within } => format!("failures {at_least} {}", period(within)),
            WatchCondition::Counterparty { counterparty, at_least, within } => {
                let least = at_least.map_or_else(String::new, |least| format!("at least {least} "));
                format!("with {} {least}{}", quote(counterparty), period(within))
            }
        });
        parts.extend(self.max_age.as_ref().map(|age| format!("age {}", period(age).trim_start_matches("within "))));
        let alert = match (self.alert.bell, self.alert.notification) {
            (false, false) => None,
            (true, false) => Some("notify bell"),
            (false, true) => Some("notify notification"),
            (true, true) => Some("notify both"),
        };
        parts.extend(alert.map(str::to_owned));
        parts.extend(self.is_muted.then(|| "muted".to_owned()));
        parts.extend(self.name.as_ref().map(|name| format!("named {}", quote(name))));
        parts.join(" ")
    }
}

fn quote(name: &Text) -> String {
    let is_plain = !name.is_empty() && !is_keyword(name) && !name.eq_ignore_ascii_case("total");
    let is_word = !name.contains(|c: char| c.is_whitespace() || c == '"');
    if is_plain && is_word { name.to_string() } else { format!("\"{}\"", name.replace('"', "")) }
}

fn parse_chain_and_scope(reader: &mut WordReader<'_>, watch: &mut Watch) -> Result<(), String> {
    if reader.skip_keyword("on") {
        watch.chain = Some(reader.name("a blockchain")?);
    }
    if reader.skip_keyword("of") {
        watch.scope = if reader.skip_keyword("wallet") {
            WatchScope::Wallet(reader.name("a wallet")?)
        } else {
            reader.require_keyword("account", "“of”, or “wallet”")?;
            WatchScope::Account(reader.name("an account")?)
        };
    }
    Ok(())
}

fn parse_condition(reader: &mut WordReader<'_>) -> Result<WatchCondition, String> {
    let kinds = "below, above, changes by, received above, sent above, pending longer than, stuck, failures or with";
    let Some((kind, _)) = reader.next_word() else { return Err(format!("write the condition next: {kinds}")) };
    Ok(match kind.to_ascii_lowercase().as_str() {
        "below" => {
            let limit = reader.amount("below")?;
            WatchCondition::Below { limit, margin: parse_margin(reader, limit)? }
        }
        "above" => {
            let limit = reader.amount("above")?;
            WatchCondition::Above { limit, margin: parse_margin(reader, limit)? }
        }
        "changes" => {
            reader.require_keyword("by", "“changes”")?;
            let by = reader.amount("by")?;
            let within =
                if reader.skip_keyword("within") { reader.duration("within")? } else { Duration::from_hours(1) };
            WatchCondition::Change { by, within }
        }
        "received" => parse_flow_condition(reader, Direction::Incoming)?,
        "sent" => parse_flow_condition(reader, Direction::Outgoing)?,
        "pending" => {
            reader.require_keyword("longer", "“pending”")?;
            reader.require_keyword("than", "“longer”")?;
            WatchCondition::Pending { longer: reader.duration("than")? }
        }
        "stuck" => WatchCondition::Stuck,
        "failures" => {
            let (count, _) = reader.next_word().ok_or("write how many, as in failures 3 within 24h")?;
            let at_least = count.parse().map_err(|_| "write how many, as in failures 3 within 24h".to_owned())?;
            WatchCondition::Failures { at_least, within: reader.period_or_default()? }
        }
        "with" => {
            let counterparty = reader.name("a counterparty")?;
            let at_least = if reader.skip_keyword("at") {
                reader.require_keyword("least", "“at”")?;
                Some(reader.amount("at least")?)
            } else {
                None
            };
            WatchCondition::Counterparty { counterparty, at_least, within: reader.period_or_default()? }
        }
        _ => return Err(format!("“{}” is no condition; write {kinds}", Text::clean(kind))),
    })
}

fn parse_flow_condition(reader: &mut WordReader<'_>, direction: Direction) -> Result<WatchCondition, String> {
    reader.require_keyword("above", if direction == Direction::Incoming { "“received”" } else { "“sent”" })?;
    Ok(WatchCondition::Flow { direction, above: reader.amount("above")?, within: reader.period_or_default()? })
}

fn parse_margin(reader: &mut WordReader<'_>, limit: Amount) -> Result<Amount, String> {
    if reader.skip_keyword("margin") { reader.amount("margin") } else { Ok(default_margin(limit)) }
}

/// A hundredth of a limit, exactly; zero where that would exceed the fraction digits of an amount.
pub fn default_margin(limit: Amount) -> Amount {
    let decimals = limit.decimals().saturating_add(2);
    Amount::new(limit.raw(), decimals).unwrap_or(Amount::zero(0))
}

fn parse_options(reader: &mut WordReader<'_>, watch: &mut Watch) -> Result<(), String> {
    while let Some((word, _)) = reader.next_word() {
        match word.to_ascii_lowercase().as_str() {
            "age" => watch.max_age = Some(reader.duration("age")?),
            "muted" => watch.is_muted = true,
            "named" => watch.name = Some(reader.name("named")?),
            "notify" => {
                let how = reader.next_word().map(|(how, _)| how.to_ascii_lowercase());
                watch.alert = match how.as_deref() {
                    Some("bell") => AlertChannels { bell: true, notification: false },
                    Some("notification") => AlertChannels { bell: false, notification: true },
                    Some("both") => AlertChannels { bell: true, notification: true },
                    _ => return Err("write bell, notification or both after “notify”".into()),
                };
            }
            "within" => return Err("“within” belongs to changes, received, sent, failures and with".into()),
            "margin" => return Err("“margin” belongs right after below or above and its amount".into()),
            _ => {
                return Err(format!(
                    "“{}” does not fit here; options are margin, age, notify, named and muted",
                    Text::clean(word)
                ));
            }
        }
    }
    Ok(())
}
