//! Markets: listed tokens and their blockchains.

mod layout;
pub(in crate::app) mod page;
pub mod panes;
pub mod state;
pub mod view;

use crate::app::input::keymap::Command;
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::domain::filter::WordFilter;
use crate::domain::history::Window;
use crate::domain::{Text, Token};

/// Moves in the list of tokens. Pairs and chains are those of the selected token.
pub(in crate::app) fn move_token_selection(model: &mut Model, command: Command) -> Vec<Effect> {
    model.pages.markets.tokens.run_motion(command, false);
    model.pages.markets.chains.reset();
    model.pages.markets.pairs.reset();
    refresh_chain_and_pair_rows(model);
    Vec::new()
}

/// Shows the listed tokens that match the filter, one of them selected.
pub(in crate::app) fn refresh_token_rows(model: &mut Model) {
    let word_filter = WordFilter::parse(&model.pages.markets.filter);
    let matches = |token: &&Token| {
        let chains = token.blockchains.iter().flat_map(|chain| [&chain.slug, &chain.name]);
        word_filter
            .matches([&token.symbol, &token.name].into_iter().chain(&token.standards).chain(chains).map(Text::as_str))
    };
    let rows = model.data.listed_tokens.iter().filter(matches).cloned().collect();
    model.pages.markets.tokens.apply_window(Window::whole(rows));
    model.pages.markets.tokens.select_first_visible();
    refresh_chain_and_pair_rows(model);
}

/// Shows the blockchains of the selected token, and the pairs in which it can be sold.
pub(in crate::app) fn refresh_chain_and_pair_rows(model: &mut Model) {
    let chains = model.pages.markets.tokens.selected().map(|token| token.blockchains.clone()).unwrap_or_default();
    model.pages.markets.chains.apply_window(Window::whole(chains));
    let pairs = model
        .pages
        .markets
        .tokens
        .selected()
        .map(|token| model.data.prices.pairs_selling(&token.symbol))
        .unwrap_or_default();
    model.pages.markets.pairs.apply_window(Window::whole(pairs));
}
