//! Templates: payments saved under a name, listed below the drafts, to be filled in again.
//!
//! A form filled in from a template is an ordinary one: the guard judges it as new, and the template sends nothing.

mod save;

use std::borrow::Cow;

use crossterm::event::{KeyCode, KeyEvent};

use super::drafts::refresh_menu;
use super::field::FieldId;
use super::form_state::FormState;
use super::lookups::Picked;
use super::open::{check_can_open, restore_draft, show_form};
use super::pay_again;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::menu::{self, Menu, MenuItem, MenuKind, MenuLine, MenuLinePurpose};
use crate::app::pages::Tone;
use crate::app::request_id::RequestId;
use crate::app::session::attention::due::template_payment_text;
use crate::app::session::events::EventKind;
use crate::domain::address::ShortAddresses;
use crate::domain::address_names::AddressFormatter;
use crate::domain::book::{BookChange, Contact};
use crate::domain::template::repeat::{EXAMPLES, Repeat};
use crate::domain::template::{Schedule, Template, TemplateId, TemplateUse, local_date};
use crate::domain::{Failure, Text};
pub(in crate::app) use save::open_from_form;
pub(in crate::app) use save::{open_from_selection, refusal as save_refusal};

use chrono::NaiveDate;

pub(super) fn menu_items(model: &Model) -> impl Iterator<Item = MenuItem> {
    let today = local_date(&model.console.zone, model.now);
    model.journal.book.templates().iter().map(move |template| {
        let next = template.schedule.zip(today).map(|(schedule, today)| {
            let next = template.next_due(today).map_or_else(String::new, |next| format!(", next {next}"));
            format!(" · {}{next}", schedule.repeat.description())
        });
        let payload = format!("template · {}{}", describe(model, template), next.unwrap_or_default());
        MenuItem { name: template.name.to_string(), payload, is_checked: false, is_dim: false }
    })
}

/// How much goes to whom, such as `25 USDC to Ada`.
fn describe(model: &Model, template: &Template) -> String {
    let recipients = template.draft.only_recipient().into_iter().map(Text::as_str);
    let parties = AddressFormatter { names: model.address_names(), short: Cow::Owned(ShortAddresses::new(recipients)) };
    template_payment_text(template, &parties)
}

/// Keys on a template of the menu; `None` for those that every menu has.
#[expect(clippy::wildcard_enum_match_arm, reason = "other keys move in the menu")]
pub(super) fn handle_menu_key(
    model: &mut Model,
    index: usize,
    key: KeyEvent,
    is_removal_asked: bool,
) -> Option<Vec<Effect>> {
    let template = model.journal.book.templates().get(index)?.clone();
    let Mode::Menu(menu) = &mut model.mode else { return None };
    match key.code {
        KeyCode::Enter => return Some(open_form_of_template(model, template.id, None)),
        KeyCode::Char('D') if is_removal_asked => {
            let message = format!("“{}” is removed", template.name);
            return Some(record_template_change(model, BookChange::TemplateRemoved(template.id), message));
        }
        KeyCode::Char('D') => {
            menu.message = Some(format!("D again removes the template “{}”; any other key keeps it", template.name));
        }
        KeyCode::Char('e') => {
            let line = MenuLine::new(&template.name, MenuLinePurpose::RenameTemplate(template.id));
            menu.open_line(format!("Rename “{}” to:", template.name), line);
        }
        KeyCode::Char('r') => {
            let sentence = template.schedule.map_or_else(String::new, |schedule| schedule.repeat.sentence());
            let line = MenuLine::new(&sentence, MenuLinePurpose::RepeatTemplate(template.id));
            let message = format!(
                "When is “{}” due? Write {}; nothing for never. It sends nothing by itself.",
                template.name,
                EXAMPLES.join(", ")
            );
            menu.open_line(message, line);
        }
        _ => return None,
    }
    Some(Vec::new())
}

/// Keys while a name or a repeat is typed.
#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the line")]
pub(super) fn handle_line_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Menu(menu) = &mut model.mode else { return Vec::new() };
    let Some(line) = &mut menu.line else { return Vec::new() };
    match key.code {
        // Saving ends with the form or the row that it began with.
        KeyCode::Esc if matches!(line.purpose, MenuLinePurpose::SaveTemplate(_)) => menu::close_menu(model),
        KeyCode::Esc => menu.close_line(),
        KeyCode::Enter => {
            let line = line.clone();
            match template_change_of_line(model, &line) {
                Ok((change, message)) => return record_template_change(model, change, message),
                Err(reason) => model.notice = Some(reason),
            }
        }
        _ => line.handle_key(key),
    }
    Vec::new()
}

