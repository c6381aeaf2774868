//! `[[profiles.NAME.policy.approval]]`: which payments other people must approve.

use std::time::Duration;

use crate::config::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::domain::approval::{ApprovalRule, Touch};
use crate::domain::{Text, chain};

const MAX_RULES: usize = 100;
const MAX_APPROVERS: u64 = 9;
const SHORTEST_VALIDITY: Duration = Duration::from_mins(1);
const TOUCHES: [(&str, Touch); 3] = [("none", Touch::None), ("present", Touch::Present), ("verified", Touch::Verified)];

pub(in crate::config) fn parse_rules(value: &TomlValue<'_>, name: &str) -> Result<Vec<ApprovalRule>, TomlFault> {
    let tables = value.tables(name)?;
    if tables.len() > MAX_RULES {
        return Err(value.fault(&format!("at most {MAX_RULES} rules are possible")));
    }
    tables.into_iter().map(|(entry, table)| parse_rule(entry, table)).collect()
}

fn parse_rule(entry: TomlValue<'_>, table: TomlTable<'_>) -> Result<ApprovalRule, TomlFault> {
    table.reject_unknown_keys(&["token", "chain", "above", "always", "needs", "touch", "within"])?;
    let Some(token) = table.get("token").map(|value| value.text().map(Text::clean)).transpose()? else {
        return Err(entry.fault("token is missing, as in \"USDC\", or \"*\" for every token"));
    };
    let chain = table.get("chain").map(|value| value.text().map(Text::clean)).transpose()?;
    if let (Some(word), Some(value)) = (&chain, table.get("chain"))
        && chain::Chain::find(word).is_none()
    {
        // An unknown chain would silently never match.
        return Err(value.fault(&format!("“{word}” is not a known chain")));
    }
    let above = table.get("above").map(|value| value.amount()).transpose()?;
    let always = table.get("always").map_or(Ok(false), |value| value.flag())?;
    match (above, always) {
        (None, false) => {
            return Err(entry.fault("a rule needs above, as in above = \"10000\", or always = true"));
        }
        (Some(_), true) => return Err(entry.fault("a rule has either above or always = true; leave one out")),
        (Some(_), false) if *token == *ApprovalRule::ANY_TOKEN => {
            return Err(entry.fault("an amount cannot apply to every token; give \"*\" only always = true"));
        }
        (Some(_), false) | (None, true) => {}
    }
    let Some(needs) = table.get("needs") else {
        return Err(entry.fault("needs is missing: how many people must approve, as in needs = 1"));
    };
    Ok(ApprovalRule {
        token,
        chain,
        above,
        always,
        needs: u8::try_from(needs.number(1, MAX_APPROVERS)?).unwrap_or(u8::MAX),
        touch: table.get("touch").map_or(Ok(Touch::None), |value| value.one_of(&TOUCHES))?,
        within: table
            .get("within")
            .map_or(Ok(ApprovalRule::DEFAULT_VALIDITY), |value| value.duration(SHORTEST_VALIDITY))?,
    })
}
