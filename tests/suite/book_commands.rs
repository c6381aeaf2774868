//! The address book on the command line: kept in the journal, refused where it looks like somebody else, out and in again.

use std::fs;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/// Shares three leading and four trailing characters with the one below.
const FORGED: &str = "0xBaFF2F13638C04B10F8119760B2D2aE86b08f8b5";
const MEANT: &str = "0xbaf4b1aF7E3B560d937DA0458514552B6495F8b5";

/// The program in an empty environment, with a profile that nobody serves and whose entries cool for two days.
struct Shell {
    home: TempDir,
}

impl Shell {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".config/bursar");
        fs::create_dir_all(&folder).unwrap();
        let config = r#"[profiles.main]
base_url = "https://api.example.com"
secrets = "environment"
[profiles.main.policy]
allow_list = true
cooling = "48h"
swap_bound = "0.5%"
[[profiles.main.policy.limit]]
token = "USDC"
per_day = "50000"
while_cooling = "100"
"#;
        fs::write(folder.join("config.toml"), config).unwrap();
        Self { home }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::cargo_bin("bursar").unwrap();
        command.env_clear().env("HOME", self.home.path()).env("BURSAR_API_KEY", "sk_test_4f9a1c");
        command.current_dir(self.home.path()).args(arguments).output().unwrap()
    }

    #[track_caller]
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What is said on either stream by a run that does not do what it was told.
    #[track_caller]
    fn refuses(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.run(arguments);
        assert_eq!(status.code(), Some(1));
        String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap()
    }
}

/// Without a chain nothing is guessed, and what the address could be is named.
#[test]
fn an_entry_without_a_chain_is_answered_with_the_families_that_it_could_be() {
    let shell = Shell::new();
    for (address, complaint) in [
        (SUPPLIER, "an EVM address (ethereum, "),
        ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "a Tron address (tron)"),
        ("DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK", "a Solana address (solana)"),
        ("0x1234", "this is not a complete address of any known chain"),
    ] {
        let output = shell.refuses(&["book", "add", "Norrland Shipping", address]);
        assert!(output.contains("--chain CHAIN") && output.contains(complaint), "{output}");
    }
    assert!(shell.says(&["book", "list"]).starts_with("the book is empty"), "nothing was entered");
    // As the console writes it for the eye.
    let spread = bursar::domain::address::format_grouped(SUPPLIER);
    let output = shell.says(&["book", "add", "Norrland Shipping", &spread, "--chain", "ethereum"]);
    assert!(output.starts_with("Norrland Shipping is entered"), "{output}");
    assert!(shell.says(&["book", "list"]).contains(SUPPLIER));
}

#[test]
fn somebody_is_entered_listed_and_taken_out() {
    let shell = Shell::new();
    assert!(shell.says(&["book", "list"]).starts_with("the book is empty"));
    let output =
        shell.says(&["book", "add", "Norrland Shipping", SUPPLIER, "--chain", "ethereum", "--note", "by phone"]);
    assert!(output.starts_with("Norrland Shipping is entered; trusted from "), "{output}");
    assert!(
        shell
            .says(&["book", "add", "Norrland Shipping", SUPPLIER, "--chain", "ethereum", "--note", "by phone"])
            .contains("is already in the address book, unchanged")
    );
    let listing = shell.says(&["book", "list"]);
    for text in ["Norrland Shipping", "Ethereum", SUPPLIER, "from 20", "by phone", "@"] {
        assert!(listing.contains(text), "no {text} in\n{listing}");
    }
    assert!(shell.says(&["journal", "verify"]).contains("1 record"));
    let output = shell.refuses(&["book", "add", "norrland shipping", MEANT, "--chain", "eth"]);
    assert!(output.contains("Norrland Shipping is already in the address book on Ethereum"), "{output}");
    assert!(
        shell
            .refuses(&["book", "remove", "Nobody"])
            .contains("no entry in the address book has the name or address “Nobody”")
    );
    shell.says(&["book", "add", "Norrland Shipping", SUPPLIER, "--chain", "base"]);
    let output = shell.refuses(&["book", "remove", SUPPLIER]);
    assert!(output.contains("choose one with --chain: ethereum, base"), "{output}");
    assert_eq!(
        shell.says(&["book", "remove", "norrland shipping", "--chain", "base"]),
        "Norrland Shipping on Base is removed from the address book\n"
    );
    assert_eq!(shell.says(&["book", "list"]), listing);
}

