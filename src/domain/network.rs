//! Whether the data are of the profile's network: real money, or a test.

use super::chain::is_test_network;
use super::history::HistoryRow;
use super::{Text, Token};

/// The word for an unexpected network among history rows; one row suffices.
pub fn unexpected_network_in_rows(expects_test: bool, rows: &[HistoryRow]) -> Option<Text> {
    let mut words = rows.iter().flat_map(|row| [&row.transaction.environment, &row.transaction.network]).flatten();
    words.find(|word| is_test_network(word).is_some_and(|test| test != expects_test)).cloned()
}

/// The word for an unexpected network, if all chains of the service's tokens that state a network are on it. A service
/// may list chains of both networks, so a single one proves nothing.
pub fn unexpected_network_in_chains(expects_test: bool, tokens: &[Token]) -> Option<Text> {
    let mut told = tokens.iter().flat_map(|token| &token.blockchains).filter_map(|chain| chain.is_testnet).peekable();
    let all_differ = told.peek().is_some() && told.all(|is_test| is_test != expects_test);
    all_differ.then(|| if expects_test { "mainnet" } else { "testnet" }.into())
}

pub fn alarm_message(expected: &str, strange: &str) -> String {
    format!("ALARM: profile for {expected}, data from {strange}. Payments are disabled here.")
}

/// The remedy, appended to the alarm where there is room for it.
pub fn remedy_message(strange: &str) -> String {
    format!(
        "Either `environment` in the profile should be {strange}, or its base address or key is for another environment."
    )
}
