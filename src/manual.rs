//! The manual: the chapters of `assets/manual`, carried in the program.
//!
//! The help on screen, `bursar help CHAPTER` and the manual page show the same text.

pub mod layout;
pub mod markdown;
pub mod roff;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chapter {
    Start,
    Watch,
    Pay,
    Approvals,
    LookBack,
    Present,
    Service,
    Security,
    Configuration,
    Keys,
}

impl Chapter {
    /// Every chapter, in the order of reading.
    pub const ALL: [Self; 10] = [
        Self::Start,
        Self::Watch,
        Self::Pay,
        Self::Approvals,
        Self::LookBack,
        Self::Present,
        Self::Service,
        Self::Security,
        Self::Configuration,
        Self::Keys,
    ];

    /// The name of its file, and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Watch => "watch",
            Self::Pay => "pay",
            Self::Approvals => "approvals",
            Self::LookBack => "look-back",
            Self::Present => "present",
            Self::Service => "service",
            Self::Security => "security",
            Self::Configuration => "configuration",
            Self::Keys => "keys",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Watch => "Watch",
            Self::Pay => "Pay",
            Self::Approvals => "Approvals",
            Self::LookBack => "Look back",
            Self::Present => "Present",
            Self::Service => "Service",
            Self::Security => "Security",
            Self::Configuration => "Configuration",
            Self::Keys => "Keys",
        }
    }

    /// What the chapter answers, in a few words.
    pub fn subject(self) -> &'static str {
        match self {
            Self::Start => "the demo, a profile, the keys of a service, the first payment",
            Self::Watch => "figures and their age, the total, watches, coming back, the veil, charts",
            Self::Pay => "withdrawals, batches, swaps, receiving, the address book, unknown outcomes",
            Self::Approvals => "payments that a second person approves by SSH signature, the set-up for three people",
            Self::LookBack => "the history, filters and sums, exports, statements, status for cron",
            Self::Present => "scenes, presenting over SSH, lending the demo to visitors",
            Self::Service => "the embedded wallet and transfer service: serve, keys, webhooks, faults",
            Self::Security => "what protects a payment and a key, and what does not",
            Self::Configuration => "config.toml, policy, watches, variables, themes, folders, doctor",
            Self::Keys => "every key, and the marks on the screen",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|chapter| chapter.name() == name)
    }

    /// The chapter after this one, or with -1 the one before, around the end.
    #[must_use]
    pub fn neighbour(self, step: isize) -> Self {
        let index = Self::ALL.iter().position(|chapter| *chapter == self).unwrap_or(0);
        let next = index.cast_signed().saturating_add(step).rem_euclid(Self::ALL.len().cast_signed());
        Self::ALL[next.cast_unsigned()]
    }

    /// Its text, in Markdown.
    pub fn text(self) -> &'static str {
        match self {
            Self::Start => include_str!("../assets/manual/start.md"),
            Self::Watch => include_str!("../assets/manual/watch.md"),
            Self::Pay => include_str!("../assets/manual/pay.md"),
            Self::Approvals => include_str!("../assets/manual/approvals.md"),
            Self::LookBack => include_str!("../assets/manual/look-back.md"),
            Self::Present => include_str!("../assets/manual/present.md"),
            Self::Service => include_str!("../assets/manual/service.md"),
            Self::Security => include_str!("../assets/manual/security.md"),
            Self::Configuration => include_str!("../assets/manual/configuration.md"),
            Self::Keys => include_str!("../assets/manual/keys.md"),
        }
    }
}
