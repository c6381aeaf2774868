//! Input modes.

use tui_input::Input;

use crate::app::forms::Form;
use crate::app::list_filter::completions::completion_state::CompletionState;
use crate::app::overlays::chart::Chart;
use crate::app::overlays::export::ExportForm;
use crate::app::overlays::import::ImportPrompt;
use crate::app::overlays::line_prompt::LinePrompt;
use crate::app::overlays::menu::Menu;
use crate::app::overlays::naming::NamePrompt;
use crate::app::overlays::palette::Palette;
use crate::app::overlays::record::AnyRecord;
use crate::app::overlays::reports::Reports;
use crate::app::pages::book::entry::ContactForm;
use crate::app::pages::orders::prompt::OrderPrompt;
use crate::app::screen::Pane;
use crate::app::session::lock::UnlockPrompt;
use crate::domain::entry_source::Sourced;
use crate::domain::history::HistoryRow;
use crate::domain::{OrderId, Wallet};
use crate::manual::Chapter;

/// The target of keys, and what is shown for it.
#[derive(Debug, Clone, Default)]
pub enum Mode {
    #[default]
    Browse,
    Filter {
        pane: Pane,
        input: Input,
        /// The state of completion with Tab.
        completion: Option<CompletionState>,
    },
    Help {
        /// The chapter of the manual on screen; `Keys` shows the keys by where they work, nearest first.
        chapter: Chapter,
        top: u16,
    },
    Palette(Palette),
    /// The menu of what can be created; the index of the highlighted item.
    OperationMenu(usize),
    Form(Box<Form>),
    /// A transaction in full.
    Detail {
        /// Kept up to date as answers come.
        row: Box<HistoryRow>,
        top: u16,
    },
    /// A record of the Users page in full.
    Record {
        /// Kept up to date as answers come.
        record: Box<AnyRecord>,
        top: u16,
    },
    /// An order in full.
    Order {
        id: OrderId,
        top: u16,
    },
    /// A confirmation prompt over everything else.
    Prompt(Box<OrderPrompt>),
    /// A chart of a balance, or of incoming and outgoing amounts.
    Chart(Box<Chart>),
    Reports(Box<Reports>),
    /// The line that names what to import.
    Import(Box<ImportPrompt>),
    /// The line in which a name is typed.
    Naming(Box<NamePrompt>),
    /// A line to be typed: the note of an acknowledgement, or a watch.
    Line(Box<LinePrompt>),
    Menu(Box<Menu>),
    /// The form that adds, changes or removes an entry of the address book.
    Entry(Box<ContactForm>),
    Export(Box<ExportForm>),
    /// The address of a wallet, to receive payments.
    Receive(Box<Sourced<Wallet>>),
    Unlock(Box<UnlockPrompt>),
}

impl Mode {
    /// Whether it is drawn over the mode below it.
    pub fn shows_mode_below(&self) -> bool {
        matches!(self, Self::Prompt(_) | Self::Naming(_) | Self::Unlock(_) | Self::Menu(_) | Self::Export(_))
    }

    /// The scroll position of the open text.
    pub(in crate::app) fn scroll_top(&mut self) -> Option<&mut u16> {
        match self {
            Self::Help { top, .. } | Self::Detail { top, .. } | Self::Record { top, .. } | Self::Order { top, .. } => {
                Some(top)
            }
            Self::Chart(chart) => Some(&mut chart.scroll_top),
            Self::Browse
            | Self::Filter { .. }
            | Self::OperationMenu(_)
            | Self::Menu(_)
            | Self::Entry(_)
            | Self::Export(_)
            | Self::Palette(_)
            | Self::Reports(_)
            | Self::Form(_)
            | Self::Prompt(_)
            | Self::Import(_)
            | Self::Naming(_)
            | Self::Line(_)
            | Self::Receive(_)
            | Self::Unlock(_) => None,
        }
    }
}
