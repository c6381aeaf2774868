//! Whether this console ever paid the recipient.

use super::{Case, Finding, Payee, Rule, short};
use crate::domain::address::same;
use crate::domain::{Timestamp, chain};

const RULE: Rule = Rule::FirstPayment;

/// Whether this console never paid the recipient on this chain: then four characters from the middle of the address
/// are typed, too (see [`middle`](super::middle())).
pub fn is_first(case: &Case<'_>) -> bool {
    here(case).is_none()
}

fn here<'a>(case: &Case<'a>) -> Option<&'a Payee> {
    let on_chain = |payee: &&Payee| chain::same(&payee.blockchain, &case.says.blockchain);
    case.known.payees.iter().filter(on_chain).find(|payee| same(&payee.address, &case.says.to))
}

pub(super) fn judge(case: &Case<'_>) -> Vec<Finding> {
    let typing = " Four characters from its middle are to be typed, read from where the recipient gave it to you.";
    said(case, typing)
}

/// The same of a recipient of a batch, of whom nothing is typed.
pub(super) fn in_batch(case: &Case<'_>) -> Vec<Finding> {
    said(case, "")
}

fn said(case: &Case<'_>, typing: &str) -> Vec<Finding> {
    let mut findings = vec![match here(case) {
        Some(payee) => known(case, payee),
        None => unknown(case, typing),
    }];
    let others = &case.known.others;
    if others.payments > 0 {
        let last = others.last.map(|last| format!(", last on {}", day(last))).unwrap_or_default();
        let times = times(others.payments);
        findings.push(Finding::note(
            RULE,
            format!("The service's history holds payments to it that this console did not make: {times}{last}. They say nothing of whose it is."),
        ));
    }
    findings
}

fn known(case: &Case<'_>, payee: &Payee) -> Finding {
    let times = times(payee.payments);
    let span = if payee.payments == 1 {
        format!("on {}", day(payee.first))
    } else {
        format!("first on {}, last on {}", day(payee.first), day(payee.last))
    };
    let totals = payee.totals.iter().map(|(symbol, total)| format!("{} {} in all", total.grouped(), short(symbol)));
    Finding::note(RULE, format!("This console paid it {times} on {}, {span}.", case.chain_name())).with(totals)
}

fn unknown(case: &Case<'_>, typing: &str) -> Finding {
    let elsewhere = case.known.payees.iter().find(|payee| same(&payee.address, &case.says.to));
    let never = match elsewhere {
        Some(payee) => format!(
            "This console paid this address {} on {}, but never on {}.",
            times(payee.payments),
            short(chain::display_name(&payee.blockchain)),
            case.chain_name()
        ),
        None => "This console never paid this address.".to_owned(),
    };
    Finding::note(RULE, format!("{never}{typing}"))
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

fn day(at: Timestamp) -> String {
    at.format("%Y-%m-%d")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NOW, Payment, SUPPLIER, payee};
    use super::*;
    use crate::guard::{Others, Severity};

    fn first(payment: &Payment) -> bool {
        is_first(&Case { says: &payment.says, sender: &payment.sender, known: &payment.known, now: NOW })
    }

    #[test]
    fn a_first_payment_asks_for_the_middle_of_the_address() {
        let payment = Payment::to(SUPPLIER);
        assert!(first(&payment));
        let finding = payment.one(RULE);
        assert_eq!(finding.severity, Severity::Note);
        assert!(
            finding.words.starts_with("This console never paid this address. Four characters"),
            "{}",
            finding.words
        );
    }

    #[test]
    fn a_known_recipient_is_told_with_count_dates_and_total() {
        let mut payment = Payment::to(SUPPLIER);
        payment.known.payees = vec![payee(&SUPPLIER.to_lowercase(), "ethereum-mainnet")];
        assert!(!first(&payment));
        let finding = payment.one(RULE);
        let words = "This console paid it 3 times on Ethereum, first on 2026-05-28, last on 2026-09-10.";
        assert_eq!(
            (finding.words.as_str(), finding.lines.as_slice()),
            (words, ["1,250.5 USDC in all".to_owned()].as_slice())
        );
    }

    #[test]
    fn a_recipient_of_another_chain_is_new_on_this_one() {
        let mut payment = Payment::to(SUPPLIER);
        payment.known.payees = vec![payee(SUPPLIER, "base")];
        assert!(first(&payment));
        assert!(
            payment
                .one(RULE)
                .words
                .starts_with("This console paid this address 3 times on Base, but never on Ethereum.")
        );
    }

    #[test]
    fn what_others_paid_is_told_and_earns_no_trust() {
        let mut payment = Payment::to(SUPPLIER);
        payment.known.others = Others { payments: 2, last: Some(NOW) };
        assert!(first(&payment));
        let said = payment.said(RULE);
        assert_eq!(said.len(), 2);
        assert!(said[1].1.contains("did not make: twice, last on 2026-09-21"), "{}", said[1].1);
    }
}
