//! The pages, and the panes of each.

use crate::manual::Chapter;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Page {
    /// Accounts, wallets, balances and recent transactions.
    #[default]
    Overview,
    /// Users, and the details of the selected one.
    Users,
    Transactions,
    /// Changes requested from this console, and their outcomes.
    Orders,
    Markets,
    Events,
    Book,
    /// What needs a person, and the watches.
    Attention,
}

impl Page {
    /// Every page, in the order of the digits.
    pub const ALL: [Self; 8] = [
        Self::Overview,
        Self::Users,
        Self::Transactions,
        Self::Orders,
        Self::Markets,
        Self::Events,
        Self::Book,
        Self::Attention,
    ];

    /// The key that shows it.
    pub fn shortcut(self) -> char {
        let digit = u32::try_from(self.digit()).ok().and_then(|digit| char::from_digit(digit, 10));
        if self == Self::Attention { '!' } else { digit.unwrap_or('1') }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Users => "Users",
            Self::Transactions => "Transactions",
            Self::Orders => "Orders",
            Self::Markets => "Markets",
            Self::Events => "Events",
            Self::Book => "Book",
            Self::Attention => "Needs you",
        }
    }

    /// The words by which people look for it, beside its name.
    pub fn search_words(self) -> &'static [&'static str] {
        match self {
            Self::Overview => &["total", "balances", "value", "worth", "treasury", "cash", "position", "home"],
            Self::Users => &["customers", "sub-wallets", "clients"],
            Self::Transactions => &["history", "payments", "ledger", "movements", "search"],
            Self::Orders => &["sent", "outgoing payments", "unresolved", "audit", "colleague", "who paid"],
            Self::Markets => &["prices", "quotes", "rates", "tokens", "coins", "price moves"],
            Self::Events => &["alarms", "warnings", "watches", "notifications", "log", "webhooks"],
            Self::Book => {
                &["address book", "contacts", "beneficiaries", "recipients", "addresses", "allow-list", "names"]
            }
            Self::Attention => &[
                "alert",
                "stuck",
                "needs",
                "attention",
                "to do",
                "failed",
                "problems",
                "watches",
                "odd",
                "suspicious",
                "threshold",
                "below",
                "above",
            ],
        }
    }

    /// Its panes, in the order in which Tab goes through them.
    pub fn panes(self) -> &'static [Pane] {
        match self {
            Self::Overview => &[Pane::Accounts, Pane::Wallets, Pane::Balances, Pane::Recent],
            Self::Users => &[
                Pane::Users,
                Pane::User,
                Pane::Holdings,
                Pane::Assets,
                Pane::Addresses,
                Pane::Deposits,
                Pane::Withdrawals,
                Pane::Transfers,
            ],
            Self::Transactions => &[Pane::History],
            Self::Orders => &[Pane::Orders],
            Self::Markets => &[Pane::Tokens, Pane::Pairs, Pane::Chains],
            Self::Events => &[Pane::Events],
            Self::Book => &[Pane::Book],
            Self::Attention => &[Pane::Attention, Pane::Watches],
        }
    }

    /// The chapter of the manual on it.
    pub fn chapter(self) -> Chapter {
        match self {
            Self::Orders | Self::Book => Chapter::Pay,
            Self::Users | Self::Transactions => Chapter::LookBack,
            Self::Overview | Self::Markets | Self::Events | Self::Attention => Chapter::Watch,
        }
    }

    pub fn digit(self) -> usize {
        Self::ALL.iter().position(|page| *page == self).unwrap_or(0) + 1
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    Accounts,
    Wallets,
    Balances,
    Users,
    User,
    /// Holdings of the selected user, by version 2.
    Holdings,
    /// Assets of the selected user, by version 1.
    Assets,
    /// Deposit addresses of the selected user.
    Addresses,
    /// Deposits of the selected user, by version 1.
    Deposits,
    /// Withdrawals of the selected user, by version 1.
    Withdrawals,
    /// Transfers of the selected user, by version 1.
    Transfers,
    /// The newest transactions of the selected wallet or account.
    Recent,
    History,
    Orders,
    Tokens,
    Chains,
    Events,
    /// Pairs in which the selected token is sold.
    Pairs,
    Book,
    /// What needs a person.
    Attention,
    Watches,
}

impl Pane {
    /// The list of history rows that it shows, if it shows one.
    pub fn history_list(self) -> Option<HistoryList> {
        [(Self::Recent, HistoryList::Recent), (Self::History, HistoryList::Page)]
            .into_iter()
            .find_map(|(pane, list)| (pane == self).then_some(list))
    }
}

/// A list of history rows on screen, with a window of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HistoryList {
    Recent,
    Page,
}
