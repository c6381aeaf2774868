//! `bursar payables`: a list of what is to be paid, beside what was paid.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use super::exports::Shell;
use super::harness::{Session, Setup};
use super::payment_references::reviews_invoice;

const ADA: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const BOB: &str = "0xde709f2102306220921060314715629080e2fb77";

/// Pays with a reference, and waits until the history has it.
fn pays(session: &mut Session, amount: &str, to: &str, reference: &str) {
    reviews_invoice(session, amount, to, reference);
    session.confirms();
    session.passes(Duration::from_mins(5));
    session.keys("Esc Esc Esc");
}

#[test]
fn each_line_of_a_list_is_in_the_state_that_the_history_says() {
    let mut session = Session::with(Setup { poll_period: Duration::from_mins(1), ..Setup::default() });
    pays(&mut session, "25", ADA, "INV-1");
    pays(&mut session, "4", ADA, "INV-2");
    pays(&mut session, "7.5", ADA, "INV-3");
    pays(&mut session, "3", BOB, "INV-4");
    let shell = Shell::beside(&session);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("due.csv");
    let mut text = "Invoice;Payee;Net amount;Currency;Due date;Department\n".to_owned();
    for (reference, to, amount, due_date) in [
        ("inv 1", ADA, "25.00", "2001-01-31"),
        ("INV-2", ADA, "10", ""),
        ("INV-3", ADA, "7", ""),
        ("INV-4", ADA, "3", ""),
        ("INV-5", ADA, "1", "2999-12-31"),
        ("INV-6", BOB, "2", "2001-01-31"),
        // Another recipient of an invoice that was paid to the first.
        ("INV-1", BOB, "9", ""),
    ] {
        writeln!(text, "{reference};{to};{amount};USDC;{due_date};North").unwrap();
    }
    fs::write(&path, &text).unwrap();
    let path_text = path.to_str().unwrap();

    let output = shell.output(&["payables", path_text, "--columns", "amount=\"Net amount\"", "--format", "json"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.contains("not read: “Department”"), "{errors}");
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let states: Vec<(&str, &str)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["reference"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    assert_eq!(
        states,
        [
            ("inv 1", "confirmed"),
            ("INV-2", "part"),
            ("INV-3", "over"),
            ("INV-4", "owed"),
            ("INV-5", "owed"),
            ("INV-6", "missing"),
            ("INV-1", "owed"),
        ]
    );
    assert!(rows[3]["mismatches"].as_str().unwrap().contains(BOB), "{rows}");
    assert!(rows[6]["mismatches"].is_null(), "{rows}");

    let output = shell.output(&["payables", path_text, "--columns", "amount=\"Net amount\"", "--offline"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("USDC: 57 to pay: 36.5 confirmed, 0 sent, 21 open, 0.5 too much"), "{table}");

    // Where nothing needs anybody, the exit code says so.
    fs::write(&path, format!("reference,to,amount,token\nINV-1,{ADA},25,USDC\n")).unwrap();
    assert!(shell.runs(&["payables", path_text, "--offline"]).contains("confirmed"));
    fs::write(&path, format!("reference,to,amount,token\nINV-1,{ADA},x,USDC\nINV-1,Nobody,1,USDC\n")).unwrap();
    let output = shell.output(&["payables", path_text, "--offline"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && errors.contains("line 2: ") && errors.contains("line 3: "), "{errors}");
}