/// What the typed line changes, and the words for it when it is recorded.
fn template_change_of_line(model: &Model, line: &MenuLine) -> Result<(BookChange, String), String> {
    let (book, typed) = (&model.journal.book, Text::clean(line.input.value().trim()));
    let change = |template| BookChange::Template(Box::new(template));
    let saved_template = |id: TemplateId| book.template(id).cloned().ok_or("this template was removed meanwhile");
    let free_name = |id: Option<TemplateId>| {
        Contact::check_name(&typed).map_err(|fault| fault.to_string())?;
        match book.template_named(&typed).filter(|namesake| Some(namesake.id) != id) {
            Some(namesake) => Err(format!("there is a template “{}” already; choose another name", namesake.name)),
            None => Ok(typed.clone()),
        }
    };
    match &line.purpose {
        MenuLinePurpose::SaveTemplate(payment) => {
            let (draft, sender) = payment.as_ref().clone();
            let (id, name) = (book.new_template_id(model.now), free_name(None)?);
            let message = format!("the template “{name}” is saved; E lists it");
            Ok((change(Template { id, name, draft, sender, schedule: None }), message))
        }
        MenuLinePurpose::RenameTemplate(id) => {
            let template = Template { name: free_name(Some(*id))?, ..saved_template(*id)? };
            let message = format!("the template is now called “{}”", template.name);
            Ok((change(template), message))
        }
        MenuLinePurpose::RepeatTemplate(id) => {
            let template = saved_template(*id)?;
            if typed.is_empty() {
                let message = format!("“{}” does not repeat", template.name);
                return Ok((change(Template { schedule: None, ..template }), message));
            }
            let repeat = Repeat::parse(&typed)?;
            let from = local_date(&model.console.zone, model.now).ok_or("the clock shows no day of the calendar")?;
            let message = format!("“{}” is due {}: page ! shows it then", template.name, repeat.description());
            Ok((change(Template { schedule: Some(Schedule { repeat, from }), ..template }), message))
        }
        MenuLinePurpose::SaveView | MenuLinePurpose::RenameView(_) | MenuLinePurpose::RefuseProposal(_) => {
            Err("this line is of another menu".into())
        }
    }
}

fn record_template_change(model: &mut Model, change: BookChange, message: String) -> Vec<Effect> {
    let request_id = model.pages.book.request_id.advance();
    model.forms.template_change = Some((request_id, message));
    if let Mode::Menu(menu) = &mut model.mode {
        let is_saved = matches!(&menu.line, Some(MenuLine { purpose: MenuLinePurpose::SaveTemplate(_), .. }));
        menu.close_line();
        if is_saved {
            menu::close_menu(model);
        }
    }
    let judged_book = Box::new(model.journal.book.clone());
    vec![Effect::ChangeBook { change: Box::new(change), overridden: Vec::new(), judged_book, request_id }]
}

pub(in crate::app) fn apply_record_result(model: &mut Model, request_id: RequestId, result: &Result<(), Failure>) {
    let Some((_, message)) = model.forms.template_change.take_if(|(pending_id, _)| *pending_id == request_id) else {
        return;
    };
    match result {
        Ok(()) => {
            model.record_event(EventKind::Console, Tone::Text, message.clone());
            model.notice = Some(message);
        }
        Err(failure) => model.notice = Some(format!("the templates are unchanged: {failure}")),
    }
    refresh_menu(model);
}

/// Opens the form that a template fills, for a due date or without one. A form for the same date that was left
/// unfinished is opened instead.
pub(in crate::app) fn open_form_of_template(model: &mut Model, id: TemplateId, due: Option<NaiveDate>) -> Vec<Effect> {
    let form = check_can_open(model).and_then(|()| {
        let template = model.journal.book.template(id).ok_or("this template was removed")?;
        pay_again::check_draft(model, &template.draft)?;
        filled_form(model, template, due).ok_or_else(|| "this template pays nobody".to_owned())
    });
    let form_state = match form {
        Ok(form_state) => form_state,
        Err(reason) => {
            model.notice = Some(reason);
            return Vec::new();
        }
    };
    if matches!(&model.mode, Mode::Menu(menu) if menu.kind == MenuKind::Drafts) {
        menu::close_menu(model);
    }
    let is_kept = |draft: &FormState| due.is_some() && draft.template == form_state.template;
    if let Some(index) = model.forms.drafts.iter().position(is_kept) {
        let draft = model.forms.drafts.remove(index);
        return restore_draft(model, draft, "draft restored");
    }
    let description = form_state.template.as_ref().map(TemplateUse::description).unwrap_or_default();
    let effects = show_form(model, form_state);
    model.notice = Some(format!("filled in from the template {description}, and judged as new"));
    effects
}

fn filled_form(model: &Model, template: &Template, due: Option<NaiveDate>) -> Option<FormState> {
    let mut form = pay_again::filled_form_of_draft(model, &template.draft, &template.sender)?;
    let of = template.use_for(due);
    for (slot, value) in
        [(FieldId::Note, template.draft.note().map(ToString::to_string)), (FieldId::Reference, of.reference())]
    {
        if form.has_field(slot) {
            form.apply_choice(slot, &value.unwrap_or_default(), Picked::TextOnly);
        }
    }
    form.template = Some(of);
    Some(form.with_initial_values())
}

/// Whether the menu of drafts asks for a line.
pub(super) fn is_line_open(menu: &Menu) -> bool {
    menu.kind == MenuKind::Drafts && menu.line.is_some()
}

#[cfg(test)]
mod tests;
