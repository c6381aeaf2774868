//! Where pasted text goes.

use super::keymap::Command;
use super::keys::run_command;
use crate::app::approvals;
use crate::app::forms::field::count_nonblank_lines;
use crate::app::list_filter::filter_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::menu::MenuKind;
use crate::app::overlays::{export, naming, palette};
use crate::app::pages::book;
use crate::app::pages::orders::prompt;
use crate::domain::address;

#[expect(clippy::wildcard_enum_match_arm, reason = "the other modes have no field")]
pub(in crate::app) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match &mut model.mode {
        Mode::Filter { .. } => return filter_line::paste(model, text),
        Mode::Prompt(_) => prompt::paste(model, text),
        Mode::Export(_) => export::run::paste(model, text),
        Mode::Entry(_) => book::entry::paste(model, text),
        Mode::Menu(menu) if menu.kind == MenuKind::Approvals && menu.line.is_none() => {
            return approvals::import_pasted_proposal(text);
        }
        Mode::Menu(menu) => menu.paste(text),
        Mode::Palette(palette) => palette.paste(text),
        Mode::Naming(_) => naming::paste(model, text),
        Mode::Line(prompt) => prompt.paste(text),
        Mode::Import(importing) => importing.paste(text),
        Mode::Browse if !model.session.veil.is_on() => return paste_into_palette(model, text),
        _ => model.notice = Some("there is no field to paste into here; / opens a filter".into()),
    }
    Vec::new()
}

/// What is pasted onto a page is looked for by the palette: an address to pay, the order of a reference, a transaction.
fn paste_into_palette(model: &mut Model, text: &str) -> Vec<Effect> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    if let Some(secret) = address::find_secret(text) {
        let warning = "anyone who sees it can take what it protects; it was not pasted";
        model.notice = Some(format!("this contains {secret}: {warning}"));
        return Vec::new();
    }
    if count_nonblank_lines(text) > 1 || text.chars().count() > palette::MAX_SEARCH_CHARS {
        model.notice = Some("the paste is too long to look for; b pays many recipients, / opens a filter".into());
        return Vec::new();
    }
    let effects = run_command(model, Command::Palette);
    if let Mode::Palette(palette) = &mut model.mode {
        palette.paste(text);
    }
    effects
}
