use proptest::prelude::*;
use rstest::rstest;

use super::super::tests::{Payment, own_address, payee};
use super::*;
use crate::domain::address::ton;
use crate::domain::{Address, Family};
use crate::guard::Severity;

/// Whom it was meant for and who got it, each as published.
const DECEMBER_2025: [&str; 2] =
    ["0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5", "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5"];
const MAY_2024: [&str; 2] =
    ["0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91", "0xd9A1C3788D81257612E2581A6ea0aDa244853a91"];

#[rstest]
#[case(DECEMBER_2025, 3, 4)]
#[case(MAY_2024, 4, 6)]
fn the_pairs_of_great_losses_are_found(#[case] pair: [&str; 2], #[case] leading: usize, #[case] trailing: usize) {
    for address in pair {
        assert!(Address::parse(Family::Evm, address).is_ok(), "both have the right checksum: {address}");
    }
    let [original, imitation] = pair;
    assert_eq!(
        most_shared_ends(&ComparableAddress::parse(imitation), &ComparableAddress::parse(original)),
        SharedEnds { leading, trailing }
    );
    let mut payment = Payment::to(imitation);
    payment.facts.payees = vec![payee(original, "ethereum")];
    let finding = payment.single_finding(Rule::LookAlike);
    assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("looks like another")));
    assert!(
        finding.message.contains(&format!("the same {leading} "))
            && finding.message.contains(&format!("same {trailing} "))
    );
    // To pay whom it is meant for is no danger.
    let mut payment = Payment::to(&original.to_lowercase());
    payment.facts.payees = vec![payee(original, "base")];
    assert_eq!(payment.messages_of(Rule::LookAlike), []);
}

/// On a fresh console the service's history is all that there is to compare with.
#[test]
fn whom_the_history_shows_to_have_been_paid_is_known_and_what_resembles_it_is_a_danger() {
    for [genuine, forged] in [DECEMBER_2025, MAY_2024] {
        let mut payment = Payment::to(forged);
        assert_eq!(payment.messages_of(Rule::LookAlike), []);
        payment.facts.paid_by_history = vec![genuine.into()];
        let finding = payment.single_finding(Rule::LookAlike);
        assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("looks like another")));
        assert!(finding.message.contains("paid before, according to the service's history"), "{}", finding.message);
        assert!(finding.lines[1].starts_with("paid        0x"), "{:?}", finding.lines);
        let index = |payment: &Payment| {
            let Payment { request, sender, facts } = payment;
            let case = GuardedPayment { request, sender, facts, now: super::super::tests::NOW };
            TrustedIndex::of(&case).judge(forged, &ComparableAddress::parse(forged))
        };
        assert_eq!(index(&payment), Some(finding), "in a batch, too");
        let resembles = |payment: &Payment| find_look_alike(forged, &payment.facts, super::super::tests::NOW);
        assert_eq!(resembles(&payment).map(|other| other.address), Some(genuine.into()), "before it is copied, too");
        // Whoever is trusted for a better reason is so though somebody once paid a forgery of it.
        payment.facts.payees = vec![payee(forged, "ethereum")];
        assert_eq!((payment.messages_of(Rule::LookAlike), index(&payment)), (Vec::new(), None));
        assert_eq!(resembles(&payment), None);
    }
    // One end in common says nothing among all that was ever paid.
    let mut payment = Payment::to("0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5");
    payment.facts.paid_by_history = vec!["0xbaf4b1a000000000000000000000000000000001".into()];
    assert_eq!(payment.messages_of(Rule::LookAlike), []);
}

#[test]
fn an_address_that_an_import_alone_told_is_not_trusted() {
    let [original, imitation] = DECEMBER_2025;
    let mut payment = Payment::to(imitation);
    payment.facts.own_addresses.push(OwnAddress { is_reported: false, ..own_address("till", original, "ethereum") });
    assert_eq!(payment.messages_of(Rule::LookAlike), []);
    payment.facts.own_addresses.push(OwnAddress { is_reported: true, ..own_address("safe", original, "ethereum") });
    assert_eq!(payment.single_finding(Rule::LookAlike).severity, Severity::Danger);
}

