//! The state of the Markets page.

use crate::app::listing::Listing;
use crate::app::session::veil::Veil;
use crate::domain::v1::SwapPair;
use crate::domain::{Blockchain, Token};

#[derive(Debug, Default)]
pub struct MarketsPage {
    /// The listed tokens that match the filter.
    pub tokens: Listing<Token>,
    pub filter: String,
    pub chains: Listing<Blockchain>,
    pub pairs: Listing<SwapPair>,
}

impl MarketsPage {
    /// The masked page: what it lists is public, and only the filter may name somebody.
    pub(in crate::app) fn masked(&self) -> Self {
        let Self { tokens, filter, chains, pairs } = self;
        Self { tokens: tokens.clone(), filter: Veil::mask_filter(filter), chains: chains.clone(), pairs: pairs.clone() }
    }
}
