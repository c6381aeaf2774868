use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::look_alike::Index;
use super::super::tests::{NOW, OTHER, PAYING, Payment, SUPPLIER, amount, contact, limit, paid, payee};
use super::super::{OtherPayments, RecipientFacts, SameFileOrder};
use super::*;
use crate::domain::draft::{BatchFile, Recipient};
use crate::domain::policy::OverLimit;
use crate::domain::{Book, Policy, Text};

/// A batch of everyday payments to people who were paid before.
struct Several {
    says: Batch,
    sender: Sender,
    known: GuardFacts,
}

/// An address of its own for each number.
fn address(number: u64) -> String {
    // Hashed, so that they differ at both ends.
    let mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let more = mixed.rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed;
    let last = u32::try_from(more.rotate_left(17).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32).unwrap();
    format!("0x{mixed:016x}{more:016x}{last:08x}")
}

fn to(address: &str, amount: &str) -> Recipient {
    Recipient { address: address.into(), amount: amount.into(), label: None, line: None }
}

impl Several {
    fn of(to: Vec<Recipient>) -> Self {
        let Payment { says, sender, mut known } = Payment::to(SUPPLIER);
        let lined = to.into_iter().zip(2..).map(|(to, line)| Recipient { line: Some(line), ..to });
        let says = Batch {
            wallet: says.wallet,
            blockchain: says.blockchain,
            token: says.token,
            to: lined.collect(),
            ref_id: None,
            note: None,
            file: Some(BatchFile { name: "pay.csv".into(), sha256: "ab".into() }),
        };
        known.payees = says.to.iter().map(|to| payee(&to.address, "ethereum")).collect();
        known.per_recipient = vec![RecipientFacts::default(); says.to.len()];
        let total = says.total(6).unwrap();
        Self { says, sender: Sender { amount: total, ..sender }, known }
    }

    fn judged(&self) -> BatchFindings {
        judge_batch(&GuardedBatch { request: &self.says, sender: &self.sender, facts: &self.known, now: NOW })
    }

    fn said(&self, rule: Rule) -> Vec<(Severity, String)> {
        let findings = self.judged().findings.into_iter().filter(|finding| finding.rule == rule);
        findings.map(|finding| (finding.severity, finding.words)).collect()
    }
}

fn everyday() -> Several {
    Several::of(vec![to(SUPPLIER, "25"), to(OTHER, "10.5")])
}

#[test]
fn of_an_everyday_batch_only_is_said_that_all_were_paid_before() {
    let judged = everyday().judged();
    let words: Vec<&str> = judged.findings.iter().map(|finding| finding.words.as_str()).collect();
    assert_eq!(words, ["This console has paid all of these 2 recipients before."]);
    assert!(judged.rows.iter().all(|row| !row.is_first));
}

#[test]
fn a_recipient_is_judged_as_a_payment_to_it_alone_is() {
    // Every rule that looks at a recipient, each with something to find.
    let near = format!("0x5aA{}aed", "1".repeat(34));
    let mut batch = Several::of(vec![
        to(&near, "1"),
        to("0x000000000000000000000000000000000000dEaD", "1"),
        to(PAYING, "1"),
        to("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "1"),
        to(SUPPLIER, "25"),
        to(OTHER, "60"),
    ]);
    batch.known.payees = vec![payee(SUPPLIER, "ethereum"), payee(OTHER, "ethereum")];
    batch.known.recent_payments = vec![paid(5)];
    batch.known.policy.limits = vec![crate::domain::policy::Limit {
        per_payment: Some(amount("50")),
        over_limit: OverLimit::Danger,
        ..limit("USDC")
    }];
    batch.known.per_recipient[5].earlier_amounts = vec![amount("1"), amount("2"), amount("3")];
    batch.known.per_recipient[4].other_payments = OtherPayments { payments: 2, last: None };
    let judged = batch.judged();
    for (index, recipient) in batch.says.to.iter().enumerate() {
        let mut alone = Payment::to(&recipient.address).of(&recipient.amount);
        alone.known = GuardFacts {
            other_payments: batch.known.per_recipient[index].other_payments.clone(),
            earlier_amounts: batch.known.per_recipient[index].earlier_amounts.clone(),
            per_recipient: Vec::new(),
            ..batch.known.clone()
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
            |finding: &&Finding| finding.rule != Rule::FirstPayment && !finding.words.contains("as that of line");
        let found = judged.rows[index].findings.iter().filter(of_one);
        let mut found: Vec<Finding> = found.cloned().collect();
        found.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.rule));
        let mut sorted = expected.clone();
        sorted.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.rule));
        assert_eq!(found, sorted, "{}", recipient.address);
        assert!(index == 4 || !expected.is_empty(), "nothing to find of {}", recipient.address);
    }
}

