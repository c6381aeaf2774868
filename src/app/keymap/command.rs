//! What keys mean, and where they mean it.

use crate::app::orders::OrderAction;

/// What a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Ends the program.
    Quit,
    /// Stops the program as a shell's job.
    Suspend,
    /// Shows or closes the help.
    Help,
    /// Shows a page.
    Page(u8),
    /// To the next pane.
    NextPane,
    /// To the pane before.
    PreviousPane,
    /// Gives the whole page to one pane.
    Zoom,
    /// Filters the list.
    Filter,
    /// Opens the form of a payment.
    Withdraw,
    /// Opens the form of a payment to several recipients.
    Batch,
    /// Chooses what new thing to make.
    New,
    /// Opens the form that changes the selected wallet or user.
    Change,
    /// Brings what is known elsewhere into the directory.
    Import,
    /// Changes the order of the list.
    Sort,
    /// Reads everything again now.
    Refresh,
    /// Has the first read of the history wait, or go on.
    Pause,
    /// Opens what is selected.
    Open,
    /// Goes back one level.
    Back,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// Half a page up.
    HalfUp,
    /// Half a page down.
    HalfDown,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// Shows or hides suspicious tokens.
    Hidden,
    /// The next theme.
    Theme,
    /// Does something about an order.
    Order(OrderAction),
    /// Shows a wallet's address.
    Receive,
    /// Shows a balance, or what came and went, as a chart.
    Chart,
    /// Opens the menu of filters.
    FilterMenu,
    /// Marks a transaction, or takes its mark away.
    Mark,
    /// Offers what can be copied.
    Copy,
    /// Writes what a list shows to a file.
    Export,
    /// Shows a transaction as the service writes it.
    Raw,
    /// Finds an action by its name.
    Palette,
    /// To the next row that came or changed while nobody looked.
    NextChange,
    /// To the one before.
    PreviousChange,
    /// Has a test service pretend a deposit to the wallet whose address is shown.
    Simulate,
    /// Opens the form of a swap.
    Swap,
    /// Opens the form of a payment by version 1.
    WithdrawV1,
    /// Takes the selected entry out of the address book.
    Remove,
    /// Veils the screen, or lifts the veil.
    Veil,
    /// Locks paying, or unlocks it.
    Lock,
}

impl Command {
    /// Whether it begins a change at the service, for which a console that only reads has no form.
    pub fn begins_change(self) -> bool {
        matches!(self, Self::Withdraw | Self::Batch | Self::New | Self::Change | Self::Swap | Self::WithdrawV1)
    }

    /// Whether it moves in a list or a text: it means nothing without one under the fingers.
    pub fn is_motion(self) -> bool {
        matches!(
            self,
            Self::Up
                | Self::Down
                | Self::HalfUp
                | Self::HalfDown
                | Self::PageUp
                | Self::PageDown
                | Self::First
                | Self::Last
        )
    }
}

/// Where a key works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Everywhere but while a filter is typed.
    Everywhere,
    /// In lists and in texts that scroll.
    Lists,
    /// In a list of transactions.
    Transactions,
    /// In the list of balances.
    Balances,
    /// On the Orders page, and where an order is shown whole.
    Orders,
    /// On the Overview.
    Overview,
    /// In lists of balances and of transactions, and on their chart.
    Charts,
    /// Where a wallet's address is shown.
    Receive,
    /// On the page of the address book.
    Book,
}
