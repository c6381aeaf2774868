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

/// Whether an earlier payment is called the same. A reference is the same invoice whoever is paid, and so is a note with a
/// number in it; a note in words alone, such as `rent`, only where it goes to the same recipient.
pub(super) fn is_same(says: &Withdrawal, paid: &Paid, is_recipient: impl Fn(&Text) -> bool) -> bool {
    let (this, that) = ([says.ref_id.as_ref(), says.note.as_ref()], [paid.ref_id.as_ref(), paid.note.as_ref()]);
    let is_name = |name: &str| name.contains(char::is_numeric) || is_recipient(&paid.to);
    share([this[0], None], [that[0], None], |_| true) || share(this, that, is_name)
}