#[test]
fn what_is_found_names_its_lines_and_words_are_asked_once() {
    let burn = "0x000000000000000000000000000000000000dEaD";
    let batch = Several::of(vec![to(burn, "1"), to(SUPPLIER, "1"), to(burn, "2"), to(PAYING, "3")]);
    let stops: Vec<String> =
        batch.judged().findings.into_iter().filter(|f| f.severity == Severity::Stop).map(|f| f.words).collect();
    assert!(stops[0].starts_with("Lines 2, 4: This is the burn address"), "{stops:?}");
    assert!(stops[1].starts_with("Line 5: This is the address of the paying wallet itself"), "{stops:?}");
    let many: Vec<Recipient> = (0..9).map(|n| to(&address(n), "1")).collect();
    let mut batch = Several::of(many);
    for to in &mut batch.says.to {
        to.line = None;
    }
    // An address in small letters has no checksum.
    let said = batch.said(Rule::Checksum);
    assert!(said[0].1.starts_with("All 9 recipients: The address is written in one letter case"), "{said:?}");
    batch.says.to[3].address = SUPPLIER.into();
    batch.sender.amount = batch.says.total(6).unwrap();
    let said = batch.said(Rule::Checksum);
    assert!(said[0].1.starts_with("Rows 1, 2, 3, 5, 6 and 3 more: "), "{said:?}");
}

#[test]
fn the_same_recipient_twice_is_a_danger_however_it_is_written() {
    let batch = Several::of(vec![to(SUPPLIER, "1"), to(OTHER, "1"), to(&SUPPLIER.to_lowercase(), "1.0")]);
    let found: Vec<Finding> = batch.judged().findings.into_iter().filter(|f| f.rule == Rule::Batch).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].override_phrase, Some("same recipient twice"));
    assert_eq!(
        found[0].words,
        "Lines 2, 4 pay the same recipient, different amounts: the recipient would be paid 2 times."
    );
    let batch = Several::of(vec![to(SUPPLIER, "1"), to(SUPPLIER, "1")]);
    let said = batch.said(Rule::Batch);
    assert_eq!(
        said[0].1,
        "All 2 rows pay the same recipient, the same amount each time: the recipient would be paid 2 times."
    );
}

#[test]
fn recipients_that_look_alike_are_in_danger_both() {
    let (one, other) = (format!("0xabc{}def", "1".repeat(34)), format!("0xABC{}DEF", "2".repeat(34)));
    let mut batch = Several::of(vec![to(&one, "1"), to(SUPPLIER, "1"), to(&other, "1")]);
    batch.known.payees.clear();
    let dangers = |row: &RecipientFindings| {
        row.findings.iter().any(|f| f.rule == Rule::LookAlike && f.override_phrase == Some("looks like another"))
    };
    let judged = batch.judged();
    assert_eq!(judged.rows.iter().map(dangers).collect::<Vec<_>>(), [true, false, true]);
    let said = batch.said(Rule::LookAlike);
    assert!(
        said[0].1.starts_with(
            "Line 2: This address begins with the same 3 and ends in the same 3 characters as that of line 4"
        ),
        "{said:?}"
    );
}

