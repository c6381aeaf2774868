//! What the last step of a review does.

use crate::app::data::proposals::OpenedProposal;
use crate::app::msg::Effect;
use crate::domain::approval::{ApprovalPolicy, ApprovalRule, StatementKind};
use crate::domain::order::Confirmation;
use crate::domain::{Draft, OrderId, Sender, Text};

/// What the last step of a review does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ReviewPurpose {
    #[default]
    Send,
    /// Other people must approve it, by this rule.
    Propose { rule: Text },
    /// Signs what somebody else proposed.
    Approve { maker: Text },
    /// Sends what enough people approved.
    Release { maker: Text },
}

impl ReviewPurpose {
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Send | Self::Release { .. } => "send",
            Self::Propose { .. } => "propose",
            Self::Approve { .. } => "approve",
        }
    }

    /// What a local failure leaves undone.
    pub fn undone_label(&self) -> &'static str {
        match self {
            Self::Send | Self::Release { .. } => "Not sent",
            Self::Propose { .. } => "Not proposed",
            Self::Approve { .. } => "Not signed",
        }
    }

    /// Whether the order was proposed before: leaving its review gives nothing up.
    pub fn is_of_proposal(&self) -> bool {
        matches!(self, Self::Approve { .. } | Self::Release { .. })
    }

    /// What the review of a new order, or of a proposal that was opened, leads to.
    pub fn new(
        rules: &[ApprovalRule],
        opened: Option<&OpenedProposal>,
        draft: &Draft,
        sender: Option<&Sender>,
    ) -> Self {
        match opened {
            Some(OpenedProposal { releases: true, maker, .. }) => Self::Release { maker: maker.clone() },
            Some(OpenedProposal { releases: false, maker, .. }) => Self::Approve { maker: maker.clone() },
            None if rules.is_empty() => Self::Send,
            None => {
                let policy = ApprovalPolicy { rules: rules.to_vec(), ..ApprovalPolicy::default() };
                let requirement = policy.requirement_for_draft(draft, sender);
                requirement.map_or(Self::Send, |requirement| Self::Propose { rule: requirement.rule })
            }
        }
    }

    /// What a confirmed review does, unless it sends.
    pub fn proposal_effect(&self, order_id: OrderId, confirmation: &Confirmation) -> Option<Effect> {
        match self {
            Self::Propose { .. } => Some(Effect::Propose { order_id, confirmation: confirmation.clone() }),
            Self::Approve { .. } => Some(Effect::SignProposal { order_id, kind: StatementKind::Approve, reason: None }),
            Self::Send | Self::Release { .. } => None,
        }
    }
}
