//! Counts approvals anew, from the bytes of a proposal and of the signatures over it.

use std::collections::BTreeSet;

use crate::domain::{Text, Timestamp};

use super::not_approved::NotApproved;
use super::proposal::Proposal;
use super::rules::{ApprovalPolicy, Requirement};
use super::signers::NotASigner;
use super::ssh_signature::{Touch, Verified, verify};
use super::statement::{SignedStatement, StatementKind};

/// A proposal's file with all that is signed about it, in any order.
#[derive(Debug, Clone, Copy)]
pub struct SignedProposal<'a> {
    pub file: &'a str,
    pub statements: &'a [SignedStatement],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quorum {
    pub maker: Text,
    /// One for each person, in the order of the statements.
    pub approvals: Vec<Approver>,
    /// The first one. It ends the proposal, whoever approves.
    pub refusal: Option<SignedRefusal>,
    /// What does not count: the person, or the fingerprint of a key that is nobody's, or what the record claims where no key
    /// signed the file; and why.
    pub dropped: Vec<(Text, Text)>,
    pub needs: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approver {
    pub principal: Text,
    /// The fingerprint.
    pub key: Text,
    pub touch: Touch,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedRefusal {
    pub principal: Text,
    /// The fingerprint.
    pub key: Text,
    /// Not signed.
    pub reason: Option<Text>,
}

/// Who made a statement that does not count, and why it does not.
type DroppedStatement = (Text, Text);

impl Quorum {
    pub fn is_met(&self) -> bool {
        self.check().is_ok()
    }

    pub fn check(&self) -> Result<(), NotApproved> {
        if let Some(SignedRefusal { principal, reason, .. }) = &self.refusal {
            return Err(NotApproved::Refused { by: principal.clone(), reason: reason.clone() });
        }
        if self.approvals.len() < usize::from(self.needs.max(1)) {
            let approvers = self.approvals.iter().map(|approval| approval.principal.clone()).collect();
            let not_counted = self.dropped.clone();
            return Err(NotApproved::TooFew { needs: self.needs.max(1), approvers, not_counted });
        }
        Ok(())
    }
}

/// Verifies every statement over the file and counts the people who approve. A proposal that cannot be read, or that its
/// maker did not sign, is an error; too few approvals and a refusal are not (see [`Quorum::check`]). Which payment the
/// proposal is for, and whether its time is over, is for [`check_release`](super::check_release).
pub fn count_quorum(
    policy: &ApprovalPolicy,
    requirement: &Requirement,
    signed: SignedProposal<'_>,
    now: Timestamp,
) -> Result<Quorum, NotApproved> {
    let proposal = Proposal::parse(signed.file)?;
    let mut count = QuorumCount { policy, requirement, file: signed.file, now, dropped: Vec::new() };
    let of_kind = |kind| signed.statements.iter().filter(move |statement| statement.kind == kind);
    let refusal = count.first_refusal(of_kind(StatementKind::Refuse));
    count.check_maker_signature(&proposal.maker, of_kind(StatementKind::Propose))?;
    let approvals = count.approvers(&proposal.maker, of_kind(StatementKind::Approve));
    Ok(Quorum { maker: proposal.maker, approvals, refusal, dropped: count.dropped, needs: requirement.needs })
}

struct QuorumCount<'a> {
    policy: &'a ApprovalPolicy,
    requirement: &'a Requirement,
    file: &'a str,
    now: Timestamp,
    dropped: Vec<DroppedStatement>,
}

