//! What a visitor is told of what a visit lacks, and what goes through the visitor's own terminal in its place.

use bursar::app::session::visit::NO_SHELL_MESSAGE;

use super::harness::{Session, VisitorService};

#[test]
fn rows_are_exported_through_the_visitors_own_terminal_as_far_as_it_takes_them() {
    let mut session = Session::visiting(&VisitorService::open(), 1);
    session.keys("3 h x");
    session.sees("To your terminal's clipboard");
    session.sees_no("Folder");
    // Nobody names a folder, whatever is typed.
    session.keys("'/etc'");
    // How much it is is said before anything is sent, once, and a key changes nothing about it.
    session.sees("400 rows, ");
    session.sees("too much (50,000 at most)");
    session.keys("Enter");
    session.sees("too much (50,000 at most)");
    session.sees_no("not exported");
    assert_eq!(session.clipboard, None);

    session.keys("Esc j Blank x");
    session.sees("1 row, ");
    session.keys("Esc j Blank j Blank x");
    session.sees("3 rows, ");
    session.sees("terminals accept 50,000 at most");
    assert_eq!(session.clipboard, None);
    session.keys("Enter");
    session.sees("3 rows, ");
    session.sees("does not confirm receipt");
    let csv = session.clipboard.take().expect("nothing was sent to the terminal");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().next().unwrap().contains("amount"), "{csv}");
    session.keys("x Tab Enter");
    let json: serde_json::Value = serde_json::from_str(&session.clipboard.take().unwrap()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 3);
}

#[test]
fn what_would_need_the_host_is_not_offered_and_its_key_says_why() {
    let mut session = Session::visiting(&VisitorService::open(), 1);
    session.keys("C-z");
    session.sees(NO_SHELL_MESSAGE);
    session.keys(": 'suspend'");
    session.sees_no("suspend the program");
    session.keys("Esc ?");
    session.sees_no("Ctrl+z");
    session.keys("Esc 7 i");
    session.sees("a visit cannot reach files");

    // Identifiers are taken as ever, and nothing offers a file.
    session.keys("1 i");
    session.sees("wallet ID CHAIN [ADDRESS]");
    session.sees_no("FILE");
    session.keys("'/etc/passwd' Enter");
    session.sees("nothing was imported");
    session.keys("Esc 1 b");
    session.sees("Clear form");
    session.sees_no("File");
    session.sees_no("CSV");
}
