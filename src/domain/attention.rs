//! What needs a person: one list, whatever raised it. Each item says since when, what it is about and what to do, and
//! stands until it is over or somebody acknowledged it.

mod acknowledgement;
mod advice;
mod findings;
#[cfg(test)]
mod tests;

use std::fmt;

use chrono::NaiveDate;

use super::template::TemplateId;
use super::{OrderId, Text, Timestamp, WalletId};

pub use acknowledgement::{Acknowledgement, AcknowledgementChange, Acknowledgements};
pub use findings::{
    DustRows, HistoryFindings, ImitationRows, LargeRow, LookAlikeRows, StuckCandidate, history_items, payment_text,
    stuck_payment_items,
};

/// What is wrong. The gravest come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttentionKind {
    /// Nobody knows whether an order was executed.
    UnresolvedOrder,
    /// The service contradicts a request, or how its order was closed.
    ContradictedOrder,
    /// A confirmed order was never sent.
    UnsentOrder,
    /// A payment waits for an approval by this desk.
    Approval,
    /// Enough people approved a payment, and it can be sent from here.
    ApprovedPayment,
    /// A proposal of this desk came to its time without being sent.
    ExpiredProposal,
    /// Somebody refused a payment that this desk proposed.
    RefusedProposal,
    /// The data are of another network than the profile says.
    Network,
    Clock,
    /// The API key or its permissions.
    Key,
    /// The history cannot be read, or not stored.
    Connection,
    /// The journal or the address book cannot be read.
    Records,
    /// The profile leaves a question open, or its file is open to others.
    Profile,
    /// The service reports another address for a wallet.
    ChangedAddress,
    FailedPayment,
    StuckPayment,
    /// A template's day has come.
    DuePayment,
    Watch,
    /// An address made to resemble a known one.
    LookAlike,
    /// A token that imitates a listed one.
    ImitationToken,
    LargeMovement,
    FirstPayment,
    /// A watch has no reliable figure.
    BlindWatch,
    /// Payments too small to be meant as such.
    Dust,
}

/// How an item is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Money may be lost, or what is shown may be wrong.
    Alarm,
    /// Something did not go as it should.
    Warning,
    /// Worth a look.
    Notice,
}

impl AttentionKind {
    pub const ALL: [Self; 24] = [
        Self::UnresolvedOrder,
        Self::ContradictedOrder,
        Self::UnsentOrder,
        Self::Approval,
        Self::ApprovedPayment,
        Self::ExpiredProposal,
        Self::RefusedProposal,
        Self::Network,
        Self::Clock,
        Self::Key,
        Self::Connection,
        Self::Records,
        Self::Profile,
        Self::ChangedAddress,
        Self::FailedPayment,
        Self::StuckPayment,
        Self::DuePayment,
        Self::Watch,
        Self::LookAlike,
        Self::ImitationToken,
        Self::LargeMovement,
        Self::FirstPayment,
        Self::BlindWatch,
        Self::Dust,
    ];

    pub fn severity(self) -> Severity {
        match self {
            Self::UnresolvedOrder
            | Self::ContradictedOrder
            | Self::Network
            | Self::Clock
            | Self::Key
            | Self::Connection
            | Self::Records
            | Self::ChangedAddress => Severity::Alarm,
            Self::UnsentOrder
            | Self::Approval
            | Self::ApprovedPayment
            | Self::ExpiredProposal
            | Self::RefusedProposal
            | Self::Profile
            | Self::FailedPayment
            | Self::StuckPayment
            | Self::DuePayment
            | Self::Watch
            | Self::LookAlike => Severity::Warning,
            Self::ImitationToken | Self::LargeMovement | Self::FirstPayment | Self::BlindWatch | Self::Dust => {
                Severity::Notice
            }
        }
    }

