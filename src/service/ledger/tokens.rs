//! The tokens that the service lists, and their fees.
//!
//! Contracts are those that the issuers publish for the main networks (Tether, Circle, Shiba Inu, Chainlink, `BitGo`,
//! Maker), so that operators recognise them; nothing is ever sent to a real chain. Decimals differ by chain for one
//! symbol: USDT and USDC have 6 on Ethereum and 18 on BNB Chain.
//!
//! The fee of a withdrawal is fixed per token and chain and taken in the token sent; about what the chain's own gas
//! would cost. Gasless wallets pay none.

use ruint::aliases::U256;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Ledger;
use super::commands::{DepositToken, Paging};
use super::render::{self, Page};
use super::request_error::RequestError;
use super::workspaces::{self, WorkspaceNumber};
use crate::domain::{Amount, Chain, Family};
use crate::service::chain;
use crate::service::swap_market::ListedCoin;

struct TokenListing {
    symbol: &'static str,
    name: &'static str,
    /// Fraction digits, unless a chain has its own.
    decimals: u8,
    locations: &'static [TokenLocation],
}

/// Chain slug, contract (none for the native coin), fraction digits, fee.
type TokenLocation = (&'static str, Option<&'static str>, u8, &'static str);

const TOKEN_LISTINGS: &[TokenListing] = &[
    TokenListing {
        symbol: "ETH",
        name: "Ether",
        decimals: 18,
        locations: &[("ethereum", None, 18, "0.00042"), ("base", None, 18, "0.000004")],
    },
    TokenListing { symbol: "BNB", name: "BNB", decimals: 18, locations: &[("bsc", None, 18, "0.00009")] },
    TokenListing { symbol: "POL", name: "Polygon", decimals: 18, locations: &[("polygon", None, 18, "0.012")] },
    TokenListing { symbol: "SOL", name: "Solana", decimals: 9, locations: &[("solana", None, 9, "0.000005")] },
    TokenListing { symbol: "TRX", name: "Tronix", decimals: 6, locations: &[("tron", None, 6, "1.1")] },
    TokenListing { symbol: "BTC", name: "Bitcoin", decimals: 8, locations: &[("bitcoin", None, 8, "0.000025")] },
    TokenListing {
        symbol: "USDT",
        name: "Tether USD",
        decimals: 6,
        locations: &[
            ("ethereum", Some("0xdAC17F958D2ee523a2206206994597C13D831ec7"), 6, "1.25"),
            ("bsc", Some("0x55d398326f99059fF775485246999027B3197955"), 18, "0.06"),
            ("polygon", Some("0xc2132D05D31c914a87C6611C10748AEb04B58e8F"), 6, "0.02"),
            ("solana", Some("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"), 6, "0.001"),
            ("tron", Some("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"), 6, "2.1"),
        ],
    },
    TokenListing {
        symbol: "USDC",
        name: "USD Coin",
        decimals: 6,
        locations: &[
            ("ethereum", Some("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), 6, "1.25"),
            ("base", Some("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"), 6, "0.01"),
            ("bsc", Some("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"), 18, "0.06"),
            ("polygon", Some("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"), 6, "0.02"),
            ("solana", Some("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"), 6, "0.001"),
        ],
    },
    TokenListing {
        symbol: "SHIB",
        name: "Shiba Inu",
        decimals: 18,
        locations: &[("ethereum", Some("0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE"), 18, "105000")],
    },
    TokenListing {
        symbol: "DAI",
        name: "Dai Stablecoin",
        decimals: 18,
        locations: &[("ethereum", Some("0x6B175474E89094C44Da98b954EedeAC495271d0F"), 18, "1.25")],
    },
    TokenListing {
        symbol: "LINK",
        name: "Chainlink",
        decimals: 18,
        locations: &[("ethereum", Some("0x514910771AF9Ca656af840dff83E8264EcF986CA"), 18, "0.09")],
    },
    TokenListing {
        symbol: "WBTC",
        name: "Wrapped Bitcoin",
        decimals: 8,
        locations: &[("ethereum", Some("0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"), 8, "0.000012")],
    },
    TokenListing { symbol: "XRP", name: "XRP", decimals: 6, locations: &[("xrp", None, 6, "0.00001")] },
    TokenListing { symbol: "TON", name: "Toncoin", decimals: 9, locations: &[("ton", None, 9, "0.0055")] },
];

/// A token on one chain, as stored in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) struct ChainToken {
    pub(in crate::service) no: i64,
    pub(in crate::service) chain: &'static Chain,
    pub(in crate::service) contract: Option<String>,
    pub(in crate::service) symbol: String,
    pub(super) name: String,
    pub(in crate::service) decimals: u8,
    pub(super) standard: &'static str,
}

impl ChainToken {
    /// Columns of `tokens AS k`, in the order of [`ChainToken::read`].
    pub(super) const COLUMNS: &'static str = "k.no, k.chain, k.contract, k.symbol, k.name, k.decimals";

    pub(super) const COLUMN_COUNT: usize = 6;

    pub(in crate::service) fn load_all_listed(connection: &Connection) -> Result<Vec<Self>, RequestError> {
        let columns = Self::COLUMNS;
        let mut statement =
            connection.prepare(&format!("SELECT {columns} FROM tokens k WHERE listed = 1 ORDER BY no"))?;
        let tokens = statement.query_map([], |row| Self::from_row(row, 0))?;
        Ok(tokens.collect::<Result<_, _>>()?)
    }

    pub(super) fn load_by_number(connection: &Connection, no: i64) -> rusqlite::Result<Self> {
        let columns = Self::COLUMNS;
        let mut statement = connection.prepare_cached(&format!("SELECT {columns} FROM tokens k WHERE k.no = ?1"))?;
        statement.query_row([no], |row| Self::from_row(row, 0))
    }

    pub(super) fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let chain = read_chain(row, first + 1)?;
        let contract = Some(row.get::<_, String>(first + 2)?).filter(|contract| !contract.is_empty());
        Ok(Self {
            no: row.get(first)?,
            chain,
            standard: token_standard(chain, contract.is_some()),
            contract,
            symbol: row.get(first + 3)?,
            name: row.get(first + 4)?,
            decimals: row.get(first + 5)?,
        })
    }
}

pub(super) fn read_chain(row: &Row<'_>, column: usize) -> rusqlite::Result<&'static Chain> {
    let number: i64 = row.get(column)?;
    usize::try_from(number)
        .ok()
        .and_then(|number| chain::served_chains().nth(number))
        .ok_or(rusqlite::Error::IntegralValueOutOfRange(column, number))
}

pub(super) fn chain_number(chain: &Chain) -> i64 {
    chain::served_chains().zip(0..).find(|(served, _)| served.slug == chain.slug).map_or(-1, |(_, number)| number)
}

/// The name of a chain's token standard.
fn token_standard(chain: &Chain, is_contract: bool) -> &'static str {
    match (is_contract, chain.family, chain.slug) {
        (false, ..) => "native",
        (true, Family::Solana, _) => "SPL",
        (true, Family::Evm, "bsc") => "BEP20",
        (true, Family::Evm, _) => "ERC20",
        (true, Family::Tron, _) => "TRC20",
        // Bitcoin has no contracts, and the service lists none on the other chains.
        (true, ..) => "unknown",
    }
}

pub(super) fn chain_protocol(chain: &Chain) -> &'static str {
    match chain.family {
        Family::Evm => "EVM",
        Family::Solana => "SOLANA",
        Family::Tron => "TRON",
        Family::Bitcoin => "BITCOIN",
        Family::Xrp => "XRP",
        Family::Stellar => "STELLAR",
        Family::Ton => "TON",
        Family::Cosmos(_) => "COSMOS",
    }
}

