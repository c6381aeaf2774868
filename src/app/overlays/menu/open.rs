//! Menus opened and closed.

use super::{Menu, MenuItem, MenuKind};
use crate::app::model::{Mode, Model};

pub(in crate::app) fn open_menu(model: &mut Model, kind: MenuKind, says: Option<String>, items: Vec<MenuItem>) {
    let over = Box::new(std::mem::take(&mut model.mode));
    model.mode =
        Mode::Menu(Box::new(Menu { kind, message: says, items, at: 0, line: None, code: None, previous_mode: over }));
}

pub(in crate::app) fn close_menu(model: &mut Model) {
    if let Mode::Menu(menu) = &mut model.mode {
        model.mode = std::mem::take(&mut menu.previous_mode);
    }
}
