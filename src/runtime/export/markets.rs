//! The columns of a token, of a blockchain of a token, and of a pair.

use super::table::{Cell, multi_line_cell, optional_cell};
use crate::app::data::prices::QuotedRate;
use crate::domain::imitation::has_disguised_word;
use crate::domain::v1::SwapPair;
use crate::domain::{Blockchain, Text, Token};

pub const TOKEN_COLUMNS: [&str; 7] =
    ["token", "token_name", "decimals", "is_native", "standards", "blockchains", "imitates_a_token"];

/// The cells of a token. Its fraction digits are set only where all of its chains agree on them.
pub fn token_cells(token: &Token) -> [Cell; TOKEN_COLUMNS.len()] {
    [
        Some(token.symbol.to_string()),
        Some(token.name.to_string()),
        optional_cell(token.decimals.as_ref()),
        optional_cell(token.is_native.as_ref()),
        multi_line_cell(token.standards.iter()),
        multi_line_cell(token.blockchains.iter().map(|chain| &chain.slug)),
        Some(has_disguised_word(&token.symbol).to_string()),
    ]
}

pub const CHAIN_COLUMNS: [&str; 10] = [
    "token",
    "blockchain",
    "blockchain_name",
    "native_token",
    "decimals",
    "standards",
    "protocol",
    "chain_id",
    "is_testnet",
    "block_explorer",
];

pub fn chain_cells(symbol: &Text, chain: &Blockchain) -> [Cell; CHAIN_COLUMNS.len()] {
    [
        Some(symbol.to_string()),
        Some(chain.slug.to_string()),
        Some(chain.name.to_string()),
        optional_cell(chain.symbol.as_ref()),
        optional_cell(chain.decimals.as_ref()),
        multi_line_cell(chain.standards.iter()),
        optional_cell(chain.protocol.as_ref()),
        optional_cell(chain.chain_id.as_ref()),
        optional_cell(chain.is_testnet.as_ref()),
        optional_cell(chain.block_explorer.as_ref()),
    ]
}

pub const PAIR_COLUMNS: [&str; 5] = ["from", "to", "indicative_rate", "quoted_at", "imitates_a_token"];

/// The cells of a pair, with the latest rate for one whole unit sold.
pub fn pair_cells((pair, quoted): &(SwapPair, Option<QuotedRate>)) -> [Cell; PAIR_COLUMNS.len()] {
    let rate = quoted.and_then(|quoted| quoted.rate.amount());
    [
        Some(pair.from.to_string()),
        Some(pair.to.to_string()),
        optional_cell(rate.as_ref()),
        // A time is meaningless without its rate.
        quoted.filter(|_| rate.is_some()).map(|quoted| quoted.at.to_string()),
        Some([&pair.from, &pair.to].into_iter().any(|coin| has_disguised_word(coin)).to_string()),
    ]
}
