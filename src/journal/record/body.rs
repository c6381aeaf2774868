//! Bodies of records: events as versioned JSON.
//!
//! These structures are the format on disk and only ever grow: a field unknown to this version is ignored when a record
//! is read, and stays in the record, which is never rewritten. What cannot be ignored without falsifying the record
//! (another kind of event, another operation) raises the format.

use serde::{Deserialize, Serialize};

use super::answer_body::{AttemptResultBody, CreatedObjectBody};
use super::approval_body::{ApprovalPolicyBody, SignedStatementBody};
use super::book_change_body::BookChangeBody;
use super::draft_body::DraftedBody;
use super::fields::BODY_VERSION;
use super::lookup_body::HistoryLookupBody;
use super::swap_body::ConfirmedQuoteBody;
use crate::domain::approval::{PolicyRecord, StatementKind, StatementWithProposal};
use crate::domain::attention::{AcknowledgementChange, AttentionId};
use crate::domain::book::BookChange;
use crate::domain::order::{Confirmation, OrderEnd, OrderEvent, SendReason};
use crate::domain::{CreatedObject, DirectoryEntry, DirectoryImport, Text, Timestamp};

#[derive(Serialize, Deserialize)]
struct ConfirmationBody {
    v: u32,
    typed: Vec<String>,
    findings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agreed: Option<ConfirmedQuoteBody>,
}

