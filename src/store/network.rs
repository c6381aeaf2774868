//! Checks that the cached data is from the expected network.

use super::{Cancel, Store, StoreError};
use crate::domain::history::{Query, WindowAnchor, WindowRequest};
use crate::domain::{Text, network};

const EXAMINED_ROWS: u32 = 200;

impl Store {
    /// The name of an unexpected network, if the newest rows of the history or the listed chains are of one.
    pub fn unexpected_network(&self, expects_test: bool) -> Result<Option<Text>, StoreError> {
        let span = WindowRequest { query: Query::default(), anchor: WindowAnchor::Rank(0), rows: EXAMINED_ROWS };
        let mut strange = None;
        self.query_history(&span, &Cancel::new(), &mut |window| {
            strange = network::unexpected_network_in_rows(expects_test, &window.rows);
        })?;
        let listed =
            || Ok(self.tokens()?.and_then(|(tokens, _)| network::unexpected_network_in_chains(expects_test, &tokens)));
        strange.map_or_else(listed, |strange| Ok(Some(strange)))
    }
}