#[test]
fn both_addresses_stand_under_each_other_with_marks() {
    let [original, imitation] = DECEMBER_2025;
    let mut payment = Payment::to(imitation);
    payment.facts.payees = vec![payee(original, "ethereum")];
    assert_eq!(
        payment.single_finding(Rule::LookAlike).lines,
        [
            "to be paid  0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5",
            "trusted     0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5",
            "differ at        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ^^^",
        ]
    );
    // Of different lengths, all between the ends is marked.
    let trusted = TrustedAddress {
        address: "abcdefgXYZ",
        shape: ComparableAddress::parse("abcdefgXYZ"),
        reason: TrustReason::Payee,
    };
    let lines = side_by_side(
        "abc12345678XYZ",
        "trusted",
        trusted.address,
        &trusted.shape,
        SharedEnds { leading: 3, trailing: 3 },
    );
    assert_eq!(lines[2], "differ at      ^^^^^^^^");
}

#[test]
fn whoever_was_deceived_once_is_warned_again() {
    let [original, imitation] = DECEMBER_2025;
    let mut payment = Payment::to(imitation);
    payment.facts.payees = vec![payee(imitation, "ethereum"), payee(original, "ethereum")];
    assert_eq!(payment.max_severity(Rule::LookAlike), Some(Severity::Danger));
}

/// One account of TON in all its writings, and another that shares what can be seen of each with it.
#[test]
fn an_account_is_compared_in_the_writing_that_is_seen() {
    let account = [0x5a_u8; 32];
    let write = |workchain: &str, account: &[u8; 32]| format!("{workchain}:{}", hex::encode(account));
    let raw = write("0", &account);
    let mut forged = account;
    forged[3..30].fill(0x77);
    let mut payment = Payment::to(&write("0", &forged)).on("ton");
    payment.facts.payees = vec![payee(&raw, "ton")];
    // In base64 their ends are not the same: the checksum is the last that stands there.
    let finding = payment.single_finding(Rule::LookAlike);
    assert_eq!((finding.severity, finding.lines.len()), (Severity::Danger, 3));
    // Trusted in base64 and paid raw: only the place can be compared, and both requests are told as they are.
    let friendly = ton::encode_address(account);
    payment.facts.payees = vec![payee(&friendly, "ton")];
    let finding = payment.single_finding(Rule::LookAlike);
    assert_eq!((finding.severity, finding.lines.len()), (Severity::Caution, 5));
    assert_eq!(finding.lines[3..], [format!("requested   {}", write("0", &forged)), format!("trusted as  {friendly}")]);
    // The very same account is no forgery of itself.
    payment.request.to = raw.as_str().into();
    assert_eq!(payment.messages_of(Rule::LookAlike), []);
}

#[test]
fn own_wallets_are_trusted_and_named() {
    let [original, imitation] = MAY_2024;
    let mut payment = Payment::to(imitation);
    payment.facts.own_addresses.push(own_address("treasury", original, "polygon"));
    let finding = payment.single_finding(Rule::LookAlike);
    assert_eq!(finding.severity, Severity::Danger);
    assert!(finding.message.contains("your wallet “treasury purse”"), "{}", finding.message);
}

#[rstest]
// Base58 tells cases apart: `Toke` and `toke` are different beginnings.
#[case("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxQ5DA", 5, 4)]
#[case("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "tokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxQ5dA", 0, 1)]
// What all Tron addresses begin with does not count.
#[case("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7", 0, 0)]
// Bech32 folds case.
#[case("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDP", 37, 0)]
fn ends_are_compared_as_their_kind_is_written(
    #[case] one: &str,
    #[case] other: &str,
    #[case] leading: usize,
    #[case] trailing: usize,
) {
    assert_eq!(
        most_shared_ends(&ComparableAddress::parse(one), &ComparableAddress::parse(other)),
        SharedEnds { leading, trailing }
    );
}

/// Random bytes of a small generator, so that a run can be told and repeated.
fn random_numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[test]
fn random_addresses_raise_hardly_an_alarm() {
    let mut dice = random_numbers(42);
    let mut address = || format!("0x{:016x}{:016x}{:08x}", dice(), dice(), dice() >> 32);
    let shapes: Vec<ComparableAddress> = (0..MANY_ADDRESSES).map(|_| ComparableAddress::parse(&address())).collect();
    let (mut dangers, mut few, mut many) = (0, 0, 0);
    for _ in 0..100_000 {
        let to = ComparableAddress::parse(&address());
        let all: Vec<SharedEnds> = shapes.iter().map(|shape| most_shared_ends(&to, shape)).collect();
        let worst = |trusted: usize| all.iter().filter_map(|shared| shared.likeness(trusted)).max();
        let (among_few, among_many) = (worst(MANY_ADDRESSES - 1), worst(MANY_ADDRESSES));
        dangers += u32::from(among_many == Some(Likeness::BothEnds));
        few += u32::from(among_few == Some(Likeness::OneEnd));
        many += u32::from(among_many == Some(Likeness::OneEnd));
    }
    // Expected of 200 trusted ones: 1.2 dangers; 610 cautions by four characters, 38 by five.
    assert!(dangers <= 6, "{dangers} of 100,000 raise a danger");
    assert!((450..780).contains(&few), "{few} of 100,000 raise a caution by four characters");
    assert!((15..70).contains(&many), "{many} of 100,000 raise a caution by five characters");
}

