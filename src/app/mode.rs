//! What is shown, and what keys go to.

use tui_input::Input;

use super::book::entry::ContactForm;
use super::export::ExportForm;
use super::forms::Form;
use super::list_filter::completions::CompletionState;
use super::lock::UnlockPrompt;
use super::menu::Menu;
use super::palette::Palette;
use super::panes::chart::Chart;
use super::panes::import::ImportPrompt;
use super::panes::orders::prompt::OrderPrompt;
use super::panes::users::record::Record;
use super::screen::Pane;
use crate::domain::history::{HistoryRow, Sourced};
use crate::domain::{OrderId, Wallet};

/// A page, by the digit that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Page {
    /// Accounts, wallets, balances and recent transactions.
    #[default]
    Overview,
    /// Users, and all that is known of the selected one.
    Users,
    /// The whole history.
    Transactions,
    /// What this console was told to change, and what became of it.
    Orders,
    /// Tokens and blockchains.
    Markets,
    /// What happened while the console ran.
    Events,
    /// Whom the business knows by name.
    Book,
}

impl Page {
    /// Every page, in the order of its digit.
    pub const ALL: [Self; 7] =
        [Self::Overview, Self::Users, Self::Transactions, Self::Orders, Self::Markets, Self::Events, Self::Book];

    /// Its name.
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

    /// The digit that shows it.
    pub fn digit(self) -> usize {
        Self::ALL.iter().position(|page| *page == self).unwrap_or(0) + 1
    }
}

/// What keys go to.
#[derive(Debug, Clone, Default)]
pub enum Mode {
    /// The panes.
    #[default]
    Browse,
    /// A filter that is typed.
    Filter {
        /// Which list it filters.
        pane: Pane,
        /// The line.
        input: Input,
        /// What Tab went through last, if it did.
        tried: Option<CompletionState>,
    },
    /// The help.
    Help {
        /// Its first visible row.
        top: u16,
        /// What had the keys before, and will have them again.
        over: Box<Self>,
    },
    /// Every action by its name.
    Palette(Palette),
    /// The list of what can be made; the highlighted place in it.
    Choose(usize),
    /// A form.
    Form(Box<Form>),
    /// A transaction, whole.
    Detail {
        /// The row; it is brought up to date as answers come.
        row: Box<HistoryRow>,
        /// The first visible line.
        top: u16,
    },
    /// A record of the Users page, whole.
    Record {
        /// The record; it is brought up to date as answers come.
        record: Box<Record>,
        /// The first visible line.
        top: u16,
    },
    /// An order, whole.
    Order {
        /// Which.
        id: OrderId,
        /// The first visible line.
        top: u16,
    },
    /// A question that stands in front of everything.
    Prompt(Box<OrderPrompt>),
    /// How a balance came to be what it is, or what came and went.
    Chart(Box<Chart>),
    /// A line that names what to bring into the directory.
    Import(Box<ImportPrompt>),
    /// A short list over what was open.
    Menu(Box<Menu>),
    /// An entry of the address book that is made, changed or taken out.
    Entry(Box<ContactForm>),
    /// Asks where rows are to be written.
    Export(Box<ExportForm>),
    /// The address of a wallet, to be paid to.
    Receive(Box<Sourced<Wallet>>),
    /// The line at which paying is unlocked.
    Unlock(Box<UnlockPrompt>),
}

impl Mode {
    /// The chart that takes the page, if one does.
    pub fn chart(&self) -> Option<&Chart> {
        match self {
            Self::Chart(chart) => Some(chart),
            Self::Help { over, .. } => over.chart(),
            _ => None,
        }
    }

    /// The transaction that is open, also below what stands over it.
    pub fn transaction(&self) -> Option<&HistoryRow> {
        match self {
            Self::Detail { row, .. } => Some(row),
            Self::Help { over, .. } | Self::Palette(Palette { previous_mode: over, .. }) => over.transaction(),
            Self::Menu(menu) => menu.previous_mode.transaction(),
            _ => None,
        }
    }

    /// The same, to bring it up to date.
    pub(super) fn transaction_mut(&mut self) -> Option<&mut HistoryRow> {
        match self {
            Self::Detail { row, .. } => Some(row),
            Self::Help { over, .. } | Self::Palette(Palette { previous_mode: over, .. }) => over.transaction_mut(),
            Self::Menu(menu) => menu.previous_mode.transaction_mut(),
            _ => None,
        }
    }

    /// The first visible line of the text that takes the page, if one does.
    pub(super) fn scroll_top(&mut self) -> Option<&mut u16> {
        match self {
            Self::Help { top, .. } | Self::Detail { top, .. } | Self::Record { top, .. } | Self::Order { top, .. } => {
                Some(top)
            }
            Self::Chart(chart) => Some(&mut chart.top),
            Self::Browse
            | Self::Filter { .. }
            | Self::Choose(_)
            | Self::Menu(_)
            | Self::Entry(_)
            | Self::Export(_)
            | Self::Palette(_)
            | Self::Form(_)
            | Self::Prompt(_)
            | Self::Import(_)
            | Self::Receive(_)
            | Self::Unlock(_) => None,
        }
    }
}
