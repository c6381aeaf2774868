use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::domain::csv_table::mapping::KnownMappings;
use crate::domain::{Family, Metadata, TokenKey};

mod fuzzed;

pub(super) const FIRST_ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
pub(super) const SECOND_ADDRESS: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
pub(super) const USDC: &str = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

pub(super) fn usdc() -> TokenKey {
    TokenKey::new("ethereum", Some(USDC))
}

fn file(text: &str) -> Result<RecipientFile, String> {
    parse_recipient_file(text.as_bytes(), &KnownMappings::default())
}

/// The recipient of a row in a batch that pays USDC on Ethereum.
pub(super) fn parse_row_paying_usdc(row: &RecipientRow, family: Option<Family>) -> Result<(Recipient, Amount), String> {
    let token = usdc();
    parse_recipient(row, &BatchToken { symbol: "USDC", token: &token, decimals: 6, blockchain: "ethereum", family })
}

fn row(line: u64, address: &str, amount: &str, label: &str) -> RecipientRow {
    let text = str::to_owned;
    RecipientRow {
        line: Some(line),
        address: text(address),
        amount: text(amount),
        label: text(label),
        ..RecipientRow::default()
    }
}

#[rstest]
#[case("address,amount\nA,1\nB,2.5\n")]
#[case("\u{feff}address,amount\r\nA,1\r\nB,2.5")]
#[case("Address , Amount\n\n A , 1 \n\"B\",\"2.5\"\n")]
#[case("address\tamount\nA\t1\nB\t2.5\n")]
#[case("\"Wallet address\";Amount;Department\nA;1;x\nB;2.5;\n")]
fn files_of_every_spelling_say_the_same(#[case] text: &str) {
    let rows: Vec<(String, String)> =
        file(text).unwrap().rows.into_iter().map(|row| (row.address, row.amount)).collect();
    assert_eq!(rows, [("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2.5".to_owned())]);
}

#[test]
fn rows_keep_their_lines_and_labels() {
    let text = "amount,label,address\n1,\"Ada, Countess\nof Lovelace\",A\n\n2,,B\n";
    let recipient_file = file(text).unwrap();
    assert_eq!(recipient_file.rows[0].line, Some(2));
    assert_eq!(recipient_file.rows[1], row(5, "B", "2", ""));
    // A label that goes over two lines cannot be shown on one.
    assert!(parse_row_paying_usdc(&recipient_file.rows[0], None).unwrap_err().contains("the label"));
    assert_eq!(recipient_file.notes, Vec::<String>::new());
}

#[test]
fn a_column_of_references_is_read_and_one_that_cannot_be_shown_fails() {
    for name in ["reference", "Invoice"] {
        let recipient_file = file(&format!("address,amount,{name}\nA,1,INV-7\nB,2,\n")).unwrap();
        assert_eq!(recipient_file.rows.iter().map(|row| row.reference.as_str()).collect::<Vec<_>>(), ["INV-7", ""]);
        assert_eq!(recipient_file.notes.len(), usize::from(name == "Invoice"));
        let recipient = parse_row_paying_usdc(&recipient_file.rows[0], None).unwrap().0;
        assert_eq!((recipient.reference, recipient.label), (Some("INV-7".into()), None));
    }
    let recipient_file = file("address,amount,reference\nA,1,\"INV\n7\"\n").unwrap();
    assert!(parse_row_paying_usdc(&recipient_file.rows[0], None).unwrap_err().contains("the reference"));
}

#[test]
fn synonyms_and_the_columns_of_airdrop_files_are_taken_with_a_note() {
    let text = format!(
        "token_type,token_address,receiver,value,id\nerc20,{},{FIRST_ADDRESS},5,\n",
        USDC.to_uppercase().replace('X', "x")
    );
    let recipient_file = file(&text).unwrap();
    let token_hint =
        TokenHint { contract: USDC.to_uppercase().replace('X', "x"), kind: "erc20".into(), ..TokenHint::default() };
    assert_eq!(recipient_file.rows, [RecipientRow { token_hint, ..row(2, FIRST_ADDRESS, "5", "") }]);
    assert!(parse_row_paying_usdc(&recipient_file.rows[0], Some(Family::Evm)).is_ok());
    assert_eq!(
        recipient_file.notes,
        ["its column “receiver” is read as the address", "its column “value” is read as the amount"]
    );
    for (line, expected) in [
        (format!("native,,{FIRST_ADDRESS},5,"), "this row has the token type native"),
        (format!("erc20,{SECOND_ADDRESS},{FIRST_ADDRESS},5,"), "this row names another contract"),
        (format!("erc20,{USDC},{FIRST_ADDRESS},5,7"), "this row pays a collectible"),
    ] {
        let text = format!("token_type,token_address,receiver,value,id\n{line}\n");
        let fault = parse_row_paying_usdc(&file(&text).unwrap().rows[0], Some(Family::Evm)).unwrap_err();
        assert!(fault.starts_with(expected), "{fault}");
    }
}

