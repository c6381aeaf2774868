//! Menus: a short list over a page, in which one item is chosen or several are ticked.

mod choose;
mod open;
pub mod view;

use tui_input::Input;

use crate::app::model::Mode;
use crate::app::screen::Pane;
use crate::domain::{OrderId, Text};
pub(in crate::app) use choose::handle_key;
pub(in crate::app) use open::{close_menu, open_menu};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MenuKind {
    Copy,
    /// To add words to the filter of a list, and to remove them.
    Filter(Pane),
    Views,
    /// The recipients of a batch, of whom one is paid the rest.
    Rest(OrderId),
    /// Forms that were left unfinished.
    Drafts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuItem {
    pub name: String,
    /// The text to copy, or the word of the filter.
    pub value: String,
    pub is_checked: bool,
}

#[derive(Debug, Clone)]
pub struct Menu {
    pub kind: MenuKind,
    pub message: Option<String>,
    pub items: Vec<MenuItem>,
    pub at: usize,
    /// The name of a view while it is typed.
    pub naming: Option<ViewNaming>,
    pub previous_mode: Box<Mode>,
}

#[derive(Debug, Clone)]
pub struct ViewNaming {
    pub input: Input,
    /// The view to rename; `None` to save the one on screen.
    pub renamed: Option<Text>,
}

pub(in crate::app) fn key_hints(kind: MenuKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        MenuKind::Copy => &[("j k", "move"), ("Enter", "copy"), ("Esc", "back")],
        MenuKind::Views => &[("1-9 Enter", "open"), ("s", "save"), ("e", "rename"), ("D", "remove"), ("Esc", "back")],
        MenuKind::Drafts => &[("Enter", "continue"), ("c", "copy"), ("D", "discard"), ("Esc", "back")],
        MenuKind::Rest(_) => &[("j k", "move"), ("Enter", "pay the rest"), ("Esc", "back")],
        MenuKind::Filter(_) => &[("j k", "move"), ("Space", "tick"), ("Esc", "back")],
    }
}
