//! Shortened addresses that stay different where the addresses are: a look-alike has the same beginning and the same end.

use std::collections::HashMap;

use super::{is_same_address, short_address_parts, shorten_address};
use crate::domain::Text;

/// The characters of the middle that are shown where the ends are not enough.
const MIDDLE: usize = 4;

/// How the addresses on screen are shortened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortAddresses {
    /// Those of which another one would be shortened to the same text.
    colliding: HashMap<String, String>,
}

/// Addresses that are on screen together, each with the hash of its short form. Each frame collects some hundreds, of which
/// hardly any collide: only for those that do are texts compared or copied.
#[derive(Debug, Default)]
pub struct ShownAddresses<'a>(Vec<(u64, &'a str)>);

/// An address with the hash of its short form, for a list that many frames show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressWithShortHash {
    hash: u64,
    address: Text,
}

impl AddressWithShortHash {
    pub fn new(address: &str) -> Self {
        Self { hash: hash_of_short_form(address), address: Text::clean(address) }
    }

    pub fn as_str(&self) -> &str {
        &self.address
    }
}

impl<'a> ShownAddresses<'a> {
    pub fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    pub fn extend_hashed(&mut self, addresses: &'a [AddressWithShortHash]) {
        self.0.extend(addresses.iter().map(|hashed| (hashed.hash, hashed.address.as_str())));
    }
}

impl<'a> Extend<&'a str> for ShownAddresses<'a> {
    fn extend<I: IntoIterator<Item = &'a str>>(&mut self, addresses: I) {
        self.0.extend(addresses.into_iter().map(|address| (hash_of_short_form(address), address)));
    }
}

impl ShortAddresses {
    /// For these addresses, which are on screen together.
    pub fn new<'a>(addresses: impl IntoIterator<Item = &'a str>) -> Self {
        let mut addresses_on_screen = ShownAddresses::default();
        addresses_on_screen.extend(addresses);
        addresses_on_screen.into()
    }

    pub fn shorten(&self, address: &str) -> String {
        let own = self.colliding.iter().find(|(other, _)| is_same_address(other, address));
        own.map_or_else(|| shorten_address(address), |(_, text)| text.clone())
    }
}

impl From<ShownAddresses<'_>> for ShortAddresses {
    fn from(ShownAddresses(mut hashed): ShownAddresses<'_>) -> Self {
        hashed.sort_unstable_by_key(|(hash, _)| *hash);
        let mut colliding = HashMap::new();
        // The texts that were new_texts to others, beside the short forms of all.
        let mut new_texts: Vec<String> = Vec::new();
        let is_taken = |text: &str, new_texts: &[String]| {
            let hash = hash_of_parts([text]);
            hashed.binary_search_by_key(&hash, |(hash, _)| *hash).is_ok() || new_texts.iter().any(|other| other == text)
        };
        for group in hashed.chunk_by(|(one, _), (other, _)| one == other) {
            if group.iter().all(|(_, address)| *address == group[0].1) {
                continue;
            }
            let mut notations: Vec<&str> = group.iter().map(|(_, address)| *address).collect();
            notations.sort_unstable();
            let mut different: Vec<&str> = Vec::new();
            for address in notations {
                if !different.iter().any(|other| is_same_address(other, address)) {
                    different.push(address);
                }
            }
            if different.len() < 2 {
                continue;
            }
            let texts = short_forms_with_middle(&different)
                .filter(|texts| !texts.iter().any(|text| is_taken(text, &new_texts)));
            let texts = texts.unwrap_or_else(|| different.iter().map(|address| (*address).to_owned()).collect());
            new_texts.extend(texts.iter().cloned());
            colliding.extend(different.iter().map(|address| (*address).to_owned()).zip(texts));
        }
        Self { colliding }
    }
}

/// A hash of the shortened address (FNV-1a, 64 bits). Two texts with one hash would both get more letters than they need.
fn hash_of_short_form(address: &str) -> u64 {
    short_address_parts(address).map_or_else(|| hash_of_parts([address]), hash_of_parts)
}

