//! Stand-ins: the same value has the same stand-in throughout a run, and another one in the next.

use std::fmt;

use ruint::aliases::U256;
use sha2::{Digest, Sha256};

use super::Veil;
use crate::domain::{Amount, ReportedAmount, Text};

/// The secret of a run's stand-ins; with it, names could be found by trial.
#[derive(Clone, Default)]
pub struct VeilKey([u8; 32]);

impl VeilKey {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for VeilKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VeilKey")
    }
}

/// Consonants: they spell neither words nor figures, and are easy to tell apart.
const STAND_IN_ALPHABET: &[u8; 20] = b"BCDFGHJKMNPQRSTVWXYZ";

/// Encloses the letters of a stand-in for an address, a hash or another identifier. `view::hide_figures` lets it pass.
pub(super) const STAND_IN_MARK: &str = "··";

impl Veil {
    /// A keyed hash of a text.
    pub(super) fn keyed_hash(&self, text: &str) -> [u8; 32] {
        Sha256::new().chain_update(self.key.0).chain_update(text).finalize().into()
    }

    fn digest_letters(&self, text: &str, count: usize) -> String {
        let letter = |byte: &u8| {
            STAND_IN_ALPHABET.get(usize::from(*byte) % STAND_IN_ALPHABET.len()).copied().map_or('X', char::from)
        };
        self.keyed_hash(text).iter().take(count).map(letter).collect()
    }

    /// The stand-in of a name: its kind, and letters.
    pub(in crate::app) fn mask_name(&self, kind: &str, name: &str) -> Text {
        Text::clean(&format!("{kind} {}", self.digest_letters(name, 4)))
    }

    pub(in crate::app) fn mask_optional_name(&self, kind: &str, name: Option<&Text>) -> Option<Text> {
        name.map(|name| self.mask_name(kind, name))
    }

    /// The stand-in of an address or a hash; it keeps the prefix `0x`.
    pub(in crate::app) fn mask_address(&self, address: &str) -> Text {
        // Upper and lower case are the same address.
        let fixed = if address.starts_with("0x") { "0x" } else { "" };
        let folded = if fixed.is_empty() { address.to_owned() } else { address.to_ascii_lowercase() };
        Text::clean(&format!("{fixed}{STAND_IN_MARK}{}{STAND_IN_MARK}", self.digest_letters(&folded, 4)))
    }

    pub(super) fn mask_optional_address(&self, address: Option<&Text>) -> Option<Text> {
        address.map(|address| self.mask_address(address))
    }

    /// The stand-in of an identifier, with enough letters to be unique: rows are identified by it.
    pub(super) fn mask_id(&self, id: &str) -> String {
        self.digest_letters(id, 9)
    }

    /// The stand-in of every amount: digits and length reveal nothing. `view::hide_figures` hides it.
    pub(super) fn masked_amount() -> Amount {
        Amount::new(U256::from(10_000), 2).unwrap_or(Amount::zero(2))
    }

    /// The stand-in of an amount; that there is none stays visible.
    pub(super) fn mask_reported_amount(amount: Option<&ReportedAmount>) -> Option<ReportedAmount> {
        amount.map(|_| ReportedAmount::Exact(Self::masked_amount()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn veil(byte: u8) -> Veil {
        Veil::new(true, VeilKey::new([byte; 32]))
    }

    #[test]
    fn the_same_thing_has_the_same_stand_in_in_one_run_and_another_in_the_next() {
        let [one, other] = [veil(1), veil(2)];
        assert_eq!(one.mask_name("wallet", "Payroll"), one.mask_name("wallet", "Payroll"));
        assert_ne!(one.mask_name("wallet", "Payroll"), one.mask_name("wallet", "Payrolls"));
        assert_ne!(one.mask_name("wallet", "Payroll"), other.mask_name("wallet", "Payroll"));
        assert_eq!(one.mask_address("0xAB"), one.mask_address("0xab"), "one place has one stand-in");
        assert_ne!(one.mask_address("rAB"), one.mask_address("rab"));
    }

    #[test]
    fn a_stand_in_has_no_digit_but_in_its_fixed_part_and_tells_no_length() {
        let veil = veil(7);
        for text in ["", "a", "0x52908400098527886E0F7030069857D2E4169EE7", "TQ8hTQ8hTQ8hTQ8hTQ8hTQ8hTQ8hTQ8hTQ"] {
            let stand_ins = [
                veil.mask_name("user", text).to_string(),
                veil.mask_id(text),
                veil.mask_address(text)[2..].to_string(),
            ];
            assert!(stand_ins.iter().all(|word| !word.contains(|c: char| c.is_ascii_digit())), "{stand_ins:?}");
            assert_eq!(stand_ins[0].len(), "user BCDF".len());
            assert_eq!(stand_ins[1].len(), 9);
        }
        assert!(!format!("{veil:?}").contains('7'), "the key is printed");
    }
}
