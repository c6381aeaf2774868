mod own_references;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::look_alike::TrustedIndex;
use super::super::tests::{
    NOW, OTHER, PAYING, Payment, SUPPLIER, amount, contact_entered, empty_limit, payee, recent_payment,
};
use super::super::{OtherPayments, RecipientFacts, SameFileOrder};
use super::*;
use crate::domain::draft::{BatchFile, Metadata, Recipient};
use crate::domain::policy::OverLimit;
use crate::domain::{AddressBook, Policy, Text};

/// A batch of everyday payments to people who were paid before.
struct TestBatch {
    request: Batch,
    sender: Sender,
    facts: GuardFacts,
}

/// An address of its own for each number.
fn address(number: u64) -> String {
    // Hashed, so that they differ at both ends.
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let more = mixed.rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed;
    let last = u32::try_from(more.rotate_left(17).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32).unwrap();
    format!("0x{mixed:016x}{more:016x}{last:08x}")
}

fn test_recipient(address: &str, amount: &str) -> Recipient {
    Recipient { address: address.into(), amount: amount.into(), label: None, reference: None, line: None }
}

impl TestBatch {
    fn of(to: Vec<Recipient>) -> Self {
        let Payment { request: withdrawal, sender, mut facts } = Payment::to(SUPPLIER);
        let lined = to.into_iter().zip(2..).map(|(to, line)| Recipient { line: Some(line), ..to });
        let request = Batch {
            wallet: withdrawal.wallet,
            blockchain: withdrawal.blockchain,
            token: withdrawal.token,
            to: lined.collect(),
            ref_id: None,
            note: None,
            file: Some(BatchFile { name: "pay.csv".into(), sha256: "ab".into() }),
            metadata: Metadata::default(),
            queue: None,
        };
        facts.payees = request.to.iter().map(|to| payee(&to.address, "ethereum")).collect();
        facts.per_recipient = vec![RecipientFacts::default(); request.to.len()];
        let total = request.total(6).unwrap();
        Self { request, sender: Sender { amount: total, ..sender }, facts }
    }

    fn batch_findings(&self) -> BatchFindings {
        judge_batch(&GuardedBatch { request: &self.request, sender: &self.sender, facts: &self.facts, now: NOW })
    }

    fn findings_of_rule(&self, rule: Rule) -> Vec<(Severity, String)> {
        let findings = self.batch_findings().findings.into_iter().filter(|finding| finding.rule == rule);
        findings.map(|finding| (finding.severity, finding.message)).collect()
    }
}

fn everyday_batch() -> TestBatch {
    TestBatch::of(vec![test_recipient(SUPPLIER, "25"), test_recipient(OTHER, "10.5")])
}

#[test]
fn of_an_everyday_batch_only_is_said_that_all_were_paid_before() {
    let judged = everyday_batch().batch_findings();
    let messages: Vec<&str> = judged.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["This console has paid all of these 2 recipients before."]);
    assert!(judged.rows.iter().all(|row| !row.is_first));
}