#[test]
fn what_cannot_be_paid_or_looks_like_another_is_not_entered() {
    let shell = Shell::new();
    for (address, complaint) in [
        (&SUPPLIER[..41], "an EVM address has 40 digits after 0x, this one has 39"),
        ("0x000000000000000000000000000000000000dEaD", "This is the burn address"),
        ("SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN", "this is a Stellar secret seed"),
        ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "an EVM address starts with 0x"),
    ] {
        let output = shell.refuses(&["book", "add", "New", address, "--chain", "ethereum"]);
        assert!(output.contains(complaint), "{output}");
    }
    shell.says(&["book", "add", "Meant", MEANT, "--chain", "ethereum"]);
    let output = shell.refuses(&["book", "add", "Forged", FORGED, "--chain", "ethereum"]);
    for text in ["“Meant” in your address book", "differ at", "a person must type “looks like another” at a terminal"]
    {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    // One letter left out of a name, or of a chain, is a slip of a finger or somebody's trick.
    shell.says(&["book", "add", "Norrland Shipping", SUPPLIER, "--chain", "ethereum"]);
    let other = "0x52908400098527886E0F7030069857D2E4169EE7";
    let output = shell.refuses(&["book", "add", "Norrland Shiping", other, "--chain", "ethereum"]);
    assert!(
        output.contains("This name looks like another name in the address book, but is a different one."),
        "{output}"
    );
    let output = shell.refuses(&["book", "add", "Other", other, "--chain", "etherum"]);
    for text in
        ["not a blockchain known to this console", "Did you mean ethereum?", "a person must type “unknown chain”"]
    {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    let output = shell.refuses(&["book", "add", "Other", "eth", "--chain", other]);
    assert!(output.contains("address in place of the chain; write the chain, as in “ethereum”"), "{output}");
    let listing = shell.says(&["book", "list"]);
    assert!(!listing.contains("Forged") && !listing.contains("Shiping") && !listing.contains("Other"), "{listing}");
}

#[test]
fn a_book_goes_out_and_in_again_all_of_it_or_nothing() {
    let shell = Shell::new();
    let csv = format!(
        "name,address,chain,tag,note,kind\nNorrland,{SUPPLIER},ethereum,,\"by phone, twice\",contact\nExchange,rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh,xrp,7,,contact\n"
    );
    fs::write(shell.home.path().join("book.csv"), &csv).unwrap();
    let checked = shell.says(&["book", "import", "book.csv", "--check"]);
    assert_eq!(checked, "line 2: Norrland would be entered\nline 3: Exchange would be entered\n");
    assert!(shell.says(&["book", "list"]).starts_with("the book is empty"));
    assert_eq!(shell.says(&["book", "import", "book.csv"]), "2 entered, 0 already in the address book\n");
    assert_eq!(shell.says(&["book", "import", "book.csv"]), "0 entered, 2 already in the address book\n");
    assert_eq!(shell.says(&["book", "export"]), csv);
    // Two rows that are mistaken for each other, and one that is wrong.
    let csv = format!(
        "name,address,chain\nMeant,{MEANT},base\nForged,{FORGED},base\nWrong,0x12,base\nOther,{SUPPLIER},base\n"
    );
    fs::write(shell.home.path().join("more.csv"), csv).unwrap();
    let output = shell.refuses(&["book", "import", "more.csv"]);
    for text in ["line 3: This is not the known address", "line 4: an EVM address", "nothing was entered: 2 of 4 rows"]
    {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    assert!(!shell.says(&["book", "list"]).contains("Meant"));
}

#[test]
fn a_foreign_file_is_read_by_a_mapping_that_is_kept_and_its_errors_are_put_right() {
    let shell = Shell::new();
    let rows = format!("Meant;{MEANT};Base;1\nWrong;0x12;Base;2\nOther;{SUPPLIER};Base;3\n");
    fs::write(shell.home.path().join("crew.csv"), format!("Payee;Account;Network;Department\n{rows}")).unwrap();
    let output = shell.refuses(&["book", "import", "crew.csv"]);
    assert!(
        output.contains("no column is called name; write behind the file which one it is, as in FILE name=COLUMN"),
        "{output}"
    );
    let columns = ["--columns", "name=Payee address=Account"];
    let output = shell.refuses(&[&["book", "import", "crew.csv", "--check", "--errors"][..], &columns].concat());
    for text in [
        "its column “Payee” is read as the name",
        "its column “Network” is read as the chain",
        "not read: “Department”",
        "name=Payee address=Account is kept in this profile for files with this header",
        "line 3: an EVM address",
        "the refused rows are written with their reasons to ",
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    let errors = fs::read_to_string(shell.home.path().join("crew-errors.csv")).unwrap();
    assert!(errors.starts_with("Payee;Account;Network;Department;reason\nWrong;0x12;Base;2;"), "{errors}");
    assert!(shell.says(&["book", "list"]).starts_with("the book is empty"));
    // Put right, the file of errors is read as its source is, by the mapping of the profile.
    let fixed = errors.replace("0x12", "0x52908400098527886E0F7030069857D2E4169EE7");
    fs::write(shell.home.path().join("crew-errors.csv"), fixed).unwrap();
    assert!(shell.says(&["book", "import", "crew-errors.csv"]).starts_with("1 entered"));
    let config = fs::read_to_string(shell.home.path().join(".config/bursar/config.toml")).unwrap();
    assert!(config.contains("[[profiles.main.columns]]"), "{config}");
}

#[test]
fn an_entry_changes_its_name_or_tag_by_itself_alone_and_loses_no_tag_in_silence() {
    let shell = Shell::new();
    let xrp = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
    shell.says(&["book", "add", "Exchange", xrp, "--chain", "xrp", "--tag", "7"]);
    shell.says(&["book", "add", "Norrland", SUPPLIER, "--chain", "ethereum"]);
    let listing = shell.says(&["book", "list"]);
    let output = shell.refuses(&["book", "add", "Exchange", xrp, "--chain", "xrp"]);
    for text in ["its tag changes from “7” to none", "a person must type “no tag needed” at a terminal"] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    let imports = |rows: &str| {
        fs::write(shell.home.path().join("rows.csv"), format!("name,address,chain,tag\n{rows}")).unwrap();
        shell.refuses(&["book", "import", "rows.csv"])
    };
    // The first row would free the name for the second.
    let output = imports(&format!("Norrland old,{SUPPLIER},ethereum,\nNorrland,{MEANT},ethereum,\n"));
    for text in [
        "line 2: Norrland is there already, and its name changes from “Norrland” to “Norrland old”",
        "line 3: there is already a Norrland on this chain",
        "2 of 2 rows",
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    assert!(imports(&format!("Exchange,{xrp},xrp,\n")).contains("its tag changes from “7” to none"));
    let output = shell.refuses(&["book", "add", MEANT, FORGED, "--chain", "ethereum"]);
    assert!(output.contains("the name looks like an EVM address"), "{output}");
    assert_eq!(shell.says(&["book", "list"]), listing);
    let output = shell.says(&["book", "add", "Exchange", xrp, "--chain", "xrp", "--tag", "8"]);
    assert!(output.starts_with("its tag changes from “7” to “8”\n"), "{output}");
}

#[test]
fn a_profile_shows_its_policy() {
    let output = Shell::new().says(&["profile", "show"]);
    for text in [
        "policy.allow_list",
        "2days",
        "0.50%",
        "USDC: 50,000 in 24 hours, 100 to an entry in its cooling-off period; beyond: stop",
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
}
