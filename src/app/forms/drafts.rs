//! Drafts: forms that were left unfinished, listed in a menu to be continued, copied or discarded. Templates follow them.

use crossterm::event::{KeyCode, KeyEvent};

use super::field::FieldId;
use super::form_state::FormState;
use super::open::{check_can_open, restore_draft};
use super::templates;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::menu::{self, MenuItem, MenuKind};
use crate::app::overlays::{export, import};
use crate::domain::{Text, address};

mod file;

pub(in crate::app) use file::apply_draft_file;

const NOTHING_KEPT: &str = "no drafts and no templates: a form that you leave with Esc is kept until this console \
                            closes, and Ctrl+s saves one as a template; o opens a draft from a file";

pub(in crate::app) fn refusal(model: &Model) -> Option<String> {
    check_can_open(model).err()
}

pub(in crate::app) fn open_menu(model: &mut Model) {
    let items = menu_items(model);
    let message = items.is_empty().then(|| NOTHING_KEPT.to_owned());
    menu::open_menu(model, MenuKind::Drafts, message, items);
}

/// Lists again what there is, if the menu is open.
pub(in crate::app) fn refresh_menu(model: &mut Model) {
    let items = menu_items(model);
    let Mode::Menu(menu) = &mut model.mode else { return };
    if menu.kind != MenuKind::Drafts {
        return;
    }
    menu.at = menu.at.min(items.len().saturating_sub(1));
    menu.items = items;
    if menu.items.is_empty() && menu.line.is_none() {
        menu.message = Some(NOTHING_KEPT.to_owned());
    }
}

/// Drafts, the newest first, then the templates.
fn menu_items(model: &Model) -> Vec<MenuItem> {
    let item = |form: &FormState| MenuItem {
        name: form.operation.title().to_owned(),
        payload: describe(model, form),
        is_checked: false,
        is_dim: false,
    };
    model.forms.drafts.iter().rev().map(item).chain(templates::menu_items(model)).collect()
}

/// What was filled in: how much to whom and from where, else every field.
fn describe(model: &Model, form: &FormState) -> String {
    let value = |slot| Some(form.value(slot)).filter(|text| !text.is_empty());
    if !form.operation.moves_money() || form.operation.is_swap() {
        let values: Vec<&str> =
            form.fields.iter().map(super::field::Field::value).filter(|text| !text.is_empty()).collect();
        return values.join(" · ");
    }
    let amount = [value(FieldId::Amount), value(FieldId::Token)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let to = match value(FieldId::Recipient) {
        Some(to) => Some(format!("to {}", recipient_name(model, form, to))),
        None => (form.batch_rows.count() > 0).then(|| format!("{} recipients", form.batch_rows.count())),
    };
    let from = value(FieldId::Wallet).map(|wallet| format!("from {wallet}"));
    let texts = [value(FieldId::Reference), value(FieldId::Note)].map(|text| text.map(ToOwned::to_owned));
    let parts = [Some(amount).filter(|text| !text.is_empty()), to, from].into_iter().chain(texts);
    parts.flatten().collect::<Vec<String>>().join(" · ")
}

fn recipient_name(model: &Model, form: &FormState, to: &str) -> String {
    let chain = form.selection.wallet.as_ref().map(|wallet| &wallet.blockchain);
    let name = chain.and_then(|chain| model.party_name(&Text::clean(to), chain));
    name.map_or_else(|| address::shorten_address(to), ToString::to_string)
}

/// Keys of the menu of drafts and templates; `None` for those that every menu has.
#[expect(clippy::wildcard_enum_match_arm, reason = "other keys move in the menu")]
pub(in crate::app) fn handle_menu_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let Mode::Menu(menu) = &mut model.mode else { return None };
    if templates::is_line_open(menu) {
        return Some(templates::handle_line_key(model, key));
    }
    if key.code == KeyCode::Char('o') {
        menu::close_menu(model);
        import::open_draft_import(model);
        return Some(Vec::new());
    }
    let is_discard_asked = menu.message.take_if(|_| !menu.items.is_empty()).is_some();
    if let Some(template) = menu.at.checked_sub(model.forms.drafts.len()) {
        return templates::handle_menu_key(model, template, key, is_discard_asked);
    }
    // The newest draft is the first item and the last draft.
    let index = model.forms.drafts.len().checked_sub(menu.at + 1)?;
    Some(match key.code {
        KeyCode::Enter => continue_draft(model, index, false),
        KeyCode::Char('c') => continue_draft(model, index, true),
        KeyCode::Char('x') => {
            let file = model.forms.drafts.get(index).and_then(file::draft_file_of_form);
            match file {
                Some(file) => return Some(export::run::open_draft_form(model, file)),
                None => model.notice = Some("only a payment or a batch is written to a file".into()),
            }
            Vec::new()
        }
        KeyCode::Char('D') if !is_discard_asked => {
            menu.message = Some("D again discards this draft; any other key keeps it".into());
            Vec::new()
        }
        KeyCode::Char('D') => {
            model.forms.drafts.remove(index);
            refresh_menu(model);
            if model.forms.drafts.is_empty() && model.journal.book.templates().is_empty() {
                menu::close_menu(model);
            }
            Vec::new()
        }
        _ => return None,
    })
}

