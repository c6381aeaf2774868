//! What a rule finds: how grave it is, what is said of it, and by which words it is overridden.

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

impl Severity {
    /// It in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Caution => "caution",
            Self::Danger => "DANGER",
            Self::Stop => "STOP",
        }
    }
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
    /// Whether this machine's clock agrees with the service's.
    Clock,
    /// Whether a customer's money goes to anybody else.
    Customer,
}

impl Rule {
    /// Every one of them.
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

    /// Its name in the record of a confirmation, which stays as it is.
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

    /// Whether what others do while a payment is reviewed can make it find something: other consoles and other people
    /// pay from the same wallet, and change the same book; and a clock may be set.
    pub fn depends_on_others(self) -> bool {
        matches!(self, Self::Duplicate | Self::Limits | Self::AllowList | Self::Clock)
    }
}

/// Writes a list of what can be overridden, each with its words, once.
macro_rules! overrides {
    ($($(#[$doc:meta])+ $name:ident $words:literal)+) => {
        /// A danger that can be overridden, by the words that are typed for it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Override {
            $($(#[$doc])+ $name),+
        }

        impl Override {
            /// Every one of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// What is typed.
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words),+
                }
            }
        }
    };
}

overrides! {
    /// The recipient looks like a trusted one.
    LookAlike "looks like another"
    /// The address is for test networks, and which network is paid on is not known.
    TestAddress "test address"
    /// The recipient is one's own wallet of another chain.
    OtherChain "other chain"
    /// Hardly anybody has a wallet in that workchain of TON.
    Validators "validators workchain"
    /// A blockchain that is to enter the address book is known to nobody.
    UnknownChain "unknown chain"
    /// The token takes the look of a listed one.
    Imitation "not the listed token"
    /// The payment has no tag where deposits commonly need one.
    NoTag "no tag needed"
    /// The address book has another tag.
    OtherTag "other tag"
    /// More than one payment may be.
    Limit "over the limit"
    /// More than may be paid in a day.
    DailyLimit "over the daily limit"
    /// More of the balance than one payment may be.
    Share "over the share"
    /// What was paid within the day is not all known.
    LimitUncertain "limit not certain"
    /// What an entry of the address book got while it cools is not all known.
    EntryUncertain "entry limit not certain"
    /// The amount is of another order than those before.
    UnusualAmount "unusual amount"
    /// Half of the balance or more goes to whom nobody paid before.
    HalfBalance "half the balance"
    /// A customer's wallet pays somebody else.
    CustomerMoney "customer money"
    /// Nobody knows whether another payment to the recipient was made.
    Unresolved "order is unresolved"
    /// An equal payment was made just now.
    PayAgain "pay again"
    /// Something else was paid under the same reference.
    SameReference "same reference"
    /// The same file was paid just now.
    SameFile "same file again"
    /// An equal swap was made just now.
    SwapAgain "swap again"
    /// Rows of a batch pay the same recipient.
    SameRecipient "same recipient twice"
    /// What the wallet holds is not known.
    BalanceUnknown "balance not known"
    /// It does not suffice, as far as is known.
    BalanceTooLow "balance too low"
    /// It suffices, as it was when it was last read.
    BalanceOld "balance old"
    /// It suffices, as it is told of the wallet's user.
    BalanceAssumed "balance assumed"
    /// It suffices, as it was calculated here.
    BalanceDerived "balance derived"
    /// It may not bear a batch's fee.
    FeeUncertain "fee not certain"
    /// This machine's clock and the service's are apart.
    Clock "clock is wrong"
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
    pub override_phrase: Option<&'static str>,
}

impl Finding {
    pub(super) fn note(rule: Rule, words: String) -> Self {
        Self { rule, severity: Severity::Note, words, lines: Vec::new(), override_phrase: None }
    }

    pub(super) fn caution(rule: Rule, words: String) -> Self {
        Self { severity: Severity::Caution, ..Self::note(rule, words) }
    }

    pub(super) fn danger(rule: Rule, overridden_by: Override, words: String) -> Self {
        Self { severity: Severity::Danger, override_phrase: Some(overridden_by.words()), ..Self::note(rule, words) }
    }

    pub(super) fn stop(rule: Rule, words: String) -> Self {
        Self { severity: Severity::Stop, ..Self::note(rule, words) }
    }

    pub(super) fn with_lines(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// It in a line, for the record of what a confirmation showed: a danger with its rule, and with the words that were typed
    /// for it.
    pub fn record_line(&self) -> String {
        match self.override_phrase {
            Some(words) => {
                format!("{} ({}): {}{}", self.severity.word(), self.rule.word(), self.words, override_suffix(words))
            }
            None => format!("{}: {}", self.severity.word(), self.words),
        }
    }

    /// Whether such a line says that this danger was overridden: its rule, by its words. The sentence counts for nothing,
    /// since it is written anew with each version. Lines of older versions name no rule.
    pub fn is_overridden_in(&self, line: &str) -> bool {
        let danger = Severity::Danger.word();
        let of_rule = || line.starts_with(&format!("{danger} ({}): ", self.rule.word()));
        let is_its = || line.starts_with(&format!("{danger}: ")) || of_rule();
        self.override_phrase.is_some_and(|words| line.ends_with(&override_suffix(words)) && is_its())
    }
}

/// How a line says by which words a danger was overridden.
fn override_suffix(words: &str) -> String {
    format!(" [overridden: {words}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_danger_is_overridden_by_rule_and_words_whatever_its_sentence_was() {
        let before = Finding::danger(Rule::Duplicate, Override::PayAgain, "An older sentence.".into());
        let line = before.record_line();
        assert_eq!(line, "DANGER (duplicate): An older sentence. [overridden: pay again]");
        let now = Finding { words: "A newer sentence.".into(), ..before.clone() };
        assert!(now.is_overridden_in(&line));
        // As versions before this one wrote it.
        assert!(now.is_overridden_in("DANGER: An older sentence. [overridden: pay again]"));
        let others = [
            Finding::danger(Rule::Duplicate, Override::SameReference, before.words.clone()),
            Finding::danger(Rule::Limits, Override::PayAgain, before.words.clone()),
            Finding::stop(Rule::Duplicate, before.words),
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
