//! `[[profiles.NAME.watch]]`: alerts that the operator asks for.

use std::time::Duration;

use toml_edit::Value;

use super::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::domain::watch::sentence::default_margin;
use crate::domain::watch::{AlertChannels, Watch, WatchCondition, WatchScope};
use crate::domain::{Amount, Direction, Text};

/// The most watches of a profile: each is evaluated with every read.
const MAX_WATCHES: usize = 100;
/// The shortest duration of a watch's delay or window.
const SHORTEST_DURATION: Duration = Duration::from_secs(1);

/// The period of flows, failures and counterparties, if none is given.
const DAY: Duration = Duration::from_hours(24);

/// The keys of conditions, of which a watch has one.
const CONDITIONS: [&str; 9] = [
    "below",
    "above",
    "change",
    "received_above",
    "sent_above",
    "pending_longer_than",
    "stuck",
    "failures",
    "counterparty",
];

/// The keys of a watch.
pub(super) const KEYS: [&str; 21] = [
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
    "total",
    "received_above",
    "sent_above",
    "pending_longer_than",
    "stuck",
    "failures",
    "counterparty",
    "at_least",
    "max_age",
    "notify",
    "muted",
];

pub(super) const ALERT_NAMES: [(&str, AlertChannels); 4] = [
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
    table.reject_unknown_keys(&KEYS)?;
    let text = |key| table.get(key).map(|value: TomlValue<'_>| value.text().map(Text::clean)).transpose();
    let place = match (text("account")?, text("wallet")?) {
        (None, None) => WatchScope::Everything,
        (Some(account), None) => WatchScope::Account(account),
        (None, Some(wallet)) => WatchScope::Wallet(wallet),
        (Some(_), Some(_)) => return Err(entry.fault("a watch covers an account or a wallet; leave one out")),
    };
    let token = text("token")?;
    let conditions: Vec<TomlValue<'_>> = CONDITIONS.into_iter().filter_map(|key| table.get(key)).collect();
    let [kind] = conditions.as_slice() else {
        let (last, others) = CONDITIONS.split_last().unwrap_or((&"below", &[]));
        return Err(entry.fault(&format!("a watch needs exactly one of {} and {last}", others.join(", "))));
    };
    let is_total = table.get("total").map(|value| value.flag()).transpose()?.unwrap_or(false);
    let of_total = ["below", "above", "change"];
    for (key, of) in [
        ("margin", &["below", "above"][..]),
        ("within", &["change", "received_above", "sent_above", "failures", "counterparty"]),
        ("at_least", &["counterparty"]),
        ("total", &of_total),
    ] {
        if let Some(value) = table.get(key).filter(|_| !of.contains(&kind.key())) {
            return Err(value.fault(&format!("it belongs to {}; leave it out", of.join(" and "))));
        }
    }
    let is_flow = ["received_above", "sent_above"].contains(&kind.key());
    if (is_flow || of_total.contains(&kind.key()) && !is_total) && token.is_none() {
        let message = "token is missing, as in \"USDC\": the token whose balance is watched; or write total = true";
        return Err(entry.fault(message));
    }
    if let Some(total) = table.get("total").filter(|_| is_total)
        && (token.is_some() || table.get("chain").is_some() || place != WatchScope::Everything)
    {
        return Err(total.fault("the total is that of everything; leave out token, chain, account and wallet"));
    }
    let within = |default: Duration| table.get("within").map_or(Ok(default), |value| value.duration(SHORTEST_DURATION));
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
            WatchCondition::Change { by, within: within(Duration::from_hours(1))? }
        }
        "received_above" => {
            WatchCondition::Flow { direction: Direction::Incoming, above: kind.amount()?, within: within(DAY)? }
        }
        "sent_above" => {
            WatchCondition::Flow { direction: Direction::Outgoing, above: kind.amount()?, within: within(DAY)? }
        }
        "stuck" if kind.flag()? => WatchCondition::Stuck,
        "stuck" => return Err(kind.fault("write true, or leave it out")),
        "failures" => WatchCondition::Failures { at_least: kind.number(1, 1_000_000)?, within: within(DAY)? },
        "counterparty" => {
            let at_least = table.get("at_least").map(|value| value.amount()).transpose()?;
            if let Some(value) = table.get("at_least").filter(|_| token.is_none()) {
                return Err(value.fault("an amount needs its token, as in token = \"USDC\""));
            }
            WatchCondition::Counterparty { counterparty: Text::clean(kind.text()?), at_least, within: within(DAY)? }
        }
        "pending_longer_than" => WatchCondition::Pending { longer: kind.duration(SHORTEST_DURATION)? },
        key => return Err(kind.fault(&format!("{key} is no condition of a watch"))),
    };
    Ok(Watch {
        name: text("name")?,
        token,
        chain: text("chain")?,
        scope: place,
        condition,
        max_age: table.get("max_age").map(|value| value.duration(SHORTEST_DURATION)).transpose()?,
        alert: table.get("notify").map_or(Ok(AlertChannels::default()), |value| value.one_of(&ALERT_NAMES))?,
        is_muted: table.get("muted").map(|value| value.flag()).transpose()?.unwrap_or(false),
    })
}

/// The keys of a condition with their values, as [`parse_watches`] reads them.
pub(super) fn condition_values(condition: &WatchCondition) -> Vec<(&'static str, Value)> {
    match condition {
        WatchCondition::Below { limit, margin } | WatchCondition::Above { limit, margin } => {
            let key = if matches!(condition, WatchCondition::Below { .. }) { "below" } else { "above" };
            let mut values = vec![(key, limit.to_string().into())];
            if margin.cmp_value(default_margin(*limit)).is_ne() {
                values.push(("margin", margin.to_string().into()));
            }
            values
        }
        WatchCondition::Change { by, within } => {
            vec![("change", by.to_string().into()), ("within", duration_value(*within))]
        }
        WatchCondition::Flow { direction, above, within } => {
            let key = if *direction == Direction::Incoming { "received_above" } else { "sent_above" };
            vec![(key, above.to_string().into()), ("within", duration_value(*within))]
        }
        WatchCondition::Pending { longer } => vec![("pending_longer_than", duration_value(*longer))],
        WatchCondition::Stuck => vec![("stuck", true.into())],
        WatchCondition::Failures { at_least, within } => {
            let count = i64::try_from(*at_least).unwrap_or(i64::MAX);
            vec![("failures", count.into()), ("within", duration_value(*within))]
        }
        WatchCondition::Counterparty { counterparty, at_least, within } => {
            let mut values = vec![("counterparty", counterparty.as_str().into()), ("within", duration_value(*within))];
            values.extend(at_least.map(|least| ("at_least", least.to_string().into())));
            values
        }
    }
}

pub(super) fn duration_value(duration: Duration) -> Value {
    humantime::format_duration(duration).to_string().into()
}

/// How far the balance must move back; by default, a hundredth of the limit.
fn parse_margin(table: &TomlTable<'_>, limit: Amount) -> Result<Amount, TomlFault> {
    match table.get("margin") {
        Some(value) => value.amount(),
        None => Ok(default_margin(limit)),
    }
}
