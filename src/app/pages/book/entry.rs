//! The form that adds, edits or removes an address book entry: fields, check, confirmation, recording.

mod edit;
pub mod form_text;
pub mod view;

use tui_input::Input;

use crate::app::forms::field::{Field, FieldId};
use crate::app::request_id::RequestId;
use crate::domain::book::{BookEntry, Contact};
use crate::domain::{Text, address, chain};
use crate::guard::ContactReview;
pub(in crate::app) use edit::{
    apply_judgement, apply_record_result, handle_key, open_add_form, open_edit_form, open_removal_form, paste,
};

#[derive(Debug, Clone)]
pub struct ContactForm {
    pub action: BookAction,
    pub fields: Vec<Field>,
    /// Index of the focused field; `fields.len()` is the button.
    pub at: usize,
    pub stage: EntryStage,
    /// Why the last attempt failed.
    pub message: Option<String>,
    /// The book that the entry was checked against; the change is based on it.
    judged_book: crate::domain::AddressBook,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookAction {
    Add,
    Edit(BookEntry),
    Remove(BookEntry),
}

#[derive(Debug, Clone)]
pub enum EntryStage {
    Editing,
    Checking(RequestId),
    /// The findings are shown, and the confirmation words are typed.
    Confirming(Box<EntryReview>),
    Recording(RequestId),
}

#[derive(Debug, Clone)]
pub struct EntryReview {
    pub contact: Contact,
    pub judgement: ContactReview,
    /// The words that must be typed, each with its input line.
    pub prompts: Vec<(String, Input)>,
    /// Index of the focused input line.
    pub at: usize,
}

impl ContactForm {
    pub fn value(&self, slot: FieldId) -> &str {
        self.fields.iter().find(|field| field.id == slot).map_or("", Field::value)
    }

    /// The contact that the fields describe; an error comes with the index of its field.
    fn parse_contact(&self) -> Result<Contact, (usize, String)> {
        let mut texts = Vec::new();
        for (at, field) in self.fields.iter().enumerate() {
            texts.push((field.id, field.checked_text().map_err(|error| (at, error))?));
        }
        let text = |slot: FieldId| texts.iter().find(|(text_slot, _)| *text_slot == slot).map(|(_, text)| text.clone());
        let non_empty = |slot: FieldId| text(slot).filter(|text| !text.is_empty());
        let (address, blockchain) = match &self.action {
            BookAction::Add => {
                let word = text(FieldId::Chain).unwrap_or_default();
                // A known chain is stored under one slug, whichever alias was typed.
                let word = chain::Chain::find(&word).map_or(word, |chain| Text::clean(chain.slug));
                let address = text(FieldId::Recipient).unwrap_or_default();
                (address::parse_grouped(&address).map_or(address, |whole| Text::clean(&whole)), word)
            }
            BookAction::Edit(entry) | BookAction::Remove(entry) => {
                (entry.contact.address.clone(), entry.contact.blockchain.clone())
            }
        };
        let name = text(FieldId::Name).unwrap_or_default();
        let contact =
            Contact { name, address, blockchain, tag: non_empty(FieldId::Memo), note: non_empty(FieldId::Note) };
        contact.check().map_err(|fault| (self.field_index_of_error(&fault), fault.to_string()))?;
        if let Some(tag) = &contact.tag {
            let family = chain::address_family_of(&contact.blockchain, None);
            let at = self.field_index(FieldId::Memo);
            crate::domain::memo::check_memo(family, tag).map_err(|fault| (at, fault.to_string()))?;
        }
        Ok(contact)
    }

    fn field_index(&self, slot: FieldId) -> usize {
        self.fields.iter().position(|field| field.id == slot).unwrap_or(0)
    }

    /// Index of the field that an error is about.
    fn field_index_of_error(&self, fault: &crate::domain::book::ContactError) -> usize {
        use crate::domain::book::ContactError;
        let slot = match fault {
            ContactError::NoChain | ContactError::AddressChain(_) => FieldId::Chain,
            ContactError::Address(_) => FieldId::Recipient,
            ContactError::Formula("the tag") | ContactError::Secret { field: "the tag", .. } => FieldId::Memo,
            ContactError::Formula("the note") | ContactError::Secret { field: "the note", .. } => FieldId::Note,
            ContactError::NoName
            | ContactError::LongName
            | ContactError::AddressName(_)
            | ContactError::Formula(_)
            | ContactError::Secret { .. } => FieldId::Name,
        };
        self.field_index(slot)
    }
}
