//! The lines of a proposal under review: its rule and time, who proposed it, and who approved it.

use super::{ReviewLine, review_line};
use crate::app::data::proposals::ProposalStanding;
use crate::app::forms::review::Review;
use crate::app::model::Model;
use crate::app::pages::Tone;
use crate::domain::Timestamp;
use crate::domain::duration;

pub(super) fn add_proposal_lines(model: &Model, review: &Review, facts: &mut Vec<ReviewLine>) {
    let is_shown = review.purpose.is_of_proposal();
    let entry =
        model.journal.proposals.entries.iter().find(|entry| is_shown && entry.proposal.order == review.order.id);
    let Some(entry) = entry else { return };
    let proposal = &entry.proposal;
    let time = |at: Timestamp| model.console.zone.format_with_offset(at, "%Y-%m-%d %H:%M");
    let age = duration::format_age(proposal.made_at.age(model.now));
    let time_left = duration::format_age(model.now.age(proposal.expires));
    let mut add = |name, value: String| facts.push(review_line(name, value, Tone::Text));
    add("Rule", proposal.rule.to_string());
    add("Proposed", format!("by {} at {}, {age} ago", proposal.maker, time(proposal.made_at)));
    add("Valid until", format!("{}, {time_left} left", time(proposal.expires)));
    if let ProposalStanding::Counted(quorum) = &entry.standing {
        let names: Vec<&str> = quorum.approvals.iter().map(|approval| approval.principal.as_str()).collect();
        let names = if names.is_empty() { "nobody yet".to_owned() } else { names.join(", ") };
        add("Approved by", format!("{names}; {} of {}", quorum.approvals.len(), quorum.needs));
    }
    let id = proposal.order.to_string();
    add("Order", id.get(..SHORT_ID).unwrap_or(&id).to_owned());
}

/// The beginning of an order's identifier, as `bursar approvals` lists and takes it.
const SHORT_ID: usize = 8;
