//! Findings on an address before it is entered into the address book: those of the payment rules that need no payment.

use super::{Finding, GuardFacts, GuardedPayment, Severity, address, clock, look_alike, sort_by_severity, unspendable};
use crate::domain::book::Contact;
use crate::domain::{Amount, Metadata, Policy, Sender, Text, Timestamp, TokenKey, WalletId, Withdrawal};

/// Judges the address of a contact. It is compared with every entry of the book, cooled or not: two similar entries may
/// be mistaken for each other.
pub fn judge(contact: &Contact, facts: &GuardFacts, now: Timestamp) -> Vec<Finding> {
    let policy = Policy { cooling: None, ..facts.policy.clone() };
    let facts = GuardFacts { policy, ..facts.clone() };
    let request = Withdrawal {
        wallet: WalletId::from_text(""),
        blockchain: contact.blockchain.clone(),
        token: Text::default(),
        amount: "0".into(),
        to: contact.address.clone(),
        ref_id: None,
        note: None,
        metadata: Metadata::default(),
    };
    let sender = Sender {
        name: None,
        address: None,
        account: None,
        user: None,
        token: TokenKey::new(&contact.blockchain, None),
        amount: Amount::zero(0),
    };
    let case = GuardedPayment { request: &request, sender: &sender, facts: &facts, now }.by_earlier_clock();
    let rules: [fn(&GuardedPayment<'_>) -> Vec<Finding>; 3] = [address::judge, unspendable::judge, look_alike::judge];
    // The command line enters contacts without asking the service for the time.
    let clock = clock::judge(&facts).into_iter().filter(|finding| finding.severity > Severity::Note);
    sort_by_severity(clock.chain(rules.iter().flat_map(|rule| rule(&case))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NOW, Payment, SUPPLIER};
    use super::*;
    use crate::domain::AddressBook;
    use crate::domain::book::BookChange;
    use crate::guard::{Rule, Severity};

    fn contact(address: &str) -> Contact {
        Contact { name: "New".into(), address: address.into(), blockchain: "ethereum".into(), tag: None, note: None }
    }

    fn judged_findings(address: &str, facts: &GuardFacts) -> Vec<(Rule, Severity)> {
        judge(&contact(address), facts, NOW).into_iter().map(|finding| (finding.rule, finding.severity)).collect()
    }

    #[test]
    fn an_address_that_looks_like_one_in_the_book_is_found_while_that_cools() {
        let mut facts = Payment::to(SUPPLIER).facts;
        assert_eq!(judged_findings(SUPPLIER, &facts), []);
        facts.policy.cooling = Some(std::time::Duration::from_hours(48));
        facts.book = AddressBook::from_changes([(
            BookChange::Entered(contact("0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5")),
            NOW,
        )]);
        let forged = "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5";
        assert_eq!(judged_findings(forged, &facts), [(Rule::LookAlike, Severity::Danger)]);
        // To enter the very same one again is no danger.
        assert_eq!(judged_findings("0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5", &facts), []);
    }

    #[test]
    fn what_cannot_be_paid_is_stopped() {
        let facts = Payment::to(SUPPLIER).facts;
        assert_eq!(
            judged_findings("0x000000000000000000000000000000000000dEaD", &facts),
            [(Rule::Unspendable, Severity::Stop)]
        );
        assert_eq!(judged_findings("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", &facts)[0], (Rule::Address, Severity::Stop));
    }
}
