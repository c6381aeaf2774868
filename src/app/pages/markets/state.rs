//! The state of the Markets page.

use crate::app::data::prices::Prices;
use crate::app::listing::Listing;
use crate::app::session::veil::Veil;
use crate::domain::filter::AllWordsFilter;
use crate::domain::history::Window;
use crate::domain::v1::SwapPair;
use crate::domain::{Blockchain, Text, Token};

#[derive(Debug, Default)]
pub struct MarketsPage {
    /// The listed tokens that match the filter.
    pub tokens: Listing<Token>,
    pub filter: String,
    pub chains: Listing<Blockchain>,
    pub pairs: Listing<SwapPair>,
}

impl MarketsPage {
    /// Shows the listed tokens that match the filter, one of them selected.
    pub fn refresh_tokens(&mut self, listed_tokens: &[Token], prices: &Prices) {
        let word_filter = AllWordsFilter::parse(&self.filter);
        let matches = |token: &&Token| {
            let chains = token.blockchains.iter().flat_map(|chain| [&chain.slug, &chain.name]);
            word_filter.matches(
                [&token.symbol, &token.name].into_iter().chain(&token.standards).chain(chains).map(Text::as_str),
            )
        };
        let rows = listed_tokens.iter().filter(matches).cloned().collect();
        self.tokens.apply_window(Window::whole(rows));
        self.tokens.select_first_visible();
        self.refresh_lists_of_token(prices);
    }

    /// Shows the blockchains of the selected token, and the pairs in which it can be sold.
    pub fn refresh_lists_of_token(&mut self, prices: &Prices) {
        let token = self.tokens.selected();
        let chains = token.map(|token| token.blockchains.clone()).unwrap_or_default();
        let pairs = token.map(|token| prices.pairs_selling(&token.symbol)).unwrap_or_default();
        self.chains.apply_window(Window::whole(chains));
        self.pairs.apply_window(Window::whole(pairs));
    }

    /// The lists of another token begin at their first row.
    pub(super) fn reset_lists_of_token(&mut self) {
        self.chains.reset_position();
        self.pairs.reset_position();
    }

    /// The masked page: what it lists is public, and only the filter may name somebody.
    pub(in crate::app) fn to_masked(&self) -> Self {
        let Self { tokens, filter, chains, pairs } = self;
        Self { tokens: tokens.clone(), filter: Veil::mask_filter(filter), chains: chains.clone(), pairs: pairs.clone() }
    }
}
