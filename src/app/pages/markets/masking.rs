//! The Markets page with masked values.

use super::state::MarketsPage;
use crate::app::session::veil::Veil;

impl MarketsPage {
    /// The masked page: what it lists is public, and only the filter may name somebody.
    pub(in crate::app) fn masked(&self) -> Self {
        let Self { tokens, filter, chains, pairs } = self;
        Self { tokens: tokens.clone(), filter: Veil::mask_filter(filter), chains: chains.clone(), pairs: pairs.clone() }
    }
}
