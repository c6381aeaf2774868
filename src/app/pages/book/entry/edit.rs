//! The form filled in, judged, confirmed and recorded.

use crossterm::event::{KeyCode, KeyEvent};
use tui_input::{Input, InputRequest};

use super::{BookAction, ContactForm, EntryReview, EntryStage, form_text};
use crate::app::forms::field::{Field, FieldId, MAX_CHARS};
use crate::app::input::input_line;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::pages::Tone;
use crate::app::pages::book::selected_entry;
use crate::app::request_id::RequestId;
use crate::app::session::events::EventKind;
use crate::domain::book::{BookChange, Contact};
use crate::domain::{Failure, Text};
use crate::guard::ContactReview;

pub(in crate::app) fn open_add_form(model: &mut Model) {
    let slots = [FieldId::Name, FieldId::Chain, FieldId::Recipient, FieldId::Memo, FieldId::Note];
    open_form(model, BookAction::Add, slots.map(Field::new).into());
}

pub(in crate::app) fn open_edit_form(model: &mut Model) {
    let Some(selected) = selected_entry(model).cloned() else { return };
    let mut fields: Vec<Field> = [FieldId::Name, FieldId::Memo, FieldId::Note].map(Field::new).into();
    let contact = &selected.contact;
    let values = [Some(&contact.name), contact.tag.as_ref(), contact.note.as_ref()];
    for (field, value) in fields.iter_mut().zip(values) {
        field.set_value(value.map_or("", |value| value.as_str()));
    }
    open_form(model, BookAction::Edit(selected), fields);
}

/// Asks for the entry's name to be typed before the entry is removed.
pub(in crate::app) fn open_removal_form(model: &mut Model) {
    let Some(selected) = selected_entry(model).cloned() else { return };
    let review = EntryReview {
        contact: selected.contact.clone(),
        judgement: ContactReview::default(),
        prompts: vec![(selected.contact.name.to_string(), Input::default())],
        at: 0,
    };
    open_form(model, BookAction::Remove(selected), Vec::new());
    if let Mode::Entry(entry) = &mut model.mode {
        entry.stage = EntryStage::Confirming(Box::new(review));
    }
}

fn open_form(model: &mut Model, action: BookAction, fields: Vec<Field>) {
    let judged = model.journal.book.clone();
    model.show_mode(Mode::Entry(Box::new(ContactForm {
        action,
        fields,
        at: 0,
        stage: EntryStage::Editing,
        message: None,
        judged_book: judged,
    })));
}

pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    match &mut entry.stage {
        EntryStage::Editing => handle_editing_key(model, key),
        EntryStage::Confirming(_) => handle_confirming_key(model, key),
        EntryStage::Checking(_) | EntryStage::Recording(_) => {
            // Esc does not stop a recording under way; the list shows its result.
            if key.code == KeyCode::Esc {
                model.show_mode(Mode::Browse);
            }
            Vec::new()
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
fn handle_editing_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => model.show_mode(Mode::Browse),
        KeyCode::BackTab | KeyCode::Up => entry.at = entry.at.saturating_sub(1),
        KeyCode::Enter if entry.at >= entry.fields.len() => return request_entry_judgement(model),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down => entry.at = (entry.at + 1).min(entry.fields.len()),
        _ => {
            if let Some(field) = entry.fields.get_mut(entry.at) {
                field.handle_key(key);
            }
        }
    }
    Vec::new()
}

/// Sends the contact to be checked, or shows the first field error.
fn request_entry_judgement(model: &mut Model) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    match entry.parse_contact() {
        Err((at, message)) => {
            entry.at = at;
            if let Some(field) = entry.fields.get_mut(at) {
                field.error = Some(message);
            }
            Vec::new()
        }
        Ok(contact) => {
            let request_id = model.pages.book.request_id.advance();
            entry.message = None;
            entry.stage = EntryStage::Checking(request_id);
            entry.judged_book.clone_from(&model.journal.book);
            vec![Effect::JudgeContact { contact: Box::new(contact), request_id }]
        }
    }
}

pub(in crate::app) fn apply_judgement(
    model: &mut Model,
    request_id: RequestId,
    result: Result<(Contact, ContactReview), Failure>,
) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    if !matches!(entry.stage, EntryStage::Checking(awaited) if awaited == request_id) {
        return Vec::new();
    }
    entry.stage = EntryStage::Editing;
    let (contact, entering) = match result {
        Ok(judged) => judged,
        Err(failure) => {
            entry.message = Some(format!("{failure}. Nothing was entered"));
            return Vec::new();
        }
    };
    if entering.is_known {
        model.show_mode(Mode::Browse);
        model.notice = Some(format!("{} is already in the address book, unchanged", contact.name));
        return Vec::new();
    }
    if let Some(reason) = &entering.refusal {
        entry.message = Some(reason.clone());
        return Vec::new();
    }
    let prompts = entering.override_phrases().into_iter().map(|phrase| (phrase.to_owned(), Input::default())).collect();
    entry.stage = EntryStage::Confirming(Box::new(EntryReview { contact, judgement: entering, prompts, at: 0 }));
    Vec::new()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