/// Otherwise whoever may get 50 gets 100 by two rows of one batch, each of which may be.
#[test]
fn a_recipient_in_several_rows_is_judged_by_the_sum() {
    let rows = || vec![to(SUPPLIER, "30"), to(OTHER, "1"), to(&SUPPLIER.to_lowercase(), "31")];
    let mut batch = Several::of(rows());
    let most = |text: &str| crate::domain::policy::Limit { per_payment: Some(amount(text)), ..limit("USDC") };
    batch.known.policy.limits = vec![most("61")];
    assert_eq!(batch.said(Rule::Limits), []);
    batch.known.policy.limits = vec![most("60.999999")];
    let said = batch.said(Rule::Limits);
    assert_eq!(said, [(Severity::Stop, "Lines 2, 4: One payment of USDC is limited to less than this.".to_owned())]);
    // What is usual, too.
    let mut batch = Several::of(rows());
    for index in [0, 2] {
        batch.known.per_recipient[index].earlier_amounts = vec![amount("6"), amount("6"), amount("6")];
    }
    let said = batch.said(Rule::Outlier);
    assert!(matches!(said.as_slice(), [(Severity::Danger, words)] if words.starts_with("Lines 2, 4: ")), "{said:?}");
    // And what nobody knows of: in two parts or in one, it would be paid again.
    let mut batch = Several::of(rows());
    let unresolved = crate::guard::RecentPayment { amount: amount("61"), is_unresolved: true, ..paid(90) };
    batch.known.recent_payments = vec![unresolved];
    let said = batch.said(Rule::Duplicate);
    assert!(matches!(said.as_slice(), [(Severity::Stop, words)] if words.starts_with("Lines 2, 4: ")), "{said:?}");
    batch.known.recent_payments[0].amount = amount("63");
    let said = batch.said(Rule::Duplicate);
    assert!(matches!(said.as_slice(), [(Severity::Danger, _)]), "{said:?}");
}

#[test]
fn a_note_is_compared_for_all_recipients_or_for_each() {
    let noted = |note: &str, to: &str| crate::guard::RecentPayment {
        to: to.into(),
        note: Some(note.into()),
        ..paid(60 * 24 * 9)
    };
    let mut batch = everyday();
    batch.says.note = Some("Invoice 12".into());
    batch.known.recent_payments = vec![noted("invoice 12", PAYING)];
    let said = batch.said(Rule::Duplicate);
    assert!(matches!(said.as_slice(), [(Severity::Danger, words)] if words.starts_with("Another payment")), "{said:?}");
    batch.says.note = Some("rent".into());
    batch.known.recent_payments = vec![noted("rent", PAYING)];
    assert_eq!(batch.said(Rule::Duplicate), []);
    batch.known.recent_payments = vec![noted("rent", OTHER)];
    let said = batch.said(Rule::Duplicate);
    assert!(matches!(said.as_slice(), [(Severity::Caution, words)] if words.starts_with("Line 3: ")), "{said:?}");
}

#[test]
fn limits_of_a_day_and_of_the_balance_count_the_total_and_those_of_a_payment_each() {
    let mut batch = Several::of(vec![to(SUPPLIER, "40"), to(OTHER, "40")]);
    batch.known.fee = None;
    let of = |change: fn(&mut crate::domain::policy::Limit)| {
        let mut limit = limit("USDC");
        change(&mut limit);
        Policy { limits: vec![limit], ..Policy::default() }
    };
    for (policy, found) in [
        (of(|limit| limit.per_payment = Some(amount("40"))), false),
        (of(|limit| limit.per_payment = Some(amount("39"))), true),
        (of(|limit| limit.per_day = Some(amount("80"))), false),
        (of(|limit| limit.per_day = Some(amount("79"))), true),
        (of(|limit| limit.percent_of_balance = Some(80)), false),
        (of(|limit| limit.percent_of_balance = Some(79)), true),
    ] {
        batch.known.policy = policy.clone();
        assert_eq!(!batch.said(Rule::Limits).is_empty(), found, "{policy:?}");
    }
}

