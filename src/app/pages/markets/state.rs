//! The state of the Markets page.

use crate::app::listing::Listing;
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
