//! Records of the listed tokens.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::domain::{Blockchain, Text, Token};

#[derive(Serialize, Deserialize)]
struct TokenRecord {
    symbol: String,
    name: String,
    decimals: Option<u8>,
    is_native: Option<bool>,
    standards: Vec<String>,
    blockchains: Vec<ChainRecord>,
}

#[derive(Serialize, Deserialize)]
struct ChainRecord {
    slug: String,
    name: String,
    symbol: Option<String>,
    decimals: Option<u8>,
    protocol: Option<String>,
    chain_id: Option<u64>,
    is_testnet: Option<bool>,
    standards: Vec<String>,
    block_explorer: Option<String>,
}

fn to_strings(texts: &[Text]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn to_texts(strings: &[String]) -> Vec<Text> {
    strings.iter().map(|text| Text::clean(text)).collect()
}

impl TokenRecord {
    fn from_token(token: &Token) -> Self {
        let string = |text: &Option<Text>| text.as_ref().map(ToString::to_string);
        let chain = |chain: &Blockchain| ChainRecord {
            slug: chain.slug.to_string(),
            name: chain.name.to_string(),
            symbol: string(&chain.symbol),
            decimals: chain.decimals,
            protocol: string(&chain.protocol),
            chain_id: chain.chain_id,
            is_testnet: chain.is_testnet,
            standards: to_strings(&chain.standards),
            block_explorer: string(&chain.block_explorer),
        };
        Self {
            symbol: token.symbol.to_string(),
            name: token.name.to_string(),
            decimals: token.decimals,
            is_native: token.is_native,
            standards: to_strings(&token.standards),
            blockchains: token.blockchains.iter().map(chain).collect(),
        }
    }

    fn to_token(&self) -> Token {
        let text = |string: &Option<String>| string.as_deref().map(Text::clean);
        let chain = |chain: &ChainRecord| Blockchain {
            slug: Text::clean(&chain.slug),
            name: Text::clean(&chain.name),
            symbol: text(&chain.symbol),
            decimals: chain.decimals,
            protocol: text(&chain.protocol),
            chain_id: chain.chain_id,
            is_testnet: chain.is_testnet,
            standards: to_texts(&chain.standards),
            block_explorer: text(&chain.block_explorer),
        };
        Token {
            symbol: Text::clean(&self.symbol),
            name: Text::clean(&self.name),
            decimals: self.decimals,
            is_native: self.is_native,
            standards: to_texts(&self.standards),
            blockchains: self.blockchains.iter().map(chain).collect(),
        }
    }
}

/// Identifies the current token list, since no number is ever reused; `None` while it is empty.
pub(super) fn token_list_id(connection: &Connection) -> Result<Option<i64>, StoreError> {
    Ok(connection.prepare_cached("SELECT min(nth) FROM token")?.query_row([], |row| row.get(0))?)
}

/// Listed tokens in the order in which the service lists them.
pub(super) fn read_tokens(connection: &Connection) -> Result<Vec<Token>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT json FROM token ORDER BY nth")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    rows.map(|json| {
        let record: TokenRecord =
            serde_json::from_str(&json?).map_err(|error| StoreError::damaged(&error.to_string()))?;
        Ok(record.to_token())
    })
    .collect()
}

/// Replaces the list.
pub(super) fn replace_tokens(connection: &Connection, tokens: &[Token]) -> Result<(), StoreError> {
    connection.execute("DELETE FROM token", [])?;
    for token in tokens {
        let json = serde_json::to_string(&TokenRecord::from_token(token))
            .map_err(|error| StoreError::damaged(&error.to_string()))?;
        connection.prepare_cached("INSERT INTO token (json) VALUES (?1)")?.execute([json])?;
    }
    Ok(())
}
