//! An entry of the address book that is made, changed or taken out: what is typed, what is found, what confirms it.

pub mod view;
pub mod words;

use tui_input::{Input, InputRequest};

use crate::app::events::Kind;
use crate::app::forms::field::{Field, LONGEST, Slot};
use crate::app::key::{Key, KeyCode};
use crate::app::line;
use crate::app::model::{Mode, Model};
use crate::app::msg::{Effect, Turn};
use crate::app::panes::Tone;
use crate::app::panes::orders::prompt;
use crate::domain::book::{Change, Contact, Known};
use crate::domain::{Failure, Text, address, chain};
use crate::guard::Entering;

/// The sheet on which an entry is made, changed or taken out.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What is done.
    pub deed: Deed,
    /// The fields that are typed.
    pub fields: Vec<Field>,
    /// Which of them has the cursor; behind the last one, the button.
    pub at: usize,
    /// How far it is.
    pub stage: Stage,
    /// Why the last try failed.
    pub told: Option<String>,
    /// The book that it is judged by, and changed from.
    judged: crate::domain::Book,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Somebody is entered.
    Add,
    /// The name, tag or note of an entry is changed.
    Edit(Known),
    /// An entry is taken out.
    Remove(Known),
}

/// How far it is.
#[derive(Debug, Clone)]
pub enum Stage {
    /// It is filled in.
    Filling,
    /// It is judged.
    Judging(Turn),
    /// What was found is read, and the words are typed.
    Confirming(Box<Found>),
    /// It is being recorded.
    Recording(Turn),
}

/// What was found, and what is typed to go on.
#[derive(Debug, Clone)]
pub struct Found {
    /// Who it will be.
    pub contact: Contact,
    /// What there is to say.
    pub entering: Entering,
    /// The words that must be typed, each with what is.
    pub asked: Vec<(String, Input)>,
    /// Which of them has the cursor.
    pub at: usize,
}

/// Opens an empty sheet.
pub(in crate::app) fn add(model: &mut Model) {
    let slots = [Slot::Name, Slot::Chain, Slot::Recipient, Slot::Memo, Slot::Note];
    open(model, Deed::Add, slots.map(Field::new).into());
}

/// Opens the selected entry, to change its name, tag or note.
pub(in crate::app) fn edit(model: &mut Model) {
    let Some(known) = super::selected(model).cloned() else { return };
    let mut fields: Vec<Field> = [Slot::Name, Slot::Memo, Slot::Note].map(Field::new).into();
    let contact = &known.contact;
    let values = [Some(&contact.name), contact.tag.as_ref(), contact.note.as_ref()];
    for (field, value) in fields.iter_mut().zip(values) {
        field.set(value.map_or("", |value| value.as_str()));
    }
    open(model, Deed::Edit(known), fields);
}

/// Asks before the selected entry is taken out.
pub(in crate::app) fn remove(model: &mut Model) {
    let Some(known) = super::selected(model).cloned() else { return };
    let found = Found {
        contact: known.contact.clone(),
        entering: Entering::default(),
        asked: vec![(known.contact.name.to_string(), Input::default())],
        at: 0,
    };
    open(model, Deed::Remove(known), Vec::new());
    if let Mode::Entry(entry) = &mut model.mode {
        entry.stage = Stage::Confirming(Box::new(found));
    }
}

fn open(model: &mut Model, deed: Deed, fields: Vec<Field>) {
    let judged = model.forms.book.clone();
    model.mode = Mode::Entry(Box::new(Entry { deed, fields, at: 0, stage: Stage::Filling, told: None, judged }));
}

impl Entry {
    /// What is typed into a field.
    pub fn value(&self, slot: Slot) -> &str {
        self.fields.iter().find(|field| field.slot == slot).map_or("", Field::value)
    }

