//! `[[profiles.NAME.watch]]`: alerts that the operator asks for.

use std::time::Duration;

use super::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::domain::watch::{AlertChannels, Watch, WatchCondition, WatchScope};
use crate::domain::{Amount, Text};

/// The most watches of a profile: each is evaluated with every read.
const MAX_WATCHES: usize = 100;
/// The shortest duration of a watch's delay or window.
const SHORTEST_DURATION: Duration = Duration::from_secs(1);

const ALERT_NAMES: [(&str, AlertChannels); 4] = [
    ("none", AlertChannels { bell: false, notification: false }),
    ("bell", AlertChannels { bell: true, notification: false }),
    ("notification", AlertChannels { bell: false, notification: true }),
    ("both", AlertChannels { bell: true, notification: true }),
];

pub(super) fn parse_watches(value: &TomlValue<'_>, name: &str) -> Result<Vec<Watch>, TomlFault> {
    let tables = value.tables(name)?;
    if tables.len() > MAX_WATCHES {
        return Err(value.fault(&format!("at most {MAX_WATCHES} watches are possible")));
    }
    tables.into_iter().map(|(entry, table)| parse_watch(entry, table)).collect()
}

fn parse_watch(entry: TomlValue<'_>, table: TomlTable<'_>) -> Result<Watch, TomlFault> {
    table.reject_unknown_keys(&[
        "name",
        "token",
        "chain",
        "account",
        "wallet",
        "below",
        "above",
        "margin",
        "change",
        "within",
        "pending_longer_than",
        "max_age",
        "notify",
    ])?;
    let text = |key| table.get(key).map(|value: TomlValue<'_>| value.text().map(Text::clean)).transpose();
    let place = match (text("account")?, text("wallet")?) {
        (None, None) => WatchScope::Everything,
        (Some(account), None) => WatchScope::Account(account),
        (None, Some(wallet)) => WatchScope::Wallet(wallet),
        (Some(_), Some(_)) => return Err(entry.fault("a watch covers an account or a wallet; leave one out")),
    };
    let token = text("token")?;
    let kinds = ["below", "above", "change", "pending_longer_than"];
    let named: Vec<TomlValue<'_>> = kinds.into_iter().filter_map(|key| table.get(key)).collect();
    let [kind] = named.as_slice() else {
        return Err(entry.fault("a watch needs exactly one of below, above, change and pending_longer_than"));
    };
    for (key, of) in [("margin", &["below", "above"][..]), ("within", &["change"])] {
        if let Some(value) = table.get(key).filter(|_| !of.contains(&kind.key())) {
            return Err(value.fault(&format!("it belongs to {}; leave it out", of.join(" and "))));
        }
    }
    if kind.key() != "pending_longer_than" && token.is_none() {
        return Err(entry.fault("token is missing, as in \"USDC\": the token whose balance is watched"));
    }
    let condition = match kind.key() {
        "below" => {
            let limit = kind.amount()?;
            WatchCondition::Below { limit, margin: parse_margin(&table, limit)? }
        }
        "above" => {
            let limit = kind.amount()?;
            WatchCondition::Above { limit, margin: parse_margin(&table, limit)? }
        }
        "change" => {
            let by = kind.amount()?;
            if by.is_zero() {
                return Err(kind.fault("a change of 0 is always reached; write more than 0"));
            }
            let within =
                table.get("within").map_or(Ok(Duration::from_hours(1)), |value| value.duration(SHORTEST_DURATION))?;
            WatchCondition::Change { by, within }
        }
        _ => WatchCondition::Pending { longer: kind.duration(SHORTEST_DURATION)? },
    };
    Ok(Watch {
        name: text("name")?,
        token,
        chain: text("chain")?,
        scope: place,
        condition,
        max_age: table.get("max_age").map(|value| value.duration(SHORTEST_DURATION)).transpose()?,
        alert: table.get("notify").map_or(Ok(AlertChannels::default()), |value| value.one_of(&ALERT_NAMES))?,
    })
}

/// How far the balance must move back; by default, a hundredth of the limit.
fn parse_margin(table: &TomlTable<'_>, limit: Amount) -> Result<Amount, TomlFault> {
    match table.get("margin") {
        Some(value) => value.amount(),
        None => Ok(hundredth(limit)),
    }
}

/// A hundredth, exactly; zero where that would exceed the fraction digits of an amount.
fn hundredth(amount: Amount) -> Amount {
    let decimals = amount.decimals().saturating_add(2);
    Amount::new(amount.raw(), decimals).unwrap_or(Amount::zero(0))
}