/// Adds missing listed tokens to the ledger.
pub(super) fn insert_listed_tokens(connection: &Connection) -> rusqlite::Result<()> {
    let places: usize = TOKEN_LISTINGS.iter().map(|listing| listing.locations.len()).sum();
    let count: i64 = connection.query_row("SELECT count(*) FROM tokens WHERE listed = 1", [], |row| row.get(0))?;
    if usize::try_from(count) == Ok(places) {
        return Ok(());
    }
    for listing in TOKEN_LISTINGS {
        for (slug, contract, decimals, _) in listing.locations {
            let Some(chain) = chain::find_chain(slug) else { continue };
            connection.execute(
                "INSERT INTO tokens (chain, contract, symbol, name, decimals, listed) VALUES (?1, ?2, ?3, ?4, ?5, 1)
                 ON CONFLICT (chain, contract) DO UPDATE SET symbol = ?3, name = ?4, decimals = ?5, listed = 1",
                params![chain_number(chain), contract.unwrap_or_default(), listing.symbol, listing.name, decimals],
            )?;
        }
    }
    Ok(())
}

/// A listed token on a chain, by symbol; case is ignored.
pub(super) fn find_listed_token_by_symbol(
    connection: &Connection,
    chain: &Chain,
    symbol: &str,
) -> Result<Option<ChainToken>, RequestError> {
    let Some(listing) = TOKEN_LISTINGS.iter().find(|listing| listing.symbol.eq_ignore_ascii_case(symbol)) else {
        return Ok(None);
    };
    let columns = ChainToken::COLUMNS;
    let token = connection
        .prepare_cached(&format!("SELECT {columns} FROM tokens k WHERE chain = ?1 AND symbol = ?2 AND listed = 1"))?
        .query_row(params![chain_number(chain), listing.symbol], |row| ChainToken::from_row(row, 0))
        .optional()?;
    Ok(token)
}

