//! The pages.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
}

impl Page {
    /// Every page, in the order of the digits.
    pub const ALL: [Self; 7] =
        [Self::Overview, Self::Users, Self::Transactions, Self::Orders, Self::Markets, Self::Events, Self::Book];

    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Users => "Users",
            Self::Transactions => "Transactions",
            Self::Orders => "Orders",
            Self::Markets => "Markets",
            Self::Events => "Events",
            Self::Book => "Book",
        }
    }

    pub fn digit(self) -> usize {
        Self::ALL.iter().position(|page| *page == self).unwrap_or(0) + 1
    }
}
