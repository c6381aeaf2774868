//! Whether the data are of the profile's network: real money, or a test.

use super::history::HistoryRow;
use super::network::Network;
use super::{Text, Token};

/// The word for an unexpected network among history rows; one row suffices.
pub fn find_unexpected_network_word_in_rows(expected: Network, rows: &[HistoryRow]) -> Option<Text> {
    let mut networks_in_rows =
        rows.iter().flat_map(|row| [&row.transaction.environment, &row.transaction.network]).flatten();
    networks_in_rows.find(|word| Network::of_word(word).is_some_and(|network| network != expected)).cloned()
}

/// The word for an unexpected network, if all chains of the service's tokens that state a network are on it. A service
/// may list chains of both networks, so a single one proves nothing.
pub fn find_unexpected_network_word_in_chains(expected: Network, tokens: &[Token]) -> Option<Text> {
    let mut test_flags =
        tokens.iter().flat_map(|token| &token.blockchains).filter_map(|chain| chain.is_testnet).peekable();
    let all_differ = test_flags.peek().is_some() && test_flags.all(|is_test| is_test != expected.is_test());
    all_differ.then(|| expected.opposite().name().into())
}

pub fn alarm_message(expected: Network, strange: &str) -> String {
    format!("ALARM: profile for {expected}, data from {strange}. Payments are disabled here.")
}

/// The remedy, appended to the alarm where there is room for it.
pub fn remedy_message(strange: &str) -> String {
    format!(
        "Either `environment` in the profile should be {strange}, or its base address or key is for another environment."
    )
}
