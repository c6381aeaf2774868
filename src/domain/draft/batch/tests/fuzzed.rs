//! Files of any bytes: every row that stands there is told of, what is right is written down and read again as the same,
//! and whatever is wrong is said in words.

use super::*;
use crate::fuzzing::{target, text};

fn rows_as_csv(rows: &[RecipientRow]) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["address", "amount", "label"]).unwrap();
    for row in rows {
        table.write_record([&row.address, &row.amount, &row.label]).unwrap();
    }
    table.into_inner().unwrap()
}

fn assert_parse_is_stable(bytes: &[u8]) {
    match parse_recipient_file(bytes, &KnownMappings::default()) {
        Err(message) => assert!(!message.is_empty() && !message.ends_with('.')),
        Ok(recipient_file) => {
            assert!(!recipient_file.rows.is_empty());
            // Lines go up, so that each row is found in the file; what a bare carriage return parts stands on one line.
            assert!(recipient_file.rows.is_sorted_by_key(|row| row.line));
            let sound: Vec<RecipientRow> =
                recipient_file.rows.into_iter().filter(|row| row.fault.is_none() && !row.is_empty()).collect();
            if !sound.is_empty() {
                let second_file = super::parse_recipient_file(&rows_as_csv(&sound), &KnownMappings::default()).unwrap();
                let values = |rows: &[RecipientRow]| -> Vec<_> {
                    rows.iter().map(|row| (row.address.clone(), row.amount.clone(), row.label.clone())).collect()
                };
                assert_eq!(values(&second_file.rows), values(&sound));
            }
            for row in &sound {
                match parse_row_paying_usdc(
                    &RecipientRow { token_hint: TokenHint::default(), ..row.clone() },
                    Some(Family::Evm),
                ) {
                    Err(message) => assert!(!message.is_empty()),
                    Ok((recipient, amount)) => {
                        assert_eq!(*recipient.address, *row.address);
                        assert_eq!(Amount::parse(&recipient.amount, 6), Ok(amount));
                        assert!(!amount.is_zero());
                    }
                }
            }
        }
    }
    if let Ok(recipient_file) = parse_recipient_lines(text(bytes)) {
        assert!(!recipient_file.rows.is_empty());
    }
}

#[test]
fn no_row_of_any_file_is_lost_or_taken_for_another() {
    let plain = format!("address,amount,label\n{FIRST_ADDRESS},1.5,Ada\n{SECOND_ADDRESS},20,\"Bob, the other\"\n");
    let airdrop = format!("token_type,token_address,receiver,value,id\nerc20,{USDC},{FIRST_ADDRESS},5,\n");
    let all = format!("\u{feff}address,amount,label,memo,token,chain\r\n{FIRST_ADDRESS},1,,,USDC,ethereum\r\n");
    let tabs = format!("{FIRST_ADDRESS}\t1\tAda\n{SECOND_ADDRESS}\t2\n");
    let seeds = [plain.as_bytes(), airdrop.as_bytes(), all.as_bytes(), tabs.as_bytes(), b"address,amount\n\"A,1\n"];
    target(&seeds, assert_parse_is_stable);
}
