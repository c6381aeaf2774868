use super::*;

const SECRET: &str = "sk/live+\"42";

fn redaction(secret: &str) -> Redaction {
    let redaction = Redaction::default();
    redaction.add_secret(Redaction::KEY, secret);
    redaction
}

#[test]
fn a_secret_is_taken_out_however_it_is_spelled() {
    let redaction = redaction(SECRET);
    for (text, clean) in [
        ("nothing of the kind", "nothing of the kind"),
        ("sk/live+\"42", "(key)"),
        ("é sk/live+\"42 and sk/live+\"42é", "é (key) and (key)é"),
        (r#"{"a":"sk\/live\u002B\"42"}"#, r#"{"a":"(key)"}"#),
        (r#"{"a":"\u0073k\u002flive+\u002242\n"}"#, r#"{"a":"(key)\n"}"#),
        (r#"{"a":"{\"b\":\"\\u0073k\\/live+\\\"42\"}"}"#, r#"{"a":"{\"b\":\"(key)\"}"}"#),
        ("https://elsewhere.example/?sk%2Flive%2B%2242&x", "https://elsewhere.example/?(key)&x"),
        ("https://elsewhere.example/?%73k%252Flive%25252b%2242%25", "https://elsewhere.example/?(key)%25"),
        (r"sk/live+\\42", r"sk/live+\\42"),
        ("sk/live+\"4", "sk/live+\"4"),
        ("sk/lsk/live+\"42", "sk/l(key)"),
        (r"\u00e9\ud800 sk/live+\u00", r"\u00e9\ud800 sk/live+\u00"),
        ("trailing \\", "trailing \\"),
        ("trailing %", "trailing %"),
    ] {
        assert_eq!(redaction.apply(text.to_owned()), clean, "{text}");
    }
}

#[test]
fn a_secret_that_looks_like_an_escape_is_taken_out_as_it_is() {
    for secret in [r"ab%2Bcd\u0041", "%2541%2541%2541", r"\u0041\u0042"] {
        assert_eq!(redaction(secret).apply(format!("a {secret} b")), "a (key) b");
    }
}

#[test]
fn several_secrets_are_taken_out_under_their_own_names_and_clones_share_them() {
    let redaction = redaction("sk_first_0123");
    let clone = redaction.clone();
    redaction.add_secret(Redaction::WALLET_SECRET, "ws_second_4567");
    redaction.add_secret(Redaction::WALLET_SECRET, "ws_second_4567");
    assert_eq!(clone.apply("sk_first_0123, ws_second_4567".into()), "(key), (wallet secret)");
    assert_eq!(format!("{clone:?}"), r#"["(key)", "(wallet secret)"]"#);
    // Too short to be a secret, and part of every answer.
    let short = Redaction::default();
    short.add_secret(Redaction::KEY, "data");
    assert_eq!(short.apply("data".into()), "data");
}

proptest::proptest! {
    /// Whatever stands around it, and however each of its characters is spelled.
    #[test]
    fn no_spelling_of_a_secret_is_left(
        before in "[ -~é]{0,12}",
        secret in "[a-zA-Z0-9_+/=.-]{8,40}",
        after in "[ -~é]{0,12}",
        spellings in proptest::collection::vec(0_u8..4, 40),
    ) {
        let spell = |how: u8, character: char| match how {
            0 => character.to_string(),
            1 => format!("\\u{:04x}", u32::from(character)),
            2 => format!("\\u{:04X}", u32::from(character)),
            _ => format!("%{:02x}", u32::from(character)),
        };
        let redaction = redaction(&secret);
        let loose: String = secret.chars().zip(&spellings).map(|(character, how)| spell(*how, character)).collect();
        for spelled in [secret.clone(), loose] {
            let clean = redaction.apply(format!("{before} {spelled} {after}"));
            proptest::prop_assert!(clean.contains("(key)") && !clean.contains(&spelled), "{}", clean);
        }
    }
}
