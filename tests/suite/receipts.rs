//! Receipts: of an order, of a row, of one recipient, and of a month.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::exports::{Shell, write_export};
use super::harness::{Session, Setup};

const SUPPLIER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER: &str = "0xde709f2102306220921060314715629080e2fb77";

/// A session with a payment of 25 USDC and a batch, both settled.
fn session() -> Session {
    let mut session = Session::with(Setup { poll_period: Duration::from_secs(10), ..Setup::default() });
    session.reviews("base-ops", "USDC", "25", SUPPLIER);
    session.confirms();
    session.reviews_batch("base-ops", "USDC", &[(SUPPLIER, "1.25"), (OTHER, "2.5")]);
    session.confirms();
    session.passes(Duration::from_mins(5));
    session
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[track_caller]
fn refuses(shell: &Shell, arguments: &[&str], complaint: &str) {
    let output = shell.output(&[&["receipt"], arguments].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains(complaint), "{arguments:?}: {errors}");
}

#[test]
fn a_payment_is_found_by_whatever_names_it_and_written_in_each_format() {
    let session = session();
    let shell = Shell::beside(&session);
    let orders = session.orders();
    let [batch, payment] = orders.as_slice() else { panic!("{} orders", orders.len()) };
    payment.is("settled", "the payment");
    let id = payment.intent.id.to_string();
    let reference = payment.intent.drafted.draft.reference().unwrap().to_string();
    let text = shell.runs(&["receipt", &id]);
    assert!(text.starts_with("Receipt\n") && text.contains(SUPPLIER) && text.contains("25 USDC"), "{text}");
    let observed = payment.intent.last_observation().unwrap();
    let hash = observed.tx_hash.as_ref().unwrap().to_string();
    assert!(text.contains(&hash), "{text}");
    let without_time = |text: &str| -> String {
        text.lines().filter(|line| !line.trim_start().starts_with("Written")).collect::<Vec<_>>().join("\n")
    };
    let transaction = observed.transaction.as_ref().unwrap().to_string();
    for name in [&id[..8], &reference, &transaction, &hash] {
        let other = shell.runs(&["receipt", name, "--offline"]);
        assert_eq!(without_time(&other), without_time(&text), "{name}");
    }
    let object: serde_json::Value =
        serde_json::from_str(&shell.runs(&["receipt", &id, "--format", "json", "--offline"])).unwrap();
    assert_eq!((&object["order"], &object["amount"]), (&id.as_str().into(), &"25 USDC".into()));
    assert_eq!((&object["status"], &object["hash"]), (&"settled".into(), &hash.as_str().into()));

    // One recipient is shown nobody else.
    let id = batch.intent.id.to_string();
    let whole = shell.runs(&["receipt", &id, "--offline"]);
    assert!(whole.contains(SUPPLIER) && whole.contains(OTHER) && whole.contains("3.75 USDC"), "{whole}");
    let one = shell.runs(&["receipt", &format!("{id}/2"), "--offline"]);
    assert!(one.contains(OTHER) && one.contains("2.5 USDC") && !one.contains(SUPPLIER), "{one}");
    refuses(&shell, &[&format!("{id}/3"), "--offline"], "it has no recipient 3, but 2");
    refuses(&shell, &["INV-0", "--offline"], "INV-0: no order of this profile has this identifier or reference");
}

#[test]
fn files_are_private_and_nothing_is_replaced() {
    let session = session();
    let shell = Shell::beside(&session);
    let orders = session.orders();
    let ids: Vec<String> = orders.iter().map(|order| order.intent.id.to_string()).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rent.html");
    let path_text = path.to_str().unwrap();
    let into = folder.path().to_str().unwrap();
    shell.runs(&["receipt", &ids[0], "--format", "html", "-o", path_text]);
    assert!(fs::read_to_string(&path).unwrap().starts_with("<!DOCTYPE html>"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    refuses(&shell, &[&ids[0], "-o", path_text, "--offline"], "this exists already, and nothing is replaced");
    refuses(&shell, &[&ids[0], "-o", "/nowhere/a.txt", "--offline"], "there is no such folder; create it first");
    refuses(&shell, &[&ids[0], &ids[1], "--offline"], "several receipts need --output with a folder");
    fs::remove_file(&path).unwrap();

    // A month: each payment of it, once.
    let month = session.now().format("%Y-%m");
    let output = shell.runs(&["receipt", "--month", &month, "--format", "html", "-o", into, "--offline"]);
    let all = files(folder.path());
    assert!(output.contains(&format!("{} receipts written to", all.len())), "{output}");
    assert!(all.len() >= 2, "{all:?}");
    for order in &orders {
        let reference = order.intent.drafted.draft.reference().unwrap().to_string();
        let of =
            all.iter().filter(|path| path.to_str().unwrap().ends_with(&format!("receipt-{reference}.html"))).count();
        assert_eq!(of, 1, "{reference} in {all:?}");
    }
    for path in &all {
        assert!(fs::read_to_string(path).unwrap().contains("<h1>Receipt</h1>"), "{path:?}");
    }
    refuses(&shell, &["--month", &month, "--format", "html", "-o", into, "--offline"], "no receipt was written");
    assert_eq!(files(folder.path()), all);
    refuses(&shell, &["--month", "2001-01", "-o", into, "--offline"], "no payment of 2001-01 is settled");
    refuses(&shell, &["--month", &month, "-o", path_text, "--offline"], "there is no such folder; create it first");
}

#[test]
fn the_console_writes_the_receipt_of_what_is_open() {
    let mut session = session();
    let folder = tempfile::tempdir().unwrap();
    session.keys("4 Down Enter");
    session.sees("x export");
    session.keys("x");
    session.sees("the receipt of this payment");
    session.sees("[html]");
    let page = write_export(&mut session, folder.path(), "receipt");
    assert!(page.contains("<h1>Receipt</h1>") && page.contains(SUPPLIER), "{page}");
    session.sees("1 receipt written to");
    session.keys("Esc 3 Enter x Down");
    session.sees("[text]");
    session.keys("Esc");
    session.sees("Transaction");
}