#[test]
fn a_recipient_is_judged_as_a_payment_to_it_alone_is() {
    // Every rule that looks at a recipient, each with something to find.
    let near = format!("0x5aA{}aed", "1".repeat(34));
    let mut batch = TestBatch::of(vec![
        test_recipient(&near, "1"),
        test_recipient("0x000000000000000000000000000000000000dEaD", "1"),
        test_recipient(PAYING, "1"),
        test_recipient("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "1"),
        test_recipient(SUPPLIER, "25"),
        test_recipient(OTHER, "60"),
    ]);
    batch.facts.payees = vec![payee(SUPPLIER, "ethereum"), payee(OTHER, "ethereum")];
    batch.facts.recent_payments = vec![recent_payment(5)];
    batch.facts.policy.limits = vec![crate::domain::policy::Limit {
        per_payment: Some(amount("50")),
        over_limit: OverLimit::Danger,
        ..empty_limit("USDC")
    }];
    batch.facts.per_recipient[5].earlier_amounts = vec![amount("1"), amount("2"), amount("3")];
    batch.facts.per_recipient[4].other_payments = OtherPayments { payments: 2, last: None };
    let judged = batch.batch_findings();
    for (index, recipient) in batch.request.to.iter().enumerate() {
        let mut alone = Payment::to(&recipient.address).of(&recipient.amount);
        alone.facts = GuardFacts {
            other_payments: batch.facts.per_recipient[index].other_payments.clone(),
            earlier_amounts: batch.facts.per_recipient[index].earlier_amounts.clone(),
            per_recipient: Vec::new(),
            ..batch.facts.clone()
        };
        let of_recipient = [
            Rule::Address,
            Rule::Checksum,
            Rule::Unspendable,
            Rule::OwnWallet,
            Rule::LookAlike,
            Rule::AllowList,
            Rule::Memo,
            Rule::Limits,
            Rule::Outlier,
            Rule::Duplicate,
        ];
        let expected = alone.findings().into_iter().filter(|finding| of_recipient.contains(&finding.rule));
        let expected: Vec<Finding> = expected.collect();
        // How rows are like each other no payment alone can tell.
        let of_one =
            |finding: &&Finding| finding.rule != Rule::FirstPayment && !finding.message.contains("as that of line");
        let findings = judged.rows[index].findings.iter().filter(of_one);
        let mut findings: Vec<Finding> = findings.cloned().collect();
        findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.rule));
        let mut sorted = expected.clone();
        sorted.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.rule));
        assert_eq!(findings, sorted, "{}", recipient.address);
        assert!(index == 4 || !expected.is_empty(), "nothing to find of {}", recipient.address);
    }
}

#[test]
fn what_is_found_names_its_lines_and_words_are_asked_once() {
    let burn = "0x000000000000000000000000000000000000dEaD";
    let batch = TestBatch::of(vec![
        test_recipient(burn, "1"),
        test_recipient(SUPPLIER, "1"),
        test_recipient(burn, "2"),
        test_recipient(PAYING, "3"),
    ]);
    let stops: Vec<String> = batch
        .batch_findings()
        .findings
        .into_iter()
        .filter(|f| f.severity == Severity::Stop)
        .map(|f| f.message)
        .collect();
    assert!(stops[0].starts_with("Lines 2, 4: This is the burn address"), "{stops:?}");
    assert!(stops[1].starts_with("Line 5: This is the address of the paying wallet itself"), "{stops:?}");
    let many: Vec<Recipient> = (0..9).map(|n| test_recipient(&address(n), "1")).collect();
    let mut batch = TestBatch::of(many);
    for to in &mut batch.request.to {
        to.line = None;
    }
    // An address in small letters has no checksum.
    let findings = batch.findings_of_rule(Rule::Checksum);
    assert!(findings[0].1.starts_with("All 9 recipients: The address is written in one letter case"), "{findings:?}");
    batch.request.to[3].address = SUPPLIER.into();
    batch.sender.amount = batch.request.total(6).unwrap();
    let findings = batch.findings_of_rule(Rule::Checksum);
    assert!(findings[0].1.starts_with("Rows 1, 2, 3, 5, 6 and 3 more: "), "{findings:?}");
}

#[test]
fn the_same_recipient_twice_is_a_danger_however_it_is_written() {
    let batch = TestBatch::of(vec![
        test_recipient(SUPPLIER, "1"),
        test_recipient(OTHER, "1"),
        test_recipient(&SUPPLIER.to_lowercase(), "1.0"),
    ]);
    let findings: Vec<Finding> =
        batch.batch_findings().findings.into_iter().filter(|f| f.rule == Rule::Batch).collect();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].override_phrase, Some("same recipient twice"));
    assert_eq!(
        findings[0].message,
        "Lines 2, 4 pay the same recipient, different amounts: the recipient would be paid 2 times."
    );
    let batch = TestBatch::of(vec![test_recipient(SUPPLIER, "1"), test_recipient(SUPPLIER, "1")]);
    let findings = batch.findings_of_rule(Rule::Batch);
    assert_eq!(
        findings[0].1,
        "All 2 rows pay the same recipient, the same amount each time: the recipient would be paid 2 times."
    );
}

