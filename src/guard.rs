//! The guard: from what is to be paid and what is known to what the operator must be told. Pure.
//!
//! One file per rule. A rule that cannot judge for lack of knowledge says so; it never passes in silence.

mod knowledge;

pub use knowledge::{Case, Estimate, Funds, Knowledge, Own, Paid, Payee};

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