#[rstest]
#[case("", "the file is empty; its first line is address,amount[,label][,reference]")]
#[case("\u{feff}\r\n \n", "the file is empty; its first line is address,amount[,label][,reference]")]
#[case("address,amount\rA,1\r", "its lines end in carriage returns only; save it with Windows or Unix line endings")]
#[case("address,amount\n", "the file has no row below its header")]
#[case(
    "address,label\nA,x\n",
    "line 1: the column amount is missing; the first line is address,amount[,label][,reference]"
)]
#[case("amount\n1\n", "line 1: the column address is missing; the first line is address,amount[,label][,reference]")]
#[case(
    "address,amount,\nA,1,\n",
    "line 1 has a column without a name; the first line is address,amount[,label][,reference]"
)]
#[case(
    "address,receiver,amount\nA,B,1\n",
    "line 1: two columns mean the same; remove “receiver”, or say which is meant: FILE address=receiver"
)]
#[case("address,amount,Amount\nA,1,1\n", "line 1: two columns are called “Amount”; remove one of them")]
#[case(
    "Payee wallet,Net amount,amount\nA,1,1\n",
    "line 1: no column is called address; write behind the file which one it is, as in FILE address=COLUMN; columns: \
     “Payee wallet”, “Net amount”"
)]
#[case(
    "address,amount,Destination tag\nA,1,77\n",
    "line 2 has a memo, which a batch cannot carry: remove this row and pay it separately"
)]
#[case(
    " [{\"address\": \"A\"}]",
    "this is JSON; write a CSV file whose first line is address,amount[,label][,reference]"
)]
#[case(
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,1\n",
    "line 1 is already a row; the first line must name the columns: address,amount[,label][,reference]"
)]
#[case(
    "address,amount,memo\nA,1,\nB,2,77\n",
    "line 3 has a memo, which a batch cannot carry: remove this row and pay it separately"
)]
fn what_is_wrong_with_a_file_is_said_in_words_that_say_what_would_be_right(#[case] text: &str, #[case] message: &str) {
    assert_eq!(file(text).unwrap_err(), message);
}

#[test]
fn what_is_no_text_is_told_from_what_is() {
    let message = |bytes: &[u8]| parse_recipient_file(bytes, &KnownMappings::default()).unwrap_err();
    assert_eq!(message(b"\xff\xfea\0"), "the file is written as UTF-16; save it as UTF-8");
    assert!(message(b"PK\x03\x04\0\0").starts_with("the file is not text"));
    assert_eq!(message(b"address,amount\nA,1\n\xe9,2\n"), "line 3 is not UTF-8 text; save the file as UTF-8");
    let long = vec![b' '; MAX_FILE_BYTES + 1];
    assert_eq!(message(&long), "the file is larger than 4 MiB; split it into several");
    let rows = "A,1\n".repeat(20_001);
    assert_eq!(
        file(&format!("address,amount\n{rows}")).unwrap_err(),
        "the file has more than 20000 rows; split it into several"
    );
}

#[rstest]
#[case("A", "1 value under 5 columns; put values that contain a comma in quotes")]
#[case("A,1,000,,,", "6 values under 5 columns; put values that contain a comma in quotes")]
#[case("A,1,,USDT,", "this row is for USDT; the batch pays USDC")]
#[case("A,1,,usdc,base", "this row is for base; the batch pays on ethereum")]
fn a_row_that_does_not_fit_says_so(#[case] line: &str, #[case] message: &str) {
    let text = format!("address,amount,label,token,chain\n{line}\nB,2,,USDC,Ethereum\n");
    let recipient_file = file(&text).unwrap();
    assert_eq!(parse_row_paying_usdc(&recipient_file.rows[0], None).unwrap_err(), message);
    assert_eq!(
        (recipient_file.rows[1].line, parse_row_paying_usdc(&recipient_file.rows[1], None).is_ok()),
        (Some(3), true)
    );
}

