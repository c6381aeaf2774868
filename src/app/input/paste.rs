//! Where pasted text goes.

use crate::app::approvals;
use crate::app::list_filter::filter_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::export;
use crate::app::overlays::menu::MenuKind;
use crate::app::overlays::naming;
use crate::app::pages::book;
use crate::app::pages::orders::prompt;

#[expect(clippy::wildcard_enum_match_arm, reason = "the other modes have no field")]
pub(in crate::app) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match &mut model.mode {
        Mode::Filter { .. } => return filter_line::paste(model, text),
        Mode::Prompt(_) => prompt::paste(model, text),
        Mode::Export(_) => export::paste(model, text),
        Mode::Entry(_) => book::entry::paste(model, text),
        Mode::Menu(menu) if menu.kind == MenuKind::Approvals && menu.line.is_none() => {
            return approvals::paste_into_menu(text);
        }
        Mode::Menu(menu) => menu.paste(text),
        Mode::Palette(palette) => palette.paste(text),
        Mode::Naming(_) => naming::paste(model, text),
        Mode::Line(prompt) => prompt.paste(text),
        Mode::Import(importing) => importing.paste(text),
        _ => model.notice = Some("there is no field to paste into here; / opens a filter".into()),
    }
    Vec::new()
}
