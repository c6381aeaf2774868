//! The journal's JSON of a draft, its request, and its destination.

use serde::{Deserialize, Serialize};

use super::fields::{BODY_VERSION, parse_amount, parse_uuid, to_string_option, to_text};
use super::template_body::TemplateUseBody;
use crate::domain::order::{DraftedOrder, RequestBytes, ServiceDestination};
use crate::domain::{AccountId, Draft, Network, Sender, Text, TokenKey, TransactionId, UserId};

#[derive(Serialize, Deserialize)]
pub(super) struct DraftedBody {
    v: u32,
    draft: Draft,
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
        let ServiceDestination { profile, environment, base_url, key_mark } = &drafted.destination;
        Self {
            v: BODY_VERSION,
            draft: drafted.draft.clone(),
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
        let operation = self.draft.operation();
        let key = match self.request.key {
            Some(key) => Some(parse_uuid(&key)?),
            None => None,
        };
        let sender = match self.sender {
            Some(sender) => Some(sender.read()?),
            None => None,
        };
        let environment = match self.to.environment {
            // Configurations never took another word; a third network needs a newer journal format.
            Some(name) => Some(Network::named(&name)?),
            None => None,
        };
        Some(DraftedOrder {
            draft: self.draft,
            sender,
            request: RequestBytes {
                operation,
                method: self.request.method,
                path: self.request.path,
                body: self.request.body,
                key,
            },
            destination: ServiceDestination {
                profile: Text::clean(&self.to.profile),
                environment,
                base_url: Text::clean(&self.to.base_url),
                key_mark: Text::clean(&self.to.key_mark),
            },
            newest: self.newest.iter().map(|id| TransactionId::from_text(id)).collect(),
            anchors: self.anchors.iter().map(|id| TransactionId::from_text(id)).collect(),
            template: self.template.map(TemplateUseBody::read),
        })
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
            account: self.account.map(|id| AccountId::from_text(&id)),
            user: self.user.map(|id| UserId::from_text(&id)),
            token: TokenKey { blockchain: Text::clean(&self.blockchain), contract: to_text(self.contract) },
            amount: parse_amount(&self.raw, self.decimals)?,
        })
    }
}
