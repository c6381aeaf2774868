//! Commands, and the contexts in which their keys work.

use serde::Deserialize;

use crate::app::orders::OrderCommand;
use crate::app::screen::Page;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    Quit,
    Suspend,
    Help,
    #[serde(skip)]
    Page(Page),
    NextPane,
    PreviousPane,
    /// Gives the whole page to one pane.
    Zoom,
    Filter,
    Withdraw,
    Batch,
    /// Opens the menu of what can be created.
    New,
    /// Opens the form that changes the selected wallet or user.
    Change,
    /// Imports users, wallets and accounts by identifier; on the Book page, entries from a file.
    Import,
    /// Gives a name to the selected address, wallet, account or user.
    Name,
    Sort,
    /// Sums the balances by the next grouping.
    Group,
    Refresh,
    /// Pauses or resumes the initial sync.
    Pause,
    Open,
    /// Shows the account or wallet of what is selected in full.
    Details,
    Back,
    Up,
    Down,
    HalfUp,
    HalfDown,
    PageUp,
    PageDown,
    First,
    Last,
    /// Shows or hides imitation tokens and abandoned orders.
    Hidden,
    Theme,
    Order(OrderCommand),
    Receive,
    /// Shows a balance, or incoming and outgoing amounts, as a chart.
    Chart,
    Reports,
    /// Shows the limits of payments and what is left of them, and who may be paid.
    Policy,
    /// Lists what came or changed while the operator was away.
    ListChanges,
    FilterMenu,
    /// Opens the menu of saved views.
    Views,
    Mark,
    Copy,
    Export,
    /// Shows a transaction as the service sent it.
    Raw,
    Palette,
    /// To the next row that is new or changed since the operator was away.
    NextChange,
    PreviousChange,
    /// Has a test service simulate a deposit to the wallet whose address is shown.
    Simulate,
    Swap,
    /// Opens the form of a version 1 payment.
    WithdrawV1,
    /// Opens the menu of forms that were left unfinished.
    Drafts,
    /// Opens the menu of payments that wait for approval.
    Approvals,
    /// Opens a form filled in from the selected payment.
    PayAgain,
    /// Saves the selected payment as a template.
    SaveTemplate,
    Remove,
    /// Acknowledges what needs a person, or withdraws that.
    Acknowledge,
    /// Mutes a watch, or lets it alert again.
    Mute,
    Veil,
    Lock,
}

impl Command {
    /// Whether it begins a change at the service, which a read-only console refuses.
    pub fn begins_change(self) -> bool {
        matches!(
            self,
            Self::Withdraw
                | Self::Batch
                | Self::New
                | Self::Change
                | Self::Swap
                | Self::WithdrawV1
                | Self::PayAgain
                | Self::SaveTemplate
                | Self::Drafts
        )
    }

    /// Whether it is a motion in a list or a text, which means nothing outside of one.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// Except while a filter is typed.
    Everywhere,
    /// In lists and in texts that scroll.
    Lists,
    Transactions,
    Balances,
    /// On the Orders page, and in an order's details.
    Orders,
    Overview,
    /// In lists of balances and of transactions, and on their chart.
    Charts,
    Receive,
    Book,
    Attention,
}

impl Context {
    /// The groups of keys in the order of the help, each with its title.
    pub const SECTIONS: [(&str, Self); 10] = [
        ("Everywhere", Self::Everywhere),
        ("In lists", Self::Lists),
        ("Transactions", Self::Transactions),
        ("Balances", Self::Balances),
        ("Charts", Self::Charts),
        ("Wallets", Self::Overview),
        ("A wallet's address", Self::Receive),
        ("Orders", Self::Orders),
        ("Address book", Self::Book),
        ("Needs you, and the watches", Self::Attention),
    ];
}