/// Opens a draft, or a copy of it while the draft stays.
fn continue_draft(model: &mut Model, index: usize, copies: bool) -> Vec<Effect> {
    if let Err(reason) = check_can_open(model) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let Some(draft) = model.forms.drafts.get(index).cloned() else { return Vec::new() };
    if !copies {
        model.forms.drafts.remove(index);
    }
    menu::close_menu(model);
    restore_draft(model, draft, if copies { "a copy of the draft; the draft is kept" } else { "draft restored" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::forms::lookups::Picked;
    use crate::app::forms::tests::model;
    use crate::app::{Msg, update};
    use crate::domain::Operation;

    fn press(model: &mut Model, key: char) {
        update(model, Msg::Key(KeyCode::Char(key).into()));
    }

    fn keeps(model: &mut Model, amount: &str) {
        let mut form = FormState::new(Operation::Withdraw);
        form.apply_choice(FieldId::Amount, amount, Picked::TextOnly);
        form.apply_choice(FieldId::Recipient, "0x52908400098527886E0F7030069857D2E4169EE7", Picked::TextOnly);
        model.forms.drafts.push(form);
    }

    fn amounts(model: &Model) -> Vec<&str> {
        model.forms.drafts.iter().map(|form| form.value(FieldId::Amount)).collect()
    }

    fn open_amount(model: &Model) -> &str {
        let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
        form.state.value(FieldId::Amount)
    }

    #[test]
    fn an_older_draft_is_continued_and_the_others_stay() {
        let mut model = model();
        for amount in ["1", "2", "3"] {
            keeps(&mut model, amount);
        }
        press(&mut model, 'E');
        let Mode::Menu(menu) = &model.mode else { panic!("{:?}", model.mode) };
        assert_eq!(menu.items.iter().map(|item| &item.payload[..1]).collect::<Vec<_>>(), ["3", "2", "1"]);
        press(&mut model, 'j');
        update(&mut model, Msg::Key(KeyCode::Enter.into()));
        assert_eq!((open_amount(&model), amounts(&model)), ("2", vec!["1", "3"]));
    }

    #[test]
    fn a_copy_leaves_its_draft_and_only_a_second_key_discards_one() {
        let mut model = model();
        keeps(&mut model, "1");
        press(&mut model, 'E');
        press(&mut model, 'c');
        assert_eq!((open_amount(&model), amounts(&model)), ("1", vec!["1"]));
        model.mode = Mode::Browse;
        press(&mut model, 'E');
        press(&mut model, 'D');
        press(&mut model, 'j');
        press(&mut model, 'D');
        assert_eq!(amounts(&model), ["1"]);
        press(&mut model, 'D');
        assert!(model.forms.drafts.is_empty() && matches!(model.mode, Mode::Browse));
        press(&mut model, 'E');
        let Mode::Menu(menu) = &model.mode else { panic!("{:?}", model.mode) };
        assert!(menu.message.as_deref().is_some_and(|message| message.contains("no drafts")), "{:?}", menu.message);
        press(&mut model, 'x');
        // The address book is read again and again.
        refresh_menu(&mut model);
        press(&mut model, 'o');
        assert!(matches!(&model.mode, Mode::Import(_)), "{:?}", model.mode);
    }

    #[test]
    fn a_draft_from_a_file_is_the_form_that_it_was() {
        let mut model = model();
        keeps(&mut model, "12.5");
        let written = file::draft_file_of_form(&model.forms.drafts[0]).unwrap();
        press(&mut model, 'E');
        press(&mut model, 'o');
        let draft_message = || Msg::DraftRead(Ok(Box::new(written.clone())));
        update(&mut model, draft_message());
        assert!(matches!(&model.mode, Mode::Import(_)), "{:?}", model.mode);
        press(&mut model, 'f');
        update(&mut model, Msg::Key(KeyCode::Enter.into()));
        update(&mut model, Msg::DraftRead(Err("the amount is longer".into())));
        let Mode::Import(prompt) = &model.mode else { panic!("{:?}", model.mode) };
        assert_eq!(prompt.failure.errors, ["the amount is longer"]);
        update(&mut model, Msg::Key(KeyCode::Enter.into()));
        update(&mut model, draft_message());
        assert_eq!(open_amount(&model), "12.5");
        let Mode::Form(form) = &model.mode else { panic!("{:?}", model.mode) };
        assert_eq!(file::draft_file_of_form(&form.state), Some(written));
    }
}
