//! Swaps: one coin of a wallet for another, by either version of the service.

use super::{Draft, Sender, Withdrawal};
use crate::domain::{Text, UserId, WalletId};

/// A swap within a wallet, by version 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The wallet.
    pub wallet: WalletId,
    /// Its chain, in the word that the service uses.
    pub blockchain: Text,
    /// The symbol of what is sold.
    pub from: Text,
    /// How much of it is sold: a decimal in the operator's grammar.
    pub amount: Text,
    /// The symbol of what is bought.
    pub to: Text,
    /// A reference for people; minted when the request is frozen, if the operator gives none.
    pub ref_id: Option<Text>,
    /// A note.
    pub note: Option<Text>,
}

/// A swap within a sub-wallet, by version 1: the service chooses the chain. It carries no idempotency key, so that nothing
/// but its reference, and what the service tells, finds it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstantSwap {
    /// The sub-wallet, or the Prime Wallet.
    pub sub_wallet: UserId,
    /// The symbol of what is sold.
    pub from: Text,
    /// How much of it is sold: a decimal in the operator's grammar.
    pub amount: Text,
    /// The symbol of what is bought.
    pub to: Text,
    /// The caller's own reference; minted when the request is frozen, if the operator gives none.
    pub ext_id: Option<Text>,
}

/// What a swap exchanges, whichever version it is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// The symbol of what is sold.
    pub from: &'a Text,
    /// How much of it is sold, as the request spells it.
    pub amount: &'a Text,
    /// The symbol of what is bought.
    pub to: &'a Text,
    /// Its chain, if the request names one: by version 1 the service chooses it.
    pub chain: Option<&'a Text>,
    /// The reference that people know it by.
    pub reference: Option<&'a Text>,
}

impl Exchange<'_> {
    /// In a few words: `25 USDC for ETH`.
    pub fn words(&self) -> String {
        format!("{} {} for {}", self.amount, self.from, self.to)
    }

    /// Whether another one sells and buys the same coins.
    pub fn is_of_same_pair(&self, other: &Exchange<'_>) -> bool {
        self.from.eq_ignore_ascii_case(other.from) && self.to.eq_ignore_ascii_case(other.to)
    }
}

impl Draft {
    /// What is exchanged; nothing unless it is a swap.
    pub fn exchange(&self) -> Option<Exchange<'_>> {
        match self {
            Self::Swap(Swap { blockchain, from, amount, to, ref_id, .. }) => {
                Some(Exchange { from, amount, to, chain: Some(blockchain), reference: ref_id.as_ref() })
            }
            Self::InstantSwap(InstantSwap { from, amount, to, ext_id, .. }) => {
                Some(Exchange { from, amount, to, chain: None, reference: ext_id.as_ref() })
            }
            _ => None,
        }
    }

    /// What leaves by a swap, as the rules on tokens, balances and limits look at a payment; it names no recipient.
    /// Version 1 names no wallet: the sub-wallet stands in its place.
    pub fn sale(&self, sender: &Sender) -> Option<Withdrawal> {
        let (wallet, blockchain, note) = match self {
            Self::Swap(swap) => (swap.wallet.clone(), &swap.blockchain, swap.note.clone()),
            Self::InstantSwap(swap) => (WalletId::read(swap.sub_wallet.as_str()), &sender.token.blockchain, None),
            _ => return None,
        };
        let exchange = self.exchange()?;
        Some(Withdrawal {
            wallet,
            blockchain: blockchain.clone(),
            token: exchange.from.clone(),
            amount: exchange.amount.clone(),
            to: Text::default(),
            ref_id: exchange.reference.cloned(),
            note,
        })
    }
}
