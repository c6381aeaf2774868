//! Checks that the service lists the tokens that the profile names (a limit on a misspelt token limits nothing), and
//! that the cached data is from the profile's network.

use std::path::PathBuf;

use super::CheckResult;
use crate::config::Profile;
use crate::domain::{Text, Token, network_mismatch};
use crate::store::{CacheLocation, Store, StoreError};

const SUBJECT: &str = "tokens";

const MAX_TOKENS_NAMED: usize = 12;

/// Searches the cache in a folder for the tokens that limits and the valuation name.
pub(super) fn check_tokens(profile: &Profile, folder: PathBuf) -> Vec<CheckResult> {
    if !matches!(Store::read_progress_in_folder(&folder), Ok(Some(_))) {
        return Vec::new();
    }
    let opened = match Store::open(&CacheLocation::Folder(folder.clone())) {
        // A console has it open: a copy has the same data.
        Err(StoreError::Locked { .. }) => Store::open(&CacheLocation::Copy(folder)),
        opened => opened,
    };
    let tokens_and_network = opened.and_then(|opened| {
        let strange = profile.network.map(|network| opened.store.unexpected_network(network));
        let tokens_and_network = opened.store.tokens().and_then(|tokens| Ok((tokens, strange.transpose()?.flatten())));
        opened.store.remove_if_temporary();
        tokens_and_network
    });
    match tokens_and_network {
        Ok((listed_tokens, strange)) => {
            let mut findings = listed_tokens.map_or_else(Vec::new, |(tokens, _)| token_check_results(profile, &tokens));
            if let (Some(network), Some(strange)) = (profile.network, strange) {
                let message = format!(
                    "{} {}",
                    network_mismatch::alarm_message(network, &strange),
                    network_mismatch::remedy_message(&strange)
                );
                findings.push(CheckResult::wrong("network", message));
            }
            findings
        }
        Err(error) => vec![CheckResult::note(SUBJECT, error.to_string())],
    }
}

fn token_check_results(profile: &Profile, tokens: &[Token]) -> Vec<CheckResult> {
    let is_listed = |symbol: &str| tokens.iter().any(|token| token.symbol.eq_ignore_ascii_case(symbol));
    let limits = profile.policy.limits.iter().map(|limit| &limit.token).filter(|token| token.as_str() != "*");
    let mut symbols_named: Vec<(&str, &str)> = limits.map(|token| ("a limit of the policy", token.as_str())).collect();
    symbols_named.extend(profile.valuation.as_deref().map(|symbol| ("valuation", symbol)));
    symbols_named.dedup();
    symbols_named
        .into_iter()
        .filter(|(_, symbol)| !tokens.is_empty() && !is_listed(symbol))
        .map(|(setting, symbol)| {
            let symbols: Vec<&str> = tokens.iter().map(|token| token.symbol.as_str()).take(MAX_TOKENS_NAMED).collect();
            let more = if tokens.len() > MAX_TOKENS_NAMED { " and others" } else { "" };
            let symbol = Text::clean(symbol);
            let message = format!(
                "{setting} names {symbol}, which the service does not list; it lists {}{more}",
                symbols.join(", ")
            );
            CheckResult::wrong(SUBJECT, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::BaseUrl;
    use crate::domain::policy::{Limit, OverLimit};

    fn token(symbol: &str) -> Token {
        Token {
            name: symbol.into(),
            symbol: symbol.into(),
            decimals: None,
            is_native: None,
            standards: Vec::new(),
            blockchains: Vec::new(),
        }
    }

    #[test]
    fn a_limit_on_a_token_that_is_not_listed_is_told() {
        let mut profile = Profile::new("quay".into(), BaseUrl::parse("https://api.example.com").unwrap());
        let limit = |token: &str| Limit {
            token: token.into(),
            chain: None,
            per_payment: None,
            per_day: None,
            percent_of_balance: Some(1),
            while_cooling: None,
            over_limit: OverLimit::Stop,
        };
        profile.policy.limits = ["USDC", "usdt", "*", "UDSC"].map(limit).into();
        profile.valuation = Some("EURO".into());
        let tokens = [token("USDC"), token("USDT")];
        let messages: Vec<String> =
            token_check_results(&profile, &tokens).into_iter().map(|finding| finding.message).collect();
        assert_eq!(
            messages,
            [
                "a limit of the policy names UDSC, which the service does not list; it lists USDC, USDT",
                "valuation names EURO, which the service does not list; it lists USDC, USDT",
            ]
        );
        assert!(token_check_results(&profile, &[]).is_empty(), "nothing was read yet");
    }
}
