//! `[profiles.NAME.policy]`: the payment policy of a business.

mod approval;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub(super) use approval::parse_rules as parse_approval_rules;

use super::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::domain::approval::DeskRole;
use crate::domain::policy::{Limit, OverLimit, Policy};
use crate::domain::{Amount, Text, chain};

/// The most limits of a profile: each is checked with every payment.
const MAX_LIMITS: usize = 100;
const SHORTEST_COOLING_PERIOD: Duration = Duration::from_mins(1);

pub(super) fn parse_policy(value: &TomlValue<'_>, name: &str) -> Result<Policy, TomlFault> {
    let table = value.table(name)?;
    table.reject_unknown_keys(&["allow_list", "cooling", "swap_bound", "limit", "approval"])?;
    let only_book = table.get("allow_list").map_or(Ok(false), |value| value.flag())?;
    let limits = match table.get("limit") {
        Some(value) => parse_limits(&value, &format!("{name}.limit"))?,
        None => Vec::new(),
    };
    if let Some(value) = table.get("limit")
        && limits.iter().any(|limit| limit.while_cooling.is_some())
        && !(only_book && table.get("cooling").is_some())
    {
        return Err(
            value.fault("while_cooling applies only with allow_list = true and cooling, as in cooling = \"48h\"")
        );
    }
    Ok(Policy {
        limits,
        allow_list_only: only_book,
        cooling: table.get("cooling").map(|value| value.duration(SHORTEST_COOLING_PERIOD)).transpose()?,
        slippage: table.get("swap_bound").map(|value| parse_basis_points(&value)).transpose()?,
        // Set from other keys, in the profile itself.
        batch_recipients: None,
        approval: match table.get("approval") {
            Some(value) => approval::parse_rules(&value, &format!("{name}.approval"))?,
            None => Vec::new(),
        },
        role: DeskRole::default(),
    })
}

fn parse_limits(value: &TomlValue<'_>, name: &str) -> Result<Vec<Limit>, TomlFault> {
    let tables = value.tables(name)?;
    if tables.len() > MAX_LIMITS {
        return Err(value.fault(&format!("at most {MAX_LIMITS} limits are possible")));
    }
    let mut limits: Vec<Limit> = Vec::new();
    for (entry, table) in tables {
        let limit = parse_limit(entry, table)?;
        if limits.iter().any(|other| is_for_same_token_and_chain(other, &limit)) {
            return Err(entry.fault(&format!("there are two limits for {}; write them as one", limit.title())));
        }
        limits.push(limit);
    }
    Ok(limits)
}

fn is_for_same_token_and_chain(one: &Limit, other: &Limit) -> bool {
    let chains = match (&one.chain, &other.chain) {
        (Some(one), Some(other)) => chain::is_same_chain(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    chains && one.token.eq_ignore_ascii_case(&other.token)
}

fn parse_limit(entry: TomlValue<'_>, table: TomlTable<'_>) -> Result<Limit, TomlFault> {
    table.reject_unknown_keys(&[
        "token",
        "chain",
        "per_payment",
        "per_day",
        "percent_of_balance",
        "while_cooling",
        "beyond",
    ])?;
    let text = |key| table.get(key).map(|value: TomlValue<'_>| value.text().map(Text::clean)).transpose();
    let amount = |key| table.get(key).map(|value: TomlValue<'_>| value.amount()).transpose();
    let Some(token) = text("token")? else {
        return Err(entry.fault("token is missing, as in \"USDC\", or \"*\" for every other token"));
    };
    let percent = table.get("percent_of_balance").map(|value| value.number(1, 100)).transpose()?;
    let chain = text("chain")?;
    if let (Some(word), Some(value)) = (&chain, table.get("chain"))
        && chain::Chain::find(word).is_none()
    {
        // An unknown chain would silently never match.
        let slugs: Vec<&str> = chain::Chain::all().iter().map(|chain| chain.slug).collect();
        let slugs = slugs.join(", ");
        return Err(value.fault(&format!("“{word}” is not a known chain; write one of {slugs}, or none")));
    }
    let limit = Limit {
        token,
        chain,
        per_payment: amount("per_payment")?,
        per_day: amount("per_day")?,
        percent_of_balance: percent.and_then(|percent| u8::try_from(percent).ok()),
        while_cooling: amount("while_cooling")?,
        over_limit: table.get("beyond").map_or(Ok(OverLimit::default()), |value| value.one_of(&OverLimit::ALL))?,
    };
    let amounts = [limit.per_payment, limit.per_day, limit.while_cooling];
    if limit.is_for_any_token() && amounts.iter().any(Option::is_some) {
        return Err(entry.fault("an amount cannot apply to every token; give \"*\" only a percent_of_balance"));
    }
    if limit.percent_of_balance.is_none() && amounts.iter().all(Option::is_none) {
        return Err(
            entry.fault("a limit needs at least one of per_payment, per_day, percent_of_balance and while_cooling")
        );
    }
    if let Some((payment, day)) = limit.per_payment.zip(limit.per_day)
        && payment.cmp_value(day).is_gt()
    {
        return Err(entry.fault(
            "per_payment is more than per_day, so it could never be reached; write the smaller amount as per_payment",
        ));
    }
    Ok(limit)
}

/// A share in percent with two fraction digits at most, in hundredths of a percent.
fn parse_basis_points(value: &TomlValue<'_>) -> Result<u16, TomlFault> {
    let wrong = || value.fault("write a share from 0% to 50%, as in \"0.5%\"");
    let share = value.text().ok().and_then(|text| text.strip_suffix('%')).ok_or_else(wrong)?;
    let share = Amount::parse(share, 2).map_err(|_| wrong())?;
    u16::try_from(share.raw()).ok().filter(|share| *share <= 5_000).ok_or_else(wrong)
}