#[derive(Serialize, Deserialize)]
struct SendingBody {
    v: u32,
    attempt: u32,
    because: SendReasonBody,
    gives_up_at: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SendReasonBody {
    Confirmed,
    Again,
    Operator { warned: bool },
}

#[derive(Serialize, Deserialize)]
struct AnsweredBody {
    v: u32,
    attempt: u32,
    answer: AttemptResultBody,
}

#[derive(Serialize, Deserialize)]
struct EndedEventBody {
    v: u32,
    end: OrderEndBody,
    /// Why the console gave the order up by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OrderEndBody {
    Settled,
    Failed,
    Abandoned,
    WrittenOff {
        reason: String,
    },
    PartlySettled,
    /// Not an end, but the reopening after one, with the lookup that contradicts it. It shares the kind of ends, which
    /// have an index: an order is open where their number is even.
    Reopened {
        look: Box<HistoryLookupBody>,
    },
}

#[derive(Serialize, Deserialize)]
struct ImportedBody {
    v: u32,
    base_url: String,
    origin: String,
    entries: Vec<CreatedObjectBody>,
    /// Addresses that an operator reviewed and that are not the wallet's. Older versions ignore them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rejected: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct AcknowledgedBody {
    v: u32,
    base_url: String,
    items: Vec<AcknowledgementBody>,
}

#[derive(Serialize, Deserialize)]
struct AcknowledgementBody {
    item: String,
    /// Absent where the acknowledgement was withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct BookChangesBody {
    v: u32,
    base_url: String,
    changes: Vec<BookChangeBody>,
    /// Findings of the guard that were overridden, as displayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overridden: Vec<String>,
    /// The service's time, where this machine's clock differed. Older versions ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_service: Option<i64>,
}

/// The base address of a profile, and perhaps its operator's answer about another one.
#[derive(Serialize, Deserialize)]
struct ServiceBody {
    v: u32,
    base_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<AddressAnswerBody>,
}

#[derive(Serialize, Deserialize)]
struct AddressAnswerBody {
    other: String,
    same: bool,
}

/// A copy of the journal: at the end of a backup, and again after a restore.
#[derive(Serialize, Deserialize)]
struct CopyBody {
    v: u32,
    open: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are events, and each is read once and let go of")]
pub(in crate::journal) enum Body {
    Event(OrderEvent),
    Imported {
        base_url: Text,
        import: DirectoryImport,
    },
    /// Items that need a person were acknowledged at the service at this address, or their acknowledgement withdrawn.
    Acknowledged {
        base_url: Text,
        changes: Vec<AcknowledgementChange>,
    },
    /// The address book of the service at this address was changed, overriding these findings; `at_service` is the
    /// service's time, where this machine's clock differed.
    BookChanged {
        base_url: Text,
        changes: Vec<BookChange>,
        overridden: Vec<Text>,
        at_service: Option<Timestamp>,
    },
    /// The profile of the record had this base address; `answer` is the other address and whether its operator answered
    /// that the same service is behind it.
    ServiceAddress {
        base_url: Text,
        answer: Option<(Text, bool)>,
    },
    /// Somebody signed here about a proposal from another journal, for the service at this address.
    Signed {
        base_url: Text,
        signed: Box<StatementWithProposal>,
    },
    /// From here on these rules of approval are in force for the service at this address.
    ApprovalPolicy {
        base_url: Text,
        policy: Box<PolicyRecord>,
    },
    /// A backup ends here, with this number of open orders.
    Copied {
        open: u64,
    },
    /// A backup was restored as this journal; orders open then are not sent from here.
    Restored {
        open: u64,
    },
}

impl Body {
    pub(in crate::journal) fn write(&self) -> Result<(&'static str, String), serde_json::Error> {
        let v = BODY_VERSION;
        Ok(match self {
            Self::Event(OrderEvent::Drafted(drafted)) => {
                ("drafted", serde_json::to_string(&DraftedBody::from(drafted.as_ref()))?)
            }
            Self::Event(OrderEvent::Confirmed(Confirmation { typed, findings, agreed })) => {
                let to_strings = |texts: &[Text]| texts.iter().map(ToString::to_string).collect();
                let agreed = agreed.as_ref().map(Into::into);
                let body = ConfirmationBody { v, typed: to_strings(typed), findings: to_strings(findings), agreed };
                ("confirmed", serde_json::to_string(&body)?)
            }
            Self::Event(OrderEvent::Sending { attempt, reason, gives_up_at }) => {
                let because = match *reason {
                    SendReason::Confirmed => SendReasonBody::Confirmed,
                    SendReason::Retry => SendReasonBody::Again,
                    SendReason::Operator { warned } => SendReasonBody::Operator { warned },
                };
                let body = SendingBody { v, attempt: *attempt, because, gives_up_at: gives_up_at.millis() };
                ("sending", serde_json::to_string(&body)?)
            }
            Self::Event(OrderEvent::Answered { attempt, answer }) => {
                let body = AnsweredBody { v, attempt: *attempt, answer: answer.as_ref().into() };
                ("answered", serde_json::to_string(&body)?)
            }
            Self::Event(OrderEvent::LookedUp(look)) => {
                ("looked", serde_json::to_string(&HistoryLookupBody::from(look))?)
            }
            Self::Event(OrderEvent::Reopened(look)) => {
                let end = OrderEndBody::Reopened { look: Box::new(look.into()) };
                ("ended", serde_json::to_string(&EndedEventBody { v, end, why: None })?)
            }
            Self::Event(OrderEvent::Ended(end)) => {
                let why = match end {
                    OrderEnd::Abandoned(why) => why.as_ref().map(ToString::to_string),
                    OrderEnd::Settled | OrderEnd::PartlySettled | OrderEnd::Failed | OrderEnd::WrittenOff(_) => None,
                };
                let end = match end {
                    OrderEnd::Settled => OrderEndBody::Settled,
                    OrderEnd::PartlySettled => OrderEndBody::PartlySettled,
                    OrderEnd::Failed => OrderEndBody::Failed,
                    OrderEnd::Abandoned(_) => OrderEndBody::Abandoned,
                    OrderEnd::WrittenOff(reason) => OrderEndBody::WrittenOff { reason: reason.to_string() },
                };
                ("ended", serde_json::to_string(&EndedEventBody { v, end, why })?)
            }
            Self::Event(OrderEvent::Signed(signed)) => {
                (signed.statement.kind.journal_name(), serde_json::to_string(&SignedStatementBody::new(signed, None))?)
            }
            Self::Signed { base_url, signed } => (
                signed.statement.kind.journal_name(),
                serde_json::to_string(&SignedStatementBody::new(signed, Some(base_url)))?,
            ),
            Self::ApprovalPolicy { base_url, policy } => {
                ("policy", serde_json::to_string(&ApprovalPolicyBody::new(base_url, policy))?)
            }
            Self::Imported { base_url, import } => {
                let entries = import
                    .entries
                    .iter()
                    .map(|entry| CreatedObjectBody::from(&CreatedObject::from(entry.clone())))
                    .collect();
                let (base_url, origin) = (base_url.to_string(), import.origin.to_string());
                let rejected = import.rejected.iter().map(ToString::to_string).collect();
                ("imported", serde_json::to_string(&ImportedBody { v, base_url, origin, entries, rejected })?)
            }
            Self::Acknowledged { base_url, changes } => {
                let item = |change: &AcknowledgementChange| AcknowledgementBody {
                    item: change.item.to_string(),
                    note: change.note.as_ref().map(ToString::to_string),
                };
                let (base_url, items) = (base_url.to_string(), changes.iter().map(item).collect());
                ("acknowledged", serde_json::to_string(&AcknowledgedBody { v, base_url, items })?)
            }
            Self::BookChanged { base_url, changes, overridden, at_service } => {
                let overridden = overridden.iter().map(ToString::to_string).collect();
                let changes = changes.iter().map(Into::into).collect();
                let (base_url, at_service) = (base_url.to_string(), at_service.map(Timestamp::millis));
                let body = BookChangesBody { v, base_url, changes, overridden, at_service };
                ("booked", serde_json::to_string(&body)?)
            }
            Self::ServiceAddress { base_url, answer } => {
                let answer = answer.as_ref();
                let answer =
                    answer.map(|(other, is_same)| AddressAnswerBody { other: other.to_string(), same: *is_same });
                ("service", serde_json::to_string(&ServiceBody { v, base_url: base_url.to_string(), answer })?)
            }
            Self::Copied { open } => ("copied", serde_json::to_string(&CopyBody { v, open: *open })?),
            Self::Restored { open } => ("restored", serde_json::to_string(&CopyBody { v, open: *open })?),
        })
    }

