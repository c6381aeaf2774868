use super::*;
use StatementKind::{Approve, Policy, Propose, Refuse};

/// Anna proposes; bert, cleo and dora may approve.
struct Desk {
    anna: Signer,
    bert: Signer,
    cleo: Signer,
    dora: Signer,
    policy: ApprovalPolicy,
    file: String,
    proposed: SignedStatement,
}

impl Desk {
    fn new() -> Self {
        Self::with_signers("", "")
    }

    /// With these further lines of signers, and these revoked keys.
    fn with_signers(further: &str, revoked: &str) -> Self {
        let [anna, bert, cleo] = [1, 2, 3].map(Signer::ed25519);
        let dora = Signer::security_key(4, 5);
        let allowed = allowed(&[("anna", &anna), ("bert", &bert), ("cleo", &cleo), ("dora", &dora)]) + further;
        let policy = policy(vec![rule(1)], &allowed, revoked);
        let file = proposal(&policy).to_file();
        let proposed = anna.state(Propose, "anna", &file);
        Self { anna, bert, cleo, dora, policy, file, proposed }
    }

    fn approval(&self, signer: &Signer, name: &str) -> SignedStatement {
        signer.state(Approve, name, &self.file)
    }

    fn count(&self, requirement: &Requirement, further: &[SignedStatement]) -> Result<Quorum, NotApproved> {
        let statements: Vec<SignedStatement> = std::iter::once(&self.proposed).chain(further).cloned().collect();
        count_quorum(&self.policy, requirement, SignedProposal { file: &self.file, statements: &statements }, NOW)
    }

    fn verdict(&self, needs: u8, further: &[SignedStatement]) -> String {
        match self.count(&requirement(needs, Touch::None), further).and_then(|quorum| quorum.check()) {
            Ok(()) => "approved".into(),
            Err(fault) => fault.to_string(),
        }
    }
}

#[test]
fn people_who_did_not_make_a_proposal_approve_it() {
    let desk = Desk::new();
    let (bert, cleo) = (desk.approval(&desk.bert, "bert"), desk.approval(&desk.cleo, "cleo"));
    assert_eq!(desk.verdict(1, &[]), "this payment needs 1 approval and has none");
    assert_eq!(desk.verdict(1, std::slice::from_ref(&bert)), "approved");
    assert_eq!(desk.verdict(2, std::slice::from_ref(&bert)), "this payment needs 2 approvals and has 1: bert");
    assert_eq!(desk.verdict(2, &[bert.clone(), cleo.clone()]), "approved");
    assert_eq!(desk.verdict(3, &[bert.clone(), cleo.clone()]), "this payment needs 3 approvals and has 2: bert, cleo");
    let quorum = desk.count(&requirement(2, Touch::None), &[cleo, bert]).unwrap();
    assert!(quorum.is_met() && quorum.dropped.is_empty() && quorum.refusal.is_none());
    assert_eq!((names(&quorum), quorum.maker.as_str()), (vec!["cleo", "bert"], "anna"));
    assert_eq!(*quorum.approvals[0].key, *desk.cleo.public().fingerprint());
}

#[test]
fn people_are_counted_and_not_their_keys() {
    let second = Signer::ed25519(5);
    let desk = Desk::with_signers(&allowed(&[("bert", &second)]), "");
    let approvals = [desk.approval(&desk.bert, "bert"), desk.approval(&second, "bert")];
    assert_eq!(desk.verdict(2, &approvals), "this payment needs 2 approvals and has 1: bert");
    let twice = [approvals[0].clone(), approvals[0].clone()];
    assert_eq!(desk.verdict(2, &twice), "this payment needs 2 approvals and has 1: bert");
}

#[test]
fn a_maker_does_not_approve_by_whichever_key() {
    let second = Signer::ed25519(5);
    let desk = Desk::with_signers(&allowed(&[("anna", &second)]), "");
    for signer in [&desk.anna, &second] {
        assert_eq!(
            desk.verdict(1, &[desk.approval(signer, "anna")]),
            "this payment needs 1 approval and has none; not counted: anna (a maker does not approve the own proposal)"
        );
        // Nor does a record that names somebody else help.
        assert_eq!(
            desk.verdict(1, &[desk.approval(signer, "bert")]),
            "this payment needs 1 approval and has none; not counted: anna (the record names bert as the signer)"
        );
    }
}

#[test]
fn expired_revoked_and_departed_people_fall_out() {
    let [early, late, outsider, limited] = [5, 6, 7, 8].map(Signer::ed25519);
    let further = format!(
        "early valid-after=\"20261201\" {}\nlate valid-before=\"20261101Z\" {}\nlimited namespaces=\"git\" {}\n",
        early.public(),
        late.public(),
        limited.public()
    );
    let desk = Desk::with_signers(&further, &Signer::ed25519(2).public().fingerprint());
    let approvals = [
        desk.approval(&early, "early"),
        desk.approval(&late, "late"),
        desk.approval(&limited, "limited"),
        desk.approval(&desk.bert, "bert"),
        desk.approval(&outsider, "gone"),
    ];
    let quorum = desk.count(&requirement(1, Touch::None), &approvals).unwrap();
    let dropped: Vec<String> = quorum.dropped.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
    let expected = [
        "early: the key is not valid yet".to_owned(),
        "late: the key has expired".to_owned(),
        "limited: the key may not sign this kind of statement".to_owned(),
        "bert: the key is revoked".to_owned(),
        format!("{}: the key is not among the signers", outsider.public().fingerprint()),
    ];
    assert_eq!(dropped, expected);
    assert!(!quorum.is_met() && quorum.approvals.is_empty());
}

