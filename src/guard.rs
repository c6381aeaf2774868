//! The guard: judges a payment by the facts around it, and returns findings for the operator. Pure.
//!
//! One file per rule. A rule that lacks the facts to judge reports that as a finding; it never passes silently.

mod address;
mod address_challenge;
mod allow_list;
mod balance;
mod batch;
mod chain_served;
mod clock;
mod contact;
mod contact_review;
mod customer;
mod duplicate;
mod duplicate_swap;
mod environment;
mod facts;
mod finding;
mod first_payment;
mod limits;
mod look_alike;
mod memo;
mod outlier;
mod own_wallet;
mod quote;
mod reference;
mod swap;
#[cfg(test)]
mod tests;
mod token;
mod unresolved;
mod unspendable;

use crate::domain::draft::MemoSupport;
use crate::domain::{Draft, Sender, Timestamp};
use finding::{sort_by_severity, truncate_word};

pub use address_challenge::{challenge_range, is_challenge_answer};
pub use batch::{BatchFindings, GuardedBatch, NewRecipient, RecipientFindings, judge_batch, new_recipients};
pub use contact::judge as judge_contact;
pub use contact_review::{ContactReview, review_contact};
pub use facts::{
    ExpectedFee, Funds, GuardFacts, GuardedPayment, GuardedSwap, OtherPayments, Outflow, OwnAddress, Payee,
    RecentPayment, RecentSwap, RecipientFacts, SameFileOrder, UsualAmount,
};
pub use finding::{Finding, Override, Rule, Severity};
pub use first_payment::{is_first_payment, new_memo};
pub use limits::{LimitUsage, OutflowSum, empty_payment, limit_usage};
pub use look_alike::{KnownEnds, LookAlikeMatch, find_look_alike};
pub use quote::{QuoteRejection, check_quote};
pub use reference::{OwnReferences, may_share_reference};
pub use swap::judge as judge_swap;
pub use unresolved::may_be_after;

/// Judges a payment: most severe findings first, equally severe ones in the order of the rules.
pub fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    judge_with_tag(case, MemoSupport::Unsupported)
}

/// The signature of a rule.
type RuleFn<'a> = dyn Fn(&GuardedPayment<'_>) -> Vec<Finding> + 'a;

/// Judges a payment whose request may have a field for a memo or tag.
pub fn judge_with_tag(case: &GuardedPayment<'_>, tag: MemoSupport<'_>) -> Vec<Finding> {
    let case = &case.by_earlier_clock();
    let memo = |case: &GuardedPayment<'_>| memo::judge(case, tag);
    let first_payment = |case: &GuardedPayment<'_>| first_payment::judge(case, tag);
    let outlier = |case: &GuardedPayment<'_>| outlier::judge(case, tag);
    let rules: [&RuleFn<'_>; 15] = [
        &environment::judge,
        &address::judge,
        &unspendable::judge,
        &own_wallet::judge,
        &customer::judge,
        &look_alike::judge,
        &allow_list::judge,
        &token::judge,
        &memo,
        &limits::judge,
        &outlier,
        &unresolved::judge,
        &duplicate::judge,
        &balance::judge,
        &first_payment,
    ];
    sort_by_severity(clock::judge(case.facts).into_iter().chain(rules.iter().flat_map(|rule| rule(case))).collect())
}

/// Judges any draft; `None` for one that moves no money.
pub fn judge_draft(draft: &Draft, sender: &Sender, facts: &GuardFacts, now: Timestamp) -> Option<BatchFindings> {
    let findings = match (draft, draft.single_payment()) {
        (_, Some(withdrawal)) => {
            judge_with_tag(&GuardedPayment { request: withdrawal, sender, facts, now }, draft.memo())
        }
        (Draft::Batch(batch), None) => {
            return Some(judge_batch(&GuardedBatch { request: batch, sender, facts, now }));
        }
        _ => {
            let (exchange, sale) = (draft.exchange()?, draft.sale_as_withdrawal(sender)?);
            judge_swap(&GuardedSwap { sale: GuardedPayment { request: &sale, sender, facts, now }, exchange })
        }
    };
    Some(BatchFindings { findings, rows: Vec::new() })
}
