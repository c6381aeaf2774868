use super::*;
use crate::domain::draft::{Batch, Draft, NewUser, Recipient, Sender, Swap, Withdrawal};
use crate::domain::{Metadata, TokenKey, WalletId};

pub(super) fn withdrawal(token: &str, chain: &str, amount: &str) -> Draft {
    Draft::Withdraw(Withdrawal {
        wallet: WalletId::from_text("w"),
        blockchain: chain.into(),
        token: token.into(),
        amount: amount.into(),
        to: "0x52908400098527886E0F7030069857D2E4169EE7".into(),
        ref_id: None,
        note: None,
        metadata: Metadata::default(),
    })
}

fn sender(amount: Amount) -> Sender {
    Sender { name: None, address: None, account: None, user: None, token: TokenKey::new("ethereum", None), amount }
}

fn needs(policy: &ApprovalPolicy, draft: &Draft) -> Option<u8> {
    policy.requirement_for_draft(draft, None).map(|requirement| requirement.needs)
}

fn with_rules(rules: Vec<ApprovalRule>) -> ApprovalPolicy {
    ApprovalPolicy { rules, ..ApprovalPolicy::default() }
}

#[test]
fn a_rule_is_for_its_token_on_its_chain_above_its_amount() {
    let policy = with_rules(vec![ApprovalRule { chain: Some("ethereum-mainnet".into()), ..rule(1) }]);
    for (token, chain, amount, expected) in [
        ("USDC", "ethereum", "10000.000001", Some(1)),
        ("usdc", "Ethereum", "10000.000000000000000001", Some(1)),
        ("USDC", "ethereum", "10000", None),
        ("USDC", "ethereum", "10000.000", None),
        ("USDC", "base", "99999", None),
        ("USDT", "ethereum", "99999", None),
        ("USDC", "ethereum", "a lot", Some(1)),
        ("USDC", "ethereum", "", Some(1)),
        ("USDC", "ethereum", "1,000", Some(1)),
    ] {
        assert_eq!(needs(&policy, &withdrawal(token, chain, amount)), expected, "{amount} {token} on {chain}");
    }
    assert_eq!(needs(&ApprovalPolicy::default(), &withdrawal("USDC", "ethereum", "99999")), None);
}

#[test]
fn the_larger_of_the_request_s_amount_and_the_sender_s_counts() {
    let policy = with_rules(vec![rule(1)]);
    let applies = |requested: &str, sender_amount: &str| {
        policy
            .requirement_for_draft(&withdrawal("USDC", "base", requested), Some(&sender(usdc(sender_amount))))
            .is_some()
    };
    assert!(applies("20000", "1") && applies("1", "20000") && applies("?", "1"));
    assert!(!applies("1", "1"));
}

#[test]
fn a_batch_counts_by_its_total_and_a_swap_by_what_is_sold() {
    let recipient = |amount: &str| Recipient {
        address: "0x".into(),
        amount: amount.into(),
        label: None,
        reference: None,
        line: None,
    };
    let batch = |amounts: &[&str]| {
        Draft::Batch(Batch {
            wallet: WalletId::from_text("w"),
            blockchain: "base".into(),
            token: "USDC".into(),
            to: amounts.iter().map(|amount| recipient(amount)).collect(),
            ref_id: None,
            note: None,
            metadata: Metadata::default(),
            queue: None,
            file: None,
        })
    };
    let policy = with_rules(vec![rule(1)]);
    assert_eq!(needs(&policy, &batch(&["5000", "5000"])), None);
    assert_eq!(needs(&policy, &batch(&["5000", "5000.0000001"])), Some(1));
    assert_eq!(needs(&policy, &batch(&["5", "five"])), Some(1));
    let swap = |from: &str, amount: &str| {
        Draft::Swap(Swap {
            wallet: WalletId::from_text("w"),
            blockchain: "base".into(),
            from: from.into(),
            amount: amount.into(),
            to: "ETH".into(),
            ref_id: None,
            note: None,
        })
    };
    assert_eq!(needs(&policy, &swap("USDC", "10001")), Some(1));
    assert_eq!(needs(&policy, &swap("USDC", "10000")), None);
    assert_eq!(needs(&policy, &swap("ETH", "10001")), None);
    let always = with_rules(vec![ApprovalRule { always: true, ..rule(1) }]);
    assert_eq!(needs(&always, &swap("USDC", "1")), Some(1));
    assert_eq!(needs(&always, &Draft::CreateUser(NewUser::default())), None);
}