    /// The words of the list.
    pub fn label(self) -> &'static str {
        match self {
            Self::UnresolvedOrder => "order unresolved",
            Self::ContradictedOrder => "order contradicted",
            Self::UnsentOrder => "order not sent",
            Self::Approval => "approval",
            Self::ApprovedPayment => "payment approved",
            Self::ExpiredProposal => "proposal expired",
            Self::RefusedProposal => "payment refused",
            Self::Network => "wrong network",
            Self::Clock => "clock wrong",
            Self::Key => "API key",
            Self::Connection => "no connection",
            Self::Records => "records unreadable",
            Self::Profile => "profile",
            Self::ChangedAddress => "address changed",
            Self::FailedPayment => "payment failed",
            Self::StuckPayment => "payment stuck",
            Self::DuePayment => "payment due",
            Self::Watch => "watch raised",
            Self::LookAlike => "look-alike address",
            Self::ImitationToken => "spoofed token",
            Self::LargeMovement => "unusually large",
            Self::FirstPayment => "first payment",
            Self::BlindWatch => "watch unavailable",
            Self::Dust => "dust",
        }
    }

    /// The first word of an item's identifier, which is recorded.
    fn code(self) -> &'static str {
        match self {
            Self::UnresolvedOrder => "unresolved",
            Self::ContradictedOrder => "contradicted",
            Self::UnsentOrder => "unsent",
            Self::Approval => "approval",
            Self::ApprovedPayment => "approved",
            Self::ExpiredProposal => "expired",
            Self::RefusedProposal => "refused",
            Self::Network => "network",
            Self::Clock => "clock",
            Self::Key => "key",
            Self::Connection => "connection",
            Self::Records => "records",
            Self::Profile => "profile",
            Self::ChangedAddress => "address",
            Self::FailedPayment => "failed",
            Self::StuckPayment => "stuck",
            Self::DuePayment => "due",
            Self::Watch => "watch",
            Self::LookAlike => "look-alike",
            Self::ImitationToken => "imitation",
            Self::LargeMovement => "large",
            Self::FirstPayment => "first",
            Self::BlindWatch => "blind-watch",
            Self::Dust => "dust",
        }
    }
}

/// Identifies an occurrence: what occurs again later has another identifier, or its acknowledgement was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttentionId(Text);

impl AttentionId {
    pub fn new(kind: AttentionKind, mark: &str) -> Self {
        Self(Text::clean(format!("{} {mark}", kind.code()).trim_end()))
    }

    /// As it was recorded.
    pub fn from_text(recorded: &str) -> Self {
        Self(Text::clean(recorded))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub fn is_of(&self, kind: AttentionKind) -> bool {
        self.0.split(' ').next() == Some(kind.code())
    }
}

impl fmt::Display for AttentionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What an item is about, to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttentionTarget {
    Order(OrderId),
    /// The review of what was proposed.
    Proposal(OrderId),
    /// The rows of the history that this filter finds.
    Transactions(String),
    /// The watch of this name.
    Watch(String),
    Wallet(WalletId),
    /// The form of a template, for one of its days.
    Due {
        template: TemplateId,
        due: NaiveDate,
    },
    /// The state of the console itself.
    Console,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttentionItem {
    pub id: AttentionId,
    pub kind: AttentionKind,
    pub since: Timestamp,
    /// What it is about, as displayed: amounts, names and addresses, which the veil hides.
    pub subject: String,
    pub target: AttentionTarget,
}

impl AttentionItem {
    pub fn new(
        kind: AttentionKind,
        mark: &str,
        since: Timestamp,
        subject: impl Into<String>,
        target: AttentionTarget,
    ) -> Self {
        Self { id: AttentionId::new(kind, mark), kind, since, subject: subject.into(), target }
    }

    /// One line for a list without columns.
    pub fn summary(&self) -> String {
        format!("{}: {}", self.kind.label(), self.subject)
    }
}

/// Sorts items for display: the gravest first, of equally grave ones the newest.
pub fn sort_items(items: &mut [AttentionItem]) {
    items.sort_by(|one, other| {
        let key = |item: &AttentionItem| (item.kind.severity(), std::cmp::Reverse(item.since), item.kind);
        key(one).cmp(&key(other)).then_with(|| one.id.cmp(&other.id))
    });
}