#[test]
fn ten_thousand_own_wallets_are_compared() {
    let mut dice = random_numbers(7);
    let mut payment = Payment::to(DECEMBER_2025[1]);
    let wallets =
        (0..10_000).map(|_| own_address("w", &format!("0x{:016x}{:016x}{:08x}", dice(), dice(), dice() >> 32), "base"));
    payment.facts.own_addresses.extend(wallets);
    payment.facts.own_addresses.push(own_address("meant", DECEMBER_2025[0], "ethereum"));
    assert_eq!(payment.max_severity(Rule::LookAlike), Some(Severity::Danger));
}

/// A row of a list is judged in a few steps, however many addresses are known and however often it is painted.
#[test]
fn a_row_is_compared_with_few_however_many_are_known() {
    let mut dice = random_numbers(11);
    let mut address = || format!("0x{:016x}{:016x}{:08x}", dice(), dice(), dice() >> 32);
    let wallets: Vec<String> = (0..20_000).map(|_| address()).collect();
    let mut facts = GuardFacts {
        own_addresses: wallets.iter().map(|at| own_address("w", at, "base")).collect(),
        ..GuardFacts::default()
    };
    facts.own_addresses.push(own_address("meant", DECEMBER_2025[0], "ethereum"));
    let ends = KnownEnds::of(&facts, super::super::tests::NOW);
    assert!(
        wallets.iter().all(|wallet_address| ends.count_compared(wallet_address) <= 6),
        "its two writings, and who shares both ends by chance"
    );
    assert!((0..20_000).all(|_| ends.count_compared(&address()) <= 4));
    assert!(ends.may_resemble(DECEMBER_2025[1]) && !ends.may_resemble(DECEMBER_2025[0]));
    assert!(!ends.may_resemble("") && !ends.may_resemble("0x"));
}

