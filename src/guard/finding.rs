//! A rule's finding: its severity, its words, and the phrase that overrides it.

use crate::domain::Text;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Note,
    Caution,
    /// Sent only after the operator typed the override phrase, which names the danger.
    Danger,
    Stop,
}

impl Severity {
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Caution => "caution",
            Self::Danger => "DANGER",
            Self::Stop => "STOP",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    Address,
    /// The recipient is the paying wallet itself, or another wallet of the business.
    OwnWallet,
    /// Zero, burn, system and token-contract addresses.
    Unspendable,
    /// Which token the symbol means.
    Token,
    /// Whether the chain's deposits commonly need a tag.
    Memo,
    /// Whether the wallet can pay.
    Balance,
    /// Whether the recipient was ever paid.
    FirstPayment,
    /// Whether the recipient resembles a trusted address and differs.
    LookAlike,
    /// Whether an equal payment was made recently.
    Duplicate,
    /// Whether the profile and the data name the same network.
    Environment,
    /// Whether the recipient is in the address book, and for how long.
    AllowList,
    /// The limits of the profile's policy.
    Limits,
    /// Whether the amount is far beyond what the recipient received before.
    Outlier,
    /// How the recipients of a batch relate to each other.
    Batch,
    /// The outcome of a swap.
    Quote,
    /// Whether the recipient's address would reveal a typing error.
    Checksum,
    /// Whether this machine's clock agrees with the service's.
    Clock,
    /// Whether a customer's money goes to anybody else.
    Customer,
}

impl Rule {
    pub const ALL: &[Self] = &[
        Self::Address,
        Self::OwnWallet,
        Self::Unspendable,
        Self::Token,
        Self::Memo,
        Self::Balance,
        Self::FirstPayment,
        Self::LookAlike,
        Self::Duplicate,
        Self::Environment,
        Self::AllowList,
        Self::Limits,
        Self::Outlier,
        Self::Batch,
        Self::Quote,
        Self::Checksum,
        Self::Clock,
        Self::Customer,
    ];

    /// The name in the record of a confirmation; it never changes.
    pub fn word(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::OwnWallet => "own-wallet",
            Self::Unspendable => "unspendable",
            Self::Token => "token",
            Self::Memo => "memo",
            Self::Balance => "balance",
            Self::FirstPayment => "first-payment",
            Self::LookAlike => "look-alike",
            Self::Duplicate => "duplicate",
            Self::Environment => "environment",
            Self::AllowList => "allow-list",
            Self::Limits => "limits",
            Self::Outlier => "outlier",
            Self::Batch => "batch",
            Self::Quote => "quote",
            Self::Checksum => "checksum",
            Self::Clock => "clock",
            Self::Customer => "customer",
        }
    }

    /// Whether events outside a review can change its findings: other consoles and people pay from the same wallet and
    /// change the same book, and a clock may be set.
    pub fn depends_on_others(self) -> bool {
        matches!(self, Self::Duplicate | Self::Limits | Self::AllowList | Self::Clock)
    }
}

