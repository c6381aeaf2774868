//! For how long a proposal counts.

use std::time::Duration;

use super::not_approved::NotApproved;
use super::proposal::Proposal;
use super::rules::Requirement;
use crate::domain::Timestamp;

/// How far the clock of the maker's machine may be ahead of this one.
pub const CLOCK_MARGIN: Duration = Duration::from_mins(5);

/// Refuses a proposal of the future, one that would count for longer than its rule allows, and one that has expired.
pub(super) fn check_time(proposal: &Proposal, requirement: &Requirement, now: Timestamp) -> Result<(), NotApproved> {
    if proposal.made_at > now.plus(CLOCK_MARGIN) {
        return Err(NotApproved::FromFuture(proposal.made_at));
    }
    if proposal.expires > proposal.made_at.plus(requirement.within) {
        return Err(NotApproved::TooLong { rule: requirement.rule.clone() });
    }
    if now < proposal.expires { Ok(()) } else { Err(NotApproved::Expired(proposal.expires)) }
}
