use super::*;
use crate::domain::Timestamp;

fn movement(from: &str, to: &str, amount: &str, commodity: &str) -> BooksTransfer {
    let decimals = amount.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    BooksTransfer {
        from: from.into(),
        to: to.into(),
        amount: Amount::parse(amount, u8::try_from(decimals).unwrap()).unwrap(),
        commodity: commodity.into(),
        cost: None,
    }
}

/// A payment to somebody whose name and note try everything.
fn hostile_entry() -> BooksEntry {
    BooksEntry {
        at: Timestamp::parse_iso("2026-11-02T12:03:20Z").unwrap(),
        is_pending: true,
        payee: "(!) Zebra \"Stores\" | shop; x:1 \\".into(),
        tags: vec![("id", "t-1".into()), ("note", "rent, [2020-01-01] \"a\" \\ ; date:2020-01-01".into())],
        movements: vec![
            movement("Assets:Bursar:Main", "Expenses:Paid:Zebra", "12345678901234567890.000000000000000001", "SHIB-0A"),
            movement("Assets:Bursar:Main", "Expenses:Fees:Ethereum", "0.004", "ETH"),
        ],
    }
}

fn write(format: BooksFormat, is_part: bool, entries: &[BooksEntry], unbooked: &UnbookedRows) -> String {
    let mut out = Vec::new();
    let mut books = BooksWriter::new(format, is_part, &mut out).unwrap();
    entries.iter().try_for_each(|entry| books.write_entry(entry)).unwrap();
    books.finish(unbooked).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn hledger_reads_names_that_try_everything() {
    insta::assert_snapshot!(write(BooksFormat::Hledger, false, &[hostile_entry()], &UnbookedRows::default()));
}

#[test]
fn beancount_reads_names_that_try_everything() {
    insta::assert_snapshot!(write(BooksFormat::Beancount, false, &[hostile_entry()], &UnbookedRows::default()));
}

#[test]
fn what_is_left_out_and_a_part_of_the_history_are_said() {
    let unbooked = UnbookedRows { failed: 2, unclear: 1, ..UnbookedRows::default() };
    let text = write(BooksFormat::Hledger, true, &[], &unbooked);
    assert!(text.contains("; Only a part of the history: "), "{text}");
    assert!(text.contains("; Rows left out: 2, failed\n; Rows left out: 1, without an exact amount"), "{text}");
    assert!(!text.contains("imitate"), "{text}");
}

fn run(program: &str, arguments: &[&str], books: &str) -> String {
    let file = tempfile::Builder::new().suffix(".books").tempfile().unwrap();
    std::fs::write(file.path(), books).unwrap();
    let path = file.path().to_str().unwrap();
    let arguments: Vec<&str> = arguments.iter().map(|word| if *word == "FILE" { path } else { word }).collect();
    let output = std::process::Command::new(program).args(arguments).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success() && err.is_empty(), "{program}: {out}{err}\n{books}");
    out
}

#[test]
#[ignore = "needs hledger and beancount"]
fn both_programs_read_names_that_try_everything_and_keep_every_digit() {
    let mut swap = hostile_entry();
    swap.movements = vec![
        movement("Assets:Bursar:Main", "Equity:Swaps", "3000.000001", "USDC"),
        movement("Equity:Swaps", "Assets:Bursar:Main", "0.000000000000000003", "ETH"),
    ];
    swap.movements[1].cost = Some((Amount::parse("3000.000001", 6).unwrap(), "USDC".into()));
    let entries = [hostile_entry(), swap];
    let books = |format| write(format, false, &entries, &UnbookedRows::default());
    let text = books(BooksFormat::Hledger);
    run("hledger", &["-f", "FILE", "check", "accounts"], &text);
    let printed = run("hledger", &["-f", "FILE", "balance", "-N", "--layout=bare", "-O", "csv", "Main"], &text);
    for sum in ["-12345678901234567890.000000000000000001", "-0.003999999999999997", "-3000.000001"] {
        assert!(printed.contains(sum), "{sum}: {printed}");
    }
    // The note sets no date, and the name ends at no bar.
    let dates = run("hledger", &["-f", "FILE", "register", "-O", "csv"], &text);
    assert!(!dates.contains("2020-01-01") && dates.contains("Zebra"), "{dates}");
    let text = books(BooksFormat::Beancount);
    assert_eq!(run("bean-check", &["FILE"], &text), "");
    let query = "SELECT payee, note WHERE account ~ 'Fees'";
    let query = query.replace("note", "ENTRY_META('note')");
    let printed = run("bean-query", &["-f", "csv", "FILE", &query], &text);
    assert!(printed.contains("(!) Zebra") && printed.contains("[2020-01-01]"), "{printed}");
}
