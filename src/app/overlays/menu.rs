//! Menus: a short list over a page, in which one item is chosen or several are ticked.

pub(in crate::app) mod choose;
mod line;
mod open;
pub mod view;

use tui_input::InputRequest;

use crate::app::overlays::qr::QrMatrix;
use crate::app::screen::Pane;
use crate::domain::OrderId;
pub use line::{MenuLine, MenuLinePurpose};
pub(in crate::app) use open::{close_menu, open_menu};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuKind {
    Copy,
    /// To add words to the filter of a list, and to remove them.
    Filter(Pane),
    Views,
    /// The recipients of a batch, of whom one is paid the rest.
    Rest(OrderId),
    /// Forms that were left unfinished, and templates.
    Drafts,
    /// Payments that wait for approval.
    Approvals,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuItem {
    pub name: String,
    /// The text to copy, or the word of the filter.
    pub payload: String,
    pub is_checked: bool,
    /// Whether it is listed for the record alone.
    pub is_dim: bool,
}

#[derive(Debug, Clone)]
pub struct Menu {
    pub kind: MenuKind,
    pub message: Option<String>,
    pub items: Vec<MenuItem>,
    pub at: usize,
    pub line: Option<MenuLine>,
    /// Shown in place of the items.
    pub code: Option<QrMatrix>,
}

impl Menu {
    /// Asks for a line, under these words.
    pub(in crate::app) fn open_line(&mut self, message: String, line: MenuLine) {
        (self.message, self.line) = (Some(message), Some(line));
    }

    pub(in crate::app) fn close_line(&mut self) {
        (self.message, self.line) = (None, None);
    }

    pub(in crate::app) fn paste(&mut self, text: &str) {
        let Some(line) = &mut self.line else { return };
        for character in text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
            line.edit(InputRequest::InsertChar(character));
        }
    }
}

pub(in crate::app) fn key_hints(menu: &Menu) -> &'static [(&'static str, &'static str)] {
    match menu.kind {
        MenuKind::Copy => &[("j k", "move"), ("Enter", "copy"), ("Esc", "back")],
        MenuKind::Views => &[("1-9 Enter", "open"), ("s", "save"), ("e", "rename"), ("D", "remove"), ("Esc", "back")],
        MenuKind::Drafts => &[
            ("Enter", "open"),
            ("c", "copy"),
            ("x", "export"),
            ("o", "import"),
            ("e", "rename"),
            ("r", "repeat"),
            ("D", "discard"),
            ("Esc", "back"),
        ],
        MenuKind::Approvals if menu.code.is_some() => &[("any key", "close")],
        MenuKind::Approvals if menu.line.is_some() => &[("Enter", "sign the refusal"), ("Esc", "back")],
        MenuKind::Approvals if menu.items.is_empty() => &[("?", "help"), ("Esc", "back")],
        MenuKind::Approvals => &[
            ("j k", "move"),
            ("Enter", "review"),
            ("x", "refuse"),
            ("y", "copy as text"),
            ("Q", "QR code"),
            ("?", "help"),
            ("Esc", "back"),
        ],
        MenuKind::Rest(_) => &[("j k", "move"), ("Enter", "pay the rest"), ("Esc", "back")],
        MenuKind::Filter(_) => &[("j k", "move"), ("Space", "tick"), ("Esc", "back")],
    }
}
