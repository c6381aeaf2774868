//! Files of other programs: their columns are recognised or said once, their paths completed, and what is wrong in them
//! comes back as a file.

use std::fmt::Write as _;
use std::fs;

use super::batches::{fills_in, stranger};
use super::harness::{Session, Setup};

fn session() -> Session {
    Session::with(Setup { size: (160, 48), ..Setup::default() })
}

#[test]
fn a_batch_of_fifty_rows_of_a_spreadsheet_is_read_by_a_mapping_and_its_errors_are_put_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pay.csv");
    let mut text = "Payee wallet;Net amount;Invoice no;Department\r\n".to_owned();
    for number in 0..50 {
        let address = stranger(number);
        let (address, amount) = match number {
            10 => (address.as_str(), "1,5"),
            20 => (&address[..41], "1.5"),
            _ => (address.as_str(), "1.5"),
        };
        write!(text, "{address};{amount};INV-{number};Quay {number}\r\n").unwrap();
    }
    fs::write(&path, text).unwrap();
    let mut session = session();
    fills_in(&mut session, &path);
    session.sees("no column is called address; write behind the file which one it is");
    session.types(" address=\"Payee wallet\" amount=\"Net amount\"");
    session.keys("Tab");
    session.sees("50 recipients · 2 fail · the others 72 USDC");
    session.keys("BackTab");
    session.sees("its values are separated by semicolons");
    session.sees("“Payee wallet” is read as the address");
    session.keys("Tab f");
    session.sees("write the fraction with a point");
    session.keys("e");
    session.sees("the refused rows are written with their reasons to ");
    let errors = fs::read_to_string(folder.path().join("pay-errors.csv")).unwrap();
    let lines: Vec<&str> = errors.lines().collect();
    assert_eq!(lines[0], "Payee wallet;Net amount;Invoice no;Department;reason");
    assert!(
        lines.len() == 3 && lines[1].contains(";1,5;INV-10;Quay 10;") && lines[2].contains("40 digits"),
        "{errors}"
    );
    // Put right, and read by the mapping that was said for the first file.
    let fixed = errors.replace(";1,5;", ";1.5;").replace(&stranger(20)[..41], &stranger(20));
    let fixed_path = folder.path().join("fixed.csv");
    fs::write(&fixed_path, fixed).unwrap();
    session.keys("BackTab C-u");
    session.pastes(fixed_path.to_str().unwrap());
    session.keys("Tab");
    session.sees("2 recipients · 3 USDC");
    session.keys("e");
    session.sees("no row of the file fails");
    session.keys("Tab Enter");
    session.sees("Review · Batch");
    session.sees("INV-10");
}

#[test]
fn paths_are_completed_and_begin_in_the_folder_that_was_used_last() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().display().to_string();
    fs::create_dir(folder.path().join("payroll")).unwrap();
    for name in ["payroll/crew-nov.csv", "payroll/crew-oct.csv", "payroll/crew.txt", "known.csv"] {
        fs::write(folder.path().join(name), "kind,id,name\nuser,zebra-1,Zebra Stores\n").unwrap();
    }
    let mut session = session();
    session.keys("1 i");
    session.sees("Tab completes");
    session.types(&format!("{directory}/kn"));
    session.keys("Tab");
    session.settle();
    session.sees("known.csv");
    session.keys("Enter");
    session.sees("known.csv: 1 imported");
    session.keys("i Tab");
    session.settle();
    session.sees("payroll/");
    session.types("p");
    session.keys("Tab");
    session.settle();
    session.keys("Tab");
    session.settle();
    session.sees("payroll/crew-");
    session.sees("crew-nov.csv  crew-oct.csv");
    session.sees_no("crew.txt");
    session.keys("Esc");
    // In the form of a batch, the empty field lists that folder.
    session.keys("1 b");
    session.sees("Clear form");
    session.keys("'base-ops' Enter 'USDC' Enter Enter");
    session.settle();
    session.sees("known.csv");
    session.types(&format!("{directory}/p"));
    session.settle();
    session.keys("Tab");
    session.settle();
    session.keys("Tab");
    session.settle();
    session.sees(&format!("{directory}/payroll/crew-"));
    session.keys("Tab Enter");
    session.sees("no column is called address");
    session.keys("Esc");
    // And an export completes folders.
    session.keys("1 Tab x C-u");
    session.types(&format!("{directory}/p"));
    session.keys("Tab");
    session.settle();
    session.sees(&format!("{directory}/payroll/"));
    session.keys("Enter");
    session.sees(" written to ");
    let mut folder = fs::read_dir(folder.path().join("payroll")).unwrap();
    assert!(folder.any(|entry| entry.unwrap().file_name().into_string().unwrap().starts_with("bursar-")));
}

#[test]
fn the_wrong_rows_of_an_import_are_written_with_their_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.csv");
    fs::write(&path, "kind;id;name;colour\nuser;zebra-1;Zebra Stores;red\nrobot;x;;\nuser;;Nobody;\n").unwrap();
    let mut session = session();
    session.keys("1 i");
    session.types(path.to_str().unwrap());
    session.keys("Enter");
    session.sees("nothing was imported, 2 rows are wrong");
    session.sees("Ctrl+s writes the wrong rows with their reasons");
    session.sees("separated by semicolons; not read:");
    session.sees("“colour”");
    session.keys("C-s");
    session.sees("the refused rows are written with their reasons to ");
    let errors = fs::read_to_string(folder.path().join("known-errors.csv")).unwrap();
    assert!(errors.starts_with("kind;id;name;colour;reason\nrobot;x;;;\"“robot” is not a kind; "), "{errors}");
    assert_eq!(errors.lines().count(), 3);
}