fn handle_confirming_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    let is_removal = matches!(entry.action, BookAction::Remove(_));
    let EntryStage::Confirming(review) = &mut entry.stage else { return Vec::new() };
    match key.code {
        KeyCode::Esc if is_removal => model.show_mode(Mode::Browse),
        KeyCode::Esc => entry.stage = EntryStage::Editing,
        KeyCode::BackTab | KeyCode::Up => review.at = review.at.saturating_sub(1),
        KeyCode::Tab | KeyCode::Down => review.at = (review.at + 1).min(review.prompts.len().saturating_sub(1)),
        KeyCode::Enter => return submit_confirmation(model),
        _ => {
            if let (Some(request), Some((_, input))) =
                (input_line::input_edit_of_key(key), review.prompts.get_mut(review.at))
            {
                if matches!(request, InputRequest::InsertChar(_)) && input.value().chars().count() >= MAX_CHARS {
                    return Vec::new();
                }
                input.handle(request);
                entry.message = None;
            }
        }
    }
    Vec::new()
}

/// Enter: focuses the first line whose words do not match, or records the change once all of them match.
fn submit_confirmation(model: &mut Model) -> Vec<Effect> {
    if let Mode::Entry(entry) = &model.mode
        && let EntryStage::Confirming(review) = &entry.stage
        && !form_text::has_room_for_review(model, entry, review)
    {
        return Vec::new();
    }
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    let EntryStage::Confirming(review) = &mut entry.stage else { return Vec::new() };
    if let Some(reason) = review.judgement.stop_reason() {
        entry.message = Some(format!("{reason} It cannot be entered"));
        return Vec::new();
    }
    if let Some(at) = review.prompts.iter().position(|(phrase, input)| input.value().trim() != phrase) {
        entry.message = (at == review.at && !review.prompts[at].1.value().is_empty())
            .then(|| "does not match these words".to_owned());
        review.at = at;
        return Vec::new();
    }
    let contact = review.contact.clone();
    let (change, overridden) = match &entry.action {
        BookAction::Remove(_) => {
            let Contact { address, blockchain, .. } = contact;
            (BookChange::Removed { address, blockchain }, Vec::new())
        }
        BookAction::Add | BookAction::Edit(_) => {
            let overridden = review.prompts.iter().map(|(phrase, _)| Text::clean(phrase)).collect();
            (BookChange::Entered(contact), overridden)
        }
    };
    let request_id = model.pages.book.request_id.advance();
    entry.stage = EntryStage::Recording(request_id);
    vec![Effect::ChangeBook {
        change: Box::new(change),
        overridden,
        judged_book: Box::new(entry.judged_book.clone()),
        request_id,
    }]
}

pub(in crate::app) fn apply_record_result(model: &mut Model, request_id: RequestId, result: Result<(), Failure>) {
    let Mode::Entry(entry) = &mut model.mode else { return };
    if !matches!(entry.stage, EntryStage::Recording(awaited) if awaited == request_id) {
        return;
    }
    let notice_text = match (&entry.action, result) {
        (_, Err(failure)) => {
            entry.message = Some(format!("{failure}. Nothing was entered"));
            // If another program changed the book, it has been re-read by now, and the next attempt is checked against
            // it.
            entry.stage = EntryStage::Editing;
            if matches!(entry.action, BookAction::Remove(_)) {
                model.show_mode(Mode::Browse);
                model.notice = Some(format!("nothing was removed: {failure}"));
            }
            return;
        }
        (BookAction::Add, Ok(())) => format!("{} is entered", entry.value(FieldId::Name)),
        (BookAction::Edit(_), Ok(())) => format!("{} is changed", entry.value(FieldId::Name)),
        (BookAction::Remove(removed), Ok(())) => format!("{} is removed", removed.contact.name),
    };
    model.show_mode(Mode::Browse);
    model.record_event(EventKind::Console, Tone::Text, format!("address book: {notice_text}"));
    model.notice = Some(notice_text);
}

pub(in crate::app) fn paste(model: &mut Model, text: &str) {
    let Mode::Entry(entry) = &mut model.mode else { return };
    match entry.stage {
        EntryStage::Editing => {
            if let Some(Err(error)) = entry.fields.get_mut(entry.at).map(|field| field.paste(text)) {
                model.notice = Some(error);
            }
        }
        EntryStage::Confirming(_) => entry.message = Some("these words must be typed, not pasted".into()),
        EntryStage::Checking(_) | EntryStage::Recording(_) => {}
    }
}