#[test]
fn of_all_rules_that_apply_the_strictest_part_of_each_counts() {
    let policy = with_rules(vec![
        ApprovalRule { token: "*".into(), always: true, above: None, touch: Touch::Present, ..rule(1) },
        ApprovalRule { within: 72 * HOUR, ..rule(2) },
        ApprovalRule { above: Some(usdc("250000")), touch: Touch::Verified, within: HOUR, ..rule(1) },
    ]);
    let of = |amount: &str| policy.requirement_for_draft(&withdrawal("USDC", "base", amount), None).unwrap();
    let expected = |rule: &str, needs, touch, within| Requirement { rule: rule.into(), needs, touch, within };
    let every = "every token, every amount: 1 approval by touch of a security key within 24 hours";
    let large = "USDC above 10,000: 2 approvals within 72 hours";
    assert_eq!(of("1"), expected(every, 1, Touch::Present, DAY));
    assert_eq!(of("10001"), expected(large, 2, Touch::Present, DAY));
    assert_eq!(of("250001"), expected(large, 2, Touch::Verified, HOUR));
    let mut reversed = policy.clone();
    reversed.rules.reverse();
    let draft = withdrawal("USDC", "base", "250001");
    assert_eq!(reversed.requirement_for_draft(&draft, None), policy.requirement_for_draft(&draft, None));
}

#[test]
fn a_rule_reads_as_a_person_writes_it() {
    assert_eq!(rule(1).to_string(), "USDC above 10,000: 1 approval within 24 hours");
    let strict = ApprovalRule {
        chain: Some("base".into()),
        always: true,
        touch: Touch::Verified,
        within: Duration::from_mins(90),
        ..rule(2)
    };
    assert_eq!(
        strict.to_string(),
        "USDC on Base, every amount: 2 approvals by PIN and touch of a security key within 1 h 30 min"
    );
}

#[test]
fn the_hash_changes_with_each_field_of_the_policy() {
    let people = allowed(&[("anna", &Signer::ed25519(1))]);
    let base = rule(1);
    let rules: [Vec<ApprovalRule>; 12] = [
        vec![base.clone()],
        vec![],
        vec![base.clone(), base.clone()],
        vec![ApprovalRule { token: "USDT".into(), ..base.clone() }],
        vec![ApprovalRule { chain: Some("base".into()), ..base.clone() }],
        vec![ApprovalRule { chain: Some("None".into()), ..base.clone() }],
        vec![ApprovalRule { above: Some(usdc("10000.000001")), ..base.clone() }],
        vec![ApprovalRule { above: None, ..base.clone() }],
        vec![ApprovalRule { always: true, ..base.clone() }],
        vec![ApprovalRule { needs: 2, ..base.clone() }],
        vec![ApprovalRule { touch: Touch::Present, ..base.clone() }],
        vec![ApprovalRule { within: HOUR, ..base.clone() }],
    ];
    let mut hashes: Vec<String> = rules.into_iter().map(|rules| policy(rules, &people, "").hash()).collect();
    let fingerprint = Signer::ed25519(9).public().fingerprint();
    for (allowed, revoked) in [("", ""), (&*(people.clone() + "\n"), ""), (&people, "# none"), (&people, &fingerprint)]
    {
        hashes.push(policy(vec![base.clone()], allowed, revoked).hash());
    }
    // A comment may not pass from one file to the other.
    hashes.push(policy(vec![base.clone()], "# a\n# b\n", "").hash());
    hashes.push(policy(vec![base.clone()], "# a\n", "# b\n").hash());
    for hash in &hashes {
        assert!(hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{hash}");
    }
    let count = hashes.len();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
    assert_eq!(policy(vec![base.clone()], &people, "").hash(), policy(vec![base], &people, "").hash());
}

#[test]
fn the_words_of_a_rule_state_what_it_asks_for() {
    for needs in 1..=9 {
        for touch in Touch::ALL {
            for token in ["USDC", "A: 7 approvals within B", "*"] {
                let rule = ApprovalRule { token: token.into(), touch, ..rule(needs) };
                let demands = ApprovalRule::parse_demands(&rule.to_string());
                assert_eq!(demands, Some((needs, touch)), "{rule}");
            }
        }
    }
    for text in ["", "USDC above 10", "USDC: many approvals within 1 hour", "USDC: 1 approval by post within 1 hour"] {
        assert_eq!(ApprovalRule::parse_demands(text), None, "{text}");
    }
}