    /// Whom the fields name; an error names the field that is to blame.
    fn contact(&self) -> Result<Contact, (usize, String)> {
        let mut texts = Vec::new();
        for (at, field) in self.fields.iter().enumerate() {
            texts.push((field.slot, field.text().map_err(|words| (at, words))?));
        }
        let text = |slot: Slot| texts.iter().find(|(known, _)| *known == slot).map(|(_, text)| text.clone());
        let some = |slot: Slot| text(slot).filter(|text| !text.is_empty());
        let (whom, blockchain) = match &self.deed {
            Deed::Add => {
                let word = text(Slot::Chain).unwrap_or_default();
                // A chain that is known here goes by one word, however somebody calls it.
                let word = chain::Chain::find(&word).map_or(word, |known| Text::clean(known.slug));
                let whom = text(Slot::Recipient).unwrap_or_default();
                (address::joined(&whom).map_or(whom, |whole| Text::clean(&whole)), word)
            }
            Deed::Edit(known) | Deed::Remove(known) => {
                (known.contact.address.clone(), known.contact.blockchain.clone())
            }
        };
        let name = text(Slot::Name).unwrap_or_default();
        let contact = Contact { name, address: whom, blockchain, tag: some(Slot::Memo), note: some(Slot::Note) };
        contact.check().map_err(|fault| (self.blamed(&fault), fault.to_string()))?;
        if let Some(tag) = &contact.tag {
            let family = chain::family(&contact.blockchain, None);
            let at = self.place(Slot::Memo);
            crate::domain::memo::check(family, tag).map_err(|fault| (at, fault.to_string()))?;
        }
        Ok(contact)
    }

    fn place(&self, slot: Slot) -> usize {
        self.fields.iter().position(|field| field.slot == slot).unwrap_or(0)
    }

    /// The field that a fault is about.
    fn blamed(&self, fault: &crate::domain::book::ContactFault) -> usize {
        use crate::domain::book::ContactFault;
        let slot = match fault {
            ContactFault::NoChain | ContactFault::AddressChain(_) => Slot::Chain,
            ContactFault::Address(_) => Slot::Recipient,
            ContactFault::Formula("the tag") | ContactFault::Secret { place: "the tag", .. } => Slot::Memo,
            ContactFault::Formula("the note") | ContactFault::Secret { place: "the note", .. } => Slot::Note,
            _ => Slot::Name,
        };
        self.place(slot)
    }
}

/// A key while the sheet has the keys.
pub(in crate::app) fn key(model: &mut Model, key: Key) -> Vec<Effect> {
    match key.code {
        KeyCode::Char('c') if key.ctrl => return prompt::leave(model),
        KeyCode::Char('z') if key.ctrl => return vec![Effect::Suspend],
        _ => {}
    }
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    match &mut entry.stage {
        Stage::Filling => filling(model, key),
        Stage::Confirming(_) => confirming(model, key),
        Stage::Judging(_) | Stage::Recording(_) => {
            // What is being recorded is recorded; the list shows it.
            if key.code == KeyCode::Esc {
                model.mode = Mode::Browse;
            }
            Vec::new()
        }
    }
}

fn filling(model: &mut Model, key: Key) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    match key.code {
        KeyCode::Esc => model.mode = Mode::Browse,
        KeyCode::BackTab | KeyCode::Up => entry.at = entry.at.saturating_sub(1),
        KeyCode::Enter if entry.at >= entry.fields.len() => return judge(model),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down => entry.at = (entry.at + 1).min(entry.fields.len()),
        _ => {
            if let Some(field) = entry.fields.get_mut(entry.at) {
                field.key(key);
            }
        }
    }
    Vec::new()
}

/// Has what is typed judged.
fn judge(model: &mut Model) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    match entry.contact() {
        Err((at, words)) => {
            entry.at = at;
            if let Some(field) = entry.fields.get_mut(at) {
                field.error = Some(words);
            }
            Vec::new()
        }
        Ok(contact) => {
            let turn = model.book.turn.advance();
            entry.told = None;
            entry.stage = Stage::Judging(turn);
            entry.judged.clone_from(&model.forms.book);
            vec![Effect::JudgeContact { contact: Box::new(contact), turn }]
        }
    }
}

/// A contact was judged, or could not be.
pub(in crate::app) fn judged(
    model: &mut Model,
    turn: Turn,
    result: Result<(Contact, Entering), Failure>,
) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    if !matches!(entry.stage, Stage::Judging(awaited) if awaited == turn) {
        return Vec::new();
    }
    entry.stage = Stage::Filling;
    let (contact, entering) = match result {
        Ok(judged) => judged,
        Err(failure) => {
            entry.told = Some(format!("{failure}. Nothing was entered"));
            return Vec::new();
        }
    };
    if entering.is_known {
        model.mode = Mode::Browse;
        model.notice = Some(format!("{} stands there already, just so", contact.name));
        return Vec::new();
    }
    if let Some(why) = &entering.refused {
        entry.told = Some(why.clone());
        return Vec::new();
    }
    let asked = entering.words().into_iter().map(|words| (words.to_owned(), Input::default())).collect();
    entry.stage = Stage::Confirming(Box::new(Found { contact, entering, asked, at: 0 }));
    Vec::new()
}

