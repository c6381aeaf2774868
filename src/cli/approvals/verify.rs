//! `bursar approvals verify`: counts the signatures of one proposal.

use anyhow::{anyhow, bail};

use super::proposals::{Proposals, read_source};
use crate::api;
use crate::app::data::proposals::ProposalStanding;
use crate::cli::output::print_line;
use crate::cli::{CommandContext, Exit};
use crate::domain::approval::{Envelope, NotApproved, SignedStatement, StatementFault};
use crate::runtime::effect_runner::proposal_standing;

/// The signatures of the text alone count: those of the journal and of the folder are left out.
pub(super) fn run(context: &CommandContext, source: &str) -> anyhow::Result<Exit> {
    let text = read_source(source)?.ok_or_else(|| anyhow!("{source}: there is no such file"))?;
    let proposals = Proposals::open(context)?;
    let Envelope { proposal, file, signatures } =
        Envelope::parse(&text).map_err(|fault| anyhow!("{source}: {fault}"))?;
    let (mut statements, mut broken) = (Vec::new(), 0_usize);
    for signature in &signatures {
        match SignedStatement::from_signature(&file, signature, &proposals.policy.signers, proposals.now) {
            Ok(statement) => statements.push(statement),
            Err(fault) => {
                broken += usize::from(fault == StatementFault::NotOfThisFile);
                print_line(&format!("not counted: {fault}"));
            }
        }
    }
    if broken > 0 {
        bail!(
            "{source}: {broken} of {} signatures are not over this proposal: it or they were changed",
            signatures.len()
        );
    }
    if proposal.base_url != proposals.destination.base_url || proposal.environment != proposals.destination.environment
    {
        bail!("{source}: the proposal is for another service or environment than this profile: {}", proposal.base_url);
    }
    let wire = &proposals.profile.wire;
    let request = api::request_from_text(&proposal.method, &proposal.path, &proposal.body, wire);
    let draft = request.and_then(|request| api::decode(&request, wire).ok());
    let standing = proposal_standing(&proposals.policy, &proposal, &file, &statements, draft.as_ref(), proposals.now);
    match standing {
        ProposalStanding::Sent => {
            print_line(&format!("{}: {}", proposal.order, NotApproved::SentElsewhere));
            Ok(Exit::NeedsPerson)
        }
        ProposalStanding::Void(reason) => {
            print_line(&format!("{}: not approved: {reason}", proposal.order));
            Ok(Exit::NeedsPerson)
        }
        ProposalStanding::Counted(quorum) => {
            let verdict = quorum.check();
            for approval in &quorum.approvals {
                print_line(&format!("approved by {} with {}", approval.principal, approval.key));
            }
            for (name, reason) in &quorum.dropped {
                print_line(&format!("not counted: {name}: {reason}"));
            }
            match verdict {
                Ok(()) => {
                    let (has, needs) = (quorum.approvals.len(), quorum.needs);
                    print_line(&format!(
                        "{}: approved, {has} of {needs}; proposed by {}",
                        proposal.order, quorum.maker
                    ));
                    Ok(Exit::Normally)
                }
                Err(reason) => {
                    print_line(&format!("{}: not approved: {reason}", proposal.order));
                    Ok(Exit::NeedsPerson)
                }
            }
        }
    }
}
