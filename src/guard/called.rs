//! Whether two payments are called the same: by a reference or a note, however it is written.

use super::Paid;
use crate::domain::{Text, Withdrawal};

/// How a name is compared: its letters and digits alone, in one case, so that `INV-117` is `inv 117`.
fn plain(name: &Text) -> Option<String> {
    let lower = name.trim().to_lowercase();
    let plain: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    Some(if plain.is_empty() { lower } else { plain }).filter(|name| !name.is_empty())
}

/// Whether two payments share a name for which something holds.
fn share(this: [Option<&Text>; 2], that: [Option<&Text>; 2], holds: impl Fn(&str) -> bool) -> bool {
    let those: Vec<String> = that.into_iter().flatten().filter_map(plain).collect();
    this.into_iter().flatten().filter_map(plain).any(|name| those.contains(&name) && holds(&name))
}

/// Whether a payment with this reference and note may be called the same as an earlier one.
pub fn may_be_same(ref_id: Option<&Text>, note: Option<&Text>, paid: &Paid) -> bool {
    share([ref_id, note], [paid.ref_id.as_ref(), paid.note.as_ref()], |_| true)
}

/// Whether an earlier payment is called the same: it has the same reference, or the same number of an invoice in its note.
pub(super) fn is_same(says: &Withdrawal, paid: &Paid) -> bool {
    let (this, that) = names(says, paid);
    share([this[0], None], [that[0], None], |_| true) || share(this, that, |name| name.contains(char::is_numeric))
}

/// Whether a reference or note is the same, though it may be of words alone, such as `rent`, which recur.
pub(super) fn has_same_words(says: &Withdrawal, paid: &Paid) -> bool {
    let (this, that) = names(says, paid);
    share(this, that, |_| true)
}

fn names<'a>(says: &'a Withdrawal, paid: &'a Paid) -> ([Option<&'a Text>; 2], [Option<&'a Text>; 2]) {
    ([says.ref_id.as_ref(), says.note.as_ref()], [paid.ref_id.as_ref(), paid.note.as_ref()])
}
