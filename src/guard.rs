//! The guard: from what is to be paid and what is known to what the operator must be told. Pure.
//!
//! One file per rule. A rule that cannot judge for lack of knowledge says so; it never passes in silence.

mod address;
mod allow_list;
mod balance;
mod batch;
mod called;
mod clock;
mod contact;
mod customer;
mod duplicate;
mod entering;
mod environment;
mod finding;
mod first_payment;
mod knowledge;
mod limits;
mod look_alike;
mod memo;
mod middle;
mod outlier;
mod own_wallet;
mod quote;
mod served;
mod swap;
mod swap_again;
#[cfg(test)]
mod tests;
mod token;
mod unresolved;
mod unspendable;

use crate::domain::address::same;
use crate::domain::draft::Tag;
use crate::domain::{Draft, Family, Sender, Text, Timestamp, chain};

pub use batch::{BatchCase, Judged, JudgedRow, NewRecipient, judge_batch, new_recipients};
pub use called::may_be_same;
pub use contact::judge as judge_contact;
pub use entering::{Entering, entering};
pub use finding::{Finding, Override, Rule, Severity};
pub use first_payment::{is_first, new_memo};
pub use knowledge::{About, Case, Earlier, Estimate, Funds, Knowledge, Others, Own, Paid, Payee, Spent, Swap, Usual};
pub use look_alike::{AddressEnds, Resembled, resembled};
pub use middle::{is_middle, middle};
pub use quote::{Moved, still_holds};
pub use swap::{SwapCase, judge as judge_swap};
pub use unresolved::is_since;

/// What the operator must be told of a payment, the gravest first; what is equally grave in the order of the rules.
pub fn judge(case: &Case<'_>) -> Vec<Finding> {
    judge_tagged(case, Tag::NoPlace)
}

/// What a rule does.
type Judge<'a> = dyn Fn(&Case<'_>) -> Vec<Finding> + 'a;

/// The same of a payment whose request may have a place for a memo or tag.
pub fn judge_tagged(case: &Case<'_>, tag: Tag<'_>) -> Vec<Finding> {
    let case = &case.by_earlier_clock();
    let memo = |case: &Case<'_>| memo::judge(case, tag);
    let first_payment = |case: &Case<'_>| first_payment::judge(case, tag);
    let outlier = |case: &Case<'_>| outlier::judge(case, tag);
    let rules: [&Judge<'_>; 15] = [
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
    sorted(clock::judge(case.known).into_iter().chain(rules.iter().flat_map(|rule| rule(case))).collect())
}

/// The same of whatever a draft moves; `None` for what moves no money.
pub fn judge_draft(draft: &Draft, sender: &Sender, known: &Knowledge, now: Timestamp) -> Option<Judged> {
    let findings = match (draft, draft.to_one()) {
        (_, Some(says)) => judge_tagged(&Case { says, sender, known, now }, draft.tag()),
        (Draft::Batch(says), None) => return Some(judge_batch(&BatchCase { says, sender, known, now })),
        _ => {
            let (exchange, sale) = (draft.exchange()?, draft.sale(sender)?);
            judge_swap(&SwapCase { sale: Case { says: &sale, sender, known, now }, exchange })
        }
    };
    Some(Judged { findings, rows: Vec::new() })
}

/// The gravest first; what is equally grave stays as it stands.
fn sorted(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

impl Case<'_> {
    /// How the addresses of the payment's chain are written; `None` where neither this program nor the service's list
    /// of chains tells.
    fn family(&self) -> Option<Family> {
        let protocol = self.known.chain.as_ref().and_then(|chain| chain.protocol.as_deref());
        chain::family(&self.says.blockchain, protocol)
    }

    /// Whether something that left was of the payment's token: by its symbol, else by its contract. `None` where it says
    /// neither clearly enough: it has no symbol, or one such as `USDC.ETH` for `USDC`.
    fn is_of_token(&self, spent: &Spent) -> Option<bool> {
        if spent.symbol.trim().eq_ignore_ascii_case(self.says.token.trim()) {
            return Some(true);
        }
        let is_here = chain::same(&spent.blockchain, &self.says.blockchain);
        match (&spent.token.contract, &self.sender.token.contract) {
            (Some(that), Some(this)) if is_here => return Some(same(that, this)),
            // The chain's own coin under another name, or a token of which the contract was not told.
            (None, None) if is_here => return None,
            _ => {}
        }
        let head = |symbol: &str| symbol.trim().split(|c: char| !c.is_alphanumeric()).next().map(str::to_lowercase);
        let that = head(&spent.symbol).filter(|head| !head.is_empty());
        if that.is_none() || that == head(&self.says.token) { None } else { Some(false) }
    }

    /// What to call the payment's chain.
    fn chain_name(&self) -> String {
        short(chain::display_name(&self.says.blockchain))
    }
}

/// A word from outside, cut so that it cannot drown the sentence that it stands in.
fn short(word: &str) -> String {
    const LONGEST: usize = 28;
    if word.chars().count() <= LONGEST {
        return Text::clean(word).to_string();
    }
    let kept: String = word.chars().take(LONGEST - 1).collect();
    Text::clean(&format!("{kept}…")).to_string()
}
