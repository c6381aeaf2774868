//! A validated change that an operator wants made at the service, before it is requested.
//!
//! A draft holds the request's own text: an amount is the text in the request, not a number that would be printed
//! again.

pub mod batch;
mod field;
mod metadata;
mod operation;
mod payment;
mod sandbox;
mod swap;

use serde::{Deserialize, Serialize};

use super::{AccountId, Amount, Text, TokenKey, UserId, WalletId};

pub use batch::{Batch, BatchFile, Recipient};
pub use field::{DraftField, FieldKind, FieldMut};
pub use metadata::{Metadata, RequestDefaults};
pub use operation::{AnswerObject, Operation};
pub use payment::{MemoSupport, V1Payment};
pub use sandbox::{NewSandboxAddress, SimulatedDeposit};
pub use swap::{InstantSwap, RequestedSwap, Swap};

/// A draft's content, field by field as in the request. Its JSON is what the journal records: its names stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum Draft {
    Withdraw(Withdrawal),
    CreateUser(NewUser),
    CreateAccount(NewAccount),
    CreateWallet(NewWallet),
    UpdateWallet(WalletChange),
    UpdateUser(UserChange),
    CreateSubWallet(NewSubWallet),
    CreateAddress(NewAddress),
    SimulateDeposit(SimulatedDeposit),
    Batch(Batch),
    Swap(Swap),
    InstantSwap(InstantSwap),
    Payment(V1Payment),
    CreateSandboxAddress(NewSandboxAddress),
}

impl Draft {
    pub fn operation(&self) -> Operation {
        match self {
            Self::Withdraw(_) => Operation::Withdraw,
            Self::CreateUser(_) => Operation::CreateUser,
            Self::CreateAccount(_) => Operation::CreateAccount,
            Self::CreateWallet(_) => Operation::CreateWallet,
            Self::UpdateWallet(_) => Operation::UpdateWallet,
            Self::UpdateUser(_) => Operation::UpdateUser,
            Self::CreateSubWallet(_) => Operation::CreateSubWallet,
            Self::CreateAddress(_) => Operation::CreateAddress,
            Self::SimulateDeposit(_) => Operation::SimulateDeposit,
            Self::Batch(_) => Operation::Batch,
            Self::Swap(_) => Operation::Swap,
            Self::InstantSwap(_) => Operation::InstantSwap,
            Self::Payment(_) => Operation::Payment,
            Self::CreateSandboxAddress(_) => Operation::CreateSandboxAddress,
        }
    }

    /// The draft as its request states it: a batch also holds what is not sent, such as labels.
    #[must_use]
    pub fn without_unsent_fields(&self) -> Self {
        if let Self::Batch(batch) = self { Self::Batch(batch.without_unsent_fields()) } else { self.clone() }
    }

    /// The sum that the draft pays or sells, with this many fraction digits; `None` where an amount does not fit them,
    /// and for an operation that moves no money.
    pub fn total_amount(&self, decimals: u8) -> Option<Amount> {
        if let Self::Batch(batch) = self {
            return batch.total(decimals);
        }
        let amount = self.single_payment().map(|payment| &payment.amount).or_else(|| Some(self.exchange()?.amount))?;
        Amount::parse(amount, decimals).ok()
    }

    /// The chain on which money moves, in the service's word. A swap by version 1 names none: it is the chain of the
    /// token sold.
    pub fn chain<'a>(&'a self, sender: Option<&'a Sender>) -> Option<&'a Text> {
        match self {
            Self::Batch(Batch { blockchain, .. }) | Self::Swap(Swap { blockchain, .. }) => Some(blockchain),
            Self::InstantSwap(_) => sender.map(|sender| &sender.token.blockchain),
            _ => self.single_payment().map(|payment| &payment.blockchain),
        }
    }

    /// The reference for people, of an operation that moves money.
    pub fn reference(&self) -> Option<&Text> {
        match self {
            Self::Batch(Batch { ref_id, .. }) => ref_id.as_ref(),
            _ => self.single_payment().map_or_else(|| self.exchange()?.reference, |payment| payment.ref_id.as_ref()),
        }
    }

