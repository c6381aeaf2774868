//! Whether a simulated deposit would hit a network with real money.

use crate::domain::draft::SimulatedDeposit;
use crate::domain::history::Scope;
use crate::domain::{Network, Text, chain, network};
use crate::store::{Store, StoreError};

/// Evidence that the deposit would be on a network with real money: its source and the network name; `None` if there is
/// none. The profile is set to testnet, but profiles are easily copied: wallet, account, chain and token must not
/// contradict it.
pub fn find_mainnet_evidence_for_deposit(
    store: &Store,
    deposit: &SimulatedDeposit,
) -> Result<Option<(String, Text)>, StoreError> {
    let mut claims: Vec<(String, Text)> = Vec::new();
    let chain_says = format!("chain {}", deposit.blockchain);
    claims.extend(network::network_suffix(&deposit.blockchain).map(|network| (chain_says.clone(), network.into())));
    let tokens = store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    let chains = tokens.iter().flat_map(|token| token.blockchains.iter().map(move |on| (token, on)));
    for (token, on) in chains.filter(|(_, on)| chain::is_same_chain(&on.slug, &deposit.blockchain)) {
        if on.is_testnet == Some(false) {
            let source =
                if token.symbol == deposit.token { format!("token {}", deposit.token) } else { chain_says.clone() };
            claims.push((source, "mainnet".into()));
        }
    }
    let addresses = store.wallet_addresses()?.into_iter();
    // Case distinguishes addresses on some chains; checking one too many does no harm here.
    let at = addresses.filter(|entry| entry.address.eq_ignore_ascii_case(&deposit.to));
    for entry in at.filter(|entry| chain::is_same_chain(&entry.blockchain, &deposit.blockchain)) {
        claims.extend(
            network::network_suffix(&entry.blockchain).map(|network| ("the wallet".to_owned(), network.into())),
        );
        let Some(wallet) = store.wallets(&Scope::Wallet(entry.id), "", 0, 1)?.rows.into_iter().next() else { continue };
        claims.extend(wallet.entry.network.map(|network| ("the wallet".to_owned(), network)));
        let accounts = store.accounts()?.into_iter().map(|account| account.entry);
        let account = accounts.filter(|account| Some(&account.id) == wallet.entry.account.as_ref());
        claims.extend(account.filter_map(|account| Some(("the account".to_owned(), account.network?))));
    }
    Ok(claims.into_iter().find(|(_, word)| Network::of_word(word) == Some(Network::Mainnet)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::wallet;
    use super::*;
    use crate::domain::entry_source::EntrySource;
    use crate::domain::{Account, AccountId, Blockchain, Token, Wallet};
    use crate::store::CacheLocation;

    #[test]
    fn whoever_says_mainnet_keeps_a_deposit_from_being_simulated() {
        let evidence = |chain: &str, network: Option<&str>, of_account: Option<&str>, is_testnet: Option<bool>| {
            let store = Store::open(&CacheLocation::Temporary).unwrap().store;
            let text = |word: &str| Text::clean(word);
            let id = AccountId::from_text("treasury");
            let account = Account { network: of_account.map(text), ..Account::new(id.clone()) };
            let wallet = Wallet { network: network.map(text), account: Some(id), ..wallet("w", "0xAb", chain, "u") };
            store.save_accounts(&[account], EntrySource::Listed).unwrap();
            store.save_wallets(&[wallet], EntrySource::Listed).unwrap();
            let on = Blockchain {
                slug: chain.into(),
                name: "Ethereum".into(),
                symbol: None,
                decimals: None,
                protocol: None,
                chain_id: None,
                is_testnet,
                standards: Vec::new(),
                block_explorer: None,
            };
            let (symbol, name) = ("USDC".into(), "USD Coin".into());
            let token =
                Token { symbol, name, decimals: None, is_native: None, standards: Vec::new(), blockchains: vec![on] };
            store.save_tokens(&[token], crate::domain::Timestamp::from_millis(1)).unwrap();
            let deposit = SimulatedDeposit {
                token: "USDC".into(),
                blockchain: chain.into(),
                amount: "1".into(),
                to: "0xab".into(),
            };
            find_mainnet_evidence_for_deposit(&store, &deposit)
                .unwrap()
                .map(|(source, word)| format!("{source}: {word}"))
        };
        assert_eq!(evidence("ethereum", None, None, None), None);
        assert_eq!(evidence("ethereum-sepolia", Some("testnet"), Some("testnet"), Some(true)), None);
        let from_source = |network_text: &str| Some(network_text.to_owned());
        assert_eq!(evidence("ethereum", Some("mainnet"), None, None), from_source("the wallet: mainnet"));
        assert_eq!(evidence("ethereum", Some("testnet"), Some("MAINNET"), None), from_source("the account: MAINNET"));
        assert_eq!(evidence("ethereum", None, None, Some(false)), from_source("token USDC: mainnet"));
        assert_eq!(evidence("ethereum-mainnet", None, None, None), from_source("chain ethereum-mainnet: mainnet"));
    }
}
