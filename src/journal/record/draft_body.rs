//! The journal's JSON of a draft, its request, and its destination.

mod payment;

use serde::{Deserialize, Serialize};

mod batch;

use super::fields::{BODY_VERSION, parse_amount, parse_uuid, to_string_option, to_text};
use super::swap_body::{InstantSwapBody, SwapBody};
use super::template_body::TemplateUseBody;
use crate::domain::draft::{
    Metadata, NewAccount, NewAddress, NewSandboxAddress, NewSubWallet, NewUser, NewWallet, SimulatedDeposit,
    UserChange, WalletChange,
};
use crate::domain::order::{Destination, DraftedOrder, RequestBytes};
use crate::domain::{AccountId, Draft, Operation, Sender, Text, TokenKey, TransactionId, UserId, WalletId, Withdrawal};
use payment::PaymentBody;

#[derive(Serialize, Deserialize)]
pub(super) struct DraftedBody {
    v: u32,
    draft: DraftBody,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sender: Option<SenderBody>,
    request: RequestBody,
    to: DestinationBody,
    /// The newest outgoing transactions that were cached.
    newest: Vec<String>,
    /// Those of them that were final by then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    anchors: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    template: Option<TemplateUseBody>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub(super) enum DraftBody {
    Withdraw {
        wallet: String,
        blockchain: String,
        token: String,
        amount: String,
        to: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ref_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        metadata: Vec<(String, String)>,
    },
    CreateUser(UserBody),
    CreateAccount {
        name: String,
    },
    CreateWallet {
        account: String,
        blockchain: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ref_id: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        auto_sweep: bool,
    },
    UpdateWallet {
        wallet: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is_active: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        auto_sweep: Option<bool>,
    },
    UpdateUser {
        user: String,
        #[serde(flatten)]
        to: UserBody,
    },
    CreateSubWallet {
        #[serde(flatten)]
        user: UserBody,
        can_trade: bool,
    },
    CreateAddress {
        sub_wallet: String,
        coin: String,
        chain: String,
    },
    SimulateDeposit {
        token: String,
        blockchain: String,
        amount: String,
        to: String,
    },
    Batch(batch::BatchBody),
    Swap(SwapBody),
    InstantSwap(InstantSwapBody),
    Payment(PaymentBody),
    CreateSandboxAddress {
        coin: String,
        chain: String,
    },
}

#[derive(Serialize, Deserialize)]
pub(super) struct UserBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ref_id: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SenderBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    blockchain: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contract: Option<String>,
    /// Smallest units.
    raw: String,
    decimals: u8,
}

