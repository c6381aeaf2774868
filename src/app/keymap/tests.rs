use std::collections::HashSet;

use super::*;

#[test]
fn no_key_means_two_things() {
    let keys: Vec<Key> = KEYS.iter().flat_map(|binding| binding.keys).copied().collect();
    let distinct: HashSet<Key> = keys.iter().copied().collect();
    assert_eq!(keys.len(), distinct.len());
}

#[test]
fn nothing_needs_alt_and_every_page_has_its_digit() {
    assert!(KEYS.iter().flat_map(|binding| binding.keys).all(|key| !key.alt));
    for (index, page) in super::super::Page::ALL.iter().enumerate() {
        let index = u8::try_from(index).unwrap();
        let binding = KEYS.iter().find(|binding| binding.command == Command::Page(index)).unwrap();
        assert_eq!(binding.long, page.name());
        assert_eq!(binding.keys, [Key::char(char::from(b'1' + index))]);
    }
}