#[test]
fn recipients_that_look_alike_are_in_danger_both() {
    let (one, other) = (format!("0xabc{}def", "1".repeat(34)), format!("0xABC{}DEF", "2".repeat(34)));
    let mut batch =
        TestBatch::of(vec![test_recipient(&one, "1"), test_recipient(SUPPLIER, "1"), test_recipient(&other, "1")]);
    batch.facts.payees.clear();
    let dangers = |row: &RecipientFindings| {
        row.findings.iter().any(|f| f.rule == Rule::LookAlike && f.override_phrase == Some("looks like another"))
    };
    let judged = batch.batch_findings();
    assert_eq!(judged.rows.iter().map(dangers).collect::<Vec<_>>(), [true, false, true]);
    let findings = batch.findings_of_rule(Rule::LookAlike);
    assert!(
        findings[0].1.starts_with(
            "Line 2: This address begins with the same 3 and ends in the same 3 characters as that of line 4"
        ),
        "{findings:?}"
    );
}

/// Otherwise whoever may get 50 gets 100 by two rows of one batch, each of which may be.
#[test]
fn a_recipient_in_several_rows_is_judged_by_the_sum() {
    let rows = || {
        vec![test_recipient(SUPPLIER, "30"), test_recipient(OTHER, "1"), test_recipient(&SUPPLIER.to_lowercase(), "31")]
    };
    let mut batch = TestBatch::of(rows());
    let most = |text: &str| crate::domain::policy::Limit { per_payment: Some(amount(text)), ..empty_limit("USDC") };
    batch.facts.policy.limits = vec![most("61")];
    assert_eq!(batch.findings_of_rule(Rule::Limits), []);
    batch.facts.policy.limits = vec![most("60.999999")];
    let findings = batch.findings_of_rule(Rule::Limits);
    assert_eq!(
        findings,
        [(Severity::Stop, "Lines 2, 4: One payment of USDC is limited to less than this.".to_owned())]
    );
    // What is usual, too.
    let mut batch = TestBatch::of(rows());
    for index in [0, 2] {
        batch.facts.per_recipient[index].earlier_amounts = vec![amount("6"), amount("6"), amount("6")];
    }
    let findings = batch.findings_of_rule(Rule::Outlier);
    assert!(
        matches!(findings.as_slice(), [(Severity::Danger, message)] if message.starts_with("Lines 2, 4: ")),
        "{findings:?}"
    );
    // And what nobody knows of: in two parts or in one, it would be paid again.
    let mut batch = TestBatch::of(rows());
    let unresolved = crate::guard::RecentPayment { amount: amount("61"), is_unresolved: true, ..recent_payment(90) };
    batch.facts.recent_payments = vec![unresolved];
    let findings = batch.findings_of_rule(Rule::Duplicate);
    assert!(
        matches!(findings.as_slice(), [(Severity::Stop, message)] if message.starts_with("Lines 2, 4: ")),
        "{findings:?}"
    );
    batch.facts.recent_payments[0].amount = amount("63");
    let findings = batch.findings_of_rule(Rule::Duplicate);
    assert!(matches!(findings.as_slice(), [(Severity::Danger, _)]), "{findings:?}");
}