    /// The own references of a batch's recipients.
    pub fn recipient_references(&self) -> impl Iterator<Item = &Text> {
        self.batch_recipients().iter().filter_map(|to| to.reference.as_ref())
    }

    /// The own references and the labels of a batch's recipients.
    pub fn recipient_references_and_labels(&self) -> impl Iterator<Item = &Text> {
        self.batch_recipients().iter().flat_map(|to| [to.reference.as_ref(), to.label.as_ref()]).flatten()
    }

    fn batch_recipients(&self) -> &[Recipient] {
        if let Self::Batch(batch) = self { &batch.to } else { &[] }
    }

    pub fn note(&self) -> Option<&Text> {
        match self {
            Self::Batch(Batch { note, .. }) => note.as_ref(),
            _ => self.single_payment()?.note.as_ref(),
        }
    }

    pub fn metadata(&self) -> Option<&Metadata> {
        let metadata = match self {
            Self::Batch(Batch { metadata, .. }) => metadata,
            _ => &self.single_payment()?.metadata,
        };
        (!metadata.is_empty()).then_some(metadata)
    }

    /// Whether the profile added something to its request.
    pub fn has_profile_additions(&self) -> bool {
        self.metadata().is_some() || matches!(self, Self::Batch(Batch { queue: Some(_), .. }))
    }

    /// The only recipient of money, by which the draft is called.
    pub fn only_recipient(&self) -> Option<&Text> {
        match self {
            Self::Batch(Batch { to, .. }) => match to.as_slice() {
                [only] => Some(&only.address),
                _ => None,
            },
            Self::SimulateDeposit(deposit) => Some(&deposit.to),
            _ => self.single_payment().map(|payment| &payment.to),
        }
    }

    /// The chain, token and reference of a payment; `None` for an operation without a recipient.
    pub fn payment_details(&self) -> Option<PaymentDetails<'_>> {
        if let Self::Batch(Batch { wallet, blockchain, token, ref_id, to, .. }) = self {
            let to = to.iter().map(|to| (&to.address, &to.amount)).collect();
            return Some(PaymentDetails { wallet, blockchain, token, ref_id: ref_id.as_ref(), to });
        }
        let Withdrawal { wallet, blockchain, token, ref_id, amount, to, .. } = self.single_payment()?;
        Some(PaymentDetails { wallet, blockchain, token, ref_id: ref_id.as_ref(), to: vec![(to, amount)] })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentDetails<'a> {
    pub wallet: &'a WalletId,
    /// In the service's word.
    pub blockchain: &'a Text,
    pub token: &'a Text,
    pub ref_id: Option<&'a Text>,
    pub to: Vec<(&'a Text, &'a Text)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawal {
    pub wallet: WalletId,
    /// In the service's word.
    pub blockchain: Text,
    pub token: Text,
    /// What the recipient gets: a decimal in the operator's grammar (digits, at most one point).
    pub amount: Text,
    /// The recipient, as the request spells it.
    pub to: Text,
    /// A reference for people; generated when the request is serialised, unless the operator gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Text>,
    /// Empty for a payment by version 1.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
}

/// What is known of the paying side of a payment beyond its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    pub name: Option<Text>,
    pub address: Option<Text>,
    pub account: Option<AccountId>,
    pub user: Option<UserId>,
    /// The token that the symbol means here.
    pub token: TokenKey,
    /// The exact amount, with the token's own fraction digits; of a batch the total.
    pub amount: Amount,
}

/// A service may reject a new user with too little information.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NewUser {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<Text>,
    /// The business's own reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAccount {
    pub name: Text,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewWallet {
    pub account: AccountId,
    /// In the service's word.
    pub blockchain: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    /// The business's own reference: the same reference gives the same address on every EVM chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ref_id: Option<Text>,
    /// The future owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Whether native tokens are swept to the settlement account.
    pub auto_sweep: bool,
}

