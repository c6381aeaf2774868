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
    ];

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
    /// It suffices, as it was summed up here.
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
    pub overridden_by: Option<&'static str>,
}

impl Finding {
    pub(super) fn note(rule: Rule, words: String) -> Self {
        Self { rule, severity: Severity::Note, words, lines: Vec::new(), overridden_by: None }
    }

    pub(super) fn caution(rule: Rule, words: String) -> Self {
        Self { severity: Severity::Caution, ..Self::note(rule, words) }
    }

    pub(super) fn danger(rule: Rule, overridden_by: Override, words: String) -> Self {
        Self { severity: Severity::Danger, overridden_by: Some(overridden_by.words()), ..Self::note(rule, words) }
    }

    pub(super) fn stop(rule: Rule, words: String) -> Self {
        Self { severity: Severity::Stop, ..Self::note(rule, words) }
    }

    pub(super) fn with(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }
}