#[test]
fn a_note_is_compared_for_all_recipients_or_for_each() {
    let noted = |note: &str, to: &str| crate::guard::RecentPayment {
        to: to.into(),
        note: Some(note.into()),
        ..recent_payment(60 * 24 * 9)
    };
    let mut batch = everyday_batch();
    batch.request.note = Some("Invoice 12".into());
    batch.facts.recent_payments = vec![noted("invoice 12", PAYING)];
    let findings = batch.findings_of_rule(Rule::Duplicate);
    assert!(
        matches!(findings.as_slice(), [(Severity::Danger, message)] if message.starts_with("Another payment")),
        "{findings:?}"
    );
    batch.request.note = Some("rent".into());
    batch.facts.recent_payments = vec![noted("rent", PAYING)];
    assert_eq!(batch.findings_of_rule(Rule::Duplicate), []);
    batch.facts.recent_payments = vec![noted("rent", OTHER)];
    let findings = batch.findings_of_rule(Rule::Duplicate);
    assert!(
        matches!(findings.as_slice(), [(Severity::Caution, message)] if message.starts_with("Line 3: ")),
        "{findings:?}"
    );
}

#[test]
fn limits_of_a_day_and_of_the_balance_count_the_total_and_those_of_a_payment_each() {
    let mut batch = TestBatch::of(vec![test_recipient(SUPPLIER, "40"), test_recipient(OTHER, "40")]);
    batch.facts.fee = None;
    let of = |change: fn(&mut crate::domain::policy::Limit)| {
        let mut limit = empty_limit("USDC");
        change(&mut limit);
        Policy { limits: vec![limit], ..Policy::default() }
    };
    for (policy, is_expected) in [
        (of(|limit| limit.per_payment = Some(amount("40"))), false),
        (of(|limit| limit.per_payment = Some(amount("39"))), true),
        (of(|limit| limit.per_day = Some(amount("80"))), false),
        (of(|limit| limit.per_day = Some(amount("79"))), true),
        (of(|limit| limit.percent_of_balance = Some(80)), false),
        (of(|limit| limit.percent_of_balance = Some(79)), true),
    ] {
        batch.facts.policy = policy.clone();
        assert_eq!(!batch.findings_of_rule(Rule::Limits).is_empty(), is_expected, "{policy:?}");
    }
}

#[test]
fn an_entry_that_cools_gets_no_more_by_several_rows_than_by_one() {
    let mut batch =
        TestBatch::of(vec![test_recipient(SUPPLIER, "6"), test_recipient(OTHER, "1"), test_recipient(SUPPLIER, "6")]);
    batch.facts.book =
        AddressBook::from_changes([contact_entered("Supplier", SUPPLIER, 1), contact_entered("Other", OTHER, 100)]);
    batch.facts.policy = Policy {
        allow_list_only: true,
        cooling: Some(std::time::Duration::from_hours(48)),
        limits: vec![crate::domain::policy::Limit { while_cooling: Some(amount("10")), ..empty_limit("USDC") }],
        ..Policy::default()
    };
    let stops = batch.findings_of_rule(Rule::AllowList);
    assert!(
        stops.iter().any(|(severity, message)| *severity == Severity::Stop && message.starts_with("Lines 2, 4: ")),
        "{stops:?}"
    );
    batch.facts.policy.limits[0].while_cooling = Some(amount("12"));
    assert!(batch.findings_of_rule(Rule::AllowList).iter().all(|(severity, _)| *severity != Severity::Stop));
}

#[test]
fn the_balance_bears_the_total_and_its_fee() {
    let mut batch = TestBatch::of(vec![test_recipient(SUPPLIER, "40"), test_recipient(OTHER, "58")]);
    // 98 and a fee of 1.25 are within 100, two of them are not.
    let findings: Vec<Finding> =
        batch.batch_findings().findings.into_iter().filter(|f| f.rule == Rule::Balance).collect();
    assert_eq!((findings.len(), findings[0].override_phrase), (1, Some("fee not certain")));
    batch.facts.wallet.as_mut().unwrap().gasless_withdraw = Some(true);
    assert_eq!(batch.findings_of_rule(Rule::Balance), []);
    let batch = TestBatch::of(vec![test_recipient(SUPPLIER, "41"), test_recipient(OTHER, "58")]);
    assert_eq!(batch.findings_of_rule(Rule::Balance)[0].0, Severity::Stop);
}

