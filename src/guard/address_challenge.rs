//! The characters of an address that the operator types before its first payment.

use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::domain::address::{ComparableAddress, recognise_address_kind, split_into_groups};

/// How many characters at either end are never part of the challenge: a forged address shares those.
const EXCLUDED_END_CHARS: usize = 6;

/// The byte range of the address that the operator types: one of the groups in which [`split_into_groups`] shows it, four
/// characters from its middle. It follows from the address, whatever its case, and cannot be derived from the ends
/// alone. For an address too short for that, the whole address.
pub fn challenge_range(address: &str) -> Range<usize> {
    let shape = ComparableAddress::parse(address);
    let fixed = shape.as_written().text().len() - shape.as_written().distinctive_part().len();
    let mut at = 0;
    let inner: Vec<Range<usize>> = split_into_groups(address)
        .into_iter()
        .map(|group| {
            let range = at..at + group.len();
            at = range.end;
            range
        })
        .filter(|range| {
            range.start >= fixed + EXCLUDED_END_CHARS
                && range.end + EXCLUDED_END_CHARS <= address.len()
                && range.len() >= 4
        })
        .collect();
    let digest = Sha256::digest(shape.as_written().text());
    let pick = digest.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
    let nth = usize::try_from(pick).unwrap_or(0).checked_rem(inner.len());
    nth.and_then(|nth| inner.get(nth).cloned()).unwrap_or(0..address.len())
}

/// Whether these are the characters of [`challenge_range()`]; case is ignored where the address ignores it.
pub fn is_challenge_answer(address: &str, typed: &str) -> bool {
    let Some(challenge) = address.get(challenge_range(address)) else { return false };
    let folds = recognise_address_kind(address).is_some_and(|kind| kind.is_case_insensitive);
    !challenge.is_empty() && (challenge == typed || (folds && challenge.eq_ignore_ascii_case(typed)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn four_characters_away_from_both_ends(digits in "[0-9a-f]{40}", base58 in "[1-9A-HJ-NP-Za-km-z]{43,44}") {
            for (address, fixed) in [(format!("0x{digits}"), 2), (base58, 0)] {
                let range = challenge_range(&address);
                prop_assert_eq!(range.len(), 4);
                prop_assert!(range.start >= fixed + EXCLUDED_END_CHARS && range.end + EXCLUDED_END_CHARS <= address.len());
                // It is one of the groups that are shown.
                prop_assert_eq!((range.start - fixed) % 4, 0);
                prop_assert!(split_into_groups(&address).contains(&&address[range]));
            }
        }

        #[test]
        fn it_does_not_depend_on_case_where_that_means_nothing(digits in "[0-9a-f]{40}") {
            let lower = format!("0x{digits}");
            prop_assert_eq!(challenge_range(&lower), challenge_range(&format!("0x{}", digits.to_uppercase())));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let range = challenge_range(&text);
            prop_assert!(text.get(range).is_some());
        }
    }

    #[test]
    fn every_group_of_the_middle_is_asked_for() {
        let mut starts: Vec<usize> = (0_u64..400).map(|nth| challenge_range(&format!("0x{nth:0>40x}")).start).collect();
        starts.sort_unstable();
        starts.dedup();
        assert_eq!(starts, [10, 14, 18, 22, 26, 30]);
    }

    #[test]
    fn what_is_typed_must_be_what_is_asked_for() {
        let evm = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        let challenge = &evm[challenge_range(evm)];
        assert!(
            is_challenge_answer(evm, challenge)
                && is_challenge_answer(evm, &challenge.to_lowercase())
                && is_challenge_answer(evm, &challenge.to_uppercase())
        );
        assert!(
            !is_challenge_answer(evm, "")
                && !is_challenge_answer(evm, &challenge[1..])
                && !is_challenge_answer(evm, "eAed")
        );
        let base58 = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
        let challenge = &base58[challenge_range(base58)];
        assert!(is_challenge_answer(base58, challenge) && !is_challenge_answer(base58, &challenge.to_lowercase()));
        assert!(!is_challenge_answer("", ""));
    }

    #[test]
    fn of_a_short_address_all_is_asked_for() {
        assert_eq!(challenge_range("alice.near"), 0..10);
        assert_eq!(challenge_range(""), 0..0);
    }
}
