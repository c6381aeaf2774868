//! Swaps: one coin of a wallet for another, by either version of the service.

use serde::{Deserialize, Serialize};

use super::{Draft, Metadata, Sender, Withdrawal};
use crate::domain::{Text, UserId, WalletId};

/// A swap within a wallet, by version 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    pub wallet: WalletId,
    /// In the service's word.
    pub blockchain: Text,
    /// The symbol of the coin sold.
    pub from: Text,
    /// The amount sold: a decimal in the operator's grammar.
    pub amount: Text,
    /// The symbol of the coin bought.
    pub to: Text,
    /// A reference for people; generated when the request is serialised, unless the operator gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
}

/// A swap within a sub-wallet, by version 1: the service chooses the chain. It carries no idempotency key, so it can
/// only be looked up by its reference and by what the service reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstantSwap {
    /// The sub-wallet, or the Prime Wallet.
    pub sub_wallet: UserId,
    pub from: Text,
    /// The amount sold: a decimal in the operator's grammar.
    pub amount: Text,
    pub to: Text,
    /// The caller's own reference; generated when the request is serialised, unless the operator gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ext_id: Option<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestedSwap<'a> {
    pub from: &'a Text,
    /// The amount sold, as the request spells it.
    pub amount: &'a Text,
    pub to: &'a Text,
    /// `None` for version 1, where the service chooses the chain.
    pub chain: Option<&'a Text>,
    pub reference: Option<&'a Text>,
}

impl RequestedSwap<'_> {
    /// In a few words: `25 USDC for ETH`.
    pub fn summary(&self) -> String {
        format!("{} {} for {}", self.amount, self.from, self.to)
    }

    pub fn is_of_same_pair(&self, other: &RequestedSwap<'_>) -> bool {
        self.from.eq_ignore_ascii_case(other.from) && self.to.eq_ignore_ascii_case(other.to)
    }
}

impl Draft {
    /// `None` unless the draft is a swap.
    pub fn exchange(&self) -> Option<RequestedSwap<'_>> {
        match self {
            Self::Swap(Swap { blockchain, from, amount, to, ref_id, .. }) => {
                Some(RequestedSwap { from, amount, to, chain: Some(blockchain), reference: ref_id.as_ref() })
            }
            Self::InstantSwap(InstantSwap { from, amount, to, ext_id, .. }) => {
                Some(RequestedSwap { from, amount, to, chain: None, reference: ext_id.as_ref() })
            }
            _ => None,
        }
    }

    /// The sale of a swap as a withdrawal without a recipient, for the rules on tokens, balances and limits. Version 1
    /// names no wallet: the sub-wallet's identifier replaces it.
    pub fn sale_as_withdrawal(&self, sender: &Sender) -> Option<Withdrawal> {
        let (wallet, blockchain, note) = match self {
            Self::Swap(swap) => (swap.wallet.clone(), &swap.blockchain, swap.note.clone()),
            Self::InstantSwap(swap) => (WalletId::from_text(swap.sub_wallet.as_str()), &sender.token.blockchain, None),
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
            metadata: Metadata::default(),
        })
    }
}