fn confirming(model: &mut Model, key: Key) -> Vec<Effect> {
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    let is_removal = matches!(entry.deed, Deed::Remove(_));
    let Stage::Confirming(found) = &mut entry.stage else { return Vec::new() };
    match key.code {
        KeyCode::Esc if is_removal => model.mode = Mode::Browse,
        KeyCode::Esc => entry.stage = Stage::Filling,
        KeyCode::BackTab | KeyCode::Up => found.at = found.at.saturating_sub(1),
        KeyCode::Tab | KeyCode::Down => found.at = (found.at + 1).min(found.asked.len().saturating_sub(1)),
        KeyCode::Enter => return confirm(model),
        _ => {
            if let (Some(request), Some((_, input))) = (line::request(key), found.asked.get_mut(found.at)) {
                if matches!(request, InputRequest::InsertChar(_)) && input.value().chars().count() >= LONGEST {
                    return Vec::new();
                }
                input.handle(request);
                entry.told = None;
            }
        }
    }
    Vec::new()
}

/// Enter: to the words that are still to be typed, or, when all of them are, it is recorded.
fn confirm(model: &mut Model) -> Vec<Effect> {
    if let Mode::Entry(entry) = &model.mode
        && let Stage::Confirming(found) = &entry.stage
        && !words::has_room(model, entry, found)
    {
        return Vec::new();
    }
    let Mode::Entry(entry) = &mut model.mode else { return Vec::new() };
    let Stage::Confirming(found) = &mut entry.stage else { return Vec::new() };
    if let Some(why) = found.entering.stop() {
        entry.told = Some(format!("{why} It cannot be entered"));
        return Vec::new();
    }
    if let Some(at) = found.asked.iter().position(|(wanted, input)| input.value().trim() != wanted) {
        entry.told = (at == found.at && !found.asked[at].1.value().is_empty()).then(|| "not these words".to_owned());
        found.at = at;
        return Vec::new();
    }
    let contact = found.contact.clone();
    let (change, overridden) = match &entry.deed {
        Deed::Remove(_) => {
            let Contact { address, blockchain, .. } = contact;
            (Change::Removed { address, blockchain }, Vec::new())
        }
        Deed::Add | Deed::Edit(_) => {
            let overridden = found.asked.iter().map(|(words, _)| Text::clean(words)).collect();
            (Change::Entered(contact), overridden)
        }
    };
    let turn = model.book.turn.advance();
    entry.stage = Stage::Recording(turn);
    vec![Effect::ChangeBook { change: Box::new(change), overridden, judged: Box::new(entry.judged.clone()), turn }]
}

/// A change of the book was recorded, or could not be.
pub(in crate::app) fn recorded(model: &mut Model, turn: Turn, result: Result<(), Failure>) {
    let Mode::Entry(entry) = &mut model.mode else { return };
    if !matches!(entry.stage, Stage::Recording(awaited) if awaited == turn) {
        return;
    }
    let said = match (&entry.deed, result) {
        (_, Err(failure)) => {
            entry.told = Some(format!("{failure}. Nothing was entered"));
            // A book that another program changed meanwhile is read by now: whoever goes on is judged by it anew.
            entry.stage = Stage::Filling;
            if matches!(entry.deed, Deed::Remove(_)) {
                model.mode = Mode::Browse;
                model.notice = Some(format!("nothing was taken out: {failure}"));
            }
            return;
        }
        (Deed::Add, Ok(())) => format!("{} is entered", entry.value(Slot::Name)),
        (Deed::Edit(_), Ok(())) => format!("{} is changed", entry.value(Slot::Name)),
        (Deed::Remove(known), Ok(())) => format!("{} is taken out", known.contact.name),
    };
    model.mode = Mode::Browse;
    model.note(Kind::Console, Tone::Text, format!("address book: {said}"));
    model.notice = Some(said);
}

/// Text was pasted into the sheet.
pub(in crate::app) fn paste(model: &mut Model, text: &str) {
    let Mode::Entry(entry) = &mut model.mode else { return };
    match entry.stage {
        Stage::Filling => {
            if let Some(Err(words)) = entry.fields.get_mut(entry.at).map(|field| field.paste(text)) {
                model.notice = Some(words);
            }
        }
        Stage::Confirming(_) => entry.told = Some("these words are typed, not pasted".into()),
        Stage::Judging(_) | Stage::Recording(_) => {}
    }
}
