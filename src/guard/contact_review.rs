//! The findings on a new address-book entry, and the phrases to type for it.

use super::{
    Finding, GuardFacts, Override, Rule, Severity, chain_served, judge_contact, sort_by_severity, truncate_word,
};
use crate::domain::book::{BookEntry, Contact};
use crate::domain::{Timestamp, chain};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContactReview {
    pub refusal: Option<String>,
    /// Whether the book already has the contact unchanged.
    pub is_known: bool,
    /// The changes to the present entry at its address.
    pub changes: Vec<String>,
    /// Most severe first.
    pub findings: Vec<Finding>,
}

impl ContactReview {
    /// The override phrases to type, one for each danger.
    pub fn override_phrases(&self) -> Vec<&'static str> {
        let dangers = self.findings.iter().filter(|finding| finding.severity == Severity::Danger);
        dangers.filter_map(|finding| finding.override_phrase).collect()
    }

    /// Why the contact cannot be entered, if so: it is refused, or a finding cannot be overridden.
    pub fn stop_reason(&self) -> Option<&str> {
        let stops = |finding: &&Finding| {
            finding.severity == Severity::Stop
                || (finding.severity == Severity::Danger && finding.override_phrase.is_none())
        };
        let message = || self.findings.iter().find(stops).map(|finding| finding.message.as_str());
        self.refusal.as_deref().or_else(message)
    }
}

pub fn review_contact(contact: &Contact, facts: &GuardFacts, now: Timestamp) -> ContactReview {
    let refused = |message: String| ContactReview { refusal: Some(message), ..ContactReview::default() };
    if let Err(fault) = contact.check() {
        return refused(fault.to_string());
    }
    let book = &facts.book;
    let known_contact = book.find(&contact.address, &contact.blockchain).map(|entry| &entry.contact);
    if known_contact == Some(contact) {
        return ContactReview { is_known: true, ..ContactReview::default() };
    }
    if let Some(BookEntry { contact: other, .. }) = book.find_namesake(contact) {
        return refused(format!(
            "{} is already in the address book on {}, at {}; choose another name, or remove that entry first",
            other.name,
            chain::chain_display_name(&contact.blockchain),
            other.address
        ));
    }
    if let Some(BookEntry { contact: other, .. }) = book.find_name_address_collision(contact) {
        return refused(format!(
            "{} at {} could be taken for {} at {}; choose another name",
            contact.name, contact.address, other.name, other.address
        ));
    }
    let mut findings = judge_contact(contact, facts, now);
    if let Some(tag) = known_contact.and_then(|was| was.tag.as_ref()).filter(|_| contact.tag.is_none()) {
        let message =
            format!("Deposits to this address needed the tag “{}”, and the new entry has none.", truncate_word(tag));
        findings.push(Finding::danger(Rule::Memo, Override::NoTag, message));
    }
    if let Some(BookEntry { contact: other, .. }) = book.find_entry_with_look_alike_name(contact) {
        let message = "This name looks like another name in the address book, but is a different one.";
        let lines = [
            format!("this   {} at {}", contact.name, contact.address),
            format!("other  {} at {}", other.name, other.address),
        ];
        findings.push(Finding::danger(Rule::LookAlike, Override::LookAlike, message.into()).with_lines(lines));
    }
    findings.extend(chain_served::judge(contact, facts));
    if let Some(BookEntry { contact: other, .. }) = book.find_on_other_chain(contact) {
        let message = format!(
            "This address is already in the book, as {} on {}: the same address would have two names.",
            truncate_word(&other.name),
            truncate_word(chain::chain_display_name(&other.blockchain))
        );
        findings.push(Finding::caution(Rule::Address, message));
    }
    let changes = known_contact.map(|was| contact.describe_changes_from(was)).unwrap_or_default();
    ContactReview { refusal: None, is_known: false, changes, findings: sort_by_severity(findings) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NOW, OTHER, Payment, SUPPLIER};
    use super::*;
    use crate::domain::AddressBook;
    use crate::domain::book::BookChange;

    fn contact(name: &str, address: &str, tag: Option<&str>) -> Contact {
        Contact {
            name: name.into(),
            address: address.into(),
            blockchain: "ethereum".into(),
            tag: tag.map(Into::into),
            note: None,
        }
    }

    fn facts_with_contacts(entries: &[Contact]) -> GuardFacts {
        let mut facts = Payment::to(SUPPLIER).facts;
        facts.book =
            AddressBook::from_changes(entries.iter().map(|contact| (BookChange::Entered(contact.clone()), NOW)));
        facts
    }

    #[test]
    fn a_name_that_only_looks_like_another_is_entered_with_words() {
        let facts = facts_with_contacts(&[contact("Norrland", SUPPLIER, None)]);
        // A Cyrillic о in the place of the Latin one.
        let forged = review_contact(&contact("N\u{43e}rrland", OTHER, None), &facts, NOW);
        assert_eq!((forged.stop_reason(), forged.override_phrases()), (None, vec!["looks like another"]));
        for slipped in ["Norland", "Norrladn", "Norrlandd"] {
            let review = review_contact(&contact(slipped, OTHER, None), &facts, NOW);
            assert_eq!(
                (review.stop_reason(), review.override_phrases()),
                (None, vec!["looks like another"]),
                "{slipped}"
            );
        }
        // The very same name on this chain is refused, and another one is nobody's double.
        assert!(review_contact(&contact("NORRLAND", OTHER, None), &facts, NOW).refusal.is_some());
        assert!(review_contact(&contact("Southland", OTHER, None), &facts, NOW).override_phrases().is_empty());
        // One's own name again, at the same address, is no double.
        let renamed = review_contact(&contact("N\u{43e}rrland", SUPPLIER, None), &facts, NOW);
        assert!(renamed.override_phrases().is_empty(), "{renamed:?}");
        assert_eq!(renamed.changes.len(), 1);
    }

    #[test]
    fn one_address_under_two_names_is_said() {
        let facts = facts_with_contacts(&[contact("Norrland", SUPPLIER, None)]);
        let on_base = |name: &str| Contact { blockchain: "base".into(), ..contact(name, SUPPLIER, None) };
        let findings = |name: &str| review_contact(&on_base(name), &facts, NOW).findings;
        let judged = findings("Harbour");
        assert_eq!(judged.len(), 1, "{judged:?}");
        assert!(
            judged[0].severity == Severity::Caution && judged[0].message.contains("as Norrland on Ethereum"),
            "{judged:?}"
        );
        assert_eq!(findings("Norrland"), []);
    }

    #[test]
    fn a_tag_is_not_taken_away_in_silence() {
        let facts = facts_with_contacts(&[contact("Exchange", SUPPLIER, Some("7"))]);
        assert!(review_contact(&contact("Exchange", SUPPLIER, Some("7")), &facts, NOW).is_known);
        assert_eq!(
            review_contact(&contact("Exchange", SUPPLIER, None), &facts, NOW).override_phrases(),
            ["no tag needed"]
        );
        assert!(review_contact(&contact("Exchange", SUPPLIER, Some("8")), &facts, NOW).override_phrases().is_empty());
    }

    #[test]
    fn what_cannot_be_a_contact_is_refused() {
        assert!(review_contact(&contact("", SUPPLIER, None), &facts_with_contacts(&[]), NOW).stop_reason().is_some());
        let burnt = contact("Nobody", "0x000000000000000000000000000000000000dEaD", None);
        assert!(review_contact(&burnt, &facts_with_contacts(&[]), NOW).stop_reason().is_some());
    }
}
