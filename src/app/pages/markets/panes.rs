//! The panes of the Markets page: tokens, and the pairs and blockchains of the selected one.

use crate::app::data::prices::QuoteHistory;
use crate::app::input::keymap::Command;
use crate::app::list_filter::examples::distinct_single_words;
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::export::list::filter_phrase;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::app::screen::Pane;
use crate::domain::export::cells::{Cell, ExportTable, columns, multi_line_cell, optional_cell};
use crate::domain::imitation::has_disguised_word;
use crate::domain::v1::SwapPair;
use crate::domain::{Blockchain, DatedRate, Text, Token};

pub struct TokensPane;
pub struct PairsPane;
pub struct ChainsPane;

impl PaneLogic for TokensPane {
    shows_list!(model => model.pages.markets.tokens);

    /// Pairs and chains are those of the selected token.
    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        let page = &mut model.pages.markets;
        page.tokens.run_motion(command, false);
        page.reset_lists_of_token();
        page.refresh_lists_of_token(&model.data.prices);
        Vec::new()
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            model.set_focus(Pane::Pairs);
            Vec::new()
        })
    }

    fn leads_to_next_pane(&self) -> bool {
        true
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.markets.filter)
    }

    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        let page = &mut model.pages.markets;
        page.tokens.reset_position();
        page.reset_lists_of_token();
        page.refresh_tokens(&model.data.listed_tokens, &model.data.prices);
        Vec::new()
    }

    fn filter_examples(&self, model: &Model) -> Vec<String> {
        distinct_single_words(model.pages.markets.tokens.rows().iter().take(2).map(|token| Some(&token.symbol)))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["token", "tokens"],
            qualifiers: filter_phrase(&model.pages.markets.filter),
            rows: |model| {
                let tokens = model.pages.markets.tokens.rows();
                Some(ExportTable::new("tokens", TOKEN_COLUMNS, tokens.iter().map(token_cells)).into())
            },
        })
    }
}

impl PaneLogic for PairsPane {
    shows_list!(model => model.pages.markets.pairs);

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
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

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
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

columns! {
    /// The cells of a token. Its fraction digits are set only where all of its chains agree on them.
    pub fn token_cells(token: &Token) -> TOKEN_COLUMNS {
        "token" => Some(token.symbol.to_string()),
        "token_name" => Some(token.name.to_string()),
        "decimals" => optional_cell(token.decimals.as_ref()),
        "is_native" => optional_cell(token.is_native.as_ref()),
        "standards" => multi_line_cell(token.standards.iter()),
        "blockchains" => multi_line_cell(token.blockchains.iter().map(|chain| &chain.slug)),
        "imitates_a_token" => Some(has_disguised_word(&token.symbol).to_string()),
    }
}

columns! {
    pub fn chain_cells(symbol: &Text, chain: &Blockchain) -> CHAIN_COLUMNS {
        "token" => Some(symbol.to_string()),
        "blockchain" => Some(chain.slug.to_string()),
        "blockchain_name" => Some(chain.name.to_string()),
        "native_token" => optional_cell(chain.symbol.as_ref()),
        "decimals" => optional_cell(chain.decimals.as_ref()),
        "standards" => multi_line_cell(chain.standards.iter()),
        "protocol" => optional_cell(chain.protocol.as_ref()),
        "chain_id" => optional_cell(chain.chain_id.as_ref()),
        "is_testnet" => optional_cell(chain.is_testnet.as_ref()),
        "block_explorer" => optional_cell(chain.block_explorer.as_ref()),
    }
}

columns! {
    /// The cells of a pair, with the latest rate for one whole unit sold.
    pub fn pair_cells(pair: &SwapPair, quoted: Option<DatedRate>) -> PAIR_COLUMNS {
        let rate = quoted.and_then(|quoted| quoted.rate.amount());
        "from" => Some(pair.from.to_string()),
        "to" => Some(pair.to.to_string()),
        "indicative_rate" => optional_cell(rate.as_ref()),
        // A time is meaningless without its rate.
        "quoted_at" => quoted.filter(|_| rate.is_some()).map(|quoted| quoted.at.to_string()),
        "imitates_a_token" => Some([&pair.from, &pair.to].into_iter().any(|coin| has_disguised_word(coin)).to_string()),
    }
}
