use super::*;

const APPROVE: &str = "approve@bursar";

fn line(options: &str) -> String {
    format!("anna {options}{}", Signer::ed25519(1).public())
}

fn check(options: &str, namespace: &str, at: &str) -> Result<Text, NotASigner> {
    let signers = Signers::parse(&line(options), "").unwrap();
    signers.principal(&Signer::ed25519(1).public(), namespace, Timestamp::parse_iso(at).unwrap())
}

#[test]
fn people_are_read_with_comments_blank_lines_and_several_keys() {
    let [first, second, third] = [1, 2, 3].map(|seed| Signer::ed25519(seed).public());
    let text = format!("# signers\n\nbert@example.com {first} bert's laptop\n\t anna\t{second}\r\nanna {third}\n");
    let signers = Signers::parse(&text, "").unwrap();
    assert_eq!(signers.people().map(Text::as_str).collect::<Vec<_>>(), ["anna", "bert@example.com"]);
    for (key, name) in [(first, "bert@example.com"), (second, "anna"), (third, "anna")] {
        assert_eq!(signers.principal(&key, APPROVE, NOW), Ok(name.into()));
    }
    assert_eq!(signers.principal(&Signer::ed25519(4).public(), APPROVE, NOW), Err(NotASigner::Unknown));
    assert!(!signers.is_empty() && Signers::parse("# none\n", "").unwrap().is_empty());
}

#[test]
fn a_key_is_valid_for_its_namespaces_from_its_first_moment_to_before_its_last() {
    assert_eq!(check("namespaces=\"git,approve@bursar\" ", APPROVE, "2026-01-01T00:00:00Z"), Ok("anna".into()));
    assert_eq!(check("namespaces=\"git\" ", APPROVE, "2026-01-01T00:00:00Z"), Err(NotASigner::OtherNamespace));
    let window = "valid-after=\"20260102\",valid-before=\"202601031030Z\" ";
    for (at, expected) in [
        ("2026-01-01T23:59:59.999Z", Err(NotASigner::NotYetValid)),
        ("2026-01-02T00:00:00Z", Ok("anna".into())),
        ("2026-01-03T10:29:59.999Z", Ok("anna".into())),
        ("2026-01-03T10:30:00Z", Err(NotASigner::Expired)),
    ] {
        assert_eq!(check(window, APPROVE, at), expected, "{at}");
    }
    let seconds = "Valid-Before=\"20260103103015\",NAMESPACES=\"approve@bursar\" ";
    assert_eq!(check(seconds, APPROVE, "2026-01-03T10:30:14Z"), Ok("anna".into()));
    assert_eq!(check(seconds, APPROVE, "2026-01-03T10:30:15Z"), Err(NotASigner::Expired));
}

#[test]
fn of_several_lines_of_a_key_one_that_allows_it_suffices() {
    let text = format!("{}\n{}\n", line("valid-before=\"20200101\" "), line("namespaces=\"approve@bursar\" "));
    let signers = Signers::parse(&text, "").unwrap();
    assert_eq!(signers.principal(&Signer::ed25519(1).public(), APPROVE, NOW), Ok("anna".into()));
}

#[test]
fn a_revoked_key_is_refused_by_key_and_by_fingerprint() {
    let key = Signer::ed25519(1).public();
    for revoked in [format!("# gone\n{key} anna's old laptop\n"), format!("{} # lost\n", key.fingerprint())] {
        let signers = Signers::parse(&line(""), &revoked).unwrap();
        assert_eq!(signers.principal(&key, APPROVE, NOW), Err(NotASigner::Revoked), "{revoked}");
    }
    let other = Signers::parse(&line(""), &Signer::ed25519(2).public().fingerprint()).unwrap();
    assert_eq!(other.principal(&key, APPROVE, NOW), Ok("anna".into()));
}

#[test]
fn what_is_wrong_with_the_signers_is_said_with_its_line() {
    let key = Signer::ed25519(1).public();
    let fault = |text: &str| Signers::parse(text, "").unwrap_err().to_string();
    for (text, expected) in [
        (format!("# x\n* {key}"), "line 2: “*” is a pattern; approvals count people, so name each one"),
        (
            format!("*@example.com {key}"),
            "line 1: “*@example.com” is a pattern; approvals count people, so name each one",
        ),
        (format!("anna,bert {key}"), "line 1: “anna” and “bert” share a key; a key belongs to one person"),
        (format!("anna {key}\nbert {key}"), "line 2: this key is anna's already; a key belongs to one person"),
        (
            format!("anna {key}\nAnna {}", Signer::ed25519(2).public()),
            "line 2: “Anna” and “anna” differ only in capitals; write one person one way",
        ),
        (line("cert-authority "), "line 1: certificates are not accepted; list each person's own key"),
        (
            line("namespaces=\"git\",cert-authority "),
            "line 1: certificates are not accepted; list each person's own key",
        ),
        (line("valid-after=20260101 "), "line 1: write the option as valid-after=\"…\", in quotes"),
        (line("valid-after=\"2026\" "), "line 1: “2026” is no time; write YYYYMMDD or YYYYMMDDHHMMSSZ"),
        (line("valid-after=\"20260230\" "), "line 1: “20260230” is no time; write YYYYMMDD or YYYYMMDDHHMMSSZ"),
        (
            line("valid-after=\"20260102\",valid-before=\"20260102\" "),
            "line 1: valid-before must be later than valid-after",
        ),
        (
            line("namespaces=\"*@bursar\" "),
            "line 1: write each namespace out, as in namespaces=\"approve@bursar,refuse@bursar\"",
        ),
        (line("namespaces=\"a\",namespaces=\"b\" "), "line 1: the option namespaces is there twice"),
        (line("namespaces=\"a\",verify-required=\"\" "), "line 1: the option “verify-required” is not known"),
        (line("namespaces=\"a\""), "line 1: a comma or a blank must follow the option namespaces"),
        (line("verify-required "), "line 1: this is no SSH public key"),
        ("anna".into(), "line 1: a line needs a person and a key"),
        ("anna hello world".into(), "line 1: this is no SSH public key"),
        (format!("\"anna b\" {key}"), "line 1: “\"anna” cannot be the name of a person"),
        (format!("an\u{202e}na {key}"), "line 1: “an\u{fffd}na” cannot be the name of a person"),
    ] {
        assert_eq!(fault(&text), expected, "{text}");
    }
    let revoked = Signers::parse("", "\n# x\nSHA256:short").unwrap_err();
    assert_eq!(
        revoked.to_string(),
        "line 3: in the list of revoked keys: this is neither a public key nor a fingerprint as in “SHA256:…”"
    );
}
