//! Whether the chain of a new address-book entry exists.

use super::{Finding, GuardFacts, Override, Rule, truncate_word};
use crate::domain::book::Contact;
use crate::domain::chain::{Chain, is_same_chain};
use crate::domain::edit_distance::edit_distance;

/// The greatest edit distance at which a chain is suggested.
const MAX_DISTANCE: usize = 2;

/// A chain that neither this program nor the service knows is a danger: addresses on it are not validated, and an entry
/// under a mistyped chain is not found when a payment on the right chain is made.
pub(super) fn judge(contact: &Contact, facts: &GuardFacts) -> Option<Finding> {
    let word = contact.blockchain.trim();
    if Chain::find(word).is_some() || facts.served_chains.iter().any(|served| is_same_chain(served, word)) {
        return None;
    }
    let serves = if facts.served_chains.is_empty() {
        "the list of chains that the service supports has not been read yet"
    } else {
        "the service supports no chain of that name"
    };
    let suggestion = nearest_chain(word, facts).map_or_else(String::new, |near| format!(" Did you mean {near}?"));
    let message =
        format!("“{}” is not a blockchain known to this console, and {serves}.{suggestion}", truncate_word(word));
    Some(Finding::danger(Rule::Address, Override::UnknownChain, message))
}

/// The chain that was perhaps meant.
fn nearest_chain<'a>(word: &str, facts: &'a GuardFacts) -> Option<&'a str> {
    let word = word.to_lowercase();
    let own_chains = Chain::all().iter().flat_map(|chain| [(chain.slug, chain.slug), (chain.slug, chain.name)]);
    let served = facts.served_chains.iter().map(|slug| (slug.as_str(), slug.as_str()));
    let far = own_chains.chain(served).map(|(slug, name)| (edit_distance(&word, &name.to_lowercase()), slug, name));
    // Many short words are close to each other.
    let near = far.filter(|(slips, _, name)| *slips <= MAX_DISTANCE.min(name.chars().count() / 3));
    near.min_by_key(|(slips, ..)| *slips).map(|(_, slug, _)| slug)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Severity;

    fn judge_chain(chain: &str, served: &[&str]) -> Option<(Severity, String)> {
        let contact = Contact {
            name: "Other".into(),
            address: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359".into(),
            blockchain: chain.into(),
            tag: None,
            note: None,
        };
        let facts =
            GuardFacts { served_chains: served.iter().map(|slug| (*slug).into()).collect(), ..GuardFacts::default() };
        judge(&contact, &facts).map(|finding| (finding.severity, finding.message))
    }

    #[test]
    fn a_chain_that_nobody_knows_is_a_danger_that_names_the_nearest() {
        let (severity, message) = judge_chain("etherum", &["ethereum", "moonriver"]).unwrap();
        assert_eq!(severity, Severity::Danger);
        assert_eq!(
            message,
            "“etherum” is not a blockchain known to this console, and the service supports no chain of that name. Did you mean \
             ethereum?"
        );
        assert!(judge_chain("Moonrivr", &["moonriver"]).unwrap().1.ends_with("Did you mean moonriver?"));
        // Offline, that is said, and nothing is guessed of a word that is near to nothing.
        let (_, message) = judge_chain("Norrland Shipping", &[]).unwrap();
        assert!(message.ends_with("the list of chains that the service supports has not been read yet."), "{message}");
    }

    #[test]
    fn a_chain_that_is_known_or_served_goes_without_a_word() {
        for chain in ["ethereum", "ETH", "Ethereum-sepolia", "moonriver", "Moonriver"] {
            assert_eq!(judge_chain(chain, &["moonriver"]), None, "{chain}");
        }
    }
}
