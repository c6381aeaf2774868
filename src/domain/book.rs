//! The address book: whom a business knows by name, each at one address on one chain.
//!
//! It is the sum of its changes, which the journal keeps. Whatever of an entry would make somebody pay another, its name
//! and its tag as well as its address, makes it a new one: it is not trusted again before it has cooled.

pub mod file;

use std::time::Duration;

use super::address::{detect_secret, find_secret, is_same_address, recognise};
use super::edit_distance::is_one_slip_away;
use super::imitation::look_alike;
use super::{Address, AddressError, Skew, Text, Timestamp, chain};

/// Whom one knows at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The name.
    pub name: Text,
    /// The address.
    pub address: Text,
    /// The chain, in the word that the service uses.
    pub blockchain: Text,
    /// Memo or tag that deposits to this address need.
    pub tag: Option<Text>,
    /// A note.
    pub note: Option<Text>,
}

/// An entry of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookEntry {
    /// Who it is.
    pub contact: Contact,
    /// When it was entered as it is, its note aside, at the latest: by the clock of whoever entered it, unless what was
    /// recorded later shows that the clock was ahead.
    pub entered_at: Timestamp,
    /// Since when it surely stands there so, whatever was done to that clock: never before anything that was recorded
    /// earlier.
    pub effective_since: Timestamp,
}

/// A change of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookChange {
    /// Somebody was entered, or entered anew.
    Entered(Contact),
    /// Whoever stood at an address on a chain was taken out.
    Removed {
        /// The address.
        address: Text,
        /// The chain.
        blockchain: Text,
    },
}

