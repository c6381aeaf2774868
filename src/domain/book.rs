//! The address book: the business's contacts, each at one address on one chain.
//!
//! The book is the sum of its changes, which the journal records. Changing any part of an entry that could make
//! somebody pay another recipient (its name or tag as well as its address) makes a new entry, which is trusted only
//! after its cooling-off period.

pub mod file;
mod label;
mod templates;

use std::time::Duration;

use super::address::{detect_secret, find_secret, is_same_address, recognise_address_kind};
use super::edit_distance::is_one_slip_away;
use super::imitation::texts_look_alike;
use super::template::{Template, TemplateId};
use super::{Address, AddressError, Skew, Text, Timestamp, chain};

pub use label::{Label, LabelSubject};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    pub name: Text,
    pub address: Text,
    /// In the service's word.
    pub blockchain: Text,
    /// The memo or tag that deposits to this address need.
    pub tag: Option<Text>,
    pub note: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookEntry {
    pub contact: Contact,
    /// When the entry was last entered, changes of its note aside: by the clock of the console that entered it, unless
    /// later records show that the clock was ahead.
    pub entered_at: Timestamp,
    /// Since when the entry is certainly in effect, whatever was done to that clock: never before any earlier record.
    pub effective_since: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookChange {
    /// A contact was added or changed.
    Entered(Contact),
    Removed {
        address: Text,
        blockchain: Text,
    },
    /// What has no name of its own was given one, or another one, or none any more.
    Label {
        subject: LabelSubject,
        name: Option<Text>,
    },
    /// A template was saved, or changed.
    Template(Box<Template>),
    TemplateRemoved(TemplateId),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContactError {
    #[error("a name is missing")]
    NoName,
    #[error("a name has 64 characters at most")]
    LongName,
    /// The name looks like an address, and could be paid instead of it.
    #[error("the name looks like {0} address; choose a name that cannot be mistaken for an address")]
    AddressName(&'static str),
    #[error("the chain is missing; write it as in “ethereum”")]
    NoChain,
    #[error("there is {0} address in place of the chain; write the chain, as in “ethereum”")]
    AddressChain(&'static str),
    #[error("{0} begins with a character that a spreadsheet reads as a formula; begin with a letter or a digit")]
    Formula(&'static str),
    /// A field contains a secret, which the journal would keep for good. The message never repeats it.
    #[error("{field} contains {kind}: anyone who sees it can take the funds it protects; remove it")]
    Secret {
        /// The field, with its article.
        field: &'static str,
        /// The kind of secret, with its article.
        kind: &'static str,
    },
    #[error("{0}")]
    Address(AddressError),
}

impl Contact {
    const LONGEST_NAME: usize = 64;

    /// Whether the contact can be in a book. On a chain that is not known here, the address is only checked for blanks
    /// and other characters that no address contains.
    pub fn check(&self) -> Result<(), ContactError> {
        Self::check_name(&self.name)?;
        // The journal records every entry, and nothing is ever removed from it.
        let labelled_texts = [("the tag", self.tag.as_ref()), ("the note", self.note.as_ref())];
        labelled_texts
            .into_iter()
            .try_for_each(|(place, text)| text.map_or(Ok(()), |text| Self::reject_secret_or_formula(place, text)))?;
        if self.blockchain.trim().is_empty() {
            return Err(ContactError::NoChain);
        }
        if let Some(kind) = recognise_address_kind(self.blockchain.trim()) {
            return Err(ContactError::AddressChain(kind.name));
        }
        let checked = match (chain::Chain::find(&self.blockchain), detect_secret(&self.address)) {
            (_, Some(kind)) => Err(AddressError::Secret { kind }),
            (Some(chain), None) => Address::parse(chain.family, &self.address).map(|_| ()),
            (None, None) if self.address.is_empty() => Err(AddressError::Empty),
            (None, None) => match self.address.chars().enumerate().find(|(_, c)| !c.is_ascii_graphic()) {
                Some((index, c)) => Err(AddressError::InvalidCharacter { position: index + 1, code: u32::from(c) }),
                None => Ok(()),
            },
        };
        checked.map_err(ContactError::Address)
    }

    /// Whether a name can be in a book.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_name(name: &Text) -> Result<(), ContactError> {
        if name.trim().is_empty() {
            return Err(ContactError::NoName);
        }
        if name.chars().count() > Self::LONGEST_NAME {
            return Err(ContactError::LongName);
        }
        if let Some(kind) = recognise_address_kind(name.trim()) {
            return Err(ContactError::AddressName(kind.name));
        }
        Self::reject_secret_or_formula("the name", name)
    }

    fn reject_secret_or_formula(field: &'static str, text: &Text) -> Result<(), ContactError> {
        if let Some(secret) = find_secret(text) {
            return Err(ContactError::Secret { field, kind: secret });
        }
        if text.starts_with(['=', '+', '-', '@']) { Err(ContactError::Formula(field)) } else { Ok(()) }
    }

    /// What changes when this contact replaces `was`, a sentence for each changed part.
    pub fn describe_changes_from(&self, was: &Self) -> Vec<String> {
        let value_text = |text: Option<&Text>| text.map_or_else(|| "none".to_owned(), |text| format!("“{text}”"));
        let parts = [
            ("name", Some(&was.name), Some(&self.name)),
            ("tag", was.tag.as_ref(), self.tag.as_ref()),
            ("note", was.note.as_ref(), self.note.as_ref()),
        ];
        let changed = parts.into_iter().filter(|(_, was, will)| was != will);
        changed
            .map(|(field, was, will)| format!("its {field} changes from {} to {}", value_text(was), value_text(will)))
            .collect()
    }

    pub fn is_at(&self, address: &str, blockchain: &str) -> bool {
        chain::is_same_chain(&self.blockchain, blockchain) && is_same_address(&self.address, address)
    }
}

impl BookEntry {
    pub fn cooling_ends_at(&self, cooling: Option<Duration>) -> Timestamp {
        self.effective_since.plus(cooling.unwrap_or_default())
    }

    /// From when on payments count as made since the entry was entered. An entry from the future was entered while the
    /// clock was ahead, at an unknown time: then all known payments count.
    pub fn cooling_payments_start(&self, now: Timestamp) -> Timestamp {
        let is_ahead = now.age(self.entered_at) > Skew::TOLERANCE;
        if is_ahead { Timestamp::from_millis(i64::MIN) } else { self.entered_at.min(now) }
    }

    /// Whether the cooling-off period is over. For an entry from the future it is not: a clock was set.
    pub fn has_cooled(&self, cooling: Option<Duration>, now: Timestamp) -> bool {
        self.effective_since <= now && self.cooling_ends_at(cooling) <= now
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressBook {
    entries: Vec<BookEntry>,
    labels: Vec<Label>,
    templates: Vec<Template>,
}

impl AddressBook {
    /// The book after these changes, oldest first, each with its time by a clock that only went forward.
    pub fn from_changes(changes: impl IntoIterator<Item = (BookChange, Timestamp)>) -> Self {
        let mut book = Self::default();
        for (change, at) in changes {
            book.apply_change(change, at, at);
        }
        book
    }

    /// Applies a change: `entered` is the time by the clock of the console that made it, `since` when it certainly took
    /// effect.
    pub fn apply_change(&mut self, change: BookChange, entered: Timestamp, since: Timestamp) {
        match change {
            BookChange::Entered(contact) => {
                let place =
                    self.entries.iter().position(|entry| entry.contact.is_at(&contact.address, &contact.blockchain));
                match place.and_then(|place| self.entries.get_mut(place)) {
                    Some(existing) => {
                        let is_same = existing.contact.name == contact.name && existing.contact.tag == contact.tag;
                        let (entered, since) =
                            if is_same { (existing.entered_at, existing.effective_since) } else { (entered, since) };
                        *existing = BookEntry { contact, entered_at: entered, effective_since: since };
                    }
                    None => self.entries.push(BookEntry { contact, entered_at: entered, effective_since: since }),
                }
            }
            BookChange::Removed { address, blockchain } => {
                self.entries.retain(|entry| !entry.contact.is_at(&address, &blockchain));
            }
            BookChange::Label { subject, name } => self.apply_label(subject, name),
            BookChange::Template(template) => self.apply_template(*template),
            BookChange::TemplateRemoved(id) => self.remove_template(id),
        }
    }

    /// Every entry, in the order of first entry.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    pub fn find(&self, address: &str, blockchain: &str) -> Option<&BookEntry> {
        self.entries.iter().find(|entry| entry.contact.is_at(address, blockchain))
    }

    /// The entry at the contact's address on another chain, under another name.
    pub fn find_on_other_chain(&self, contact: &Contact) -> Option<&BookEntry> {
        let fold = |name: &str| name.trim().to_lowercase();
        self.entries.iter().find(|BookEntry { contact: existing, .. }| {
            is_same_address(&existing.address, &contact.address)
                && !chain::is_same_chain(&existing.blockchain, &contact.blockchain)
                && fold(&existing.name) != fold(&contact.name)
        })
    }

    pub fn find_on_any_chain(&self, address: &str) -> Option<&BookEntry> {
        self.entries.iter().find(|entry| is_same_address(&entry.contact.address, address))
    }

    /// Another entry with the contact's name on its chain: the two would be mistaken for each other.
    pub fn find_namesake(&self, contact: &Contact) -> Option<&BookEntry> {
        let is_other = |entry: &&BookEntry| {
            chain::is_same_chain(&entry.contact.blockchain, &contact.blockchain)
                && !entry.contact.is_at(&contact.address, &contact.blockchain)
        };
        self.entries_named(&contact.name).find(is_other)
    }

    /// An entry whose address is the contact's name, or whose name is the contact's address: whoever types the one
    /// would pay the other.
    pub fn find_name_address_collision(&self, contact: &Contact) -> Option<&BookEntry> {
        let is_name = |address: &str, name: &str| {
            let name = name.trim();
            is_same_address(address, name) || address.to_lowercase() == name.to_lowercase()
        };
        self.entries.iter().find(|entry| {
            let crosses =
                is_name(&entry.contact.address, &contact.name) || is_name(&contact.address, &entry.contact.name);
            crosses && !is_same_address(&entry.contact.address, &contact.address)
        })
    }

    /// Another entry, on any chain, whose name resembles the contact's (look-alike letters, or one typing slip) without
    /// being equal.
    pub fn find_entry_with_look_alike_name(&self, contact: &Contact) -> Option<&BookEntry> {
        let fold = |name: &str| name.trim().to_lowercase();
        self.entries.iter().find(|entry| {
            let (own_name, other_name) = (&contact.name, &entry.contact.name);
            (texts_look_alike(own_name, other_name) || is_one_slip_away(own_name, other_name))
                && fold(own_name) != fold(other_name)
                && !entry.contact.is_at(&contact.address, &contact.blockchain)
        })
    }

    /// Every entry with a name, ignoring case.
    pub fn entries_named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a BookEntry> + use<'a> {
        let name = name.trim().to_lowercase();
        self.entries.iter().filter(move |entry| entry.contact.name.trim().to_lowercase() == name)
    }
}

#[cfg(test)]
mod tests;
