use data_encoding::BASE64;

use super::*;

const BODY: &str = r#"{"amount":"25000","token":"USDC"}"#;

/// A proposal's file, and the signature of its maker with those of so many who approve.
fn signed(approvers: &[Signer]) -> (String, Vec<String>) {
    let file = proposal(&policy(vec![rule(1)], "", "")).to_file();
    let sign = |signer: &Signer, kind: StatementKind| signer.sign(kind.namespace(), file.as_bytes());
    let maker = sign(&Signer::ed25519(1), StatementKind::Propose);
    let signatures = approvers.iter().map(|signer| sign(signer, StatementKind::Approve));
    let signatures = std::iter::once(maker).chain(signatures).collect();
    (file, signatures)
}

fn encode((file, signatures): &(String, Vec<String>)) -> Result<String, ApprovalsHeaderFault> {
    encode_header(file, BODY, signatures.iter().map(String::as_str))
}

#[test]
fn a_header_and_the_body_of_its_request_are_the_envelope_again() {
    let signed = signed(&[Signer::ed25519(2), Signer::security_key(3, 5)]);
    let header = encode(&signed).unwrap();
    assert!(header.bytes().all(|byte| byte.is_ascii_graphic()), "{header}");
    let envelope = Envelope::from_header(&header, BODY).unwrap();
    let (file, signatures) = signed;
    assert_eq!((envelope.file, envelope.signatures, envelope.proposal.body), (file, signatures, BODY.to_owned()));
}

#[test]
fn a_header_goes_with_the_body_that_was_proposed_alone() {
    let signed = signed(&[]);
    let header = encode(&signed).unwrap();
    for other in ["", "{}", r#"{"amount":"25001","token":"USDC"}"#, "\n{\"amount\":\"25000\",\"token\":\"USDC\"}"] {
        assert_eq!(encode_header(&signed.0, other, []), Err(ApprovalsHeaderFault::OtherBody), "{other:?}");
        assert_eq!(
            Envelope::from_header(&header, other),
            Err(ApprovalsHeaderFault::Proposal(ProposalFault::BodyHash)),
            "{other:?}"
        );
    }
}

#[test]
fn a_header_with_any_byte_changed_holds_no_proposal_or_other_signed_bytes() {
    let signed = signed(&[Signer::ed25519(2)]);
    let header = encode(&signed).unwrap();
    let original = Envelope::from_header(&header, BODY).unwrap();
    let text = BASE64.decode(header.as_bytes()).unwrap();
    for place in 0..text.len() {
        let mut changed = text.clone();
        changed[place] ^= 1;
        let altered = Envelope::from_header(&BASE64.encode(&changed), BODY);
        assert_ne!(altered.as_ref(), Ok(&original), "{place}");
        let is_counted = |envelope: Envelope| {
            let verifies = |kind: StatementKind, signature: &String| {
                verify(envelope.file.as_bytes(), kind.namespace(), signature).is_ok()
            };
            envelope.signatures.len() == 2
                && verifies(StatementKind::Propose, &envelope.signatures[0])
                && verifies(StatementKind::Approve, &envelope.signatures[1])
        };
        assert!(!altered.is_ok_and(is_counted), "{place}");
    }
    for place in 0..header.len() {
        let mut changed = header.clone().into_bytes();
        changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
        let altered = Envelope::from_header(std::str::from_utf8(&changed).unwrap(), BODY);
        assert_ne!(altered.as_ref(), Ok(&original), "{place}");
    }
}

#[test]
fn a_header_has_one_spelling() {
    let signed = signed(&[Signer::ed25519(2)]);
    let header = encode(&signed).unwrap();
    let text = String::from_utf8(BASE64.decode(header.as_bytes()).unwrap()).unwrap();
    for other in [
        format!("{text}\n"),
        text.replace("\n\n-----BEGIN", "\n\nA word\n-----BEGIN"),
        text.replace('\n', "\r\n"),
        text.trim_end().to_owned(),
    ] {
        let envelope = Envelope::from_header(&BASE64.encode(other.as_bytes()), BODY);
        assert_eq!(envelope, Err(ApprovalsHeaderFault::Unreadable), "{other}");
    }
    for other in [header.trim_end_matches('=').to_owned() + "=====", format!("{header} "), "no base64".into()] {
        assert_eq!(Envelope::from_header(&other, BODY), Err(ApprovalsHeaderFault::Unreadable), "{other}");
    }
}

#[test]
fn four_signatures_of_the_longest_kind_fit_and_what_does_not_fit_is_refused_in_words() {
    let longest =
        |count: u64| signed(&(0..count).map(|seed| Signer::ecdsa(seed, EcdsaCurve::NistP521)).collect::<Vec<_>>());
    assert!(encode(&longest(4)).unwrap().len() <= MAX_HEADER);
    let fault = encode(&longest(12)).unwrap_err();
    let ApprovalsHeaderFault::TooLarge(bytes) = fault else { panic!("{fault}") };
    let expected =
        format!("the proposal and its signatures take {bytes} bytes; the header Bursar-Approvals has at most 8192");
    assert_eq!(fault.to_string(), expected);
    let header = "A".repeat(MAX_HEADER + 4);
    assert_eq!(Envelope::from_header(&header, BODY), Err(ApprovalsHeaderFault::TooLarge(header.len())));
}