/// A listed coin by symbol, on any chain; case is ignored.
pub(super) fn find_listed_coin(symbol: &str) -> Option<ListedCoin> {
    listed_coins().find(|coin| coin.symbol.eq_ignore_ascii_case(symbol))
}

pub(super) fn listed_coins() -> impl Iterator<Item = ListedCoin> {
    TOKEN_LISTINGS.iter().map(|listing| ListedCoin { symbol: listing.symbol, decimals: listing.decimals })
}

pub(super) fn is_listed_on_chain(coin: ListedCoin, chain: &Chain) -> bool {
    let mut listings = TOKEN_LISTINGS.iter().filter(|listing| listing.symbol == coin.symbol);
    listings.any(|listing| listing.locations.iter().any(|(slug, ..)| *slug == chain.slug))
}

/// A chain's native coin.
pub(super) fn native_token(connection: &Connection, chain: &Chain) -> Result<Option<ChainToken>, RequestError> {
    let columns = ChainToken::COLUMNS;
    let coin = connection
        .prepare_cached(&format!("SELECT {columns} FROM tokens k WHERE chain = ?1 AND contract = ''"))?
        .query_row([chain_number(chain)], |row| ChainToken::from_row(row, 0))
        .optional()?;
    Ok(coin)
}

/// Fee of a withdrawal, in the token's smallest units.
pub(super) fn listed_withdrawal_fee(token: &ChainToken) -> U256 {
    TOKEN_LISTINGS
        .iter()
        .filter(|listing| listing.symbol == token.symbol)
        .flat_map(|listing| listing.locations)
        .find(|(slug, ..)| *slug == token.chain.slug)
        .and_then(|(_, _, decimals, fee)| Amount::parse(fee, *decimals).ok())
        .map_or(U256::ZERO, Amount::raw)
}

/// The token of a deposit; an unlisted one is added on first sight.
pub(in crate::service) fn ensure_deposit_token(
    connection: &Connection,
    chain: &Chain,
    asset: &DepositToken,
) -> Result<ChainToken, RequestError> {
    match asset {
        DepositToken::Listed(symbol) => find_listed_token_by_symbol(connection, chain, symbol)?
            .ok_or_else(|| RequestError::unprocessable(format!("token: {symbol} is not listed on {}", chain.name))),
        DepositToken::Unlisted { contract, symbol, name, decimals } => {
            connection
                .prepare_cached(
                    "INSERT INTO tokens (chain, contract, symbol, name, decimals, listed)
                     VALUES (?1, ?2, ?3, ?4, ?5, 0) ON CONFLICT (chain, contract) DO NOTHING",
                )?
                .execute(params![chain_number(chain), contract, symbol, name, decimals])?;
            let columns = ChainToken::COLUMNS;
            Ok(connection
                .prepare_cached(&format!("SELECT {columns} FROM tokens k WHERE chain = ?1 AND contract = ?2"))?
                .query_row(params![chain_number(chain), contract], |row| ChainToken::from_row(row, 0))?)
        }
    }
}

