//! Whether the profile and the data name the same network: real money, or a test.

use super::{Finding, GuardedPayment, Rule, truncate_word};
use crate::domain::Network;

const RULE: Rule = Rule::Environment;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let networks = &case.facts.network_claims;
    let line =
        |(place, word): &(String, crate::domain::Text)| format!("{}: {}", truncate_word(place), truncate_word(word));
    let Some(expected) = case.facts.expected_network else {
        let Some(first) = networks.first() else {
            return vec![Finding::caution(
                RULE,
                "Neither the profile nor the data shows whether this is a main or a test network.".into(),
            )];
        };
        if let Some(other) = networks.iter().find(|other| !is_same_network(&first.1, &other.1)) {
            let message = "The data names two networks, and the profile does not set which one to expect.";
            return vec![Finding::stop(RULE, message.into()).with_lines([line(first), line(other)])];
        }
        let message = format!("The profile does not name a network. The data names {}.", truncate_word(&first.1));
        return vec![Finding::note(RULE, message)];
    };
    let strange: Vec<_> = networks.iter().filter(|(_, word)| Network::of_word(word) != Some(expected)).collect();
    if !strange.is_empty() {
        let message = format!("The profile is for {expected}, but the data names another network.");
        return vec![Finding::stop(RULE, message).with_lines(strange.into_iter().map(line))];
    }
    if networks.is_empty() {
        let message = format!("The profile is for {expected}. The data does not name a network.");
        return vec![Finding::note(RULE, message)];
    }
    Vec::new()
}

/// Two words mean the same network if they are equal, or are both known as test networks or both as main networks.
fn is_same_network(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || Network::of_word(one).is_some_and(|network| Network::of_word(other) == Some(network))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::tests::{Payment, SUPPLIER};
    use super::*;
    use crate::guard::Severity;

    #[rstest]
    #[case(Some(Network::Mainnet), &["mainnet", "MAINNET", "production"], None)]
    #[case(Some(Network::Testnet), &["testnet", "sepolia"], None)]
    #[case(Some(Network::Mainnet), &["mainnet", "testnet"], Some(Severity::Stop))]
    #[case(Some(Network::Testnet), &["mainnet"], Some(Severity::Stop))]
    // A word that nobody knows agrees with nothing but itself.
    #[case(Some(Network::Mainnet), &["mainnet", "regnet"], Some(Severity::Stop))]
    #[case(None, &["regnet", "Regnet"], Some(Severity::Note))]
    #[case(Some(Network::Mainnet), &[], Some(Severity::Note))]
    #[case(None, &[], Some(Severity::Caution))]
    #[case(None, &["mainnet", "main"], Some(Severity::Note))]
    #[case(None, &["mainnet", "testnet"], Some(Severity::Stop))]
    fn profile_and_data_must_agree(
        #[case] expected: Option<Network>,
        #[case] claims: &[&str],
        #[case] severity: Option<Severity>,
    ) {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.expected_network = expected;
        payment.facts.network_claims = claims.iter().map(|word| ("the wallet".to_owned(), (*word).into())).collect();
        assert_eq!(payment.max_severity(RULE), severity);
    }

    #[test]
    fn what_disagrees_is_shown_with_its_place() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.network_claims.push(("the balance".into(), "testnet".into()));
        assert_eq!(payment.single_finding(RULE).lines, ["the balance: testnet"]);
    }
}
