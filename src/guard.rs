//! The guard: from what is to be paid and what is known to what the operator must be told. Pure.
//!
//! One file per rule. A rule that cannot judge for lack of knowledge says so; it never passes in silence.

mod address;
mod allow_list;
mod balance;
mod batch;
mod contact;
mod duplicate;
mod entering;
mod environment;
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
mod unspendable;

use crate::domain::address::same;
use crate::domain::draft::Tag;
use crate::domain::{Draft, Family, Sender, Text, Timestamp, chain};

pub use batch::{BatchCase, Judged, JudgedRow, judge_batch};
pub use contact::judge as judge_contact;
pub use entering::{Entering, entering};
pub use first_payment::is_first;
pub use knowledge::{About, Case, Earlier, Estimate, Funds, Knowledge, Others, Own, Paid, Payee, Spent, Swap};
pub use middle::{is_middle, middle};
pub use quote::{Moved, still_holds};
pub use swap::{SwapCase, judge as judge_swap};

/// What the operator must be told of a payment, the gravest first; what is equally grave in the order of the rules.
pub fn judge(case: &Case<'_>) -> Vec<Finding> {
    judge_tagged(case, Tag::NoPlace)
}

/// What a rule does.
type Judge<'a> = dyn Fn(&Case<'_>) -> Vec<Finding> + 'a;

/// The same of a payment whose request may have a place for a memo or tag.
pub fn judge_tagged(case: &Case<'_>, tag: Tag<'_>) -> Vec<Finding> {
    let memo = |case: &Case<'_>| memo::judge(case, tag);
    let first_payment = |case: &Case<'_>| first_payment::judge(case, tag);
    let rules: [&Judge<'_>; 13] = [
        &environment::judge,
        &address::judge,
        &unspendable::judge,
        &own_wallet::judge,
        &look_alike::judge,
        &allow_list::judge,
        &token::judge,
        &memo,
        &limits::judge,
        &outlier::judge,
        &duplicate::judge,
        &balance::judge,
        &first_payment,
    ];
    sorted(rules.iter().flat_map(|rule| rule(case)).collect())
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

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Worth a second look.
    Caution,
    /// Sent only after the operator typed the words that name the danger.
    Danger,
    /// Cannot be sent.
    Stop,
}

/// Which rule found something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The recipient's address as such.
    Address,
    /// The recipient is the paying wallet itself, or another of one's own.
    OwnWallet,
    /// Zero, burn, system and token-contract addresses.
    Unspendable,
    /// Which token the symbol means.
    Token,
    /// Whether the chain's deposits commonly need a tag.
    Memo,
    /// What the wallet can pay.
    Balance,
    /// Whether the recipient was ever paid.
    FirstPayment,
    /// Whether the recipient looks like a trusted one and is not.
    LookAlike,
    /// Whether the same was paid just now.
    Duplicate,
    /// Whether the profile and the data speak of the same network.
    Environment,
    /// Whether the recipient stands in the address book, and for how long.
    AllowList,
    /// What the profile's policy allows.
    Limits,
    /// Whether the amount is of another order than what the recipient got before.
    Outlier,
    /// What the recipients of a batch are among each other.
    Batch,
    /// What a swap gives.
    Quote,
    /// Whether a typing error in the recipient's address would be noticed.
    Checksum,
}

impl Rule {
    /// Whether what others do while a payment is reviewed can make it find something: other consoles and other people
    /// pay from the same wallet, and change the same book.
    pub fn depends_on_others(self) -> bool {
        matches!(self, Self::Duplicate | Self::Limits | Self::AllowList)
    }
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// How grave it is.
    pub severity: Severity,
    /// A sentence or two for the operator.
    pub words: String,
    /// Further lines that stand as they are, in cells of one width: addresses under each other, for example.
    pub lines: Vec<String>,
    /// For a danger: the words that the operator types to go on in spite of it.
    pub overridden_by: Option<&'static str>,
}

impl Finding {
    fn note(rule: Rule, words: String) -> Self {
        Self { rule, severity: Severity::Note, words, lines: Vec::new(), overridden_by: None }
    }

    fn caution(rule: Rule, words: String) -> Self {
        Self { severity: Severity::Caution, ..Self::note(rule, words) }
    }

    fn danger(rule: Rule, overridden_by: &'static str, words: String) -> Self {
        Self { severity: Severity::Danger, overridden_by: Some(overridden_by), ..Self::note(rule, words) }
    }

    fn stop(rule: Rule, words: String) -> Self {
        Self { severity: Severity::Stop, ..Self::note(rule, words) }
    }

    fn with(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }
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
