//! Whether two payments are called the same: by a reference or a note, however it is written.

use unicode_security::skeleton;

use super::RecentPayment;
use crate::domain::{Text, Withdrawal};

/// How a name is compared: as its letters and digits look, in one case, so that `INV-117` is `inv 117` and one with accents is
/// itself whether they stand beside their letters, as in names of files, or in them.
fn normalise_name(name: &Text) -> Option<String> {
    let lower = name.trim().to_lowercase();
    let is_plain = |c: &char| c.is_alphanumeric();
    let letters: String = lower.chars().filter(is_plain).collect();
    let plain: String = skeleton(&letters).filter(is_plain).collect();
    Some(if plain.is_empty() { lower } else { plain }).filter(|name| !name.is_empty())
}

/// Whether two payments share a name for which something holds, as it is written.
fn shares_name(this: [Option<&Text>; 2], that: [Option<&Text>; 2], holds: impl Fn(&str) -> bool) -> bool {
    let those: Vec<String> = that.into_iter().flatten().filter_map(normalise_name).collect();
    let is_among = |name: &Text| normalise_name(name).is_some_and(|name| those.contains(&name));
    this.into_iter().flatten().any(|name| is_among(name) && holds(name))
}

/// Whether a payment with this reference and note may be called the same as an earlier one.
pub fn may_share_reference(ref_id: Option<&Text>, note: Option<&Text>, paid: &RecentPayment) -> bool {
    shares_name([ref_id, note], [paid.ref_id.as_ref(), paid.note.as_ref()], |_| true)
}

/// Whether an earlier payment is called the same: it has the same reference, or the same number of an invoice in its note.
pub(super) fn has_same_reference(says: &Withdrawal, paid: &RecentPayment) -> bool {
    let (this, that) = names(says, paid);
    shares_name([this[0], None], [that[0], None], |_| true)
        || shares_name(this, that, |name| name.contains(char::is_numeric))
}

/// Whether a reference or note is the same, though it may be of words alone, such as `rent`, which recur.
pub(super) fn has_same_words(says: &Withdrawal, paid: &RecentPayment) -> bool {
    let (this, that) = names(says, paid);
    shares_name(this, that, |_| true)
}

fn names<'a>(says: &'a Withdrawal, paid: &'a RecentPayment) -> ([Option<&'a Text>; 2], [Option<&'a Text>; 2]) {
    ([says.ref_id.as_ref(), says.note.as_ref()], [paid.ref_id.as_ref(), paid.note.as_ref()])
}
