//! The journal's JSON of the service's responses: answers, what they created, and lookups in its history.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fields::{to_string_option, to_text};
use super::swap_body::SwapDetailsBody;
use crate::domain::v1::WalletAddress;
use crate::domain::{
    Account, AccountAddress, AccountId, AccountType, AttemptResult, CreatedObject, ObservedTransaction, Outcome,
    Status, Text, Timestamp, TransactionId, User, UserId, Wallet, WalletId, wallet,
};

#[derive(Serialize, Deserialize)]
pub(super) struct AttemptResultBody {
    outcome: OutcomeBody,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(rename = "said")]
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raw: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<CreatedObjectBody>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    differences: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    costs: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OutcomeBody {
    NotSent,
    Accepted,
    Refused,
    ProbablyRefused {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wait_ms: Option<u64>,
        /// Whether the service itself refused, which one read of the history confirms. Versions without this field wait
        /// for several reads.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        declined: bool,
    },
    Unknown,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CreatedObjectBody {
    Transaction(ObservedTransactionBody),
    User(UserBody),
    Account(AccountBody),
    Wallet(WalletBody),
    Address(AddressBody),
}

#[derive(Serialize, Deserialize)]
pub(super) struct ObservedTransactionBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transaction: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confirmed_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confirmation: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tx_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    swapped: Option<SwapDetailsBody>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct UserBody {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ref_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_active: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AccountBody {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evm_details: Option<AddressDetailsBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    solana_details: Option<AddressDetailsBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AddressDetailsBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ref_id: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct WalletBody {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    blockchain: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_evm_compatible: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    custody_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decimals: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gasless_withdraw: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    auto_sweep: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ref_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AddressBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chain: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<String>,
    address: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wallet: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<i64>,
}

impl From<&AttemptResult> for AttemptResultBody {
    fn from(answered: &AttemptResult) -> Self {
        Self {
            outcome: match answered.outcome {
                Outcome::NotSent => OutcomeBody::NotSent,
                Outcome::Accepted => OutcomeBody::Accepted,
                Outcome::Refused => OutcomeBody::Refused,
                Outcome::Declined => OutcomeBody::ProbablyRefused { wait_ms: None, declined: true },
                Outcome::ProbablyRefused { wait } => OutcomeBody::ProbablyRefused {
                    wait_ms: wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
                    declined: false,
                },
                Outcome::Unknown => OutcomeBody::Unknown,
            },
            status: answered.status,
            message: answered.message.to_string(),
            raw: answered.raw.clone(),
            made: answered.created.as_ref().map(Into::into),
            differences: answered.differences.iter().map(ToString::to_string).collect(),
            costs: answered.cost_alarms.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<AttemptResultBody> for AttemptResult {
    fn from(body: AttemptResultBody) -> Self {
        Self {
            outcome: match body.outcome {
                OutcomeBody::NotSent => Outcome::NotSent,
                OutcomeBody::Accepted => Outcome::Accepted,
                OutcomeBody::Refused => Outcome::Refused,
                OutcomeBody::ProbablyRefused { declined: true, .. } => Outcome::Declined,
                OutcomeBody::ProbablyRefused { wait_ms, declined: false } => {
                    Outcome::ProbablyRefused { wait: wait_ms.map(Duration::from_millis) }
                }
                OutcomeBody::Unknown => Outcome::Unknown,
            },
            status: body.status,
            message: Text::clean(&body.message),
            raw: body.raw,
            created: body.made.map(Into::into),
            differences: body.differences.iter().map(|text| Text::clean(text)).collect(),
            cost_alarms: body.costs.iter().map(|text| Text::clean(text)).collect(),
        }
    }
}

impl From<&CreatedObject> for CreatedObjectBody {
    fn from(object: &CreatedObject) -> Self {
        match object {
            CreatedObject::Transaction(transaction) => Self::Transaction(transaction.into()),
            CreatedObject::User(user) => Self::User(UserBody {
                id: user.id.to_string(),
                display_name: to_string_option(user.display_name.as_ref()),
                ref_id: to_string_option(user.ref_id.as_ref()),
                email: to_string_option(user.email.as_ref()),
                is_active: user.is_active,
                created_at: user.created_at.map(Timestamp::millis),
            }),
            CreatedObject::Account(account) => Self::Account(AccountBody {
                id: account.id.to_string(),
                name: to_string_option(account.name.as_ref()),
                kind: to_string_option(account.kind.as_ref()),
                state: to_string_option(account.state.as_ref()),
                network: to_string_option(account.network.as_ref()),
                evm_details: account.evm_details.as_ref().map(Into::into),
                solana_details: account.solana_details.as_ref().map(Into::into),
                created_at: account.created_at.map(Timestamp::millis),
                updated_at: account.updated_at.map(Timestamp::millis),
            }),
            CreatedObject::Wallet(wallet) => Self::Wallet(WalletBody {
                id: wallet.id.to_string(),
                name: to_string_option(wallet.name.as_ref()),
                address: to_string_option(wallet.address.as_ref()),
                blockchain: wallet.blockchain.to_string(),
                protocol: to_string_option(wallet.protocol.as_ref()),
                network: to_string_option(wallet.network.as_ref()),
                is_evm_compatible: wallet.is_evm_compatible,
                kind: to_string_option(wallet.kind.as_ref()),
                intent: to_string_option(wallet.intent.as_ref()),
                custody_type: to_string_option(wallet.custody_type.as_ref()),
                decimals: wallet.decimals,
                state: to_string_option(wallet.state.as_ref()),
                gasless_withdraw: wallet.gasless_withdraw,
                auto_sweep: wallet.auto_sweep,
                user: to_string_option(wallet.user.as_ref()),
                account: to_string_option(wallet.account.as_ref()),
                ref_id: to_string_option(wallet.ref_id.as_ref()),
                created_at: wallet.created_at.map(Timestamp::millis),
                updated_at: wallet.updated_at.map(Timestamp::millis),
            }),
            CreatedObject::Address(address) => Self::Address(AddressBody {
                coin: to_string_option(address.coin.as_ref()),
                chain: to_string_option(address.chain.as_ref()),
                network: to_string_option(address.network.as_ref()),
                address: address.address.to_string(),
                tag: to_string_option(address.tag.as_ref()),
                wallet: to_string_option(address.wallet.as_ref()),
                created_at: address.created_at.map(Timestamp::millis),
            }),
        }
    }
}

impl From<CreatedObjectBody> for CreatedObject {
    fn from(body: CreatedObjectBody) -> Self {
        match body {
            CreatedObjectBody::Transaction(transaction) => Self::Transaction(transaction.into()),
            CreatedObjectBody::User(user) => Self::User(User {
                id: UserId::from_text(&user.id),
                display_name: to_text(user.display_name),
                ref_id: to_text(user.ref_id),
                email: to_text(user.email),
                is_active: user.is_active,
                created_at: user.created_at.map(Timestamp::from_millis),
            }),
            CreatedObjectBody::Account(account) => Self::Account(Account {
                id: AccountId::from_text(&account.id),
                name: to_text(account.name),
                kind: account.kind.map(|word| AccountType::from_word(&word)),
                state: account.state.map(|word| wallet::State::from_word(&word)),
                network: to_text(account.network),
                evm_details: account.evm_details.map(Into::into),
                solana_details: account.solana_details.map(Into::into),
                created_at: account.created_at.map(Timestamp::from_millis),
                updated_at: account.updated_at.map(Timestamp::from_millis),
            }),
            CreatedObjectBody::Wallet(wallet) => Self::Wallet(Wallet {
                id: WalletId::from_text(&wallet.id),
                name: to_text(wallet.name),
                address: to_text(wallet.address),
                blockchain: Text::clean(&wallet.blockchain),
                protocol: to_text(wallet.protocol),
                network: to_text(wallet.network),
                is_evm_compatible: wallet.is_evm_compatible,
                kind: to_text(wallet.kind),
                intent: to_text(wallet.intent),
                custody_type: to_text(wallet.custody_type),
                decimals: wallet.decimals,
                state: wallet.state.map(|word| wallet::State::from_word(&word)),
                gasless_withdraw: wallet.gasless_withdraw,
                auto_sweep: wallet.auto_sweep,
                user: wallet.user.map(|id| UserId::from_text(&id)),
                account: wallet.account.map(|id| AccountId::from_text(&id)),
                ref_id: to_text(wallet.ref_id),
                created_at: wallet.created_at.map(Timestamp::from_millis),
                updated_at: wallet.updated_at.map(Timestamp::from_millis),
            }),
            CreatedObjectBody::Address(address) => Self::Address(WalletAddress {
                coin: to_text(address.coin),
                chain: to_text(address.chain),
                network: to_text(address.network),
                address: Text::clean(&address.address),
                tag: to_text(address.tag),
                wallet: address.wallet.map(|id| UserId::from_text(&id)),
                created_at: address.created_at.map(Timestamp::from_millis),
            }),
        }
    }
}

impl From<&AccountAddress> for AddressDetailsBody {
    fn from(details: &AccountAddress) -> Self {
        Self { address: to_string_option(details.address.as_ref()), ref_id: to_string_option(details.ref_id.as_ref()) }
    }
}

impl From<AddressDetailsBody> for AccountAddress {
    fn from(body: AddressDetailsBody) -> Self {
        Self { address: to_text(body.address), ref_id: to_text(body.ref_id) }
    }
}

impl From<&ObservedTransaction> for ObservedTransactionBody {
    fn from(observation: &ObservedTransaction) -> Self {
        Self {
            transaction: to_string_option(observation.transaction.as_ref()),
            status: to_string_option(observation.status.as_ref()),
            confirmed: observation.confirmed,
            confirmed_at: observation.confirmed_at.map(Timestamp::millis),
            confirmation: observation.confirmation,
            tx_hash: to_string_option(observation.tx_hash.as_ref()),
            swapped: observation.swap.as_ref().map(Into::into),
        }
    }
}

impl From<ObservedTransactionBody> for ObservedTransaction {
    fn from(body: ObservedTransactionBody) -> Self {
        Self {
            transaction: body.transaction.map(|id| TransactionId::from_text(&id)),
            status: body.status.map(|word| Status::from_word(&word)),
            confirmed: body.confirmed,
            confirmed_at: body.confirmed_at.map(Timestamp::from_millis),
            confirmation: body.confirmation,
            tx_hash: to_text(body.tx_hash),
            swap: body.swapped.map(Into::into),
        }
    }
}
