//! `bursar address`: the deposit address of a wallet.
//!
//! The rules are those of the page that shows it: no address is printed while the service reports another one than
//! before and no operator has reviewed both, nor where its form or checksum is wrong on the wallet's chain.

use std::io::{self, Write};

use anyhow::bail;

use super::offline_cache::{self, OfflineCache};
use super::output::ignore_broken_pipe;
use super::{CommandContext, Exit};
use crate::domain::address::format_grouped;
use crate::domain::chain::{self, chain_display_name};
use crate::domain::entry_source::{EntryField, Sourced};
use crate::domain::history::Scope;
use crate::domain::{AddressUnavailable, State, Text, Wallet, WalletId};

/// What `bursar address` may be told.
#[derive(Debug, clap::Args)]
pub(super) struct AddressArguments {
    /// The wallet's identifier or name; in quotation marks if it contains spaces
    wallet: String,
    /// Chain, if several wallets have that name
    #[arg(long)]
    chain: Option<String>,
    /// Do not contact the service: the address is not compared with the one that the service reports now
    #[arg(long)]
    offline: bool,
}

/// Prints only the address to standard output; remarks go to standard error.
pub(super) fn run(context: &CommandContext, arguments: &AddressArguments) -> anyhow::Result<Exit> {
    let reading = offline_cache::open_offline_cache(context, arguments.offline, 0)?.require_fresh()?;
    let sourced = find_wallet(&reading, arguments)?;
    let wallet = &sourced.entry;
    let tokens = reading.store.tokens()?.map(|(tokens, _)| tokens).unwrap_or_default();
    let address = match sourced.deposit_address(chain::address_family_by_listed_protocol(&tokens, &wallet.blockchain)) {
        Ok(address) => address,
        Err(reason) => bail!(
            "the address of {} is withheld: {reason}{}",
            wallet_title(wallet),
            contradicting_addresses_text(&sourced, &reason)
        ),
    };
    for caution in address_cautions(&reading, &sourced) {
        offline_cache::print_remark(&caution);
    }
    ignore_broken_pipe(writeln!(io::stdout(), "{address}"))?;
    Ok(Exit::Normally)
}

fn find_wallet(reading: &OfflineCache, arguments: &AddressArguments) -> anyhow::Result<Sourced<Wallet>> {
    let AddressArguments { wallet: word, chain, .. } = arguments;
    let id = Scope::Wallet(WalletId::from_text(word));
    let mut wallets = reading.store.wallets(&id, "", 0, 1)?.rows;
    if wallets.is_empty() {
        wallets = reading.store.wallets(&Scope::All, word, 0, u32::MAX)?.rows;
        wallets.retain(|sourced| sourced.entry.name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(word)));
    }
    if let Some(chain) = chain {
        wallets.retain(|sourced| chain::is_same_chain(&sourced.entry.blockchain, chain));
    }
    let word = Text::clean(word);
    match wallets.len() {
        0 => bail!("no known wallet is called {word}; `bursar directory list` shows the known wallets"),
        1 => Ok(wallets.remove(0)),
        _ => {
            let all: Vec<String> = wallets.iter().map(|sourced| sourced.entry.blockchain.to_string()).collect();
            bail!(
                "several wallets are called {word}, on {}; choose one with --chain, or by its identifier",
                all.join(", ")
            )
        }
    }
}

fn wallet_title(wallet: &Wallet) -> String {
    let name = wallet.name.as_ref().map_or_else(|| wallet.id.to_string(), ToString::to_string);
    format!("wallet {name} on {}", chain_display_name(&wallet.blockchain))
}

/// The addresses to choose between, in groups of characters, so that none is copied by mistake.
fn contradicting_addresses_text(sourced_wallet: &Sourced<Wallet>, reason: &AddressUnavailable) -> String {
    let Some((first, later)) = sourced_wallet.entry.address.as_ref().zip(sourced_wallet.contradicting_address()) else {
        return String::new();
    };
    if *reason != AddressUnavailable::Contradicted {
        return String::new();
    }
    format!(
        ". First it was {}, later {}. Ask the operator of the service, by another channel, which is right; then choose it in the \
         console: select the wallet and press a",
        format_grouped(first),
        format_grouped(later)
    )
}

/// Remarks on the address for the operator who passes it on.
fn address_cautions(reading: &OfflineCache, sourced_wallet: &Sourced<Wallet>) -> Vec<String> {
    let wallet = &sourced_wallet.entry;
    let chain = chain_display_name(&wallet.blockchain);
    let network = wallet.network.as_deref().or(reading.profile.network.map(crate::domain::Network::name));
    let behind = network.map_or(String::new(), |network| format!(" ({network})"));
    let mut cautions =
        vec![format!("{}{behind}: only transfers on {chain} arrive at this address", wallet_title(wallet))];
    if sourced_wallet.imported_fields.has(EntryField::Address) {
        cautions
            .push("the address was imported, not reported by the service; compare it with the service first".into());
    }
    if let Some(state) = wallet.state.as_ref().filter(|state| **state != State::Live) {
        cautions.push(format!("this wallet is {}; ask the service before you use it", state.word()));
    }
    cautions
}