#[test]
fn more_recipients_than_allowed_are_stopped_and_never_split_here() {
    let many: Vec<Recipient> = (0..201).map(|n| test_recipient(&address(n), "0.1")).collect();
    let mut batch = TestBatch::of(many);
    assert_eq!(batch.findings_of_rule(Rule::Batch), [(Severity::Stop, "This batch has 201 recipients; a batch may have 200 at most (batch_recipients of the profile). Split the file into 2 or more.".to_owned())]);
    batch.facts.policy.batch_recipients = Some(201);
    assert_eq!(batch.findings_of_rule(Rule::Batch), []);
}

#[test]
fn the_same_file_again_and_what_was_paid_just_now_are_told() {
    let mut batch = everyday_batch();
    batch.facts.same_file_orders = vec![SameFileOrder {
        order: super::super::tests::order_id(),
        at: NOW,
        total: amount("35.5"),
        state: "accepted".into(),
    }];
    batch.facts.recent_payments = vec![recent_payment(5)];
    let phrases: Vec<_> = batch.batch_findings().findings.into_iter().filter_map(|f| f.override_phrase).collect();
    assert!(phrases.contains(&"same file again") && phrases.contains(&"pay again"), "{phrases:?}");
    batch.facts.recent_payments[0].is_unresolved = true;
    let stop = &batch.batch_findings().findings[0];
    assert_eq!(stop.severity, Severity::Stop);
    assert!(stop.message.starts_with("Line 2: An equal payment is unresolved"), "{}", stop.message);
}

#[test]
fn amounts_that_add_up_to_something_else_stop_all_of_it() {
    let mut batch = everyday_batch();
    batch.sender.amount = amount("35.6");
    assert_eq!(batch.batch_findings().findings[0].severity, Severity::Stop);
    assert_eq!(batch.batch_findings().rows, []);
    batch.request.to[0].amount = "1e3".into();
    assert_eq!(batch.batch_findings().findings[0].severity, Severity::Stop);
}

/// What is compared grows with the rows and what is known, and not with their product.
#[test]
fn thousands_of_rows_are_compared_with_few() {
    const ROWS: u64 = 5_000;
    let rows: Vec<Recipient> = (0..ROWS).map(|n| test_recipient(&address(n), "0.001")).collect();
    let mut batch = TestBatch::of(rows);
    batch.facts.payees = (ROWS..2 * ROWS).map(|n| payee(&address(n), "ethereum")).collect();
    let shapes: Vec<ComparableAddress> =
        batch.request.to.iter().map(|to| ComparableAddress::parse(&to.address)).collect();
    let whole = batch.request.as_withdrawal_of_total(batch.sender.amount);
    let case = GuardedPayment { request: &whole, sender: &batch.sender, facts: &batch.facts, now: NOW };
    let index = TrustedIndex::of(&case);
    let all = batch.request.to.iter().zip(&shapes).map(|(to, shape)| (to.address.as_str(), shape)).collect();
    let among = RecipientIndex::of(all);
    let trusted: usize = shapes.iter().map(|shape| index.count_compared(shape)).sum();
    let each_other: usize = (0..shapes.len()).map(|row| among.count_compared(row)).sum();
    // 25 million pairs each, if all were compared.
    assert!(trusted < 1_000, "{trusted} trusted addresses were compared");
    assert!(each_other < 2 * shapes.len(), "{each_other} rows were compared");
    let judged = batch.batch_findings();
    assert_eq!(judged.rows.len(), shapes.len());
    assert!(judged.findings.iter().any(|f| f.severity == Severity::Stop && f.message.contains("5000 recipients")));
    // Nor does a file whose addresses all begin alike cost more than its rows.
    let rows: Vec<Recipient> =
        (0..ROWS).map(|n| test_recipient(&format!("0xaaaaa{}bbbbb", &address(n)[2..32]), "1")).collect();
    let shapes: Vec<ComparableAddress> = rows.iter().map(|to| ComparableAddress::parse(&to.address)).collect();
    let among = RecipientIndex::of(rows.iter().zip(&shapes).map(|(to, shape)| (to.address.as_str(), shape)).collect());
    assert!((0..shapes.len()).all(|row| among.count_compared(row) <= 256));
    assert!(among.judge(0, |row| row.to_string()).is_some());
}

