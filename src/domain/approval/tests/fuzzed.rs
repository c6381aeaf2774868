//! Proposals, signers and signatures of any text: what is accepted has one spelling, and nothing else is.

use super::*;
use crate::fuzzing::{target, text};

#[test]
fn a_file_that_is_a_proposal_is_written_as_it_was_read() {
    let sound = proposal(&ApprovalPolicy::default());
    let files = [sound.to_file(), Proposal { environment: None, body: String::new(), ..sound }.to_file()];
    let seeds: Vec<&[u8]> = files.iter().map(String::as_bytes).collect();
    target(&seeds, |input| {
        if let Ok(proposal) = Proposal::parse_bytes(input) {
            assert_eq!(proposal.to_file().as_bytes(), input);
        }
    });
}

#[test]
fn whoever_is_a_signer_is_one_person_of_the_file() {
    let keys = [Signer::ed25519(1), Signer::security_key(2, 0), Signer::ed25519(3)].map(|signer| signer.public());
    let [first, second, third] = &keys;
    let options = "namespaces=\"approve@bursar\",valid-after=\"20200101\",valid-before=\"20300101120000Z\"";
    let files = [
        format!("anna {first}\nbert {options} {second} bert's\n# x\n\nanna {third}\n"),
        format!("anna {options} {first}\nanna {first}\n"),
    ];
    let seeds: Vec<&[u8]> = files.iter().map(String::as_bytes).collect();
    target(&seeds, |input| {
        let Ok(signers) = Signers::parse(text(input), text(input)).or_else(|_| Signers::parse(text(input), "")) else {
            return;
        };
        let people: Vec<&Text> = signers.people().collect();
        assert_eq!(people.is_empty(), signers.is_empty());
        for key in &keys {
            if let Ok(person) = signers.principal(key, "approve@bursar", NOW) {
                assert!(people.contains(&&person) && signers.owner(key) == Some(&person));
                assert!(text(input).contains(person.as_str()) && !person.contains(['*', '?', '!', ',', ' ']));
            }
        }
    });
}

#[test]
fn a_signature_that_is_accepted_is_the_one_that_was_made() {
    let signature = Signer::ed25519(1).sign("approve@bursar", b"file");
    target(&[signature.as_bytes()], |input| {
        let armour = text(input);
        if verify(b"file", "approve@bursar", armour).is_ok() {
            let normal = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
            assert_eq!(normal(armour), normal(&signature));
        }
    });
}
