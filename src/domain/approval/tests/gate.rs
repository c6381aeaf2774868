use super::rules::withdrawal;
use super::*;
use crate::domain::draft::Operation;
use crate::domain::order::{DraftedOrder, RequestBytes, ServiceDestination};

type Change = fn(&mut Release);

/// A release that is approved, to be changed in one thing.
struct Release {
    policy: ApprovalPolicy,
    order: OrderId,
    drafted: DraftedOrder,
    record_hash: Option<[u8; 32]>,
    proposal: Proposal,
    now: Timestamp,
}

impl Release {
    fn new() -> Self {
        let people = allowed(&[("anna", &Signer::ed25519(1)), ("bert", &Signer::ed25519(2))]);
        let policy = policy(vec![rule(1)], &people, "");
        let proposal = proposal(&policy);
        let drafted = DraftedOrder {
            request: RequestBytes {
                operation: Operation::Withdraw,
                method: proposal.method.clone(),
                path: proposal.path.clone(),
                body: proposal.body.clone(),
                key: None,
            },
            draft: withdrawal("USDC", "base", "25000"),
            sender: None,
            destination: ServiceDestination {
                profile: "harbour".into(),
                environment: proposal.environment,
                base_url: proposal.base_url.clone(),
                key_mark: "0123456789abcdef".into(),
            },
            newest: Vec::new(),
            anchors: Vec::new(),
            template: None,
        };
        let (order, record_hash) = (proposal.order, Some(proposal.record_hash));
        Self { policy, order, drafted, record_hash, proposal, now: NOW }
    }

    fn release(&self, signed: Option<SignedProposal<'_>>) -> Result<(), NotApproved> {
        let Self { policy, order, drafted, record_hash, now, .. } = self;
        check_release(policy, RecordedOrder { id: *order, drafted, record_hash: *record_hash }, signed, *now)
    }

    /// Signed by anna and approved by bert as it stands.
    fn verdict(&self) -> String {
        let file = self.proposal.to_file();
        let statements = [
            Signer::ed25519(1).state(StatementKind::Propose, "anna", &file),
            Signer::ed25519(2).state(StatementKind::Approve, "bert", &file),
        ];
        let signed = SignedProposal { file: &file, statements: &statements };
        self.release(Some(signed)).map_or_else(|fault| fault.to_string(), |()| "sent".into())
    }
}

#[test]
fn what_needs_no_approval_is_sent_without_and_what_needs_one_is_not() {
    let mut release = Release::new();
    assert_eq!(release.verdict(), "sent");
    assert_eq!(release.release(None).unwrap_err().to_string(), "this payment needs 1 approval and was not proposed");
    release.drafted.draft = withdrawal("USDC", "base", "10000");
    assert_eq!(release.release(None), Ok(()));
    release = Release { policy: ApprovalPolicy::default(), ..Release::new() };
    assert_eq!(release.release(None), Ok(()));
}

#[test]
fn an_approval_is_for_one_request_to_one_service() {
    let changes: [(Change, &str); 9] = [
        (
            |release| release.order = OrderId(Uuid::from_u128(4)),
            "the proposal is for another order: 00000000-0000-0000-0000-000000000003",
        ),
        (
            |release| release.drafted.destination.base_url = "https://api.example.org".into(),
            "the proposal is for another service: https://api.example.com",
        ),
        (
            |release| release.drafted.destination.environment = Some(Network::Testnet),
            "the proposal is for the environment mainnet, this profile is for testnet",
        ),
        (
            |release| release.drafted.destination.environment = None,
            "the proposal is for the environment mainnet, this profile names none",
        ),
        (
            |release| release.proposal.environment = None,
            "the proposal names no environment, this profile is for mainnet",
        ),
        (
            |release| release.drafted.request.method = "PATCH".into(),
            "the proposal is for another request: POST instead of PATCH",
        ),
        (
            |release| release.drafted.request.path = "/v2/transactions/batch".into(),
            "the proposal is for another request: /v2/transactions/withdraw instead of /v2/transactions/batch",
        ),
        (
            |release| release.drafted.request.body.push(' '),
            "the payment differs from the one that was proposed; propose it again",
        ),
        (
            |release| release.record_hash = Some([0xac; 32]),
            "the journal's record of this payment is not the one that was proposed; propose it again",
        ),
    ];
    for (change, expected) in changes {
        let mut release = Release::new();
        change(&mut release);
        assert_eq!(release.verdict(), expected);
    }
    // Another journal has the record.
    assert_eq!(Release { record_hash: None, ..Release::new() }.verdict(), "sent");
}

#[test]
fn a_change_of_the_rules_or_the_signers_wants_another_proposal() {
    let expected = "the approval rules or the signers changed since the payment was proposed; propose it again";
    let mut release = Release::new();
    release.policy.rules[0].above = Some(usdc("9000"));
    assert_eq!(release.verdict(), expected);
    let mut release = Release::new();
    release.policy.signers = Signers::parse(&(release.policy.signers.canonical_text() + "#"), "").unwrap_or_default();
    assert_eq!(release.verdict(), expected);
}

#[test]
fn a_proposal_stands_for_its_time_and_a_clock_may_be_ahead_by_the_margin() {
    let at = |now: Timestamp| Release { now, ..Release::new() }.verdict();
    let millisecond = Duration::from_millis(1);
    assert_eq!(at(NOW.plus(DAY).minus(millisecond)), "sent");
    assert_eq!(at(NOW.plus(DAY)), "the proposal expired at 2026-11-24T10:00:00.000Z; propose the payment again");
    assert_eq!(at(NOW.minus(CLOCK_MARGIN)), "sent");
    assert_eq!(
        at(NOW.minus(CLOCK_MARGIN).minus(millisecond)),
        "the payment was proposed in the future, at 2026-11-23T10:00:00.000Z; check the clocks of both machines"
    );
    let mut release = Release::new();
    release.proposal.expires = NOW.plus(DAY).plus(millisecond);
    assert_eq!(
        release.verdict(),
        "the proposal stands longer than the rule “USDC above 10,000: 1 approval within 24 hours” allows; propose the \
         payment again"
    );
}

#[test]
fn a_refusal_and_a_file_that_cannot_be_read_send_nothing() {
    let release = Release::new();
    let file = release.proposal.to_file();
    let statements = [
        Signer::ed25519(1).state(StatementKind::Propose, "anna", &file),
        Signer::ed25519(2).state(StatementKind::Approve, "bert", &file),
        Signer::ed25519(1).state(StatementKind::Refuse, "anna", &file),
    ];
    let verdict = |file, statements| release.release(Some(SignedProposal { file, statements }));
    assert_eq!(verdict(&file, &statements), Err(NotApproved::Refused { by: "anna".into(), reason: None }));
    assert_eq!(verdict("", &statements), Err(NotApproved::Proposal(ProposalFault::NotAProposal)));
    assert!(matches!(verdict(&file, &statements[..1]), Err(NotApproved::TooFew { needs: 1, .. })));
    assert!(matches!(verdict(&file, &statements[1..2]), Err(NotApproved::NoMaker { .. })));
}
