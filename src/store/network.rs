//! Checks that the cached data is from the expected network.

use super::{Cancel, Store, StoreError};
use crate::domain::history::{Query, WindowAnchor, WindowRequest};
use crate::domain::{Network, Text, network_mismatch};

const EXAMINED_ROWS: u32 = 200;

impl Store {
    /// The name of an unexpected network, if the newest rows of the history or the listed chains are of one.
    pub fn unexpected_network(&self, expected: Network) -> Result<Option<Text>, StoreError> {
        let request = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(0), rows: EXAMINED_ROWS };
        let mut unexpected = None;
        self.query_history(&request, &Cancel::new(), &mut |window| {
            unexpected = network_mismatch::find_unexpected_network_word_in_rows(expected, &window.rows);
        })?;
        let in_token_list = || {
            Ok(self
                .tokens()?
                .and_then(|(tokens, _)| network_mismatch::find_unexpected_network_word_in_chains(expected, &tokens)))
        };
        unexpected.map_or_else(in_token_list, |unexpected| Ok(Some(unexpected)))
    }
}