/// Another token or wallet may be chosen after a file was read: its rows are judged by what they say, each time anew.
#[test]
fn what_a_row_says_of_its_token_is_compared_with_the_one_that_is_paid_now() {
    let text = format!("address,amount,token,chain,token_address\n{FIRST_ADDRESS},1,USDC,ethereum,{USDC}\n");
    let recipient_file = file(&text).unwrap();
    let checked = |symbol: &str, chain: &str, contract: Option<&str>| {
        let (token, family) = (TokenKey::new(chain, contract), Some(Family::Evm));
        parse_recipient(
            &recipient_file.rows[0],
            &BatchToken { symbol, token: &token, decimals: 6, blockchain: chain, family },
        )
    };
    assert!(checked("USDC", "ethereum", Some(USDC)).is_ok());
    for (symbol, chain, contract, expected) in [
        ("USDT", "ethereum", Some(USDC), "this row is for USDC; the batch pays USDT"),
        ("USDC", "base", Some(USDC), "this row is for ethereum; the batch pays on base"),
        ("USDC", "ethereum", Some(SECOND_ADDRESS), "this row names another contract"),
        ("USDC", "ethereum", None, "this row names another contract"),
    ] {
        let fault = checked(symbol, chain, contract).unwrap_err();
        assert!(fault.starts_with(expected), "{fault}");
    }
}

/// A key that stands in a file by mistake is not kept and not shown.
#[test]
fn a_secret_is_named_and_goes_nowhere() {
    const SECRET: &str = "L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ";
    for text in [
        format!("address,amount,label\n{SECRET},1,x\n"),
        format!("address,amount,label\nA,1,{SECRET}\n"),
        format!("address,amount,label,token\nA,1,x,{SECRET}\n"),
        format!("address,amount,reference\nA,1,{SECRET}\n"),
    ] {
        let recipient_file = file(&text).unwrap();
        assert!(
            recipient_file.rows[0].fault.as_ref().unwrap().contains("a Bitcoin private key"),
            "{:?}",
            recipient_file.rows
        );
        assert!(!format!("{recipient_file:?}").contains(SECRET));
    }
    let message = file(&format!("address,amount,{SECRET}\n")).unwrap_err();
    assert!(message.contains("private key") && !message.contains(SECRET), "{message}");
    let pasted = parse_recipient_lines(&format!("{SECRET}\t1\nB\t2")).unwrap();
    assert!(!format!("{pasted:?}").contains(SECRET));
    assert_eq!(pasted.rows.len(), 2);
}

#[test]
fn lines_are_pasted_with_commas_or_tabs_with_a_header_or_without() {
    for text in
        ["A,1,Ada\nB,2\n", "A\t1\tAda\r\nB\t2", "address,amount,label\nA,1,Ada\nB,2,\n", "\nA,1,Ada\n\nB,2,\n\n"]
    {
        let rows = parse_recipient_lines(text).unwrap().rows;
        let cells: Vec<_> = rows.iter().map(|row| (row.line, &*row.address, &*row.amount, &*row.label)).collect();
        assert_eq!(cells, [(None, "A", "1", "Ada"), (None, "B", "2", "")], "{text:?}");
    }
    let rows = parse_recipient_lines("A\nB,1,x,y").unwrap().rows;
    assert_eq!((rows[0].amount.as_str(), rows[1].fault.is_some()), ("", true));
    let rows = parse_recipient_lines("A;1,5;Ada").unwrap().rows;
    assert_eq!((rows[0].amount.as_str(), rows[0].label.as_str(), &rows[0].fault), ("1,5", "Ada", &None));
    assert_eq!(parse_recipient_lines(" \n").unwrap().rows.len(), 1);
}

