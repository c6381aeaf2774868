//! Whether this console ever paid the recipient. Where the memo identifies the recipient, another memo at a known
//! address is another recipient.

use super::{Finding, GuardedPayment, Payee, Rule, truncate_word};
use crate::domain::address::is_same_address;
use crate::domain::chain::memo_usage;
use crate::domain::draft::MemoSupport;
use crate::domain::{MemoUsage, Text, Timestamp, chain};

const RULE: Rule = Rule::FirstPayment;

/// What the operator types for a recipient that was never paid.
const CHALLENGE_HINT: &str = " Type four characters from its middle, read from the recipient's own message or invoice.";
/// The same where the payment has a memo that was never used there.
const CHALLENGE_HINT_WITH_MEMO: &str = " To confirm, type the memo and four characters from the middle of the address.";

/// Whether this console never paid the recipient on this chain: then the operator also types four characters from the
/// middle of the address (see [`challenge_range`](super::challenge_range())).
pub fn is_first_payment(case: &GuardedPayment<'_>, tag: MemoSupport<'_>) -> bool {
    payee_on_chain(case).is_none_or(|payee| !is_known_by(case, payee, tag))
}

fn payee_on_chain<'a>(case: &GuardedPayment<'a>) -> Option<&'a Payee> {
    let on_chain = |payee: &&Payee| chain::is_same_chain(&payee.blockchain, &case.request.blockchain);
    case.facts.payees.iter().filter(on_chain).find(|payee| is_same_address(&payee.address, &case.request.to))
}

/// Whether the address alone identifies the payee, or it was paid with this very memo.
fn is_known_by(case: &GuardedPayment<'_>, payee: &Payee, tag: MemoSupport<'_>) -> bool {
    let by_address_alone = memo_usage(&case.request.blockchain) == Some(MemoUsage::None);
    by_address_alone || payee.memos.iter().any(|memo| memo.as_ref() == memo_of(tag))
}

/// The payment's memo, if it never went to that address before: where a memo identifies the recipient, it is typed like
/// the address.
pub fn new_memo<'a>(case: &GuardedPayment<'_>, tag: MemoSupport<'a>) -> Option<&'a Text> {
    let is_heeded = memo_usage(&case.request.blockchain) != Some(MemoUsage::None);
    memo_of(tag).filter(|_| is_heeded && is_first_payment(case, tag))
}

fn memo_of(tag: MemoSupport<'_>) -> Option<&Text> {
    match tag {
        MemoSupport::Supported(memo) => memo,
        MemoSupport::Unsupported => None,
    }
}

pub(super) fn judge(case: &GuardedPayment<'_>, tag: MemoSupport<'_>) -> Vec<Finding> {
    judge_with_hint(case, tag, if new_memo(case, tag).is_some() { CHALLENGE_HINT_WITH_MEMO } else { CHALLENGE_HINT })
}

/// The same for a recipient of a batch, for which nothing is typed.
pub(super) fn judge_in_batch(case: &GuardedPayment<'_>) -> Vec<Finding> {
    judge_with_hint(case, MemoSupport::Unsupported, "")
}

fn judge_with_hint(case: &GuardedPayment<'_>, tag: MemoSupport<'_>, typing: &str) -> Vec<Finding> {
    let mut findings = vec![match payee_on_chain(case) {
        Some(payee) if is_known_by(case, payee, tag) => known_recipient(case, payee),
        Some(payee) => other_memo(case, payee, tag, typing),
        None => first_recipient(case, typing),
    }];
    let others = &case.facts.other_payments;
    if others.payments > 0 {
        let last = others.last.map(|last| format!(", last on {}", format_day(last))).unwrap_or_default();
        let times = count_label(others.payments);
        findings.push(Finding::note(
            RULE,
            format!("The service's history has payments to this address that this console did not make: {times}{last}. They do not show who owns the address."),
        ));
    }
    findings
}

