//! Where pasted text goes.

use crate::app::list_filter::filter_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::export;
use crate::app::overlays::naming;
use crate::app::overlays::saved_views;
use crate::app::pages::book;
use crate::app::pages::orders::prompt;

pub(in crate::app) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match model.mode {
        Mode::Prompt(_) => {
            prompt::paste(model, text);
            return Vec::new();
        }
        Mode::Export(_) => {
            export::paste(model, text);
            return Vec::new();
        }
        Mode::Entry(_) => {
            book::entry::paste(model, text);
            return Vec::new();
        }
        Mode::Filter { .. } => return filter_line::paste(model, text),
        Mode::Browse
        | Mode::Help { .. }
        | Mode::Palette(_)
        | Mode::OperationMenu(_)
        | Mode::Form(_)
        | Mode::Detail { .. }
        | Mode::Record { .. }
        | Mode::Order { .. }
        | Mode::Chart(_)
        | Mode::Reports(_)
        | Mode::Import(_)
        | Mode::Naming(_)
        | Mode::Line(_)
        | Mode::Menu(_)
        | Mode::Receive(_)
        | Mode::Unlock(_) => {}
    }
    if let Mode::Menu(menu) = &mut model.mode {
        saved_views::paste_name(menu, text);
        return Vec::new();
    }
    if let Mode::Palette(palette) = &mut model.mode {
        palette.paste(text);
        return Vec::new();
    }
    if let Mode::Naming(_) = &model.mode {
        naming::paste(model, text);
        return Vec::new();
    }
    if let Mode::Line(prompt) = &mut model.mode {
        prompt.paste(text);
        return Vec::new();
    }
    if let Mode::Import(importing) = &mut model.mode {
        importing.paste(text);
        return Vec::new();
    }
    model.notice = Some("there is no field to paste into here; / opens a filter".into());
    Vec::new()
}
