//! Books for hledger and beancount: what the programs make of them, held against what the service says is held.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::exports::Shell;
use super::harness::{Session, Setup};

/// Balances by commodity, without the zeros behind the last digit.
pub(super) type Holdings = BTreeMap<String, String>;

pub(super) fn trim_zeros(amount: &str) -> String {
    let amount = amount.replace(',', "");
    if amount.contains('.') { amount.trim_end_matches('0').trim_end_matches('.').to_owned() } else { amount }
}

pub(super) fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

/// The sum of what the service says is held, by token, without imitations.
pub(super) fn report_holdings(shell: &Shell) -> Holdings {
    let mut sums: BTreeMap<String, ruint::aliases::U256> = BTreeMap::new();
    for row in table(&shell.runs(&["export", "balances"])) {
        if row["imitates_a_token"] == "false" {
            let decimals: u32 = row["decimals"].parse().unwrap();
            let scale = ruint::aliases::U256::from(10).pow(ruint::aliases::U256::from(18 - decimals));
            *sums.entry(row["token"].clone()).or_default() +=
                row["amount_raw"].parse::<ruint::aliases::U256>().unwrap() * scale;
        }
    }
    let format_amount = |units| bursar::domain::Amount::new(units, 18).unwrap().to_string();
    sums.into_iter()
        .filter(|(_, units)| !units.is_zero())
        .map(|(token, units)| (token, trim_zeros(&format_amount(units))))
        .collect()
}

#[track_caller]
fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{program} {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What hledger says is in the wallets, once it finds nothing wrong with the books.
pub(super) fn hledger_holdings(books: &Path) -> Holdings {
    let file = books.to_str().unwrap();
    run("hledger", &["-f", file, "check", "accounts"]);
    let balances = ["balance", "^Assets:Bursar", "--depth", "1", "-N", "--layout=bare", "-O", "csv"];
    let rows = table(&run("hledger", &[["-f", file].as_slice(), &balances].concat()));
    rows.into_iter()
        .map(|row| (row["commodity"].clone(), trim_zeros(&row["balance"])))
        .filter(|(_, sum)| sum != "0")
        .collect()
}

/// The same by beancount.
fn beancount_holdings(books: &Path) -> Holdings {
    let file = books.to_str().unwrap();
    assert_eq!(run("bean-check", &[file]), "");
    let query = "SELECT currency, str(sum(number)) AS total WHERE account ~ '^Assets:Bursar' GROUP BY currency";
    let rows = table(&run("bean-query", &["-f", "csv", file, query]));
    let sum =
        |row: &BTreeMap<String, String>| trim_zeros(row["total"].trim_matches(|c: char| "Decimal('')".contains(c)));
    rows.iter().map(|row| (row["currency"].clone(), sum(row))).filter(|(_, sum)| sum != "0").collect()
}

/// What beancount makes of sums: it calculates with 28 digits, of which many additions may spoil the last.
fn in_26_digits(holdings: &Holdings) -> Holdings {
    let cut = |sum: &String| if sum.len() > 28 { sum[..27].to_owned() } else { sum.clone() };
    holdings.iter().map(|(commodity, sum)| (commodity.clone(), cut(sum))).collect()
}

pub(super) fn write_export(shell: &Shell, folder: &Path, format: &str) -> std::path::PathBuf {
    let path = folder.join(format);
    let text = shell.runs(&["export", "transactions", "--format", format]);
    assert_eq!(text, shell.runs(&["export", "transactions", "--format", format, "--offline"]), "the same each time");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
#[ignore = "needs hledger and beancount"]
fn the_books_of_a_business_hold_what_the_service_says_to_the_last_digit() {
    let mut session = Session::with(Setup { transactions: 3_000, ..Setup::default() });
    let folder = tempfile::tempdir().unwrap();
    let shell = Shell::beside(&session);
    session.reviews("base-ops", "USDC", "25.000001", "0x52908400098527886E0F7030069857D2E4169EE7");
    session.confirms();
    session.reviews_swap("base-ops", "USDC", "31.7", "ETH");
    session.confirms();
    session.passes(std::time::Duration::from_mins(5));
    let expected = report_holdings(&shell);
    assert!(expected.len() > 5, "{expected:?}");
    let hledger = write_export(&shell, folder.path(), "hledger");
    assert_eq!(hledger_holdings(&hledger), expected);
    let beancount = beancount_holdings(&write_export(&shell, folder.path(), "beancount"));
    assert_eq!(in_26_digits(&beancount), in_26_digits(&expected));
    // Both rows of every movement between own wallets are there.
    let file = hledger.to_str().unwrap();
    let transit = run("hledger", &["-f", file, "balance", "-N", "Transit"]);
    assert_eq!(transit.trim(), "", "{transit}");
}

#[test]
fn books_of_a_part_say_so_and_are_for_transactions_alone() {
    let session = Session::open();
    let shell = Shell::beside(&session);
    let text = shell.runs(&["export", "transactions", "--format", "beancount", "--filter", "dir:in"]);
    assert!(text.contains("; Only a part of the history") && text.contains(" open Assets:Bursar:"), "{text}");
    let whole = shell.runs(&["export", "transactions", "--format", "hledger"]);
    assert!(!whole.contains("Only a part") && whole.contains("\naccount Assets:Bursar:"), "{whole}");
    let output = shell.output(&["export", "orders", "--format", "hledger"]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("are for transactions, and nothing else"), "{stderr}");
}