#[test]
fn a_statement_counts_for_its_own_file_and_kind_alone() {
    let desk = Desk::new();
    let mut other = proposal(&desk.policy);
    other.body = other.body.replace("25000", "25001");
    let elsewhere = desk.bert.state(Approve, "bert", &other.to_file());
    assert_eq!(
        desk.verdict(1, &[elsewhere]),
        "this payment needs 1 approval and has none; not counted: bert (the signature does not match the file)"
    );
    for kind in [Propose, Refuse, Policy] {
        let relabelled = SignedStatement { kind: Approve, ..desk.bert.state(kind, "bert", &desk.file) };
        let expected = format!(
            "this payment needs 1 approval and has none; not counted: bert (the signature is for “{}”, not for \
             “approve@bursar”)",
            kind.namespace()
        );
        assert_eq!(desk.verdict(1, &[relabelled]), expected);
    }
    assert_eq!(
        desk.verdict(1, &[desk.bert.state(Policy, "bert", &desk.file)]),
        "this payment needs 1 approval and has none"
    );
    let wrong_key = SignedStatement { key: "SHA256:x".into(), ..desk.approval(&desk.bert, "bert") };
    assert_eq!(
        desk.verdict(1, &[wrong_key]),
        "this payment needs 1 approval and has none; not counted: bert (the record names bert with another key)"
    );
}

#[test]
fn a_touch_is_proven_by_each_approval() {
    let desk = Desk::new();
    let (bert, dora) = (desk.approval(&desk.bert, "bert"), desk.approval(&desk.dora, "dora"));
    let approvals = |flags: u8, touch| {
        let Signer::SecurityKey { inner, application, .. } = desk.dora.clone() else { unreachable!() };
        let dora = desk.approval(&Signer::SecurityKey { inner, application, flags }, "dora");
        let quorum = desk.count(&requirement(1, touch), &[bert.clone(), dora]).unwrap();
        names(&quorum).join(" ")
    };
    for (flags, present, verified) in
        [(0, "", ""), (1, "dora", ""), (4, "", ""), (5, "dora", "dora"), (0x85, "dora", "dora")]
    {
        assert_eq!(approvals(flags, Touch::Present), present, "{flags}");
        assert_eq!(approvals(flags, Touch::Verified), verified, "{flags}");
        assert_eq!(approvals(flags, Touch::None), "bert dora", "{flags}");
    }
    let quorum = desk.count(&requirement(1, Touch::Verified), &[bert, dora]).unwrap();
    assert_eq!(quorum.dropped, [("bert".into(), "the security key's PIN and touch are required".into())]);
    assert_eq!(quorum.approvals[0].touch, Touch::Verified);
}

#[test]
fn one_refusal_ends_it_whoever_approves() {
    let retired = Signer::ed25519(5);
    let further = format!("eric valid-before=\"20261101Z\" {}\n", retired.public());
    let desk = Desk::with_signers(&further, "");
    let approved = [desk.approval(&desk.bert, "bert"), desk.approval(&desk.cleo, "cleo")];
    for (signer, name) in [(&desk.cleo, "cleo"), (&desk.anna, "anna"), (&desk.dora, "dora"), (&retired, "eric")] {
        for claimed in [name, "nobody"] {
            let refusal =
                SignedStatement { reason: Some("wrong bank".into()), ..signer.state(Refuse, claimed, &desk.file) };
            let all = [&approved[..], &[refusal]].concat();
            assert_eq!(desk.verdict(1, &all), format!("{name} refused this payment: wrong bank"));
        }
    }
    let stranger = Signer::ed25519(9).state(Refuse, "cleo", &desk.file);
    assert_eq!(desk.verdict(2, &[&approved[..], &[stranger]].concat()), "approved");
}

#[test]
fn the_maker_of_the_head_and_of_the_signature_agree() {
    let mut desk = Desk::new();
    let bert = desk.approval(&desk.bert, "bert");
    let (anna, cleo) = (desk.proposed.clone(), desk.cleo.state(Propose, "cleo", &desk.file));
    desk.proposed = cleo.clone();
    let expected = "the proposal names anna as its maker and is signed by cleo";
    assert_eq!(desk.verdict(1, std::slice::from_ref(&bert)), expected);
    assert_eq!(desk.verdict(1, &[anna, bert.clone()]), expected);
    desk.proposed = SignedStatement { principal: "anna".into(), ..cleo };
    assert_eq!(
        desk.verdict(1, std::slice::from_ref(&bert)),
        "anna is named as the maker and did not sign the proposal: the record names anna as the signer"
    );
    desk.proposed = bert.clone();
    assert_eq!(
        desk.verdict(1, &[bert]),
        "anna is named as the maker and did not sign the proposal: there is no signature"
    );
}

#[test]
fn a_maker_whose_key_is_revoked_proposed_nothing() {
    let desk = Desk::with_signers("", &Signer::ed25519(1).public().fingerprint());
    assert_eq!(
        desk.verdict(1, &[desk.approval(&desk.bert, "bert")]),
        "anna is named as the maker and did not sign the proposal: the key is revoked"
    );
}
