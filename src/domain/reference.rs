//! References of payments, as they are compared.

use unicode_security::skeleton;

use super::Text;

/// The comparable form of a reference or note: the skeleton of its letters and digits, in one case. So `INV-117` equals
/// `inv 117`, and an accented name equals itself in composed and decomposed Unicode, as in file names.
pub fn normalise_reference(name: &Text) -> Option<String> {
    let lower = name.trim().to_lowercase();
    let is_plain = |c: &char| c.is_alphanumeric();
    let letters: String = lower.chars().filter(is_plain).collect();
    let plain: String = skeleton(&letters).filter(is_plain).collect();
    Some(if plain.is_empty() { lower } else { plain }).filter(|name| !name.is_empty())
}