fn known_recipient(case: &GuardedPayment<'_>, payee: &Payee) -> Finding {
    let times = count_label(payee.payments);
    let span = if payee.payments == 1 {
        format!("on {}", format_day(payee.first))
    } else {
        format!("first on {}, last on {}", format_day(payee.first), format_day(payee.last))
    };
    let totals = payee
        .totals
        .iter()
        .map(|(symbol, total)| format!("{} {} in all", total.format_grouped(), truncate_word(symbol)));
    Finding::note(RULE, format!("This console has paid this address {times} on {}, {span}.", case.chain_name()))
        .with_lines(totals)
}

/// The address is known, but not with this memo: at an exchange it is another customer's.
fn other_memo(case: &GuardedPayment<'_>, payee: &Payee, tag: MemoSupport<'_>, typing: &str) -> Finding {
    let (times, chain) = (count_label(payee.payments), case.chain_name());
    let usage = if memo_of(tag).is_some() { "never with this memo or tag" } else { "always with a memo or tag" };
    let message = format!(
        "This console paid this address {times} on {chain}, but {usage}. At the same address, another memo may be somebody \
         else's money.{typing}"
    );
    let mut lines: Vec<String> =
        payee.memos.iter().map(|memo| format!("before  {}", memo_label(memo.as_ref()))).collect();
    lines.push(format!("now     {}", memo_label(memo_of(tag))));
    Finding::caution(RULE, message).with_lines(lines)
}

fn memo_label(memo: Option<&Text>) -> String {
    memo.map_or_else(|| "none".to_owned(), |memo| truncate_word(memo))
}

fn first_recipient(case: &GuardedPayment<'_>, typing: &str) -> Finding {
    let elsewhere = case.facts.payees.iter().find(|payee| is_same_address(&payee.address, &case.request.to));
    let never = match elsewhere {
        Some(payee) => format!(
            "This console paid this address {} on {}, but never on {}.",
            count_label(payee.payments),
            truncate_word(chain::chain_display_name(&payee.blockchain)),
            case.chain_name()
        ),
        None => "This console has never paid this address.".to_owned(),
    };
    Finding::note(RULE, format!("{never}{typing}"))
}

