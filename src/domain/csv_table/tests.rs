use std::collections::BTreeMap;

use super::mapping::ColumnMapping;
use super::mapping::split_path_and_mapping;
use super::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Address,
    Amount,
    Note,
}

const LAYOUT: TableLayout<Column> = TableLayout {
    kind: "test",
    columns: &[
        (Column::Address, &["address", "wallet", "to_address"]),
        (Column::Amount, &["amount", "value"]),
        (Column::Note, &["note"]),
    ],
    required: &[Column::Address, Column::Amount],
    example: "address,amount[,note]",
    max_bytes: 1024 * 1024,
    max_rows: 3,
};

fn typed(mapping: &str) -> KnownMappings {
    KnownMappings { typed: ColumnMapping::parse(mapping).unwrap(), header_mappings: Vec::new() }
}

fn read(text: &str) -> Result<CsvTable<Column>, String> {
    LAYOUT.read(text.as_bytes(), &KnownMappings::default())
}

fn cells(table: &CsvTable<Column>) -> Vec<[&str; 3]> {
    let row = |row| [Column::Address, Column::Amount, Column::Note].map(|column| table.cell(row, column));
    table.rows.iter().map(row).collect()
}

#[test]
fn a_file_is_read_whatever_separates_its_values_and_however_its_columns_are_spelled() {
    for text in [
        "address,amount,note\nA,1,x\nB,2,\n",
        "Amount;ADDRESS;Note\r\n1;A;x\r\n2;B;\r\n",
        "\u{feff}To address\tvalue\tnote\nA\t1\tx\nB\t2\t\n",
        "\"to_address\";\"Value\";\"note\"\n\"A\";\"1\";\"x\"\nB;2;\n",
        "wallet,Department,value,note\nA,\"a, b\",1,x\nB,,2,\n",
        "a,address,amount,note\n\"x;y\",A,1,x\n,B,2,\n",
    ] {
        assert_eq!(cells(&read(text).unwrap()), [["A", "1", "x"], ["B", "2", ""]], "{text}");
    }
}

#[test]
fn what_is_read_otherwise_than_written_is_noted() {
    let table = read("To Address;value;Cost centre;Department\nA;1;7;x\n").unwrap();
    assert_eq!(
        table.notes,
        [
            "its values are separated by semicolons",
            "its column “To Address” is read as the address",
            "its column “value” is read as the amount",
            "not read: “Cost centre”, “Department”",
        ]
    );
    assert_eq!(read("Address,AMOUNT\nA,1\n").unwrap().notes, Vec::<String>::new());
}

#[test]
fn a_typed_mapping_takes_precedence_and_is_kept_for_its_header_alone() {
    let text = "Payee wallet;Net amount;amount;note\nA;1;2;x\n";
    let table = LAYOUT.read(text.as_bytes(), &typed("address=\"Payee wallet\" amount=\"net amount\"")).unwrap();
    assert_eq!(cells(&table), [["A", "1", "x"]]);
    assert!(table.notes.contains(&"not read: “amount”".to_owned()), "{:?}", table.notes);
    let mapping = table.mapping.unwrap();
    let mappings = KnownMappings { header_mappings: vec![mapping.clone()], ..KnownMappings::default() };
    let second_table = LAYOUT.read("PAYEE WALLET,net amount,amount,note\nB,3,4,\n".as_bytes(), &mappings).unwrap();
    assert_eq!(cells(&second_table), [["B", "3", ""]]);
    assert_eq!(second_table.notes[0], "its columns are read as you said before for this header");
    let errors = errors_csv(text, &BTreeMap::from([(2, "x".to_owned())])).unwrap();
    assert_eq!(cells(&LAYOUT.read(errors.as_bytes(), &mappings).unwrap()), [["A", "1", "x"]]);
    let message = LAYOUT.read("Payee wallet;amount;note\nA;1;x\n".as_bytes(), &mappings).unwrap_err();
    assert!(message.contains("no column is called address"), "{message}");
    let other = KnownMappings {
        header_mappings: vec![HeaderMapping { kind: "other".into(), ..mapping }],
        ..KnownMappings::default()
    };
    assert!(LAYOUT.read(text.as_bytes(), &other).is_err());
}