/// Changes to a wallet; an absent field stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalletChange {
    pub wallet: WalletId,
    /// The future owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
    /// Whether native tokens will be swept to the settlement account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_sweep: Option<bool>,
}

/// Changes to a user; an absent field stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserChange {
    pub user: UserId,
    #[serde(flatten)]
    pub to: NewUser,
}

/// A new sub-wallet, the version 1 word for a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSubWallet {
    #[serde(flatten)]
    pub user: NewUser,
    pub can_trade: bool,
}

/// A version 1 deposit address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAddress {
    /// The sub-wallet that deposits go to.
    pub sub_wallet: UserId,
    pub coin: Text,
    /// In the service's word.
    pub chain: Text,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Network;

    #[test]
    fn what_is_simulated_is_asked_for_on_a_test_network_alone() {
        for network in [None, Some(Network::Mainnet)] {
            assert!(!Operation::SimulateDeposit.is_allowed_on(network), "{network:?}");
            assert!(!Operation::CreateSandboxAddress.is_allowed_on(network), "{network:?}");
        }
        assert!(Operation::SimulateDeposit.is_allowed_on(Some(Network::Testnet)));
        assert!(Operation::CreateSandboxAddress.is_allowed_on(Some(Network::Testnet)));
        for operation in Operation::ALL.into_iter().filter(|operation| !operation.is_sandbox_only()) {
            assert!(operation.is_allowed_on(None) && operation.is_allowed_on(Some(Network::Mainnet)), "{operation:?}");
        }
    }

    /// Journals hold this JSON: a field that is renamed here could not be read from them any more.
    #[test]
    fn a_draft_has_the_json_that_journals_hold() {
        for json in [
            r#"{"operation":"withdraw","wallet":"w","blockchain":"base","token":"USDC","amount":"1","to":"0x1","ref_id":"r","note":"n","metadata":[["k","v"]]}"#,
            r#"{"operation":"withdraw","wallet":"w","blockchain":"base","token":"USDC","amount":"1","to":"0x1"}"#,
            r#"{"operation":"create-user","email":"e","display_name":"d","ref_id":"r"}"#,
            r#"{"operation":"create-account","name":"n"}"#,
            r#"{"operation":"create-wallet","account":"a","blockchain":"base","name":"n","ref_id":"r","user":"u","auto_sweep":true}"#,
            r#"{"operation":"update-wallet","wallet":"w","user":"u","name":"n","is_active":true,"auto_sweep":false}"#,
            r#"{"operation":"update-user","user":"u","email":"e","display_name":"d","ref_id":"r"}"#,
            r#"{"operation":"create-sub-wallet","email":"e","display_name":"d","ref_id":"r","can_trade":true}"#,
            r#"{"operation":"create-address","sub_wallet":"u","coin":"USDC","chain":"base"}"#,
            r#"{"operation":"simulate-deposit","token":"USDC","blockchain":"base","amount":"1","to":"0x1"}"#,
            r#"{"operation":"batch","wallet":"w","blockchain":"base","token":"USDC","to":[{"address":"0x1","amount":"1","label":"l","reference":"r","line":2},{"address":"0x2","amount":"3"}],"ref_id":"r","note":"n","metadata":[["k","v"]],"queue":true,"file":{"name":"f","sha256":"00"}}"#,
            r#"{"operation":"swap","wallet":"w","blockchain":"base","from":"USDC","amount":"1","to":"ETH","ref_id":"r","note":"n"}"#,
            r#"{"operation":"instant-swap","sub_wallet":"u","from":"USDC","amount":"1","to":"ETH","ext_id":"x"}"#,
            r#"{"operation":"payment","sub_wallet":"u","coin":"USDC","chain":"base","to":"0x1","amount":"1","client_tx_id":"c","fee":"2","memo":"m","note":"n"}"#,
            r#"{"operation":"create-sandbox-address","coin":"USDC","chain":"base"}"#,
        ] {
            let draft: Draft = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&draft).unwrap(), json);
            let operation = draft.operation().journal_name();
            assert!(json.starts_with(&format!(r#"{{"operation":"{operation}""#)), "{json}");
        }
    }
}
