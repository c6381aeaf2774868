//! The names of the accounts of the books, in the characters that hledger and beancount both read: each part begins with
//! a capital or a digit and has nothing but letters, digits and hyphens.

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};

use crate::domain::address_names::AddressNames;
use crate::domain::chain::chain_display_name;
use crate::domain::history::HistoryRow;
use crate::domain::{Direction, Text, Transaction, WalletId};

/// Where a movement between own wallets stands while the row of the other wallet is missing.
pub const TRANSIT: &str = "Assets:Bursar:Transit";
/// Where the half of a swap stands; each swap leaves what it sold there, and takes what it bought.
pub const SWAPS: &str = "Equity:Swaps";

const MAX_PART_CHARS: usize = 60;

#[derive(Debug)]
pub(super) struct AccountNames<'a> {
    names: &'a AddressNames,
    /// The names that several wallets have.
    ambiguous: HashSet<String>,
    wallets: HashMap<WalletId, String>,
}

impl<'a> AccountNames<'a> {
    pub(super) fn new(names: &'a AddressNames) -> Self {
        let (mut names_seen, mut ambiguous) = (HashSet::new(), HashSet::new());
        for name in names.wallet_names() {
            let part = account_part(name);
            if !names_seen.insert(part.clone()) {
                ambiguous.insert(part);
            }
        }
        Self { names, ambiguous, wallets: HashMap::new() }
    }

    /// The asset account of a row's wallet.
    pub(super) fn wallet(&mut self, row: &HistoryRow) -> String {
        let transaction = &row.transaction;
        if let Some(name) = transaction.wallet.as_ref().and_then(|wallet| self.wallets.get(wallet)) {
            return name.clone();
        }
        let account = transaction.account.as_ref();
        let account = account.map(|id| account_part(self.names.account_name(id).map_or(id.as_str(), Text::as_str)));
        let wallet_name =
            transaction.wallet.as_ref().and_then(|id| self.names.wallet_name(id)).or(row.wallet_name.as_ref());
        let chain = &transaction.token.blockchain;
        let wallet = match (wallet_name, transaction.own_wallet_address(), &transaction.wallet) {
            (Some(name), _, id) => {
                let part = account_part(name);
                match id {
                    Some(id) if self.ambiguous.contains(&part) => format!("{part}-{}", digest(id.as_str())),
                    _ => part,
                }
            }
            (None, Some(address), _) => account_part(&format!("{} {address}", chain_display_name(chain))),
            (None, None, Some(id)) => account_part(id.as_str()),
            (None, None, None) => "Unknown".into(),
        };
        let name = format!("Assets:Bursar:{}:{wallet}", account.as_deref().unwrap_or("Wallets"));
        if let Some(id) = &transaction.wallet {
            self.wallets.insert(id.clone(), name.clone());
        }
        name
    }

    /// Where a deposit comes from, or a payment goes.
    pub(super) fn counterparty(&self, transaction: &Transaction) -> String {
        let kind = match transaction.direction {
            Direction::Outgoing => "Expenses:Paid",
            _ => "Income:Received",
        };
        let part = self.counterparty_name(transaction).map_or_else(|| "Unknown".into(), |name| account_part(name));
        format!("{kind}:{part}")
    }

    /// Who was paid or has paid, by name, else by address.
    pub(super) fn payee(&self, transaction: &Transaction) -> String {
        let address = transaction.counterparty();
        self.counterparty_name(transaction).or(address).map_or_else(|| "Unknown".into(), ToString::to_string)
    }

    fn counterparty_name(&self, transaction: &Transaction) -> Option<&Text> {
        let address = transaction.counterparty()?;
        self.names.party(address, &transaction.token.blockchain).map(|party| &party.name)
    }
}

pub(super) fn fee_account(chain: &str) -> String {
    format!("Expenses:Fees:{}", account_part(chain_display_name(chain)))
}

/// A name as one part of an account. Blanks become hyphens; where other characters are lost, a digest of the name keeps
/// different names apart.
pub(super) fn account_part(name: &str) -> String {
    let mut part = String::new();
    let mut is_lossy = false;
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            part.push(character);
        } else {
            is_lossy |= !matches!(character, ' ' | '-');
            if !part.is_empty() && !part.ends_with('-') {
                part.push('-');
            }
        }
    }
    is_lossy |= part.len() > MAX_PART_CHARS || part.is_empty();
    part.truncate(MAX_PART_CHARS);
    let mut part = part.trim_end_matches('-').to_owned();
    if let Some(first) = part.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    match (part.is_empty(), is_lossy) {
        (true, _) => format!("X-{}", digest(name)),
        (false, true) => format!("{part}-{}", digest(name)),
        (false, false) => part,
    }
}

/// Eight characters that differ for different texts.
pub(super) fn digest(text: &str) -> String {
    hex::encode_upper(Sha256::digest(text).get(..4).unwrap_or_default())
}
