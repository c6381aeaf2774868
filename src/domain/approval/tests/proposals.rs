use proptest::prelude::*;

use super::*;
use crate::domain::approval::proposal::MAX_FILE;

fn sound() -> Proposal {
    proposal(&ApprovalPolicy::default())
}

#[test]
fn a_proposal_reads_as_a_person_reads_it() {
    let hash = ApprovalPolicy::default().hash();
    let body = sound().body;
    let expected = format!(
        "bursar-proposal 1
order: 00000000-0000-0000-0000-000000000003
record-hash: abababababababababababababababababababababababababababababababab
base-url: https://api.example.com
environment: mainnet
method: POST
path: /v2/transactions/withdraw
made: 2026-11-23T10:00:00.000Z
expires: 2026-11-24T10:00:00.000Z
rule: USDC above 10,000: 1 approval within 24 hours
policy-hash: {hash}
maker: anna
body-sha256: {}

{body}",
        hex::encode(Sha256::digest(&body))
    );
    assert_eq!(sound().to_file(), expected);
    assert_eq!(Proposal::parse(&expected), Ok(sound()));
    assert_eq!(Proposal::parse_bytes(expected.as_bytes()), Ok(sound()));
}

fn word() -> impl Strategy<Value = Text> {
    "[!-~é]([ -~é漢]{0,30}[!-~é])?".prop_map(|text| text.as_str().into())
}

fn any_proposal() -> impl Strategy<Value = Proposal> {
    let times = (0..4_000_000_000_000_i64, 0..4_000_000_000_000_i64);
    let networks = prop::option::of(prop::sample::select(&[Network::Mainnet, Network::Testnet][..]));
    let texts = (word(), networks, word(), word());
    let body = prop_oneof!["[ -~\n\r\té]{0,200}", any::<String>()];
    (any::<u128>(), any::<[u8; 32]>(), any::<[u8; 32]>(), texts, times, "[A-Z]{1,8}", "/[!-~]{0,30}", body).prop_map(
        |(order, record_hash, policy_hash, texts, (made_at, expires), method, path, body)| Proposal {
            order: OrderId(Uuid::from_u128(order)),
            record_hash,
            base_url: texts.0,
            environment: texts.1,
            method,
            path,
            made_at: Timestamp::from_millis(made_at),
            expires: Timestamp::from_millis(expires),
            rule: texts.2,
            policy_hash: hex::encode(policy_hash),
            maker: texts.3,
            body,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_proposal_is_read_as_it_was_written(proposal in any_proposal()) {
        prop_assert_eq!(Proposal::parse(&proposal.to_file()), Ok(proposal));
    }
}

#[test]
fn two_proposals_that_differ_in_a_field_differ_in_their_file() {
    let changes: [fn(&mut Proposal); 12] = [
        |proposal| proposal.order = OrderId(Uuid::from_u128(4)),
        |proposal| proposal.record_hash[31] = 0,
        |proposal| proposal.base_url = "https://api.example.org".into(),
        |proposal| proposal.environment = None,
        |proposal| proposal.method = "PATCH".into(),
        |proposal| proposal.path = "/v2/transactions/batch".into(),
        |proposal| proposal.made_at = NOW.plus(Duration::from_millis(1)),
        |proposal| proposal.expires = NOW,
        |proposal| proposal.rule = "another".into(),
        |proposal| proposal.policy_hash = "ab".repeat(32),
        |proposal| proposal.maker = "bert".into(),
        |proposal| proposal.body.push(' '),
    ];
    let mut files = vec![sound().to_file()];
    for change in changes {
        let mut other = sound();
        change(&mut other);
        assert_eq!(Proposal::parse(&other.to_file()), Ok(other.clone()));
        assert!(!files.contains(&other.to_file()));
        files.push(other.to_file());
    }
}

#[test]
fn what_is_wrong_with_a_proposal_is_said() {
    let file = sound().to_file();
    let fault = |file: &str| Proposal::parse(file).unwrap_err().to_string();
    let with = |from: &str, to: &str| {
        assert!(file.contains(from), "{from}");
        fault(&file.replacen(from, to, 1))
    };
    assert_eq!(fault("hello"), "the file is no proposal: its first line is not “bursar-proposal 1”");
    assert_eq!(
        with("proposal 1\n", "proposal 2\n"),
        "the proposal has format 2, which this version cannot read; update the program"
    );
    assert_eq!(with("\n\n", "\n"), "the proposal has no empty line between its head and its body");
    assert_eq!(with("method: POST\n", ""), "line 6 of the proposal must be “method: …”");
    assert_eq!(with("method: POST\n", "method: POST\nmethod: POST\n"), "line 7 of the proposal must be “path: …”");
    assert_eq!(with("made: ", "Made: "), "line 8 of the proposal must be “made: …”");
    assert_eq!(with("\n\n", "\nnote: x\n\n"), "line 14 of the proposal does not belong there");
    assert_eq!(with("maker: anna", "maker:  "), "the proposal's “maker” cannot be read");
    assert_eq!(
        with("maker: anna", "maker: an\u{7}na"),
        "line 12 of the proposal contains U+0007, which does not belong there"
    );
    assert_eq!(
        with("maker: anna", "maker: an\u{202e}na"),
        "line 12 of the proposal contains U+202E, which does not belong there"
    );
    assert_eq!(with("anna\n", "anna\r\n"), "line 12 of the proposal contains U+000D, which does not belong there");
    assert_eq!(with("POST", "post"), "the proposal's “method” cannot be read");
    assert_eq!(with("path: /v2", "path: v2"), "the proposal's “path” cannot be read");
    assert_eq!(with("10:00:00.000Z", "10:00:00Z"), "the proposal is not written as this program writes it");
    assert_eq!(with("10:00:00.000Z", "10:00"), "the proposal's “made” cannot be read");
    assert_eq!(with("abab", "ABab"), "the proposal is not written as this program writes it");
    assert_eq!(with("25000", "25001"), "the proposal's body was changed: its SHA-256 is not the one in the head");
    assert_eq!(
        fault(&(file.clone() + "\n")),
        "the proposal's body was changed: its SHA-256 is not the one in the head"
    );
    assert_eq!(Proposal::parse_bytes(b"bursar-proposal 1\n\xff"), Err(ProposalFault::NotText));
}

#[test]
fn a_file_of_64_kib_is_read_and_a_longer_one_is_not() {
    let mut proposal = sound();
    proposal.body = "x".repeat(MAX_FILE - (proposal.to_file().len() - proposal.body.len()));
    assert_eq!(Proposal::parse(&proposal.to_file()), Ok(proposal.clone()));
    proposal.body.push('x');
    assert_eq!(Proposal::parse(&proposal.to_file()), Err(ProposalFault::TooLarge(65_537)));
    assert_eq!(Proposal::parse_bytes(proposal.to_file().as_bytes()), Err(ProposalFault::TooLarge(65_537)));
}

#[test]
fn each_change_of_one_character_is_refused() {
    let file = sound().to_file();
    let characters: Vec<char> = file.chars().collect();
    for (index, old) in characters.iter().enumerate() {
        for new in ['0', 'x', ' ', '\n', ':', '\u{e9}', '\u{200b}'] {
            if new != *old {
                let mut changed = characters.clone();
                changed[index] = new;
                let changed: String = changed.iter().collect();
                // Another value of a field may be sound: then it is another file, with another meaning.
                if let Ok(other) = Proposal::parse(&changed) {
                    assert_ne!(other, sound(), "character {index}");
                    assert_eq!(other.to_file(), changed);
                }
            }
        }
    }
}