/// A rule, how grave what it found is, and the words for it.
type FindingKey = (Rule, Severity, Option<&'static str>);

/// What is said of a recipient, wherever its row stands.
fn findings_by_recipient(batch: &TestBatch) -> BTreeMap<(String, String), Vec<FindingKey>> {
    let judged = batch.batch_findings();
    let key = |to: &Recipient| (to.address.to_string(), to.amount.to_string());
    let finding_keys = |row: RecipientFindings| {
        let mut findings: Vec<_> = row.findings.iter().map(|f| (f.rule, f.severity, f.override_phrase)).collect();
        findings.sort();
        findings
    };
    batch.request.to.iter().map(key).zip(judged.rows.into_iter().map(finding_keys)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    /// In whatever order the rows stand, the same is said of each and of all.
    #[test]
    fn the_order_of_rows_changes_nothing(
        numbers in prop::collection::vec((0_u64..12, 1_u32..30), 1..12),
        seed in any::<u64>(),
    ) {
        let near = |n: u64| if n == 11 { format!("0x{}{}", &address(0)[2..8], &address(3)[8..38].to_owned()) + &address(0)[38..] } else { address(n) };
        let rows: Vec<Recipient> = numbers.iter().map(|(n, amount)| test_recipient(&near(*n), &amount.to_string())).collect();
        let mut shuffled = rows.clone();
        shuffled.rotate_left(usize::try_from(seed % 7).unwrap() % rows.len());
        shuffled.reverse();
        let batch = |rows: Vec<Recipient>| {
            let mut batch = TestBatch::of(rows);
            batch.facts.payees.truncate(0);
            batch.facts.payees = (0..3).map(|n| payee(&address(n), "ethereum")).collect();
            batch.facts.recent_payments = vec![crate::guard::RecentPayment { to: Text::clean(&address(1)), ..recent_payment(9) }];
            batch
        };
        let (one, other) = (batch(rows), batch(shuffled));
        prop_assert_eq!(findings_by_recipient(&one), findings_by_recipient(&other));
        let whole = |batch: &TestBatch| {
            let mut findings: Vec<_> =
                batch.batch_findings().findings.iter().map(|f| (f.rule, f.severity, f.override_phrase)).collect();
            findings.sort();
            findings.dedup();
            findings
        };
        prop_assert_eq!(whole(&one), whole(&other));
    }

    /// The index finds what a search through all trusted addresses finds.
    #[test]
    fn an_index_misses_nothing(
        trusted in prop::collection::vec("0x[ab]{4}[0-9a-f]{32}[cd]{4}", 1..30),
        candidate in "0x[ab]{4}[0-9a-f]{32}[cd]{4}",
    ) {
        let mut payment = Payment::to(&candidate);
        payment.facts.payees = trusted.iter().map(|address| payee(address, "ethereum")).collect();
        let case = GuardedPayment { request: &payment.request, sender: &payment.sender, facts: &payment.facts, now: NOW };
        let searched = crate::guard::look_alike::judge(&case).into_iter().next();
        let indexed = TrustedIndex::of(&case).judge(&candidate, &ComparableAddress::parse(&candidate));
        prop_assert_eq!(indexed.map(|f| (f.severity, f.message)), searched.map(|f| (f.severity, f.message)));
    }
}
