//! The Book page: entries are made, changed, taken out, brought in, written and paid, behind the rules of `bursar book`.

use std::fs;

use bursar::domain::Draft;

use super::harness::{Session, Setup};

/// Examples of EIP-55.
const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/// The 2024 pair: what was meant, and what was paid.
const MEANT: &str = "0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5";
const FORGED: &str = "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5";
const XRP: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

fn session() -> Session {
    Session::with(Setup::default())
}

/// Fills in the sheet of a new entry, and asks for it to be judged.
pub(super) fn fills_in(session: &mut Session, name: &str, chain: &str, address: &str, tag: &str) {
    session.keys("7 n");
    session.sees("new entry");
    for value in [name, chain, address, tag, ""] {
        session.types(value);
        session.keys("Enter");
    }
    session.keys("Enter");
}

#[test]
fn somebody_is_entered_changed_and_taken_out() {
    let mut session = session();
    session.keys("7");
    session.sees("the address book is empty");
    fills_in(&mut session, "Norrland Freight", "ethereum", SUPPLIER, "");
    session.sees("Enter saves the entry");
    session.keys("Enter");
    session.sees("Norrland Freight is entered");
    session.keys("j Enter");
    session.sees(SUPPLIER);
    session.sees("0x 5aAe b605");
    session.keys("Esc e");
    session.keys("End");
    session.types(" AB");
    session.keys("Tab Tab");
    session.types("by phone");
    session.keys("Tab Enter");
    session.sees("its name changes from “Norrland Freight” to “Norrland Freight AB”");
    session.keys("Enter");
    session.sees("Norrland Freight AB is changed");
    session.keys("D");
    session.sees("Type its name");
    session.types("Norrland Freight");
    session.keys("Enter");
    session.sees("does not match these words");
    session.types(" AB");
    session.keys("Enter");
    session.sees("Norrland Freight AB is removed");
    session.sees("the address book is empty");
}

#[test]
fn what_looks_like_an_entry_is_entered_with_words_alone_and_recorded() {
    let mut session = session();
    fills_in(&mut session, "Meant", "ethereum", MEANT, "");
    session.keys("Enter");
    fills_in(&mut session, "Forged", "ethereum", FORGED, "");
    session.sees("DANGER");
    session.sees("“Meant” in your address book");
    session.sees("Type “looks like another” to enter it anyway");
    session.keys("Enter");
    session.types("looks like other");
    session.keys("Enter");
    session.sees("does not match these words");
    session.keys("Esc Esc");
    session.sees_no("Forged");
    // A name that only looks the same, its о being Cyrillic.
    fills_in(&mut session, "Nоrd", "base", SUPPLIER, "");
    session.keys("Enter");
    session.sees("is entered");
    fills_in(&mut session, "Nord", "xrp", XRP, "7");
    session.sees("This name looks like another name in the address book");
    session.types("looks like another");
    session.keys("Enter");
    session.sees("Nord is entered");
}

#[test]
fn a_chain_that_nobody_knows_enters_the_book_with_the_words_alone() {
    let mut session = session();
    fills_in(&mut session, "Other", "etherum", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "");
    session.sees("“etherum” is not a blockchain known to this console");
    session.sees("Did you mean ethereum?");
    session.sees("Type “unknown chain” to enter it anyway");
    session.keys("Enter");
    session.sees_no("Other is entered");
    session.types("unknown chain");
    session.keys("Enter");
    session.sees("Other is entered");
}

#[test]
fn what_is_wrong_is_said_beside_its_field() {
    let mut session = session();
    fills_in(&mut session, "Wrong", "ethereum", "0x12", "");
    session.sees("an EVM address has 40 digits");
    session.keys("Esc");
    fills_in(&mut session, "Exchange", "xrp", XRP, "customer 12");
    session.sees("a destination tag is a whole number");
    session.keys("Esc");
    fills_in(&mut session, "", "ethereum", SUPPLIER, "");
    session.sees("a name is missing");
}

#[test]
fn the_selected_entry_is_paid() {
    let mut session = session();
    fills_in(&mut session, "Norrland", "base", SUPPLIER, "");
    session.keys("Enter j w");
    session.sees("Withdraw");
    session.sees(SUPPLIER);
    session.sees("base-ops");
    // Its chain stands in the field of the wallet, where the offers are those that can pay there.
    session.keys("Down Enter");
    session.types("USDC");
    session.keys("Enter");
    session.sees("Norrland · the checksum is valid for Base");
    session.keys("Enter '25' Enter Enter Enter");
    session.sees("Review");
    let (draft, _) = session.reviewed_payment().unwrap();
    let Draft::Withdraw(payment) = draft else { panic!("{draft:?}") };
    assert_eq!((&*payment.to, &*payment.amount), (SUPPLIER, "25"));
}

#[test]
fn a_file_comes_in_all_of_it_or_nothing_and_the_book_goes_out() {
    let mut session = session();
    let folder = tempfile::tempdir().unwrap();
    let csv = format!("name,address,chain,tag,note\nNorrland,{SUPPLIER},ethereum,,\nExchange,{XRP},xrp,7,by mail\n");
    let path = folder.path().join("book.csv");
    fs::write(&path, format!("{csv}Wrong,0x12,base,,\n")).unwrap();
    session.keys("7 i");
    session.pastes(&path.display().to_string());
    session.keys("Enter");
    session.sees("line 4: an EVM address");
    session.keys("Esc");
    session.sees("the address book is empty");
    fs::write(&path, &csv).unwrap();
    session.keys("i");
    session.pastes(&path.display().to_string());
    session.keys("Enter");
    session.sees("2 entered, 0 already in the address book");
    session.keys("/");
    session.types("xrp");
    session.keys("Enter");
    session.sees("Exchange");
    session.sees_no("Norrland");
    session.keys("Esc o");
    session.sees("newest");
    session.keys("x");
    session.pastes(&folder.path().display().to_string());
    session.keys("Enter");
    session.sees("2 rows written");
    let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("bursar-book-"));
    let texts: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(texts.len(), 1);
    assert!(texts[0].starts_with("name,address,chain,tag,note,kind"), "{texts:?}");
    assert!(texts[0].contains(SUPPLIER) && texts[0].contains(XRP), "{texts:?}");
}