#[test]
fn a_header_that_could_mean_two_things_is_refused_with_what_would_be_right() {
    for (text, mapping, expected) in [
        ("address,wallet,amount\nA,B,1\n", "", "or say which is meant: FILE address=wallet"),
        ("address,amount,AMOUNT\nA,1,1\n", "", "two columns are called “AMOUNT”; remove one of them"),
        (
            "Payee,amount\nA,1\n",
            "",
            "no column is called address; write behind the file which one it is, as in FILE address=COLUMN; columns: “Payee”",
        ),
        ("address,amount\nA,1\n", "address=Payee", "line 1 has no column “Payee”; it has “address”, “amount”"),
        ("address,amount\nA,1\n", "payee=address", "no column is called “payee” here; there are address, amount, note"),
        ("a,a,amount\nA,B,1\n", "address=a", "two columns are called “a”"),
        ("a,b,amount\nA,B,1\n", "address=a address=b", "a column is named twice"),
        ("address,amount,\nA,1,\n", "", "has a column without a name"),
        ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,1\n", "", "line 1 is already a row"),
        ("address,amount\nA,1\nA,1\nA,1\nA,1\n", "", "more than 3 rows"),
        ("{}", "", "this is JSON"),
    ] {
        let mappings = if mapping.is_empty() { KnownMappings::default() } else { typed(mapping) };
        let fault = LAYOUT.read(text.as_bytes(), &mappings).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn a_mapping_is_parted_from_the_path_before_it() {
    for (line, path, mapping) in [
        ("pay.csv", "pay.csv", ""),
        ("my pay.csv address=Payee", "my pay.csv", "address=Payee"),
        ("~/a b.csv address=\"Payee wallet\" amount=Net", "~/a b.csv", "address=\"Payee wallet\" amount=Net"),
        ("~/x=1/pay.csv", "~/x=1/pay.csv", ""),
        ("p.csv amount=\"a=b\"", "p.csv", "amount=\"a=b\""),
    ] {
        let (found_path, pairs) = split_path_and_mapping(line);
        assert_eq!((found_path, pairs.to_string().as_str()), (path, mapping), "{line}");
    }
    assert!(ColumnMapping::parse("Payee").unwrap_err().contains("address=\"Net amount\""));
}

const SECRET: &str = "L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ";

#[test]
fn a_secret_is_neither_kept_nor_shown() {
    let text = format!("address,amount,Department\nA,1,{SECRET}\nB,2,\n");
    let table = read(&text).unwrap();
    assert!(table.rows[0].fault.as_ref().unwrap().contains("a Bitcoin private key"));
    assert!(!format!("{table:?}").contains(SECRET));
    let message = read(&format!("address,amount,{SECRET}\nA,1,x\n")).unwrap_err();
    assert!(message.contains("private key") && !message.contains(SECRET), "{message}");
    let reasons = BTreeMap::from([(2, "a secret".to_owned())]);
    let errors = errors_csv(&text, &reasons).unwrap();
    assert_eq!(errors, "address,amount,Department,reason\n(withheld),a secret\n");
}

#[test]
fn refused_rows_are_written_with_their_reasons_put_right_and_read_again() {
    let text = "address;amount;Department\nA;1;x\n\"B;1\";\"1,5\";=y\n\nC;;z\n";
    let reasons = BTreeMap::from([(3, "write the fraction with a point".to_owned()), (5, "type an amount".to_owned())]);
    let errors = errors_csv(text, &reasons).unwrap();
    assert_eq!(
        errors,
        "address;amount;Department;reason\n\"B;1\";1,5;'=y;write the fraction with a point\nC;;z;type an amount\n"
    );
    let fixed = errors.replace("1,5", "1.5").replace("C;;", "C;2;");
    let table = read(&fixed).unwrap();
    assert_eq!(cells(&table), [["B;1", "1.5", ""], ["C", "2", ""]]);
    // What is still wrong is written again, with one column of reasons.
    let second_file = errors_csv(&fixed, &BTreeMap::from([(2, "not an address".to_owned())])).unwrap();
    assert_eq!(second_file, "address;amount;Department;reason\n\"B;1\";1.5;''=y;not an address\n".replace("''", "'"));
    assert!(errors_csv(&fixed, &BTreeMap::from([(9, "x".to_owned())])).is_err());
}
