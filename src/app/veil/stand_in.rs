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
const LETTERS: &[u8; 20] = b"BCDFGHJKMNPQRSTVWXYZ";

/// Encloses the letters of a stand-in for an address, a hash or another identifier. `view::hide_figures` lets it pass.
pub(super) const MARK: &str = "··";

impl Veil {
    /// A keyed hash of a text.
    pub(super) fn bytes(&self, text: &str) -> [u8; 32] {
        Sha256::new().chain_update(self.key.0).chain_update(text).finalize().into()
    }

    fn letters(&self, text: &str, count: usize) -> String {
        let letter = |byte: &u8| LETTERS.get(usize::from(*byte) % LETTERS.len()).copied().map_or('X', char::from);
        self.bytes(text).iter().take(count).map(letter).collect()
    }

    /// The stand-in of a name: its kind, and letters.
    pub(in crate::app) fn name(&self, kind: &str, name: &str) -> Text {
        Text::clean(&format!("{kind} {}", self.letters(name, 4)))
    }

    pub(in crate::app) fn name_of(&self, kind: &str, name: Option<&Text>) -> Option<Text> {
        name.map(|name| self.name(kind, name))
    }

    /// The stand-in of an address or a hash; it keeps the prefix `0x`.
    pub(in crate::app) fn address(&self, address: &str) -> Text {
        // Upper and lower case are the same address.
        let fixed = if address.starts_with("0x") { "0x" } else { "" };
        let folded = if fixed.is_empty() { address.to_owned() } else { address.to_ascii_lowercase() };
        Text::clean(&format!("{fixed}{MARK}{}{MARK}", self.letters(&folded, 4)))
    }

    pub(super) fn address_of(&self, address: Option<&Text>) -> Option<Text> {
        address.map(|address| self.address(address))
    }

    /// The stand-in of an identifier, with enough letters to be unique: rows are identified by it.
    pub(super) fn id(&self, id: &str) -> String {
        self.letters(id, 9)
    }

    /// The stand-in of every amount: digits and length reveal nothing. `view::hide_figures` hides it.
    pub(super) fn amount() -> Amount {
        Amount::new(U256::from(10_000), 2).unwrap_or(Amount::zero(2))
    }

    /// The stand-in of an amount; that there is none stays visible.
    pub(super) fn reported_amount(amount: Option<&ReportedAmount>) -> Option<ReportedAmount> {
        amount.map(|_| ReportedAmount::Exact(Self::amount()))
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
        assert_eq!(one.name("wallet", "Payroll"), one.name("wallet", "Payroll"));
        assert_ne!(one.name("wallet", "Payroll"), one.name("wallet", "Payrolls"));
        assert_ne!(one.name("wallet", "Payroll"), other.name("wallet", "Payroll"));
        assert_eq!(one.address("0xAB"), one.address("0xab"), "one place has one stand-in");
        assert_ne!(one.address("rAB"), one.address("rab"));
    }

    #[test]
    fn a_stand_in_has_no_digit_but_in_its_fixed_part_and_tells_no_length() {
        let veil = veil(7);
        for text in ["", "a", "0x52908400098527886E0F7030069857D2E4169EE7", "TQ8hTQ8hTQ8hTQ8hTQ8hTQ8hTQ8hTQ8hTQ"] {
            let stand_ins = [veil.name("user", text).to_string(), veil.id(text), veil.address(text)[2..].to_string()];
            assert!(stand_ins.iter().all(|word| !word.contains(|c: char| c.is_ascii_digit())), "{stand_ins:?}");
            assert_eq!(stand_ins[0].len(), "user BCDF".len());
            assert_eq!(stand_ins[1].len(), 9);
        }
        assert!(!format!("{veil:?}").contains('7'), "the key is printed");
    }
}