/// What is wrong with a contact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContactError {
    /// It has no name.
    #[error("a name is missing")]
    NoName,
    /// Its name is too long to be read at a glance.
    #[error("a name has 64 characters at most")]
    LongName,
    /// Its name looks like an address, and would be paid in the place of it.
    #[error("the name looks like {0} address; choose a name that cannot be mistaken for an address")]
    AddressName(&'static str),
    /// It says no chain.
    #[error("the chain is missing; write it as in “ethereum”")]
    NoChain,
    /// An address stands in the place of the chain.
    #[error("there is {0} address in place of the chain; write the chain, as in “ethereum”")]
    AddressChain(&'static str),
    /// A spreadsheet would take it for a formula.
    #[error("{0} begins with a character that a spreadsheet reads as a formula; begin with a letter or a digit")]
    Formula(&'static str),
    /// A secret stands in it, which the journal would keep for good. The words never repeat it.
    #[error("{place} contains {what}: anyone who sees it can take the funds it protects; remove it")]
    Secret {
        /// Where.
        place: &'static str,
        /// What it is, with its article.
        what: &'static str,
    },
    /// Its address cannot be one on its chain.
    #[error("{0}")]
    Address(AddressError),
}

impl Contact {
    /// The longest name.
    const LONGEST_NAME: usize = 64;

    /// Whether it can stand in a book. On a chain that is not known here, the form of the address is not checked, but that it
    /// holds no blank and nothing else that no address holds.
    pub fn check(&self) -> Result<(), ContactError> {
        if self.name.trim().is_empty() {
            return Err(ContactError::NoName);
        }
        if self.name.chars().count() > Self::LONGEST_NAME {
            return Err(ContactError::LongName);
        }
        if let Some(kind) = recognise(self.name.trim()) {
            return Err(ContactError::AddressName(kind.name));
        }
        // What is entered is written into the journal, from which nothing is ever taken out.
        let words = [("the name", Some(&self.name)), ("the tag", self.tag.as_ref()), ("the note", self.note.as_ref())];
        let secret_in = |text: Option<&Text>| text.and_then(|text| find_secret(text));
        if let Some((place, what)) = words.iter().find_map(|(place, text)| Some((*place, secret_in(*text)?))) {
            return Err(ContactError::Secret { place, what });
        }
        let is_formula = |text: &Text| text.starts_with(['=', '+', '-', '@']);
        if let Some((what, _)) = words.into_iter().find(|(_, text)| text.is_some_and(is_formula)) {
            return Err(ContactError::Formula(what));
        }
        if self.blockchain.trim().is_empty() {
            return Err(ContactError::NoChain);
        }
        if let Some(kind) = recognise(self.blockchain.trim()) {
            return Err(ContactError::AddressChain(kind.name));
        }
        let checked = match (chain::Chain::find(&self.blockchain), detect_secret(&self.address)) {
            (_, Some(what)) => Err(AddressError::Secret { what }),
            (Some(chain), None) => Address::check(chain.family, &self.address).map(|_| ()),
            (None, None) if self.address.is_empty() => Err(AddressError::Empty),
            (None, None) => match self.address.chars().enumerate().find(|(_, c)| !c.is_ascii_graphic()) {
                Some((index, c)) => Err(AddressError::InvalidCharacter { position: index + 1, code: u32::from(c) }),
                None => Ok(()),
            },
        };
        checked.map_err(ContactError::Address)
    }

    /// What becomes of an entry that is entered anew as this one, a sentence for each part that changes.
    pub fn changes_from(&self, was: &Self) -> Vec<String> {
        let said = |text: Option<&Text>| text.map_or_else(|| "none".to_owned(), |text| format!("“{text}”"));
        let parts = [
            ("name", Some(&was.name), Some(&self.name)),
            ("tag", was.tag.as_ref(), self.tag.as_ref()),
            ("note", was.note.as_ref(), self.note.as_ref()),
        ];
        let changed = parts.into_iter().filter(|(_, was, will)| was != will);
        changed.map(|(what, was, will)| format!("its {what} changes from {} to {}", said(was), said(will))).collect()
    }

    /// Whether it stands at this address on this chain.
    pub fn is_at(&self, address: &str, blockchain: &str) -> bool {
        chain::is_same_chain(&self.blockchain, blockchain) && is_same_address(&self.address, address)
    }
}

impl BookEntry {
    /// When it will have cooled.
    pub fn cooling_ends_at(&self, cooling: Option<Duration>) -> Timestamp {
        self.effective_since.plus(cooling.unwrap_or_default())
    }

    /// From when on what it got counts as got since it was entered. One that seems to have been entered later than now was
    /// entered while the clock was ahead, nobody knows when: then all that is known counts.
    pub fn payments_counted_from(&self, now: Timestamp) -> Timestamp {
        let is_ahead = now.age(self.entered_at) > Skew::TOLERANCE;
        if is_ahead { Timestamp::from_millis(i64::MIN) } else { self.entered_at.min(now) }
    }

    /// Whether it has stood there for long enough. One that seems to have been entered later than now has not: a clock
    /// was set.
    pub fn has_cooled(&self, cooling: Option<Duration>, now: Timestamp) -> bool {
        self.effective_since <= now && self.cooling_ends_at(cooling) <= now
    }
}

/// The address book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Book {
    entries: Vec<BookEntry>,
}

impl Book {
    /// The book that changes make, each with its time by a clock that only went forward, the oldest first.
    pub fn from_changes(changes: impl IntoIterator<Item = (BookChange, Timestamp)>) -> Self {
        let mut book = Self::default();
        for (change, at) in changes {
            book.apply(change, at, at);
        }
        book
    }

    /// Takes in a change: when it was made by the clock of whoever made it, and since when it surely stands.
    pub fn apply(&mut self, change: BookChange, entered: Timestamp, since: Timestamp) {
        match change {
            BookChange::Entered(contact) => {
                let place =
                    self.entries.iter().position(|known| known.contact.is_at(&contact.address, &contact.blockchain));
                match place.and_then(|place| self.entries.get_mut(place)) {
                    Some(known) => {
                        let is_same = known.contact.name == contact.name && known.contact.tag == contact.tag;
                        let (entered, since) =
                            if is_same { (known.entered_at, known.effective_since) } else { (entered, since) };
                        *known = BookEntry { contact, entered_at: entered, effective_since: since };
                    }
                    None => self.entries.push(BookEntry { contact, entered_at: entered, effective_since: since }),
                }
            }
            BookChange::Removed { address, blockchain } => {
                self.entries.retain(|known| !known.contact.is_at(&address, &blockchain));
            }
        }
    }

    /// Everybody, in the order in which they were first entered.
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// Who stands at an address on a chain.
    pub fn at(&self, address: &str, blockchain: &str) -> Option<&BookEntry> {
        self.entries.iter().find(|known| known.contact.is_at(address, blockchain))
    }

    /// Who stands at the address of a contact on another chain under another name.
    pub fn find_on_other_chain(&self, contact: &Contact) -> Option<&BookEntry> {
        let fold = |name: &str| name.trim().to_lowercase();
        self.entries.iter().find(|BookEntry { contact: known, .. }| {
            is_same_address(&known.address, &contact.address)
                && !chain::is_same_chain(&known.blockchain, &contact.blockchain)
                && fold(&known.name) != fold(&contact.name)
        })
    }

    /// Who stands at an address on whatever chain.
    pub fn find_on_any_chain(&self, address: &str) -> Option<&BookEntry> {
        self.entries.iter().find(|known| is_same_address(&known.contact.address, address))
    }

    /// Who else has the name of a contact on its chain: two of them would be mistaken for each other.
    pub fn find_namesake(&self, contact: &Contact) -> Option<&BookEntry> {
        let is_other = |known: &&BookEntry| {
            chain::is_same_chain(&known.contact.blockchain, &contact.blockchain)
                && !known.contact.is_at(&contact.address, &contact.blockchain)
        };
        self.entries_named(&contact.name).find(is_other)
    }

    /// Who stands at the address that is a contact's name, or is called what is its address: whoever types the one would
    /// pay the other.
    pub fn find_confusable(&self, contact: &Contact) -> Option<&BookEntry> {
        let is_name = |address: &str, name: &str| {
            let name = name.trim();
            is_same_address(address, name) || address.to_lowercase() == name.to_lowercase()
        };
        self.entries.iter().find(|known| {
            let crosses =
                is_name(&known.contact.address, &contact.name) || is_name(&contact.address, &known.contact.name);
            crosses && !is_same_address(&known.contact.address, &contact.address)
        })
    }

    /// Who else has a name that looks like that of a contact, letter by letter or but for one slip, and is not it, whether
    /// on its chain or on another.
    pub fn find_look_alike(&self, contact: &Contact) -> Option<&BookEntry> {
        let fold = |name: &str| name.trim().to_lowercase();
        self.entries.iter().find(|known| {
            let (this, that) = (&contact.name, &known.contact.name);
            (look_alike(this, that) || is_one_slip_away(this, that))
                && fold(this) != fold(that)
                && !known.contact.is_at(&contact.address, &contact.blockchain)
        })
    }

    /// Everybody of a name; upper and lower case are one.
    pub fn entries_named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a BookEntry> + use<'a> {
        let name = name.trim().to_lowercase();
        self.entries.iter().filter(move |known| known.contact.name.trim().to_lowercase() == name)
    }
}

#[cfg(test)]
mod tests;
