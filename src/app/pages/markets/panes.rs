//! The panes of the Markets page: tokens, and the pairs and blockchains of the selected one.

use super::columns::{CHAIN_COLUMNS, PAIR_COLUMNS, TOKEN_COLUMNS, chain_cells, pair_cells, token_cells};
use super::{move_token_selection, refresh_token_rows};
use crate::app::data::prices::QuoteHistory;
use crate::app::input::keymap::Command;
use crate::app::list_filter::examples::words_of;
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::export::list::filter_suffix;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::app::screen::Pane;
use crate::domain::export::cells::ExportTable;

pub struct TokensPane;
pub struct PairsPane;
pub struct ChainsPane;

impl PaneLogic for TokensPane {
    shows_list!(model => model.pages.markets.tokens);

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        move_token_selection(model, command)
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            model.set_focus(Pane::Pairs);
            Vec::new()
        })
    }

    fn leads_on(&self) -> bool {
        true
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.markets.filter)
    }

    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        let page = &mut model.pages.markets;
        page.tokens.reset();
        page.chains.reset();
        page.pairs.reset();
        refresh_token_rows(model);
        Vec::new()
    }

    fn filter_examples(&self, model: &Model) -> Vec<String> {
        words_of(model.pages.markets.tokens.rows().iter().take(2).map(|token| Some(&token.symbol)))
    }

    fn export_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["token", "tokens"],
            qualifiers: filter_suffix(&model.pages.markets.filter),
            rows: |model| {
                let tokens = model.pages.markets.tokens.rows();
                Some(ExportTable::new("tokens", TOKEN_COLUMNS, tokens.iter().map(token_cells)).into())
            },
        })
    }
}

impl PaneLogic for PairsPane {
    shows_list!(model => model.pages.markets.pairs);

    fn export_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["pair", "pairs"],
            qualifiers: token_suffix(model),
            rows: |model| {
                let quoted = |pair| model.data.prices.history_of(pair).and_then(QuoteHistory::newest);
                let pairs = model.pages.markets.pairs.rows();
                let rows = pairs.iter().map(|pair| pair_cells(pair, quoted(pair)));
                Some(ExportTable::new("pairs", PAIR_COLUMNS, rows).into())
            },
        })
    }
}

impl PaneLogic for ChainsPane {
    shows_list!(model => model.pages.markets.chains);

    fn export_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["blockchain", "blockchains"],
            qualifiers: token_suffix(model),
            rows: |model| {
                let symbol = &model.pages.markets.tokens.selected()?.symbol;
                let chains = model.pages.markets.chains.rows();
                let rows = chains.iter().map(|chain| chain_cells(symbol, chain));
                Some(ExportTable::new("blockchains", CHAIN_COLUMNS, rows).into())
            },
        })
    }
}

fn token_suffix(model: &Model) -> String {
    model.pages.markets.tokens.selected().map_or_else(String::new, |token| format!(" of {}", token.symbol))
}
