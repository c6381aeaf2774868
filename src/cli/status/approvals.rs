//! Proposals that need this desk: to be approved by somebody here, or to be sent from here.

use tokio::runtime::Builder;

use super::super::CommandContext;
use super::super::approvals::{Proposals, payment_summary, recipients_text};
use crate::app::data::proposals::ProposalEntry;
use crate::domain::Text;
use crate::domain::address_names::AddressNames;
use crate::domain::approval::DeskRole;
use crate::domain::attention::{AttentionItem, AttentionKind, AttentionTarget};

/// Nothing where no rule asks for approvals, or where nothing is signed or sent.
pub(super) fn proposal_items(context: &CommandContext, names: &AddressNames) -> anyhow::Result<Vec<AttentionItem>> {
    let config = context.config()?;
    let profile = config.profile()?;
    if profile.policy.approval.is_empty() || config.is_read_only(profile) {
        return Ok(Vec::new());
    }
    let proposals = Proposals::open(context)?;
    let signers = Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(proposals.sources.desk_signers(&proposals.policy, proposals.now));
    let waiting = proposals.waiting()?;
    let item = |entry: &ProposalEntry| {
        let next = next_step(&proposals, entry, &signers.people)?;
        let draft = entry.draft.as_ref()?;
        let (proposal, to) = (&entry.proposal, recipients_text(Some(draft), names));
        let payment = payment_summary(draft);
        let payment = if draft.payment_details().is_some() { format!("{payment} to {to}") } else { payment };
        let subject = format!("{payment}, proposed by {}: {next}", proposal.maker);
        let (mark, target) = (proposal.order.to_string(), AttentionTarget::Proposal(proposal.order));
        Some(AttentionItem::new(AttentionKind::Approval, &mark, proposal.made_at, subject, target))
    };
    Ok(waiting.iter().filter_map(item).collect())
}

/// What this desk could do about a proposal; `None` where others must act.
fn next_step(proposals: &Proposals, entry: &ProposalEntry, people: &[Text]) -> Option<String> {
    let role = proposals.profile.policy.role;
    if entry.is_releasable(proposals.now) && role != DeskRole::Propose {
        return Some(format!("enough people approved it, and it can be sent from here (role {})", role.config_name()));
    }
    let approver = people.iter().find(|person| entry.awaits_any_of(std::slice::from_ref(*person), proposals.now))?;
    let id: String = entry.proposal.order.to_string().chars().take(8).collect();
    Some(format!("{approver} could approve it (bursar approve {id}; role {})", role.config_name()))
}