#[derive(Serialize, Deserialize)]
struct RequestBody {
    method: String,
    path: String,
    /// Byte for byte.
    body: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct DestinationBody {
    profile: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    environment: Option<String>,
    base_url: String,
    key_mark: String,
}

impl From<&DraftedOrder> for DraftedBody {
    fn from(drafted: &DraftedOrder) -> Self {
        let RequestBytes { operation: _, method, path, body, key } = &drafted.request;
        let Destination { profile, environment, base_url, key_mark } = &drafted.destination;
        Self {
            v: BODY_VERSION,
            draft: (&drafted.draft).into(),
            sender: drafted.sender.as_ref().map(Into::into),
            request: RequestBody {
                method: method.clone(),
                path: path.clone(),
                body: body.clone(),
                key: key.map(|key| key.to_string()),
            },
            to: DestinationBody {
                profile: profile.to_string(),
                environment: to_string_option(environment.as_ref()),
                base_url: base_url.to_string(),
                key_mark: key_mark.to_string(),
            },
            newest: drafted.newest.iter().map(ToString::to_string).collect(),
            anchors: drafted.anchors.iter().map(ToString::to_string).collect(),
            template: drafted.template.as_ref().map(Into::into),
        }
    }
}

impl DraftedBody {
    /// `None` if the content makes no sense.
    pub(super) fn read(self) -> Option<DraftedOrder> {
        let draft = Draft::from(self.draft);
        let operation: Operation = draft.operation();
        let key = match self.request.key {
            Some(key) => Some(parse_uuid(&key)?),
            None => None,
        };
        let sender = match self.sender {
            Some(sender) => Some(sender.read()?),
            None => None,
        };
        Some(DraftedOrder {
            draft,
            sender,
            request: RequestBytes {
                operation,
                method: self.request.method,
                path: self.request.path,
                body: self.request.body,
                key,
            },
            destination: Destination {
                profile: Text::clean(&self.to.profile),
                environment: to_text(self.to.environment),
                base_url: Text::clean(&self.to.base_url),
                key_mark: Text::clean(&self.to.key_mark),
            },
            newest: self.newest.iter().map(|id| TransactionId::read(id)).collect(),
            anchors: self.anchors.iter().map(|id| TransactionId::read(id)).collect(),
            template: self.template.map(TemplateUseBody::read),
        })
    }
}

impl From<&Draft> for DraftBody {
    fn from(draft: &Draft) -> Self {
        match draft {
            Draft::Withdraw(Withdrawal { wallet, blockchain, token, amount, to, ref_id, note, metadata }) => {
                Self::Withdraw {
                    wallet: wallet.to_string(),
                    blockchain: blockchain.to_string(),
                    token: token.to_string(),
                    amount: amount.to_string(),
                    to: to.to_string(),
                    ref_id: to_string_option(ref_id.as_ref()),
                    note: to_string_option(note.as_ref()),
                    metadata: metadata_body(metadata),
                }
            }
            Draft::CreateUser(user) => Self::CreateUser(user.into()),
            Draft::CreateAccount(NewAccount { name }) => Self::CreateAccount { name: name.to_string() },
            Draft::CreateWallet(NewWallet { account, blockchain, name, ref_id, user, auto_sweep }) => {
                Self::CreateWallet {
                    account: account.to_string(),
                    blockchain: blockchain.to_string(),
                    name: to_string_option(name.as_ref()),
                    ref_id: to_string_option(ref_id.as_ref()),
                    user: user.as_ref().map(ToString::to_string),
                    auto_sweep: *auto_sweep,
                }
            }
            Draft::UpdateWallet(WalletChange { wallet, user, name, is_active, auto_sweep }) => Self::UpdateWallet {
                wallet: wallet.to_string(),
                user: user.as_ref().map(ToString::to_string),
                name: to_string_option(name.as_ref()),
                is_active: *is_active,
                auto_sweep: *auto_sweep,
            },
            Draft::UpdateUser(UserChange { user, to }) => Self::UpdateUser { user: user.to_string(), to: to.into() },
            Draft::CreateSubWallet(NewSubWallet { user, can_trade }) => {
                Self::CreateSubWallet { user: user.into(), can_trade: *can_trade }
            }
            Draft::CreateAddress(NewAddress { sub_wallet, coin, chain }) => Self::CreateAddress {
                sub_wallet: sub_wallet.to_string(),
                coin: coin.to_string(),
                chain: chain.to_string(),
            },
            Draft::SimulateDeposit(SimulatedDeposit { token, blockchain, amount, to }) => Self::SimulateDeposit {
                token: token.to_string(),
                blockchain: blockchain.to_string(),
                amount: amount.to_string(),
                to: to.to_string(),
            },
            Draft::Batch(batch) => Self::Batch(batch.into()),
            Draft::Swap(swap) => Self::Swap(swap.into()),
            Draft::InstantSwap(swap) => Self::InstantSwap(swap.into()),
            Draft::Payment(payment) => Self::Payment(payment.into()),
            Draft::CreateSandboxAddress(NewSandboxAddress { coin, chain }) => {
                Self::CreateSandboxAddress { coin: coin.to_string(), chain: chain.to_string() }
            }
        }
    }
}

impl From<DraftBody> for Draft {
    fn from(body: DraftBody) -> Self {
        let clean = |words: String| Text::clean(&words);
        match body {
            DraftBody::Withdraw { wallet, blockchain, token, amount, to, ref_id, note, metadata } => {
                Self::Withdraw(Withdrawal {
                    wallet: WalletId::read(&wallet),
                    blockchain: clean(blockchain),
                    token: clean(token),
                    amount: clean(amount),
                    to: clean(to),
                    ref_id: to_text(ref_id),
                    note: to_text(note),
                    metadata: read_metadata(metadata),
                })
            }
            DraftBody::CreateUser(user) => Self::CreateUser(user.into()),
            DraftBody::CreateAccount { name } => Self::CreateAccount(NewAccount { name: clean(name) }),
            DraftBody::CreateWallet { account, blockchain, name, ref_id, user, auto_sweep } => {
                Self::CreateWallet(NewWallet {
                    account: AccountId::read(&account),
                    blockchain: clean(blockchain),
                    name: to_text(name),
                    ref_id: to_text(ref_id),
                    user: user.map(|id| UserId::read(&id)),
                    auto_sweep,
                })
            }
            DraftBody::UpdateWallet { wallet, user, name, is_active, auto_sweep } => Self::UpdateWallet(WalletChange {
                wallet: WalletId::read(&wallet),
                user: user.map(|id| UserId::read(&id)),
                name: to_text(name),
                is_active,
                auto_sweep,
            }),
            DraftBody::UpdateUser { user, to } => {
                Self::UpdateUser(UserChange { user: UserId::read(&user), to: to.into() })
            }
            DraftBody::CreateSubWallet { user, can_trade } => {
                Self::CreateSubWallet(NewSubWallet { user: user.into(), can_trade })
            }
            DraftBody::CreateAddress { sub_wallet, coin, chain } => Self::CreateAddress(NewAddress {
                sub_wallet: UserId::read(&sub_wallet),
                coin: clean(coin),
                chain: clean(chain),
            }),
            DraftBody::SimulateDeposit { token, blockchain, amount, to } => Self::SimulateDeposit(SimulatedDeposit {
                token: clean(token),
                blockchain: clean(blockchain),
                amount: clean(amount),
                to: clean(to),
            }),
            DraftBody::Batch(batch) => Self::Batch(batch.into()),
            DraftBody::Swap(swap) => Self::Swap(swap.into()),
            DraftBody::InstantSwap(swap) => Self::InstantSwap(swap.into()),
            DraftBody::Payment(payment) => Self::Payment(payment.into()),
            DraftBody::CreateSandboxAddress { coin, chain } => {
                Self::CreateSandboxAddress(NewSandboxAddress { coin: clean(coin), chain: clean(chain) })
            }
        }
    }
}

/// Members as pairs, which keep their order.
fn metadata_body(metadata: &Metadata) -> Vec<(String, String)> {
    metadata.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

fn read_metadata(members: Vec<(String, String)>) -> Metadata {
    members.into_iter().map(|(name, value)| (Text::clean(&name), Text::clean(&value))).collect()
}

impl From<&NewUser> for UserBody {
    fn from(user: &NewUser) -> Self {
        Self {
            email: to_string_option(user.email.as_ref()),
            display_name: to_string_option(user.display_name.as_ref()),
            ref_id: to_string_option(user.ref_id.as_ref()),
        }
    }
}

impl From<UserBody> for NewUser {
    fn from(body: UserBody) -> Self {
        Self { email: to_text(body.email), display_name: to_text(body.display_name), ref_id: to_text(body.ref_id) }
    }
}

impl From<&Sender> for SenderBody {
    fn from(sender: &Sender) -> Self {
        Self {
            name: to_string_option(sender.name.as_ref()),
            address: to_string_option(sender.address.as_ref()),
            account: sender.account.as_ref().map(ToString::to_string),
            user: sender.user.as_ref().map(ToString::to_string),
            blockchain: sender.token.blockchain.to_string(),
            contract: to_string_option(sender.token.contract.as_ref()),
            raw: sender.amount.raw().to_string(),
            decimals: sender.amount.decimals(),
        }
    }
}

impl SenderBody {
    pub(super) fn read(self) -> Option<Sender> {
        Some(Sender {
            name: to_text(self.name),
            address: to_text(self.address),
            account: self.account.map(|id| AccountId::read(&id)),
            user: self.user.map(|id| UserId::read(&id)),
            token: TokenKey { blockchain: Text::clean(&self.blockchain), contract: to_text(self.contract) },
            amount: parse_amount(&self.raw, self.decimals)?,
        })
    }
}
