use super::*;

const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const DAY: Duration = Duration::from_hours(24);

fn time_after_hours(hours: i64) -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000 + hours * 3_600_000)
}

fn supplier_contact() -> Contact {
    Contact { name: "Norrland".into(), address: SUPPLIER.into(), blockchain: "ethereum".into(), tag: None, note: None }
}

#[test]
fn a_book_is_the_sum_of_its_changes() {
    let noted = Contact {
        note: Some("by phone".into()),
        address: SUPPLIER.to_lowercase().as_str().into(),
        ..supplier_contact()
    };
    let elsewhere = Contact { blockchain: "base".into(), ..supplier_contact() };
    let mut book = AddressBook::from_changes([
        (BookChange::Entered(supplier_contact()), time_after_hours(0)),
        (BookChange::Entered(elsewhere.clone()), time_after_hours(1)),
        (BookChange::Entered(noted.clone()), time_after_hours(2)),
    ]);
    // A note leaves the rest as it is; the same address on another chain is another entry.
    let entry_at = |contact, at| BookEntry { contact, entered_at: at, effective_since: at };
    assert_eq!(book.entries(), [entry_at(noted, time_after_hours(0)), entry_at(elsewhere, time_after_hours(1))]);
    assert_eq!(book.find(SUPPLIER, "Ethereum-mainnet").map(|entry| entry.effective_since), Some(time_after_hours(0)));
    assert_eq!(book.find(SUPPLIER, "polygon"), None);
    assert!(book.find_on_any_chain(SUPPLIER).is_some());
    assert_eq!(book.entries_named(" norrland").count(), 2);
    let other = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    let namesake = |name: &str, address: &str, chain: &str| {
        let contact =
            Contact { name: name.into(), address: address.into(), blockchain: chain.into(), ..supplier_contact() };
        book.find_namesake(&contact).map(|entry| entry.contact.blockchain.to_string())
    };
    assert_eq!(namesake("NORRLAND", other, "eth").as_deref(), Some("ethereum"));
    assert_eq!((namesake("Norrland", SUPPLIER, "ethereum"), namesake("Norrland", other, "bsc")), (None, None));
    book.apply_change(
        BookChange::Removed {
            address: SUPPLIER.to_uppercase().replace("0X", "0x").as_str().into(),
            blockchain: "eth".into(),
        },
        time_after_hours(3),
        time_after_hours(3),
    );
    assert_eq!(book.entries_named("Norrland").map(|entry| &*entry.contact.blockchain).collect::<Vec<_>>(), ["base"]);
    // Whoever comes back is new.
    book.apply_change(BookChange::Entered(supplier_contact()), time_after_hours(9), time_after_hours(9));
    assert_eq!(book.find(SUPPLIER, "ethereum").map(|entry| entry.effective_since), Some(time_after_hours(9)));
}

#[test]
fn what_would_make_somebody_pay_another_cools_anew() {
    for changed in [
        Contact { name: "Payroll".into(), ..supplier_contact() },
        Contact { tag: Some("7".into()), ..supplier_contact() },
    ] {
        let book = AddressBook::from_changes([
            (BookChange::Entered(supplier_contact()), time_after_hours(0)),
            (BookChange::Entered(changed), time_after_hours(30)),
        ]);
        let entry = &book.entries()[0];
        assert!(
            !entry.has_cooled(Some(DAY), time_after_hours(40)) && entry.has_cooled(Some(DAY), time_after_hours(54))
        );
    }
}

#[test]
fn an_entry_cools_for_as_long_as_is_said() {
    let entry = BookEntry {
        contact: supplier_contact(),
        entered_at: time_after_hours(0),
        effective_since: time_after_hours(0),
    };
    assert!(entry.has_cooled(None, time_after_hours(0)));
    assert!(!entry.has_cooled(Some(DAY), Timestamp::from_millis(time_after_hours(24).millis() - 1)));
    assert!(entry.has_cooled(Some(DAY), time_after_hours(24)));
    // Before its own beginning nothing has cooled.
    assert!(!entry.has_cooled(None, time_after_hours(-1)));
}

#[test]
fn what_cannot_be_a_contact_is_refused() {
    let fault = |contact: Contact| contact.check().unwrap_err().to_string();
    assert_eq!(supplier_contact().check(), Ok(()));
    assert_eq!(fault(Contact { name: " ".into(), ..supplier_contact() }), "a name is missing");
    assert_eq!(
        fault(Contact { name: "n".repeat(65).as_str().into(), ..supplier_contact() }),
        "a name has 64 characters at most"
    );
    assert_eq!(
        fault(Contact { blockchain: "".into(), ..supplier_contact() }),
        "the chain is missing; write it as in “ethereum”"
    );
    assert_eq!(
        fault(Contact { address: SUPPLIER[..41].into(), ..supplier_contact() }),
        "an EVM address has 40 digits after 0x, this one has 39"
    );
    assert_eq!(
        fault(Contact { name: " 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359".into(), ..supplier_contact() }),
        "the name looks like an EVM address; choose a name that cannot be mistaken for an address"
    );
    let unknown = Contact { blockchain: "quickchain".into(), ..supplier_contact() };
    assert_eq!(unknown.check(), Ok(()));
    assert_eq!(fault(Contact { address: "".into(), ..unknown.clone() }), "an address is missing");
    let seed = "SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN";
    let seed_phrase = "abandon ".repeat(11) + "about";
    let blank = fault(Contact { address: "quick 1".into(), ..unknown.clone() });
    assert!(blank.starts_with("character 6 is U+0020"), "{blank}");
    for (place, contact) in [
        ("the name", Contact { name: seed.into(), ..supplier_contact() }),
        ("the tag", Contact { tag: Some(format!("key {seed}").as_str().into()), ..supplier_contact() }),
        ("the note", Contact { note: Some(seed_phrase.as_str().into()), ..supplier_contact() }),
    ] {
        let message = fault(contact);
        assert!(message.starts_with(&format!("{place} contains a ")) && !message.contains(seed), "{message}");
        assert!(!message.contains("abandon"), "{message}");
    }
    let message = fault(Contact { address: seed.into(), ..unknown });
    assert!(
        message.starts_with("this is a Stellar secret seed, not an address") && !message.contains(seed),
        "{message}"
    );
}

#[test]
fn a_name_that_is_the_address_of_another_is_mistaken() {
    let near = |name: &str, address: &str| Contact {
        name: name.into(),
        address: address.into(),
        blockchain: "near".into(),
        ..supplier_contact()
    };
    let book = AddressBook::from_changes([(BookChange::Entered(near("Pelagic", "pelagic.near")), time_after_hours(0))]);
    assert!(book.find_name_address_collision(&near("Pelagic.near", "evil.near")).is_some());
    assert!(book.find_name_address_collision(&near("Other", "pelagic")).is_some());
    assert_eq!(book.find_name_address_collision(&near("pelagic.near", "pelagic.near")), None);
    assert_eq!(book.find_name_address_collision(&near("Other", "other.near")), None);
}