#[test]
fn an_entry_that_cools_gets_no_more_by_several_rows_than_by_one() {
    let mut batch = Several::of(vec![to(SUPPLIER, "6"), to(OTHER, "1"), to(SUPPLIER, "6")]);
    batch.known.book = Book::from_changes([contact("Supplier", SUPPLIER, 1), contact("Other", OTHER, 100)]);
    batch.known.policy = Policy {
        allow_list_only: true,
        cooling: Some(std::time::Duration::from_hours(48)),
        limits: vec![crate::domain::policy::Limit { while_cooling: Some(amount("10")), ..limit("USDC") }],
        ..Policy::default()
    };
    let stops = batch.said(Rule::AllowList);
    assert!(
        stops.iter().any(|(severity, words)| *severity == Severity::Stop && words.starts_with("Lines 2, 4: ")),
        "{stops:?}"
    );
    batch.known.policy.limits[0].while_cooling = Some(amount("12"));
    assert!(batch.said(Rule::AllowList).iter().all(|(severity, _)| *severity != Severity::Stop));
}

#[test]
fn the_balance_bears_the_total_and_its_fee() {
    let mut batch = Several::of(vec![to(SUPPLIER, "40"), to(OTHER, "58")]);
    // 98 and a fee of 1.25 are within 100, two of them are not.
    let found: Vec<Finding> = batch.judged().findings.into_iter().filter(|f| f.rule == Rule::Balance).collect();
    assert_eq!((found.len(), found[0].override_phrase), (1, Some("fee not certain")));
    batch.known.wallet.as_mut().unwrap().gasless_withdraw = Some(true);
    assert_eq!(batch.said(Rule::Balance), []);
    let batch = Several::of(vec![to(SUPPLIER, "41"), to(OTHER, "58")]);
    assert_eq!(batch.said(Rule::Balance)[0].0, Severity::Stop);
}

#[test]
fn more_recipients_than_allowed_are_stopped_and_never_split_here() {
    let many: Vec<Recipient> = (0..201).map(|n| to(&address(n), "0.1")).collect();
    let mut batch = Several::of(many);
    assert_eq!(batch.said(Rule::Batch), [(Severity::Stop, "This batch has 201 recipients; a batch may have 200 at most (batch_recipients of the profile). Split the file into 2 or more.".to_owned())]);
    batch.known.policy.batch_recipients = Some(201);
    assert_eq!(batch.said(Rule::Batch), []);
}

#[test]
fn the_same_file_again_and_what_was_paid_just_now_are_told() {
    let mut batch = everyday();
    batch.known.same_file_orders = vec![SameFileOrder {
        order: super::super::tests::intent(),
        at: NOW,
        total: amount("35.5"),
        state: "accepted".into(),
    }];
    batch.known.recent_payments = vec![paid(5)];
    let found: Vec<_> = batch.judged().findings.into_iter().filter_map(|f| f.override_phrase).collect();
    assert!(found.contains(&"same file again") && found.contains(&"pay again"), "{found:?}");
    batch.known.recent_payments[0].is_unresolved = true;
    let stop = &batch.judged().findings[0];
    assert_eq!(stop.severity, Severity::Stop);
    assert!(stop.words.starts_with("Line 2: An equal payment is unresolved"), "{}", stop.words);
}

#[test]
fn amounts_that_add_up_to_something_else_stop_all_of_it() {
    let mut batch = everyday();
    batch.sender.amount = amount("35.6");
    assert_eq!(batch.judged().findings[0].severity, Severity::Stop);
    assert_eq!(batch.judged().rows, []);
    batch.says.to[0].amount = "1e3".into();
    assert_eq!(batch.judged().findings[0].severity, Severity::Stop);
}

