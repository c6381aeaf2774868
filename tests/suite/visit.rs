//! What a visitor is told of what a visit lacks, and what goes through the visitor's own terminal in its place.

use bursar::app::visit::NO_SHELL;

use super::harness::{Lodging, Session};

#[test]
fn rows_are_exported_through_the_visitors_own_terminal_as_far_as_it_takes_them() {
    let mut session = Session::visiting(&Lodging::open(), 1);
    session.keys("3 x");
    session.sees("To your terminal's clipboard");
    session.sees_no("Folder");
    // Nobody names a folder, whatever is typed.
    session.keys("'/etc'");
    session.keys("Enter");
    session.sees("terminals take 50,000 at most by OSC 52");
    assert_eq!(session.copied, None);

    session.keys("Esc j Blank Blank Blank x Enter");
    session.sees("3 rows, ");
    session.sees("it does not say");
    let csv = session.copied.take().expect("nothing was sent to the terminal");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().next().unwrap().contains("amount"), "{csv}");
    session.keys("x Tab Enter");
    let json: serde_json::Value = serde_json::from_str(&session.copied.take().unwrap()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 3);
}

#[test]
fn what_would_need_the_host_stays_to_be_seen_and_says_why_it_cannot_be() {
    let mut session = Session::visiting(&Lodging::open(), 1);
    session.keys("C-z");
    session.sees(NO_SHELL);
    session.keys(": 'suspend'");
    session.sees("there is no shell to go back to");
    session.keys("Esc 7 i");
    session.sees("none is within reach of a visit");

    // Identifiers are taken as ever, and nothing offers a file.
    session.keys("1 i");
    session.sees("wallet ID CHAIN [ADDRESS]");
    session.sees_no("FILE");
    session.keys("'/etc/passwd' Enter");
    session.sees("nothing was imported");
    session.keys("Esc 1 b");
    session.sees("no file is within reach of a visit");
    session.sees_no("a CSV file with the header");
}
