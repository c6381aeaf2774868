//! Tokens and their blockchains.

use serde_json::value::RawValue;

use crate::api::Reader;
use crate::api::fields::Fields;
use crate::api::paging::RowReader;
use crate::domain::{Blockchain, Failure, PagedList, Token};

const TOKENS_PATH: &str = "/v1/blockchains/tokens-with-blockchains";

/// A list of tokens with more pages than this is an error.
const MAX_TOKEN_PAGES: u64 = 200;

impl Reader {
    /// Every listed token.
    ///
    /// The specification shows no paging parameters for this list, so none is sent until its envelope reports more
    /// pages. A service that ignores them is noticed when the first token repeats.
    pub async fn fetch_tokens(&self) -> Result<PagedList<Token>, Failure> {
        let rows = RowReader { parse_row: parse_token, row_key: Token::clone, pages: 1..=MAX_TOKEN_PAGES };
        self.read_unpaged_list(TOKENS_PATH, &[], rows).await
    }
}

/// `None` without a symbol.
pub(in crate::api) fn parse_token(entry: &RawValue) -> Option<Token> {
    parse_token_fields(&Fields::from_raw(entry)?)
}

fn parse_token_fields(fields: &Fields<'_>) -> Option<Token> {
    let symbol = fields.text("symbol")?;
    Some(Token {
        name: fields.text("name").unwrap_or_else(|| symbol.clone()),
        symbol,
        decimals: fields.decimals("decimals"),
        is_native: fields.flag("isNative"),
        standards: fields.texts("standards"),
        blockchains: fields
            .list("blockchains")
            .into_iter()
            .filter_map(|entry| parse_blockchain(&Fields::from_raw(entry)?))
            .collect(),
    })
}

fn parse_blockchain(fields: &Fields<'_>) -> Option<Blockchain> {
    let onchain = fields.object("onchain");
    let coin = fields.object("nativeCurrency");
    let slug = fields.text("slug").or_else(|| fields.text("name"))?;
    Some(Blockchain {
        name: fields.text("name").unwrap_or_else(|| slug.clone()),
        slug,
        symbol: coin.and_then(|coin| coin.text("symbol")).or_else(|| fields.text("symbol")),
        decimals: fields.decimals("decimals"),
        protocol: onchain.as_ref().and_then(|onchain| onchain.text("protocol")),
        chain_id: onchain.as_ref().and_then(|onchain| onchain.integer("chainId")),
        is_testnet: fields.flag("isTestnet"),
        standards: fields.texts("standards"),
        block_explorer: fields.text("blockExplorer"),
    })
}
