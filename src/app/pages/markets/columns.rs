//! The columns of a token, of a blockchain of a token, and of a pair.

use crate::domain::export::cells::{Cell, columns, multi_line_cell, optional_cell};
use crate::domain::imitation::has_disguised_word;
use crate::domain::v1::SwapPair;
use crate::domain::{Blockchain, DatedRate, Text, Token};

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
