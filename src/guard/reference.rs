//! Whether two payments have the same reference or note, however it is spelt.

use unicode_security::skeleton;

use super::RecentPayment;
use crate::domain::{Text, Withdrawal};

/// The comparable form of a reference or note: the skeleton of its letters and digits, in one case. So `INV-117` equals
/// `inv 117`, and an accented name equals itself in composed and decomposed Unicode, as in file names.
fn normalise_reference(name: &Text) -> Option<String> {
    let lower = name.trim().to_lowercase();
    let is_plain = |c: &char| c.is_alphanumeric();
    let letters: String = lower.chars().filter(is_plain).collect();
    let plain: String = skeleton(&letters).filter(is_plain).collect();
    Some(if plain.is_empty() { lower } else { plain }).filter(|name| !name.is_empty())
}

/// Whether two payments share a reference or note for whose original spelling `holds` is true.
fn shares_reference(this: [Option<&Text>; 2], that: [Option<&Text>; 2], holds: impl Fn(&str) -> bool) -> bool {
    let those: Vec<String> = that.into_iter().flatten().filter_map(normalise_reference).collect();
    let is_among = |name: &Text| normalise_reference(name).is_some_and(|name| those.contains(&name));
    this.into_iter().flatten().any(|name| is_among(name) && holds(name))
}

/// Whether a payment with this reference and note may count as the same as an earlier one.
pub fn may_share_reference(ref_id: Option<&Text>, note: Option<&Text>, paid: &RecentPayment) -> bool {
    shares_reference([ref_id, note], [paid.ref_id.as_ref(), paid.note.as_ref()], |_| true)
}

/// Whether an earlier payment has the same reference, or the same invoice number in its note.
pub(super) fn has_same_reference(says: &Withdrawal, paid: &RecentPayment) -> bool {
    let (this, that) = references_of(says, paid);
    shares_reference([this[0], None], [that[0], None], |_| true)
        || shares_reference(this, that, |name| name.contains(char::is_numeric))
}

/// Whether a reference or note is the same, even if it consists only of words that recur, such as `rent`.
pub(super) fn has_same_words(says: &Withdrawal, paid: &RecentPayment) -> bool {
    let (this, that) = references_of(says, paid);
    shares_reference(this, that, |_| true)
}

fn references_of<'a>(says: &'a Withdrawal, paid: &'a RecentPayment) -> ([Option<&'a Text>; 2], [Option<&'a Text>; 2]) {
    ([says.ref_id.as_ref(), says.note.as_ref()], [paid.ref_id.as_ref(), paid.note.as_ref()])
}
