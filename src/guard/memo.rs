//! Whether the chain's deposits commonly need a memo or tag, and whether the payment can carry it.
//!
//! A version 2 request has no field for a memo. A version 1 request has one, and then the memo identifies the recipient
//! as much as the address does.

use super::{Finding, GuardedPayment, Override, Rule, truncate_word};
use crate::domain::chain::memo_usage;
use crate::domain::draft::MemoSupport;
use crate::domain::{MemoUsage, Text, memo};

const RULE: Rule = Rule::Memo;

pub(super) fn judge(case: &GuardedPayment<'_>, tag: MemoSupport<'_>) -> Vec<Finding> {
    let contact_entry = case.facts.book.find(&case.request.to, &case.request.blockchain);
    let booked = contact_entry.and_then(|entry| Some((&entry.contact.name, entry.contact.tag.as_ref()?)));
    match (tag, booked) {
        (MemoSupport::Unsupported, Some((name, tag))) => {
            let message = "According to your address book, deposits to this recipient need a tag, and this payment cannot \
                         carry one.";
            vec![Finding::stop(RULE, message.into()).with_lines(contact_lines(name, tag))]
        }
        (MemoSupport::Supported(None), Some((name, tag))) => {
            let message = "According to your address book, deposits to this recipient need a tag, and this payment carries \
                         none. Enter the tag as the memo.";
            vec![Finding::stop(RULE, message.into()).with_lines(contact_lines(name, tag))]
        }
        (MemoSupport::Unsupported, None) => missing_memo(case, "cannot carry one"),
        (MemoSupport::Supported(None), None) => missing_memo(case, "carries none"),
        (MemoSupport::Supported(Some(memo)), booked) => judge_memo(case, memo, booked),
    }
}

fn contact_lines(name: &Text, tag: &Text) -> Vec<String> {
    vec![format!("name  {}", truncate_word(name)), format!("tag   {}", truncate_word(tag))]
}

/// The payment has no memo, because it `has_none`.
fn missing_memo(case: &GuardedPayment<'_>, has_none: &str) -> Vec<Finding> {
    let chain = case.chain_name();
    match memo_usage(&case.request.blockchain) {
        Some(MemoUsage::None) => Vec::new(),
        Some(MemoUsage::Common) => vec![Finding::danger(
            RULE,
            Override::NoTag,
            format!(
                "Deposits on {chain} commonly need a memo or tag, and this payment {has_none}. Without it an exchange \
                 cannot tell whose money it is."
            ),
        )],
        None => vec![Finding::caution(
            RULE,
            format!(
                "This console does not know whether deposits on {chain} need a memo or tag, and this payment {has_none}."
            ),
        )],
    }
}

fn judge_memo(case: &GuardedPayment<'_>, memo: &Text, booked: Option<(&Text, &Text)>) -> Vec<Finding> {
    if let Err(fault) = memo::check_memo(case.family(), memo) {
        return vec![Finding::stop(RULE, format!("The memo is not valid on this chain: {fault}."))];
    }
    let chain = case.chain_name();
    if let Some((name, tag)) = booked {
        if tag == memo {
            return vec![Finding::note(RULE, "The memo is the tag in your address book.".into())];
        }
        let message = "Your address book has another tag for this recipient. At the same address, another tag may be somebody \
                     else's money.";
        let lines = contact_lines(name, tag).into_iter().chain([format!("memo  {}", truncate_word(memo))]);
        return vec![Finding::danger(RULE, Override::OtherTag, message.into()).with_lines(lines)];
    }
    match memo_usage(&case.request.blockchain) {
        Some(MemoUsage::Common) => vec![Finding::note(
            RULE,
            "The memo decides whose money it is as much as the address does: compare both with what the recipient gave \
             you."
                .into(),
        )],
        Some(MemoUsage::None) => {
            vec![Finding::caution(RULE, format!("Payments on {chain} carry no memo: the recipient will not see it."))]
        }
        None => vec![Finding::caution(
            RULE,
            format!("This console does not know whether payments on {chain} carry a memo to the recipient."),
        )],
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::judge_with_tag;
    use super::super::tests::{NOW, Payment, SUPPLIER};
    use super::*;
    use crate::domain::AddressBook;
    use crate::domain::book::{BookChange, Contact};
    use crate::guard::Severity;

    /// Examples of the standards.
    const XRP: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

    #[rstest]
    #[case("xrp", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("XRP-mainnet", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("the-open-network", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("stellar_testnet", Some((Severity::Danger, Some("no tag needed"))))]
    #[case("quickchain", Some((Severity::Caution, None)))]
    #[case("ethereum", None)]
    #[case("solana-devnet", None)]
    fn a_tag_that_is_not_sent_is_a_danger(
        #[case] chain: &str,
        #[case] expected: Option<(Severity, Option<&'static str>)>,
        #[values(MemoSupport::Unsupported, MemoSupport::Supported(None))] tag: MemoSupport<'static>,
    ) {
        assert_eq!(memo_finding(&Payment::to(SUPPLIER).on(chain), tag), expected);
    }

    fn memo_finding(payment: &Payment, tag: MemoSupport<'_>) -> Option<(Severity, Option<&'static str>)> {
        let case =
            GuardedPayment { request: &payment.request, sender: &payment.sender, facts: &payment.facts, now: NOW };
        let findings = judge_with_tag(&case, tag);
        let memo_finding = findings.iter().find(|finding| finding.rule == RULE);
        memo_finding.map(|finding| (finding.severity, finding.override_phrase))
    }

    #[rstest]
    #[case("xrp", "104735891", Some((Severity::Note, None)))]
    #[case("xrp", "customer 12", Some((Severity::Stop, None)))]
    #[case("ethereum", "customer 12", Some((Severity::Caution, None)))]
    #[case("quickchain", "customer 12", Some((Severity::Caution, None)))]
    fn a_memo_is_judged_by_its_chain(
        #[case] chain: &str,
        #[case] memo: &str,
        #[case] expected: Option<(Severity, Option<&'static str>)>,
    ) {
        assert_eq!(memo_finding(&Payment::to(XRP).on(chain), MemoSupport::Supported(Some(&memo.into()))), expected);
    }

    #[test]
    fn the_tag_of_the_address_book_goes_with_the_payment_or_is_asked_about() {
        let mut payment = Payment::to(XRP).on("xrp");
        let contact = Contact {
            name: "Exchange".into(),
            address: XRP.into(),
            blockchain: "xrp".into(),
            tag: Some("104735891".into()),
            note: None,
        };
        payment.facts.book = AddressBook::from_changes([(BookChange::Entered(contact), NOW)]);
        for (tag, expected) in [
            (MemoSupport::Unsupported, (Severity::Stop, None)),
            (MemoSupport::Supported(None), (Severity::Stop, None)),
            (MemoSupport::Supported(Some(&"104735891".into())), (Severity::Note, None)),
            (MemoSupport::Supported(Some(&"104735892".into())), (Severity::Danger, Some("other tag"))),
        ] {
            assert_eq!(memo_finding(&payment, tag), Some(expected), "{tag:?}");
        }
    }
}
