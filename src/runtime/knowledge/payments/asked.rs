//! The payment around which is looked, to one recipient or to several.

use std::collections::HashMap;

use crate::domain::address::{Shape, same};
use crate::domain::draft::BatchFile;
use crate::domain::{Batch, Sender, Text, Withdrawal};

/// A payment, as far as others are compared with it.
pub(in crate::runtime::knowledge) struct Asked<'a> {
    pub(super) blockchain: &'a Text,
    pub(super) token: &'a Text,
    pub(super) ref_id: Option<&'a Text>,
    pub(super) note: Option<&'a Text>,
    pub(super) sender: &'a Sender,
    pub(super) file: Option<&'a BatchFile>,
    to: To<'a>,
}

/// Its recipients.
enum To<'a> {
    One(&'a Text),
    /// The places in the batch of each address, and how many places there are.
    Several(HashMap<Shape, Vec<usize>>, usize),
}

impl<'a> Asked<'a> {
    pub(in crate::runtime::knowledge) fn one(says: &'a Withdrawal, sender: &'a Sender) -> Self {
        let Withdrawal { blockchain, token, ref_id, note, to, .. } = says;
        let (ref_id, note) = (ref_id.as_ref(), note.as_ref());
        Self { blockchain, token, ref_id, note, sender, file: None, to: To::One(to) }
    }

    pub(in crate::runtime::knowledge) fn several(says: &'a Batch, sender: &'a Sender) -> Self {
        let Batch { blockchain, token, ref_id, note, to, file, .. } = says;
        let mut places: HashMap<Shape, Vec<usize>> = HashMap::new();
        for (index, recipient) in to.iter().enumerate() {
            places.entry(Shape::of(&recipient.address)).or_default().push(index);
        }
        let (ref_id, note, file) = (ref_id.as_ref(), note.as_ref(), file.as_ref());
        Self { blockchain, token, ref_id, note, sender, file, to: To::Several(places, to.len()) }
    }

    /// How many recipients there are.
    pub(super) fn count(&self) -> usize {
        match &self.to {
            To::One(_) => 1,
            To::Several(_, count) => *count,
        }
    }

    /// Which of them are at an address.
    pub(super) fn at(&self, address: &str) -> Vec<usize> {
        match &self.to {
            To::One(to) if same(to, address) => vec![0],
            To::One(_) => Vec::new(),
            To::Several(places, _) => places.get(&Shape::of(address)).cloned().unwrap_or_default(),
        }
    }
}
