//! A line of `allowed_signers`: a person, options, a key.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use crate::domain::{Text, Timestamp};

use super::super::ssh_signature::PublicKey;
use super::NotASigner;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SignerLine {
    pub(super) principal: Text,
    pub(super) key: PublicKey,
    options: SignerOptions,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct SignerOptions {
    /// Every one where absent.
    namespaces: Option<Vec<String>>,
    valid_after: Option<Timestamp>,
    valid_before: Option<Timestamp>,
}

impl SignerLine {
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let (principals, rest) = line.split_once([' ', '\t']).ok_or("a line needs a person and a key")?;
        let principal = parse_principal(principals)?;
        let rest = rest.trim_start();
        let has_options = OPTION_NAMES.iter().any(|name| starts_with_option(rest, name));
        let (options, key) = if has_options { SignerOptions::parse(rest)? } else { (SignerOptions::default(), rest) };
        let key = PublicKey::parse_openssh(key).map_err(|fault| fault.to_string())?;
        Ok(Self { principal, key, options })
    }

    pub(super) fn check(&self, namespace: &str, at: Timestamp) -> Result<(), NotASigner> {
        let SignerOptions { namespaces, valid_after, valid_before } = &self.options;
        if namespaces.as_ref().is_some_and(|allowed| !allowed.iter().any(|name| name == namespace)) {
            Err(NotASigner::OtherNamespace)
        } else if valid_after.is_some_and(|from| at < from) {
            Err(NotASigner::NotYetValid)
        } else if valid_before.is_some_and(|until| at >= until) {
            Err(NotASigner::Expired)
        } else {
            Ok(())
        }
    }
}

fn parse_principal(word: &str) -> Result<Text, String> {
    let mut names = word.split(',');
    let name = names.next().unwrap_or_default();
    if let Some(other) = names.find(|other| *other != name) {
        return Err(format!("“{name}” and “{other}” share a key; a key belongs to one person"));
    }
    if name.contains(['*', '?', '!']) {
        return Err(format!("“{name}” is a pattern; approvals count people, so name each one"));
    }
    let text = Text::clean(name);
    if name.is_empty() || name.contains('"') || *text != *name {
        return Err(format!("“{text}” cannot be the name of a person"));
    }
    Ok(text)
}

const CERT_AUTHORITY: &str = "cert-authority";
const NAMESPACES: &str = "namespaces";
const VALID_AFTER: &str = "valid-after";
const VALID_BEFORE: &str = "valid-before";
const OPTION_NAMES: [&str; 4] = [CERT_AUTHORITY, NAMESPACES, VALID_AFTER, VALID_BEFORE];

fn starts_with_option(rest: &str, name: &str) -> bool {
    let start = rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    start && rest.get(name.len()..).is_some_and(|rest| rest.starts_with(['=', ',', ' ', '\t']))
}

impl SignerOptions {
    /// Parses `name="value",name="value"` and returns what follows.
    fn parse(text: &str) -> Result<(Self, &str), String> {
        let mut options = Self::default();
        let mut rest = text;
        loop {
            let end = rest.find(['=', ',', ' ', '\t']).unwrap_or(rest.len());
            let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let name = name.to_ascii_lowercase();
            if name == CERT_AUTHORITY {
                return Err("certificates are not accepted; list each person's own key".into());
            }
            let quoted = behind.strip_prefix("=\"").and_then(|value| value.split_once('"'));
            let (value, behind) = quoted.ok_or_else(|| format!("write the option as {name}=\"…\", in quotes"))?;
            options.set(&name, value)?;
            match behind.strip_prefix(',') {
                Some(next) => rest = next,
                None if behind.starts_with([' ', '\t']) => return options.check_times(behind.trim_start()),
                None => return Err(format!("a comma or a blank must follow the option {name}")),
            }
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let is_repeated = match name {
            NAMESPACES => self.namespaces.replace(parse_namespaces(value)?).is_some(),
            VALID_AFTER => self.valid_after.replace(parse_time(value)?).is_some(),
            VALID_BEFORE => self.valid_before.replace(parse_time(value)?).is_some(),
            _ => return Err(format!("the option “{}” is not known", Text::clean(name))),
        };
        if is_repeated { Err(format!("the option {name} is there twice")) } else { Ok(()) }
    }

    fn check_times(self, rest: &str) -> Result<(Self, &str), String> {
        match self.valid_after.zip(self.valid_before) {
            Some((after, before)) if before <= after => Err("valid-before must be later than valid-after".into()),
            _ => Ok((self, rest)),
        }
    }
}

fn parse_namespaces(value: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = value.split(',').map(str::to_owned).collect();
    let is_name = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    if names.iter().all(|name| is_name(name) && !name.contains(['*', '?', '!', '\\'])) {
        Ok(names)
    } else {
        Err("write each namespace out, as in namespaces=\"approve@bursar,refuse@bursar\"".into())
    }
}

/// `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, in UTC.
fn parse_time(value: &str) -> Result<Timestamp, String> {
    let digits = value.strip_suffix('Z').unwrap_or(value);
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<u32>().ok();
    let parse = || -> Option<Timestamp> {
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 8 | 12 | 14) {
            return None;
        }
        let date = NaiveDate::from_ymd_opt(digits.get(..4)?.parse().ok()?, number(4, 6)?, number(6, 8)?)?;
        let (hour, minute) = if digits.len() > 8 { (number(8, 10)?, number(10, 12)?) } else { (0, 0) };
        let second = if digits.len() > 12 { number(12, 14)? } else { 0 };
        let time = NaiveTime::from_hms_opt(hour, minute, second)?;
        Some(NaiveDateTime::new(date, time).and_utc().into())
    };
    parse().ok_or_else(|| format!("“{}” is no time; write YYYYMMDD or YYYYMMDDHHMMSSZ", Text::clean(value)))
}