/// One account in two writings, of which neither begins or ends like the other.
#[rstest]
#[case::ton(
    "0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e",
    "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF"
)]
#[case::xrp("X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ", "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59")]
fn an_own_address_is_found_by_its_other_writing(#[case] one: &str, #[case] other: &str) {
    for (judged, own) in [(one, other), (other, one)] {
        assert!(KnownEnds::of_addresses([&judged.into()]).has_ends_of(own));
        let facts = GuardFacts { own_addresses: vec![own_address("w", own, "chain")], ..GuardFacts::default() };
        assert_eq!(find_look_alike(judged, &facts, super::super::tests::NOW), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What ends alone let pass, a search through all that is known lets pass, too.
    #[test]
    fn ends_miss_nothing_that_resembles(trusted in "[0-9a-f]{40}", leading in 0_usize..6, trailing in 0_usize..6) {
        let forged: String = trusted.char_indices().map(|(index, digit)| {
            let other = char::from_digit((digit.to_digit(16).unwrap() + 7) % 16, 16).unwrap();
            if index < leading || index >= 40 - trailing { digit } else { other }
        }).collect();
        let (trusted, forged) = (format!("0x{trusted}"), format!("0x{forged}"));
        let facts = GuardFacts { paid_by_history: vec![trusted.as_str().into()], ..GuardFacts::default() };
        let ends = KnownEnds::of(&facts, super::super::tests::NOW);
        for address in [&trusted, &forged, &forged.to_uppercase().replacen("0X", "0x", 1)] {
            let look_alike = find_look_alike(address, &facts, super::super::tests::NOW);
            prop_assert_eq!(look_alike.is_some(), ends.may_resemble(address), "{}", address);
        }
    }

    /// Own addresses without the ends of the address that is judged change nothing.
    #[test]
    fn own_addresses_with_other_ends_do_not_count(
        known in "[0-9a-f]{40}",
        other in "[0-9a-f]{40}",
        shared in proptest::collection::vec((0_usize..8, 0_usize..8, any::<bool>()), 1..6),
    ) {
        let written = |leading: usize, trailing: usize, upper: bool| {
            let digits = known.char_indices().map(|(index, digit)| {
                let other = char::from_digit((digit.to_digit(16).unwrap() + 7) % 16, 16).unwrap();
                if index < leading || index >= 40 - trailing { digit } else { other }
            });
            let digits: String = digits.collect();
            format!("0x{}", if upper { digits.to_uppercase() } else { digits })
        };
        let mut addresses = vec![format!("0x{known}"), format!("0x{other}")];
        addresses.extend(shared.iter().map(|(leading, trailing, upper)| written(*leading, *trailing, *upper)));
        let facts_of = |own: &mut dyn Iterator<Item = &String>| GuardFacts {
            own_addresses: own.map(|address| own_address("w", address, "base")).collect(),
            ..GuardFacts::default()
        };
        let now = super::super::tests::NOW;
        for judged in &addresses {
            let (known, judged_text) = (addresses.iter().filter(|address| *address != judged), judged.as_str().into());
            let ends = KnownEnds::of_addresses([&judged_text]);
            let whole = find_look_alike(judged, &facts_of(&mut known.clone()), now);
            let with_ends = facts_of(&mut known.filter(|address| ends.has_ends_of(address)));
            prop_assert_eq!(&whole, &find_look_alike(judged, &with_ends, now));
            // An address that is known itself resembles nothing.
            let all = facts_of(&mut addresses.iter());
            let with_ends = facts_of(&mut addresses.iter().filter(|address| ends.has_ends_of(address)));
            prop_assert_eq!(find_look_alike(judged, &all, now), None);
            prop_assert_eq!(find_look_alike(judged, &with_ends, now), None);
        }
    }

    /// The table of the law, for every number of characters that are the same at either end.
    #[test]
    fn what_is_the_same_decides(
        trusted in "[0-9a-f]{40}",
        leading in 0_usize..12,
        trailing in 0_usize..12,
        upper in any::<bool>(),
        many in any::<bool>(),
    ) {
        // Between the ends every digit is another one.
        let forged: String = trusted.char_indices().map(|(index, digit)| {
            let is_shared = index < leading || index >= 40 - trailing;
            let other = char::from_digit((digit.to_digit(16).unwrap() + 7) % 16, 16).unwrap();
            if is_shared { digit } else { other }
        }).collect();
        let forged = if upper { forged.to_uppercase() } else { forged };
        let mut payment = Payment::to(&format!("0x{forged}"));
        payment.facts.own_addresses.clear();
        payment.facts.payees = vec![payee(&format!("0x{trusted}"), "ethereum")];
        if many {
            // Base58 of other kinds shares nothing with these digits.
            payment.facts.payees.extend((0..MANY_ADDRESSES).map(|nth| payee(&format!("zz{nth:0>40}zz"), "elsewhere")));
        }
        let one = if many { 5 } else { 4 };
        let expected = if leading >= 3 && trailing >= 3 {
            Some(Severity::Danger)
        } else if leading >= one || trailing >= one {
            Some(Severity::Caution)
        } else {
            None
        };
        prop_assert_eq!(payment.max_severity(Rule::LookAlike), expected);
    }

    /// An address is never taken for a forgery of itself, however it is cased, and marks stand where texts differ.
    #[test]
    fn marks_stand_under_what_differs(one in "0x[0-9a-f]{40}", other in "0x[0-9a-fA-F]{40}") {
        let mut payment = Payment::to(&one);
        payment.facts.payees = vec![payee(&one.to_uppercase().replace("0X", "0x"), "base")];
        prop_assert_eq!(payment.max_severity(Rule::LookAlike), None);
        let trusted_address = TrustedAddress { address: &other, shape: ComparableAddress::parse(&other), reason: TrustReason::Payee };
        let lines = side_by_side(
            &one,
            "trusted",
            trusted_address.address,
            &trusted_address.shape,
            most_shared_ends(&ComparableAddress::parse(&one), &ComparableAddress::parse(&other)),
        );
        let [to, trusted, marks] = lines.as_slice() else { panic!("{lines:?}") };
        let marks = format!("{marks:<54}");
        for ((to, trusted), mark) in to.chars().zip(trusted.chars()).zip(marks.chars()).skip(12) {
            prop_assert_eq!(mark == '^', !to.eq_ignore_ascii_case(&trusted));
        }
    }
}