#[rstest]
#[case(FIRST_ADDRESS, "1.5", None)]
#[case(&FIRST_ADDRESS.to_lowercase(), "1.50", None)]
#[case("", "1", Some("an address is missing"))]
#[case("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "1", Some("this is a Tron address; the wallet is on Ethereum"))]
#[case("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee", "1", Some("the checksum does not match"))]
#[case(FIRST_ADDRESS, "", Some("type an amount"))]
#[case(FIRST_ADDRESS, "0.00", Some("pay an amount greater than zero"))]
#[case(FIRST_ADDRESS, "1,5", Some("write the fraction with a point"))]
#[case(FIRST_ADDRESS, "0.1234567", Some("USDC has"))]
fn a_row_is_right_or_says_what_would_be(#[case] address: &str, #[case] amount: &str, #[case] expected: Option<&str>) {
    let result = parse_row_paying_usdc(&row(2, address, amount, ""), Some(Family::Evm));
    match (result, expected) {
        (Ok((recipient, exact)), None) => {
            assert_eq!(*recipient.address, *address);
            assert_eq!(recipient.amount.as_str(), exact.to_string());
        }
        (Err(_), Some("type an amount" | "USDC has")) => {}
        (Err(message), Some(expected)) => assert!(message.contains(expected), "{message}"),
        (result, expected) => panic!("{result:?} {expected:?}"),
    }
}

fn batch(amounts: &[(u128, u32)]) -> Batch {
    let amount = |(whole, fraction): &(u128, u32)| match fraction {
        0 => whole.to_string(),
        fraction => format!("{whole}.{}", format!("{fraction:06}").trim_end_matches('0')),
    };
    let to = |pair| Recipient {
        address: FIRST_ADDRESS.into(),
        amount: Text::clean(&amount(pair)),
        label: None,
        reference: None,
        line: None,
    };
    Batch {
        wallet: WalletId::from_text("w"),
        blockchain: "ethereum".into(),
        token: "USDC".into(),
        to: amounts.iter().map(to).collect(),
        ref_id: None,
        note: None,
        file: None,
        metadata: Metadata::default(),
        queue: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The total is the exact sum, by whatever fraction digits it is reckoned.
    #[test]
    fn the_total_is_the_exact_sum(amounts in prop::collection::vec((0_u128..1_000_000_000_000, 0_u32..1_000_000), 1..60)) {
        let batch = batch(&amounts);
        let units: u128 = amounts.iter().map(|(whole, fraction)| whole * 1_000_000 + u128::from(*fraction)).sum();
        let total = batch.total(6).unwrap();
        prop_assert_eq!(total.raw().to_string(), units.to_string());
        prop_assert!(batch.total_as_written().unwrap().cmp_value(total).is_eq());
        prop_assert!(batch.total(18).unwrap().cmp_value(total).is_eq());
        // A token with fewer digits than are written has no such sum.
        prop_assert_eq!(batch.total(0).is_some(), amounts.iter().all(|(_, fraction)| *fraction == 0));
    }
}

#[test]
fn a_sum_beyond_what_can_be_held_is_none() {
    let mut batch = batch(&[(1, 0), (1, 0)]);
    let most = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    batch.to[0].amount = most.into();
    assert_eq!((batch.total(0), batch.total_as_written()), (None, None));
    batch.to[1].amount = "0".into();
    assert_eq!(batch.total_as_written().unwrap().to_string(), most);
}

/// A terminal hands over what is pasted with carriage returns for the ends of its lines.
#[test]
fn a_whole_file_with_its_header_is_pasted_with_a_terminals_carriage_returns() {
    let (spread, address) = (crate::domain::address::format_grouped(SECOND_ADDRESS), FIRST_ADDRESS);
    for end in ["\r", "\r\n", "\n", "\r\r"] {
        let pasted = ["address,amount,label", &format!("{address},20,Fjord"), &format!("{spread},5.5,"), ""].join(end);
        let rows = parse_recipient_lines(&pasted).unwrap().rows;
        let rows: Vec<[&str; 3]> = rows.iter().map(|row| [&*row.address, &*row.amount, &*row.label]).collect();
        assert_eq!(rows, [[FIRST_ADDRESS, "20", "Fjord"], [SECOND_ADDRESS, "5.5", ""]], "{end:?}");
    }
    let rows = parse_recipient_lines(&format!("{FIRST_ADDRESS},20\r{SECOND_ADDRESS},\"12,500.00\"\r")).unwrap().rows;
    assert_eq!(rows.len(), 2);
    let message = parse_row_paying_usdc(&rows[1], Some(Family::Evm)).unwrap_err();
    assert!(message.contains("write the amount without them: 12500.00"), "{message}");
}