/// Declares the dangers that can be overridden, each with its phrase.
macro_rules! overrides {
    ($($(#[$doc:meta])+ $name:ident $phrase:literal)+) => {
        /// A danger that can be overridden, by typing its phrase.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Override {
            $($(#[$doc])+ $name),+
        }

        impl Override {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            pub fn phrase(self) -> &'static str {
                match self {
                    $(Self::$name => $phrase),+
                }
            }
        }
    };
}

overrides! {
    /// The recipient resembles a trusted address.
    LookAlike "looks like another"
    /// The address is for test networks, and the network of the payment is not known.
    TestAddress "test address"
    /// The recipient is a wallet of the business on another chain.
    OtherChain "other chain"
    /// Few people have a wallet in that workchain of TON.
    Validators "validators workchain"
    /// The blockchain of a new address-book entry is unknown.
    UnknownChain "unknown chain"
    /// The token imitates a listed one.
    Imitation "not the listed token"
    /// The payment has no tag where deposits commonly need one.
    NoTag "no tag needed"
    /// The address book has another tag.
    OtherTag "other tag"
    /// Above the limit of one payment.
    Limit "over the limit"
    /// Above the daily limit.
    DailyLimit "over the daily limit"
    /// Above the share of the balance that one payment may be.
    Share "over the share"
    /// The payments of the day may be incomplete.
    LimitUncertain "limit not certain"
    /// The payments to an entry during its cooling-off period may be incomplete.
    EntryUncertain "entry limit not certain"
    /// The amount is far beyond those before.
    UnusualAmount "unusual amount"
    /// Half of the balance or more goes to a recipient that was never paid before.
    HalfBalance "half the balance"
    /// A customer's wallet pays somebody else.
    CustomerMoney "customer money"
    /// The outcome of another payment to the recipient is unknown.
    Unresolved "order is unresolved"
    /// An equal payment was made recently.
    PayAgain "pay again"
    /// Another payment was made under the same reference.
    SameReference "same reference"
    /// The same file was paid recently.
    SameFile "same file again"
    /// An equal swap was made recently.
    SwapAgain "swap again"
    /// Rows of a batch pay the same recipient.
    SameRecipient "same recipient twice"
    /// The wallet's balance is not known.
    BalanceUnknown "balance not known"
    /// The balance is too low, as far as it is known.
    BalanceTooLow "balance too low"
    /// The balance suffices, by an old reading.
    BalanceOld "balance old"
    /// The balance suffices, by what is reported for the wallet's user.
    BalanceAssumed "balance assumed"
    /// The balance suffices, by a calculation of this console.
    BalanceDerived "balance derived"
    /// The balance may not cover a batch's fee.
    FeeUncertain "fee not certain"
    /// This machine's clock and the service's differ.
    Clock "clock is wrong"
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    pub message: String,
    /// Further lines in monospaced columns, such as addresses below each other.
    pub lines: Vec<String>,
    /// For a danger: the phrase that the operator types to go on in spite of it.
    pub override_phrase: Option<&'static str>,
}

impl Finding {
    pub(super) fn note(rule: Rule, message: String) -> Self {
        Self { rule, severity: Severity::Note, message, lines: Vec::new(), override_phrase: None }
    }

    pub(super) fn caution(rule: Rule, message: String) -> Self {
        Self { severity: Severity::Caution, ..Self::note(rule, message) }
    }

    pub(super) fn danger(rule: Rule, overridden_by: Override, message: String) -> Self {
        Self { severity: Severity::Danger, override_phrase: Some(overridden_by.phrase()), ..Self::note(rule, message) }
    }

    pub(super) fn stop(rule: Rule, message: String) -> Self {
        Self { severity: Severity::Stop, ..Self::note(rule, message) }
    }

    pub(super) fn with_lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// One line for the record of a confirmation: a danger with its rule, and with its override phrase.
    pub fn record_line(&self) -> String {
        match self.override_phrase {
            Some(phrase) => {
                format!("{} ({}): {}{}", self.severity.word(), self.rule.word(), self.message, override_suffix(phrase))
            }
            None => format!("{}: {}", self.severity.word(), self.message),
        }
    }

    /// Whether a recorded line states that this danger was overridden, by its rule and phrase. The sentence is ignored,
    /// since each version words it differently. Lines of older versions name no rule.
    pub fn is_overridden_in(&self, line: &str) -> bool {
        let danger = Severity::Danger.word();
        let of_rule = || line.starts_with(&format!("{danger} ({}): ", self.rule.word()));
        let is_its = || line.starts_with(&format!("{danger}: ")) || of_rule();
        self.override_phrase.is_some_and(|phrase| line.ends_with(&override_suffix(phrase)) && is_its())
    }
}

/// The end of a recorded line that states the override phrase.
fn override_suffix(phrase: &str) -> String {
    format!(" [overridden: {phrase}]")
}

/// Most severe first; the sort is stable.
pub(super) fn sort_by_severity(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// An external word, cut so that it cannot dominate its sentence.
pub(super) fn truncate_word(word: &str) -> String {
    const LONGEST: usize = 28;
    if word.chars().count() <= LONGEST {
        return Text::clean(word).to_string();
    }
    let prefix: String = word.chars().take(LONGEST - 1).collect();
    Text::clean(&format!("{prefix}…")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_danger_is_overridden_by_rule_and_words_whatever_its_sentence_was() {
        let before = Finding::danger(Rule::Duplicate, Override::PayAgain, "An older sentence.".into());
        let line = before.record_line();
        assert_eq!(line, "DANGER (duplicate): An older sentence. [overridden: pay again]");
        let now = Finding { message: "A newer sentence.".into(), ..before.clone() };
        assert!(now.is_overridden_in(&line));
        // As versions before this one wrote it.
        assert!(now.is_overridden_in("DANGER: An older sentence. [overridden: pay again]"));
        let others = [
            Finding::danger(Rule::Duplicate, Override::SameReference, before.message.clone()),
            Finding::danger(Rule::Limits, Override::PayAgain, before.message.clone()),
            Finding::stop(Rule::Duplicate, before.message),
        ];
        for other in others {
            assert!(!other.is_overridden_in(&line), "{other:?}");
        }
        assert!(!now.is_overridden_in("caution: “a [overridden: pay again]"));
        assert!(!now.is_overridden_in("DANGER (duplicate): [overridden: pay again] or not."));
    }

    #[test]
    fn every_rule_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.word()).collect();
        assert_eq!(names.len(), Rule::ALL.len());
    }
}
