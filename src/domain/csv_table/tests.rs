use std::collections::BTreeMap;

use super::mapping::split_mapping;
use super::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Column {
    Address,
    Amount,
    Note,
}

const LAYOUT: TableLayout<Column> = TableLayout {
    columns: &[
        (Column::Address, &["address", "receiver", "payee wallet"]),
        (Column::Amount, &["amount", "net amount"]),
        (Column::Note, &["note"]),
    ],
    required: &[Column::Address, Column::Amount],
    example: "address,amount[,note]",
    max_bytes: 10_000,
    max_rows: 3,
};

fn read(text: &str) -> Result<CsvTable<Column>, String> {
    LAYOUT.read(text.as_bytes(), &KnownMappings::default())
}

fn read_with(text: &str, mapping: &str) -> Result<CsvTable<Column>, String> {
    let typed = ColumnMapping::parse(mapping)?;
    LAYOUT.read(text.as_bytes(), &KnownMappings { typed, kept: Vec::new() })
}

fn cells(table: &CsvTable<Column>, column: Column) -> Vec<&str> {
    table.rows.iter().map(|row| table.cell(row, column)).collect()
}

#[test]
fn delimiters_synonyms_and_further_columns_are_recognised_and_said() {
    for mark in [",", ";", "\t"] {
        let text = format!("Payee_Wallet{mark}Net amount{mark}Department\na{mark}1{mark}North\nb{mark}2{mark}South\n");
        let table = read(&text).unwrap();
        assert_eq!((cells(&table, Column::Address), cells(&table, Column::Amount)), (vec!["a", "b"], vec!["1", "2"]));
        assert_eq!((table.ignored.as_slice(), table.has(Column::Note)), (&["Department".to_owned()][..], false));
        let notes = table.notes.join("; ");
        assert!(
            notes.contains("“Net amount” is read as the amount") && notes.contains("not read: “Department”"),
            "{notes}"
        );
        assert_eq!(notes.contains("separated by"), mark != ",", "{notes}");
    }
    let quoted = read("\u{feff}address,amount,note\r\n\r\na,1,\"x, y\r\nz\"\r\nb,2,\r\n").unwrap();
    assert_eq!(cells(&quoted, Column::Note), ["x, y\r\nz", ""]);
    assert_eq!(quoted.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
}

#[test]
fn a_typed_mapping_says_which_column_is_which_and_is_kept_for_its_header() {
    let text = "Konto,Net amount,Amount\na,1,2\n";
    let fault = read(text).unwrap_err();
    assert!(fault.contains("two columns mean the same"), "{fault}");
    let fault = read_with(text, "amount=Amount").unwrap_err();
    assert!(fault.contains("no column is the address") && fault.contains("address=Konto"), "{fault}");
    let table = read_with(text, "address=Konto amount=\"Net amount\"").unwrap();
    assert_eq!((cells(&table, Column::Address), cells(&table, Column::Amount)), (vec!["a"], vec!["1"]));
    let kept = KnownMappings { kept: vec![table.mapping.unwrap()], ..KnownMappings::default() };
    let again = LAYOUT.read("KONTO,net_amount,amount\nb,3,4\n".as_bytes(), &kept).unwrap();
    assert_eq!(cells(&again, Column::Amount), ["3"]);
    for (mapping, fault) in [
        ("payee=Konto", "no column is called “payee” here"),
        ("address=Name", "line 1 has no column “Name”"),
        ("address=Konto address=Amount", "named twice"),
        ("Konto", "names no column"),
    ] {
        let error = read_with(text, mapping).unwrap_err();
        assert!(error.contains(fault), "{error}");
    }
    let (path, mapping) = split_mapping("~/my files/a=b.csv address=Konto amount=\"Net amount\"");
    assert_eq!((path, mapping.to_string().as_str()), ("~/my files/a=b.csv", "address=Konto amount=\"Net amount\""));
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_what_would_be_right() {
    let long = "address,amount\n".to_owned() + &"a,1\n".repeat(4);
    for (text, fault) in [
        ("", "the file is empty"),
        ("address,amount\n", "no row below its header"),
        ("[1]", "this is JSON"),
        ("0x52908400098527886E0F7030069857D2E4169EE7,1\n", "line 1 is already a row"),
        ("address,\na,1\n", "a column without a name"),
        ("note,address\nx,a\n", "the column amount is missing"),
        (long.as_str(), "more than 3 rows"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(fault), "{error}");
    }
    let table = read("address,amount\na,1,2\nb,2\n").unwrap();
    assert!(table.rows[0].fault.as_deref().is_some_and(|fault| fault.contains("3 values under 2 columns")));
    let secret = "abandon ".repeat(11) + "about";
    let table = read(&format!("address,amount,memo\na,1,{secret}\n")).unwrap();
    assert!(table.rows[0].fault.as_deref().is_some_and(|fault| !fault.contains("abandon")));
    let error = read(&format!("address,amount,{secret}\na,1,x\n")).unwrap_err();
    assert!(error.starts_with("line 1: ") && !error.contains("abandon"), "{error}");
}

#[test]
fn the_refused_rows_are_a_file_that_is_read_again_once_they_are_put_right() {
    let secret = "abandon ".repeat(11) + "about";
    let text = format!("address;amount;note\na;1;x\nb;zero;\"y; z\"\nc;3;{secret}\n");
    let reasons = BTreeMap::from([(3, "zero is no number".to_owned()), (4, "a secret".to_owned())]);
    let errors = errors_csv(&text, &reasons).unwrap();
    assert_eq!(errors, "address;amount;note;reason\nb;zero;\"y; z\";zero is no number\n(withheld);a secret\n");
    let mended = errors.replace("zero;", "0;").replace("(withheld);a secret\n", "");
    let table = read(&mended).unwrap();
    assert_eq!((cells(&table, Column::Amount), table.ignored.as_slice()), (vec!["0"], &["reason".to_owned()][..]));
    let again = errors_csv(&mended, &BTreeMap::from([(2, "still wrong".to_owned())])).unwrap();
    assert_eq!(again, "address;amount;note;reason\nb;0;\"y; z\";still wrong\n");
    assert!(errors_csv(&mended, &BTreeMap::new()).is_err());
}