/// What is compared grows with the rows and what is known, and not with their product.
#[test]
fn thousands_of_rows_are_compared_with_few() {
    const ROWS: u64 = 5_000;
    let rows: Vec<Recipient> = (0..ROWS).map(|n| to(&address(n), "0.001")).collect();
    let mut batch = Several::of(rows);
    batch.known.payees = (ROWS..2 * ROWS).map(|n| payee(&address(n), "ethereum")).collect();
    let shapes: Vec<ComparableAddress> = batch.says.to.iter().map(|to| ComparableAddress::parse(&to.address)).collect();
    let whole = batch.says.as_single_payment(batch.sender.amount);
    let case = GuardedPayment { request: &whole, sender: &batch.sender, facts: &batch.known, now: NOW };
    let index = Index::of(&case);
    let all = batch.says.to.iter().zip(&shapes).map(|(to, shape)| (to.address.as_str(), shape)).collect();
    let among = Rows::of(all);
    let trusted: usize = shapes.iter().map(|shape| index.compared(shape)).sum();
    let each_other: usize = (0..shapes.len()).map(|row| among.compared(row)).sum();
    // 25 million pairs each, if all were compared.
    assert!(trusted < 1_000, "{trusted} trusted addresses were compared");
    assert!(each_other < 2 * shapes.len(), "{each_other} rows were compared");
    let judged = batch.judged();
    assert_eq!(judged.rows.len(), shapes.len());
    assert!(judged.findings.iter().any(|f| f.severity == Severity::Stop && f.words.contains("5000 recipients")));
    // Nor does a file whose addresses all begin alike cost more than its rows.
    let rows: Vec<Recipient> = (0..ROWS).map(|n| to(&format!("0xaaaaa{}bbbbb", &address(n)[2..32]), "1")).collect();
    let shapes: Vec<ComparableAddress> = rows.iter().map(|to| ComparableAddress::parse(&to.address)).collect();
    let among = Rows::of(rows.iter().zip(&shapes).map(|(to, shape)| (to.address.as_str(), shape)).collect());
    assert!((0..shapes.len()).all(|row| among.compared(row) <= 256));
    assert!(among.judge(0, |row| row.to_string()).is_some());
}

/// A rule, how grave what it found is, and the words for it.
type Said = (Rule, Severity, Option<&'static str>);

/// What is said of a recipient, wherever its row stands.
fn of_rows(batch: &Several) -> BTreeMap<(String, String), Vec<Said>> {
    let judged = batch.judged();
    let key = |to: &Recipient| (to.address.to_string(), to.amount.to_string());
    let said = |row: RecipientFindings| {
        let mut said: Vec<_> = row.findings.iter().map(|f| (f.rule, f.severity, f.override_phrase)).collect();
        said.sort();
        said
    };
    batch.says.to.iter().map(key).zip(judged.rows.into_iter().map(said)).collect()
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
        let rows: Vec<Recipient> = numbers.iter().map(|(n, amount)| to(&near(*n), &amount.to_string())).collect();
        let mut shuffled = rows.clone();
        shuffled.rotate_left(usize::try_from(seed % 7).unwrap() % rows.len());
        shuffled.reverse();
        let batch = |rows: Vec<Recipient>| {
            let mut batch = Several::of(rows);
            batch.known.payees.truncate(0);
            batch.known.payees = (0..3).map(|n| payee(&address(n), "ethereum")).collect();
            batch.known.recent_payments = vec![crate::guard::RecentPayment { to: Text::clean(&address(1)), ..paid(9) }];
            batch
        };
        let (one, other) = (batch(rows), batch(shuffled));
        prop_assert_eq!(of_rows(&one), of_rows(&other));
        let whole = |batch: &Several| {
            let mut said: Vec<_> =
                batch.judged().findings.iter().map(|f| (f.rule, f.severity, f.override_phrase)).collect();
            said.sort();
            said.dedup();
            said
        };
        prop_assert_eq!(whole(&one), whole(&other));
    }

    /// The index finds what a search through all trusted addresses finds.
    #[test]
    fn an_index_misses_nothing(
        trusted in prop::collection::vec("0x[ab]{4}[0-9a-f]{32}[cd]{4}", 1..30),
        asked in "0x[ab]{4}[0-9a-f]{32}[cd]{4}",
    ) {
        let mut payment = Payment::to(&asked);
        payment.known.payees = trusted.iter().map(|address| payee(address, "ethereum")).collect();
        let case = GuardedPayment { request: &payment.says, sender: &payment.sender, facts: &payment.known, now: NOW };
        let searched = crate::guard::look_alike::judge(&case).into_iter().next();
        let found = Index::of(&case).judge(&asked, &ComparableAddress::parse(&asked));
        prop_assert_eq!(found.map(|f| (f.severity, f.words)), searched.map(|f| (f.severity, f.words)));
    }
}