impl Ledger {
    /// The listed tokens with their chains, filtered by symbol and by chain (slug, name or alias); an unknown word is
    /// an error.
    pub fn listed_tokens(
        &self,
        workspace_number: WorkspaceNumber,
        symbol: Option<&str>,
        blockchain: Option<&str>,
        paging: Paging,
    ) -> Result<Page<render::Token>, RequestError> {
        let is_testnet = self.read(|connection| workspaces::load_workspace(connection, workspace_number))?.is_testnet();
        let mut problems = Vec::new();
        let is_listed = |symbol: &str| TOKEN_LISTINGS.iter().any(|listing| listing.symbol.eq_ignore_ascii_case(symbol));
        if let Some(symbol) = symbol.filter(|symbol| !is_listed(symbol)) {
            problems.push(format!("token: {symbol} is not listed"));
        }
        let on = blockchain.and_then(chain::find_chain);
        if let Some(word) = blockchain.filter(|_| on.is_none()) {
            problems.push(unknown_chain_message(word));
        }
        if !problems.is_empty() {
            return Err(RequestError::Unprocessable(problems));
        }
        let is_on_chain = |place: &&TokenLocation| on.is_none_or(|chain| chain.slug == place.0);
        let matches: Vec<_> = TOKEN_LISTINGS
            .iter()
            .filter(|listing| symbol.is_none_or(|symbol| listing.symbol.eq_ignore_ascii_case(symbol)))
            .filter(|listing| listing.locations.iter().any(|place| is_on_chain(&place)))
            .collect();
        let rows = matches
            .iter()
            .skip(usize::try_from(paging.rows_before_page()).unwrap_or(usize::MAX))
            .take(usize::try_from(paging.rows_per_page()).unwrap_or(usize::MAX))
            .map(|listing| render_listing(listing, listing.locations.iter().filter(is_on_chain), is_testnet))
            .collect();
        Ok(Page::new(rows, matches.len() as u64, paging.page, paging.rows_per_page()))
    }
}

/// The problem text for a chain that is not served.
pub(super) fn unknown_chain_message(word: &str) -> String {
    let served: Vec<_> = chain::served_chains().map(|chain| chain.slug).collect();
    format!("blockchain: {word} is not one of {}", served.join(", "))
}

fn render_listing<'a>(
    listing: &TokenListing,
    places: impl Iterator<Item = &'a TokenLocation>,
    is_testnet: bool,
) -> render::Token {
    let blockchains: Vec<_> = places
        .filter_map(|(slug, contract, decimals, _)| {
            let chain = chain::find_chain(slug)?;
            let (symbol, name, native_decimals) = chain.coin;
            Some(render::Blockchain {
                slug: chain.slug,
                name: chain.name,
                symbol,
                decimals: *decimals,
                onchain: render::ProtocolAndChainId { protocol: chain_protocol(chain), chain_id: chain.chain_id },
                native_currency: render::NativeCurrency { name, symbol, decimals: native_decimals },
                is_testnet,
                standards: vec![token_standard(chain, contract.is_some())],
                media: image_media("chains", chain.slug),
                block_explorer: chain::block_explorer(chain, is_testnet),
            })
        })
        .collect();
    let mut standards: Vec<_> = blockchains.iter().flat_map(|chain| chain.standards.iter().copied()).collect();
    standards.sort_unstable();
    standards.dedup();
    render::Token {
        name: listing.name,
        symbol: listing.symbol,
        decimals: listing.decimals,
        is_native: listing.locations.iter().any(|(_, contract, ..)| contract.is_none()),
        standards,
        media: image_media("tokens", &listing.symbol.to_ascii_lowercase()),
        features: vec!["deposit", "withdraw", "swap"],
        blockchains,
    }
}

/// Image URLs under `.invalid` never resolve: images are named, but not served.
fn image_media(folder: &str, name: &str) -> render::Media {
    render::Media { url: format!("https://media.invalid/{folder}/{name}.svg"), mime: "image/svg+xml" }
}