    /// `None` if this version does not understand it.
    pub(in crate::journal) fn read(kind: &str, json: &str) -> Option<Self> {
        let texts = |written_texts: Vec<String>| written_texts.iter().map(|text| Text::clean(text)).collect();
        let event = match kind {
            "drafted" => OrderEvent::Drafted(Box::new(serde_json::from_str::<DraftedBody>(json).ok()?.read()?)),
            "confirmed" => {
                let ConfirmationBody { typed, findings, agreed, .. } = serde_json::from_str(json).ok()?;
                let agreed = match agreed {
                    Some(agreed) => Some(agreed.read()?),
                    None => None,
                };
                OrderEvent::Confirmed(Confirmation { typed: texts(typed), findings: texts(findings), agreed })
            }
            "sending" => {
                let SendingBody { attempt, because, gives_up_at, .. } = serde_json::from_str(json).ok()?;
                let reason = match because {
                    SendReasonBody::Confirmed => SendReason::Confirmed,
                    SendReasonBody::Again => SendReason::Retry,
                    SendReasonBody::Operator { warned } => SendReason::Operator { warned },
                };
                OrderEvent::Sending { attempt, reason, gives_up_at: Timestamp::from_millis(gives_up_at) }
            }
            "answered" => {
                let AnsweredBody { attempt, answer, .. } = serde_json::from_str(json).ok()?;
                OrderEvent::Answered { attempt, answer: Box::new(answer.into()) }
            }
            "looked" => OrderEvent::LookedUp(serde_json::from_str::<HistoryLookupBody>(json).ok()?.into()),
            "ended" => {
                let EndedEventBody { end, why, .. } = serde_json::from_str(json).ok()?;
                OrderEvent::Ended(match end {
                    OrderEndBody::Reopened { look } => return Some(Self::Event(OrderEvent::Reopened((*look).into()))),
                    OrderEndBody::Settled => OrderEnd::Settled,
                    OrderEndBody::PartlySettled => OrderEnd::PartlySettled,
                    OrderEndBody::Failed => OrderEnd::Failed,
                    OrderEndBody::Abandoned => OrderEnd::Abandoned(why.map(|why| Text::clean(&why))),
                    OrderEndBody::WrittenOff { reason } => OrderEnd::WrittenOff(Text::clean(&reason)),
                })
            }
            "proposed" | "approved" | "refused" => {
                let kind = StatementKind::ALL.into_iter().find(|other| other.journal_name() == kind)?;
                let (base_url, signed) = serde_json::from_str::<SignedStatementBody>(json).ok()?.read(kind);
                let signed = Box::new(signed);
                match base_url {
                    Some(base_url) => return Some(Self::Signed { base_url, signed }),
                    None => OrderEvent::Signed(signed),
                }
            }
            "policy" => {
                let (base_url, policy) = serde_json::from_str::<ApprovalPolicyBody>(json).ok()?.read();
                return Some(Self::ApprovalPolicy { base_url, policy: Box::new(policy) });
            }
            "imported" => {
                let ImportedBody { base_url, origin, entries, rejected, .. } = serde_json::from_str(json).ok()?;
                let entries = entries.into_iter().map(directory_entry).collect::<Option<_>>()?;
                let import = DirectoryImport { origin: Text::clean(&origin), entries, rejected: texts(rejected) };
                return Some(Self::Imported { base_url: Text::clean(&base_url), import });
            }
            "acknowledged" => {
                let AcknowledgedBody { base_url, items, .. } = serde_json::from_str(json).ok()?;
                let change = |body: AcknowledgementBody| AcknowledgementChange {
                    item: AttentionId::from_text(&body.item),
                    note: body.note.map(|note| Text::clean(&note)),
                };
                let changes = items.into_iter().map(change).collect();
                return Some(Self::Acknowledged { base_url: Text::clean(&base_url), changes });
            }
            "booked" => {
                let BookChangesBody { base_url, changes, overridden, at_service, .. } =
                    serde_json::from_str(json).ok()?;
                let changes = changes.into_iter().map(BookChangeBody::read).collect::<Option<_>>()?;
                let base_url = Text::clean(&base_url);
                let (overridden, at_service) = (texts(overridden), at_service.map(Timestamp::from_millis));
                return Some(Self::BookChanged { base_url, changes, overridden, at_service });
            }
            "service" => {
                let ServiceBody { base_url, answer, .. } = serde_json::from_str(json).ok()?;
                let answer = answer.map(|answer| (Text::clean(&answer.other), answer.same));
                return Some(Self::ServiceAddress { base_url: Text::clean(&base_url), answer });
            }
            "copied" => return Some(Self::Copied { open: serde_json::from_str::<CopyBody>(json).ok()?.open }),
            "restored" => return Some(Self::Restored { open: serde_json::from_str::<CopyBody>(json).ok()?.open }),
            _ => return None,
        };
        Some(Self::Event(event))
    }
}

/// Entries that can be imported; a transaction cannot.
fn directory_entry(body: CreatedObjectBody) -> Option<DirectoryEntry> {
    match CreatedObject::from(body) {
        CreatedObject::Account(account) => Some(DirectoryEntry::Account(account)),
        CreatedObject::Wallet(wallet) => Some(DirectoryEntry::Wallet(wallet)),
        CreatedObject::User(user) => Some(DirectoryEntry::User(user)),
        CreatedObject::Transaction(_) | CreatedObject::Address(_) => None,
    }
}