impl QuorumCount<'_> {
    /// Verifies a statement, and says whose it is by its signature.
    fn verify_signature(&self, statement: &SignedStatement) -> Result<(Text, Verified), DroppedStatement> {
        let drop = |principal: Text, reason: String| (principal, reason.as_str().into());
        let namespace = statement.kind.namespace();
        let verified = verify(self.file.as_bytes(), namespace, &statement.signature)
            .map_err(|fault| drop(statement.principal.clone(), fault.to_string()))?;
        let signers = &self.policy.signers;
        match signers.principal(&verified.key, namespace, self.now) {
            Ok(principal) => Ok((principal, verified)),
            // Time must not turn a refusal into an approval.
            Err(NotASigner::Expired) if statement.kind == StatementKind::Refuse => {
                Ok((signers.owner(&verified.key).unwrap_or(&statement.principal).clone(), verified))
            }
            Err(reason) => {
                let fingerprint = || verified.key.fingerprint().as_str().into();
                Err(drop(signers.owner(&verified.key).cloned().unwrap_or_else(fingerprint), reason.to_string()))
            }
        }
    }

    /// The same, where the record must claim what the signature proves.
    fn verify_signature_and_claims(&self, statement: &SignedStatement) -> Result<(Text, Verified), DroppedStatement> {
        let (principal, verified) = self.verify_signature(statement)?;
        let reason = if principal != statement.principal {
            format!("the record names {} as the signer", statement.principal)
        } else if *statement.key != *verified.key.fingerprint() {
            format!("the record names {principal} with another key")
        } else {
            return Ok((principal, verified));
        };
        Err((principal, reason.as_str().into()))
    }

    /// A refusal counts whatever its record claims: nobody may revive a proposal by editing a record.
    fn first_refusal<'s>(&mut self, statements: impl Iterator<Item = &'s SignedStatement>) -> Option<SignedRefusal> {
        for statement in statements {
            match self.verify_signature(statement) {
                Ok((principal, verified)) => {
                    let key = verified.key.fingerprint().as_str().into();
                    return Some(SignedRefusal { principal, key, reason: statement.reason.clone() });
                }
                Err(dropped) => self.dropped.push(dropped),
            }
        }
        None
    }

    /// The head of the proposal and a signature must name the same maker.
    fn check_maker_signature<'s>(
        &mut self,
        maker: &Text,
        statements: impl Iterator<Item = &'s SignedStatement>,
    ) -> Result<(), NotApproved> {
        let mut verified = Err(NotApproved::NoMaker { maker: maker.clone(), reason: "there is no signature".into() });
        for statement in statements {
            match self.verify_signature_and_claims(statement) {
                Ok((signer, _)) if signer == *maker => verified = Ok(()),
                Ok((signer, _)) => return Err(NotApproved::OtherMaker { maker: maker.clone(), signer }),
                Err(dropped) => {
                    if verified.is_err() {
                        verified = Err(NotApproved::NoMaker { maker: maker.clone(), reason: dropped.1.clone() });
                    }
                    self.dropped.push(dropped);
                }
            }
        }
        verified
    }

    fn approvers<'s>(&mut self, maker: &Text, statements: impl Iterator<Item = &'s SignedStatement>) -> Vec<Approver> {
        let (mut approvals, mut people) = (Vec::new(), BTreeSet::new());
        for statement in statements {
            match self
                .verify_signature_and_claims(statement)
                .and_then(|(principal, verified)| self.approver(maker, principal, &verified))
            {
                Ok(approver) if people.insert(approver.principal.clone()) => approvals.push(approver),
                Ok(_counted_already) => {}
                Err(dropped) => self.dropped.push(dropped),
            }
        }
        approvals
    }

    fn approver(&self, maker: &Text, principal: Text, verified: &Verified) -> Result<Approver, DroppedStatement> {
        let reason = if principal == *maker {
            Some("a maker does not approve the own proposal")
        } else if verified.touch < self.requirement.touch {
            Some(match self.requirement.touch {
                Touch::Verified => "the security key's PIN and touch are required",
                Touch::None | Touch::Present => "the touch of a security key is required",
            })
        } else {
            None
        };
        match reason {
            Some(reason) => Err((principal, reason.into())),
            None => Ok(Approver { principal, key: verified.key.fingerprint().as_str().into(), touch: verified.touch }),
        }
    }
}