fn count_label(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

fn format_day(at: Timestamp) -> String {
    at.format("%Y-%m-%d")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NOW, Payment, SUPPLIER, payee};
    use super::*;
    use crate::guard::{OtherPayments, Severity};

    /// An example of the standard.
    const XRP: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

    fn case(payment: &Payment) -> GuardedPayment<'_> {
        GuardedPayment { request: &payment.request, sender: &payment.sender, facts: &payment.facts, now: NOW }
    }

    fn is_first_without_memo(payment: &Payment) -> bool {
        is_first_payment(&case(payment), MemoSupport::Unsupported)
    }

    /// What is said of a payment with this memo to an address that was paid with these; `None` where it is known.
    fn new_memo_finding(chain: &str, before: &[Option<&str>], now: MemoSupport<'_>) -> Option<Finding> {
        let mut payment = Payment::to(XRP).on(chain);
        let memos = before.iter().map(|memo| memo.map(Into::into)).collect();
        payment.facts.payees = vec![Payee { memos, ..payee(XRP, chain) }];
        let finding = judge(&case(&payment), now).remove(0);
        is_first_payment(&case(&payment), now).then_some(finding)
    }

    #[test]
    fn another_memo_at_a_known_address_is_another_recipient() {
        let (own, other) = (Text::from("104735891"), Text::from("104735892"));
        let finding = new_memo_finding("xrp", &[Some("104735891")], MemoSupport::Supported(Some(&other))).unwrap();
        assert_eq!(finding.severity, Severity::Caution);
        assert!(finding.message.contains("but never with this memo or tag"), "{}", finding.message);
        assert!(finding.message.ends_with("four characters from the middle of the address."), "{}", finding.message);
        assert_eq!(finding.lines, ["before  104735891", "now     104735892"]);
        assert!(new_memo_finding("xrp", &[Some("104735891"), Some("7")], MemoSupport::Supported(Some(&own))).is_none());
        // Without a memo it is another one, too, whether the request has no place for it or it was left out.
        for now in [MemoSupport::Unsupported, MemoSupport::Supported(None)] {
            let finding = new_memo_finding("xrp", &[Some("104735891")], now).unwrap();
            assert!(finding.message.contains("but always with a memo or tag"), "{}", finding.message);
            assert!(new_memo_finding("xrp", &[Some("104735891"), None], now).is_none());
        }
        // Nobody knows what a memo means there; and where it means nothing, the address says it all.
        assert!(new_memo_finding("quickchain", &[None], MemoSupport::Supported(Some(&own))).is_some());
        assert!(new_memo_finding("ethereum", &[None], MemoSupport::Supported(Some(&own))).is_none());
    }

    #[test]
    fn a_memo_that_was_never_used_at_a_known_address_is_typed() {
        let own = Text::from("104735891");
        let typed = |chain: &str, before: &[Option<&str>], now: MemoSupport<'static>| {
            let mut payment = Payment::to(XRP).on(chain);
            let memos = before.iter().map(|memo| memo.map(Into::into)).collect();
            payment.facts.payees = vec![Payee { memos, ..payee(XRP, chain) }];
            new_memo(&case(&payment), now).map(ToString::to_string)
        };
        let own: &'static Text = Box::leak(Box::new(own));
        let now = MemoSupport::Supported(Some(own));
        assert_eq!(typed("xrp", &[Some("7"), None], now).as_deref(), Some("104735891"));
        assert_eq!(typed("quickchain", &[None], now).as_deref(), Some("104735891"));
        assert_eq!(typed("xrp", &[Some("104735891")], now), None, "it went there before");
        assert_eq!(typed("ethereum", &[None], now), None, "nobody heeds it there");
        assert_eq!(typed("xrp", &[Some("7")], MemoSupport::Supported(None)), None);
        // An address that is new is new with its memo.
        let mut payment = Payment::to(XRP).on("xrp");
        payment.facts.payees.clear();
        assert_eq!(new_memo(&case(&payment), now), Some(own));
    }

    #[test]
    fn a_first_payment_asks_for_the_middle_of_the_address() {
        let payment = Payment::to(SUPPLIER);
        assert!(is_first_without_memo(&payment));
        let finding = payment.single_finding(RULE);
        assert_eq!(finding.severity, Severity::Note);
        assert!(
            finding.message.starts_with("This console has never paid this address. Type four characters"),
            "{}",
            finding.message
        );
    }

    #[test]
    fn a_known_recipient_is_told_with_count_dates_and_total() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.payees = vec![payee(&SUPPLIER.to_lowercase(), "ethereum-mainnet")];
        assert!(!is_first_without_memo(&payment));
        let finding = payment.single_finding(RULE);
        let message =
            "This console has paid this address 3 times on Ethereum, first on 2026-05-28, last on 2026-09-10.";
        assert_eq!(
            (finding.message.as_str(), finding.lines.as_slice()),
            (message, ["1,250.5 USDC in all".to_owned()].as_slice())
        );
    }

    #[test]
    fn a_recipient_of_another_chain_is_new_on_this_one() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.payees = vec![payee(SUPPLIER, "base")];
        assert!(is_first_without_memo(&payment));
        assert!(
            payment
                .single_finding(RULE)
                .message
                .starts_with("This console paid this address 3 times on Base, but never on Ethereum.")
        );
    }

    #[test]
    fn what_others_paid_is_told_and_earns_no_trust() {
        let mut payment = Payment::to(SUPPLIER);
        payment.facts.other_payments = OtherPayments { payments: 2, last: Some(NOW) };
        assert!(is_first_without_memo(&payment));
        let messages = payment.messages_of(RULE);
        assert_eq!(messages.len(), 2);
        assert!(messages[1].1.contains("did not make: twice, last on 2026-09-21"), "{}", messages[1].1);
    }
}
