//! Well-known addresses that are nobody's wallet. Their own documentation prints them; what is told by its form alone
//! (zero, precompiles, runs of one digit) is not listed.

/// What it is, and where. Contracts that issuers publish for the main networks.
pub(super) const TOKEN_CONTRACTS: &[(&str, &str)] = &[
    ("USDT on Ethereum", "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
    ("USDT on BNB Chain", "0x55d398326f99059fF775485246999027B3197955"),
    ("USDT on Polygon", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"),
    ("USDT on Arbitrum", "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"),
    ("USDC on Ethereum", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
    ("USDC on Base", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
    ("USDC on BNB Chain", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"),
    ("USDC on Polygon", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
    ("USDC on Arbitrum", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
    ("DAI on Ethereum", "0x6B175474E89094C44Da98b954EedeAC495271d0F"),
    ("LINK on Ethereum", "0x514910771AF9Ca656af840dff83E8264EcF986CA"),
    ("SHIB on Ethereum", "0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE"),
    ("WBTC on Ethereum", "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"),
    ("WETH on Ethereum", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
    ("WETH on Arbitrum", "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
    ("WBNB on BNB Chain", "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"),
    ("WPOL on Polygon", "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"),
    ("USDC on Solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
    ("USDT on Solana", "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB"),
    ("wrapped SOL on Solana", "So11111111111111111111111111111111111111112"),
    ("USDT on Tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
];

/// What it is, with its article, and where.
pub(super) const SPECIAL_ADDRESSES: &[(&str, &str)] = &[
    ("the Multicall contract", "0xcA11bde05977b3631167028862bE2a173976CA11"),
    ("a contract that deploys other contracts", "0x4e59b44847b379578588920cA78FbF26c0B4956C"),
    ("the entry point of smart wallets", "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"),
    ("the entry point of smart wallets", "0x0000000071727De22E5E9d8BAf0edAc6f37da032"),
    ("the contract Permit2", "0x000000000022D473030F116dDEE9F6B43aC78BA3"),
    ("the deposit contract of Ethereum's validators", "0x00000000219ab540356cBB839Cbe05303d7705Fa"),
    ("the system address of Ethereum", "0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE"),
    ("a burn address", "0xdEAD000000000000000042069420694206942069"),
    ("the incinerator of Solana", "1nc1nerator11111111111111111111111111111111"),
    ("the token program", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"),
    ("the Token-2022 program", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"),
    ("the associated token account program", "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"),
    ("the memo program", "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"),
    ("the memo program", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"),
    ("the token metadata program", "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s"),
    ("the program loader", "BPFLoaderUpgradeab1e11111111111111111111111"),
    ("a burn address of Bitcoin", "1111111111111111111114oLvT2"),
    ("a burn address of Bitcoin", "1BitcoinEaterAddressDontSendf59kuE"),
    ("the zero address of Tron", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"),
    ("the zero account of XRP", "rrrrrrrrrrrrrrrrrrrrrhoLvTp"),
    ("the black hole of XRP", "rrrrrrrrrrrrrrrrrrrrBZbvji"),
];
