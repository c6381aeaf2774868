//! Menus opened and closed.

use super::{Menu, MenuItem, MenuKind};
use crate::app::model::{Mode, Model};

pub(in crate::app) fn open_menu(model: &mut Model, kind: MenuKind, message: Option<String>, items: Vec<MenuItem>) {
    model.open_over(Mode::Menu(Box::new(Menu { kind, message, items, at: 0, line: None, code: None })));
}

pub(in crate::app) fn close_menu(model: &mut Model) {
    if matches!(model.mode, Mode::Menu(_)) {
        model.close_mode();
    }
}
