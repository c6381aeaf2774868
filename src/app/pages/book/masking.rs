//! The Book page with masked values.

use super::{BookPage, BookRow};
use crate::app::session::veil::Veil;
use crate::domain::Text;
use crate::domain::book::{BookEntry, Contact};

impl BookPage {
    /// The masked page. It does not show how long the book is.
    pub(in crate::app) fn to_masked(&self, veil: &Veil) -> Self {
        let key =
            |(chain, address): &(String, String)| (chain.clone(), veil.mask_address(&Text::clean(address)).to_string());
        Self {
            listing: self.listing.to_masked(|line| veil.mask_book_row(line), key),
            filter: Veil::mask_filter(&self.filter),
            sort: self.sort,
            is_loaded: self.is_loaded,
            failure: self.failure.as_ref().map(Veil::mask_failure),
            ..Self::default()
        }
    }
}

impl Veil {
    pub(in crate::app) fn mask_book_row(&self, line: &BookRow) -> BookRow {
        let BookRow { entry, payments, last_paid } = line;
        let BookEntry { contact, entered_at, effective_since } = entry;
        let Contact { name, address, blockchain, tag, note } = contact;
        let contact = Contact {
            name: self.mask_name("contact", name),
            address: self.mask_address(address),
            blockchain: blockchain.clone(),
            tag: self.mask_optional_name("memo", tag.as_ref()),
            note: self.mask_optional_name("note", note.as_ref()),
        };
        BookRow {
            entry: BookEntry { contact, entered_at: *entered_at, effective_since: *effective_since },
            payments: (*payments).min(1),
            last_paid: *last_paid,
        }
    }
}