fn hash_of_parts<const N: usize>(parts: [&str; N]) -> u64 {
    let bytes = parts.into_iter().flat_map(str::bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The addresses with the first few characters in which each differs from every other, `0x…7b1c…9c1D`; `None` where
/// there are no such few.
fn short_forms_with_middle(group: &[&str]) -> Option<Vec<String>> {
    let letters: Vec<Vec<char>> = group.iter().map(|address| address.chars().collect()).collect();
    let shortest = letters.iter().map(Vec::len).min()?;
    let starts = 2..shortest.checked_sub(MIDDLE + 4)?;
    let differs = |start: &usize| {
        let middles = letters.iter().map(|letters| letters.get(*start..start + MIDDLE));
        let folded: Vec<String> =
            middles.map(|middle| middle.unwrap_or_default().iter().collect::<String>().to_lowercase()).collect();
        (1..folded.len()).all(|at| !folded[..at].contains(&folded[at]))
    };
    // Four characters from the first difference on, not those that end with it.
    let start = starts.clone().find(|start| {
        let first: Vec<Option<&char>> = letters.iter().map(|letters| letters.get(*start)).collect();
        first.iter().any(|letter| *letter != first[0]) && differs(start)
    });
    let start = start.or_else(|| starts.clone().find(|start| differs(start)))?;
    let text = |letters: &Vec<char>| {
        let part = |from: usize, to: usize| letters.get(from..to).unwrap_or_default().iter().collect::<String>();
        format!("{}…{}…{}", part(0, 2), part(start, start + MIDDLE), part(letters.len() - 4, letters.len()))
    };
    Some(letters.iter().map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const FORGED: &str = "0x5aAe1111222233334444555566667777Ef1BeAed";
    const OTHER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

    #[test]
    fn a_look_alike_is_shortened_to_where_it_differs() {
        let short_addresses = ShortAddresses::new([SUPPLIER, FORGED, OTHER, SUPPLIER]);
        assert_eq!(shorten_address(SUPPLIER), shorten_address(FORGED));
        assert_eq!(short_addresses.shorten(SUPPLIER), "0x…b605…eAed");
        assert_eq!(short_addresses.shorten(FORGED), "0x…1111…eAed");
        assert_eq!(short_addresses.shorten(OTHER), shorten_address(OTHER));
    }

    #[test]
    fn one_address_in_two_notations_is_no_look_alike_of_itself() {
        let short_addresses = ShortAddresses::new([SUPPLIER, &SUPPLIER.to_lowercase()]);
        assert_eq!(short_addresses.shorten(SUPPLIER), shorten_address(SUPPLIER));
    }

    #[test]
    fn whatever_is_on_screen_two_different_addresses_are_never_the_same_text() {
        // Look-alikes that differ in few letters anywhere, and whole families of them.
        let forge = |at: usize, letter: &str| format!("{}{letter}{}", &SUPPLIER[..at], &SUPPLIER[at + letter.len()..]);
        let mut on_screen = vec![SUPPLIER.to_owned(), OTHER.to_owned()];
        for at in 6..38 {
            on_screen.extend(["0", "1", "2"].map(|letter| forge(at, letter)));
        }
        on_screen.extend((0..30).map(|number| forge(8, &format!("{number:08}"))));
        on_screen.sort();
        on_screen.dedup();
        for count in [2, 3, 5, 20, on_screen.len()] {
            let addresses: Vec<&str> = on_screen.iter().take(count).map(String::as_str).collect();
            let short = ShortAddresses::new(addresses.iter().copied());
            for (at, one) in addresses.iter().enumerate() {
                for other in &addresses[..at] {
                    let is_same_text = short.shorten(one) == short.shorten(other);
                    assert!(!is_same_text || is_same_address(one, other), "{one} {other} {}", short.shorten(one));
                }
            }
        }
    }
}
