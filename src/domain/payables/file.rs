//! Reads a list of payables from a CSV file.

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;

use super::Payable;
use crate::domain::address::is_same_address;
use crate::domain::chain::is_same_chain;
use crate::domain::csv_table::mapping::{HeaderMapping, KnownMappings};
use crate::domain::csv_table::{CsvRow, CsvTable, TableLayout};
use crate::domain::draft::batch::parse_recipient_address;
use crate::domain::reference::normalise_reference;
use crate::domain::{AddressBook, Amount, Text};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PayablesColumn {
    Reference,
    To,
    Amount,
    Token,
    Chain,
    Due,
}

const LAYOUT: TableLayout<PayablesColumn> = TableLayout {
    kind: "payables",
    columns: &[
        (PayablesColumn::Reference, &["reference", "invoice", "invoice number", "invoice no", "ref"]),
        (PayablesColumn::To, &["to", "address", "recipient", "receiver", "payee", "supplier"]),
        (PayablesColumn::Amount, &["amount", "value", "total"]),
        (PayablesColumn::Token, &["token", "currency", "symbol"]),
        (PayablesColumn::Chain, &["chain", "blockchain", "network"]),
        (PayablesColumn::Due, &["due", "due date"]),
    ],
    required: &[PayablesColumn::Reference, PayablesColumn::To, PayablesColumn::Amount, PayablesColumn::Token],
    example: "reference,to,amount,token,chain,due",
    max_bytes: 8 * 1024 * 1024,
    max_rows: 20_000,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayablesFile {
    pub payables: Vec<Payable>,
    /// The rows that are no payables, by line.
    pub errors: BTreeMap<u64, String>,
    /// How the file was read otherwise than written.
    pub notes: Vec<String>,
    /// The mapping that was used, if one was typed or kept for the header.
    pub mapping: Option<HeaderMapping>,
}

/// Parses a file; a recipient is an address or a name in the book.
///
/// # Errors
/// What is wrong with the file as a whole, and what would be right.
pub fn parse_payables(bytes: &[u8], mappings: &KnownMappings, book: &AddressBook) -> Result<PayablesFile, String> {
    let table = LAYOUT.read(bytes, mappings)?;
    let (mut payables, mut errors) = (Vec::new(), BTreeMap::new());
    let mut by_reference: HashMap<Option<String>, Vec<Payable>> = HashMap::new();
    for row in &table.rows {
        let payable_row = parse_row(&table, row, book).and_then(|payable| {
            let others = by_reference.entry(normalise_reference(&payable.reference)).or_default();
            if let Some(other) = others.iter().find(|other| may_share_payment(other, &payable)) {
                return Err(format!("it has the reference, recipient and token of line {}", other.line));
            }
            others.push(payable.clone());
            Ok(payable)
        });
        match payable_row {
            Ok(payable) => payables.push(payable),
            Err(fault) => {
                errors.insert(row.line, fault);
            }
        }
    }
    Ok(PayablesFile { payables, errors, notes: table.notes, mapping: table.mapping })
}

/// Whether a payment could belong to either of two payables with one reference.
fn may_share_payment(one: &Payable, other: &Payable) -> bool {
    let chains = one.blockchain.as_ref().zip(other.blockchain.as_ref());
    one.token.eq_ignore_ascii_case(&other.token)
        && is_same_address(&one.to, &other.to)
        && chains.is_none_or(|(one, other)| is_same_chain(one, other))
}

fn parse_row(table: &CsvTable<PayablesColumn>, row: &CsvRow, book: &AddressBook) -> Result<Payable, String> {
    if let Some(fault) = &row.fault {
        return Err(fault.clone());
    }
    let text = |column: PayablesColumn| {
        let cell = table.cell(row, column).trim();
        let text = Text::clean(cell);
        let name = LAYOUT.column_name(column);
        if text.as_str() == cell { Ok(text) } else { Err(format!("the {name} is too long or cannot be shown")) }
    };
    let required = |column: PayablesColumn| match text(column)? {
        empty if empty.is_empty() => Err(format!("the {} is missing", LAYOUT.column_name(column))),
        text => Ok(text),
    };
    let reference = required(PayablesColumn::Reference)?;
    let blockchain = Some(text(PayablesColumn::Chain)?).filter(|chain| !chain.is_empty());
    let recipient = required(PayablesColumn::To)?;
    let (to, name) = find_recipient(&recipient, blockchain.as_ref(), book)?;
    let amount = Amount::parse_as_written(&required(PayablesColumn::Amount)?, Amount::MAX_DECIMALS)
        .map_err(|error| format!("the amount: {error}"))?;
    if amount.is_zero() {
        return Err("the amount is zero; remove the line".into());
    }
    let due = match text(PayablesColumn::Due)?.as_str() {
        "" => None,
        date => Some(
            NaiveDate::parse_from_str(date, "%Y-%m-%d")
                .map_err(|_no_date| format!("the due date is “{date}”; write it as in 2026-11-30"))?,
        ),
    };
    Ok(Payable {
        line: row.line,
        reference,
        to,
        name,
        blockchain,
        token: required(PayablesColumn::Token)?,
        amount,
        due,
    })
}

/// The address of a recipient, and the name if the list has that.
fn find_recipient(
    recipient: &Text,
    blockchain: Option<&Text>,
    book: &AddressBook,
) -> Result<(Text, Option<Text>), String> {
    let is_there = |chain: &Text| blockchain.is_none_or(|expected| is_same_chain(expected, chain));
    let addresses: Vec<&Text> = book
        .entries_named(recipient)
        .filter(|entry| is_there(&entry.contact.blockchain))
        .map(|entry| &entry.contact.address)
        .collect();
    match addresses.as_slice() {
        [first, others @ ..] if others.iter().all(|other| is_same_address(other, first)) => {
            Ok(((*first).clone(), Some(recipient.clone())))
        }
        [] if recipient.contains(char::is_whitespace) || recipient.len() < 20 => {
            Err(format!("“{recipient}” is no address, and no name in the address book"))
        }
        [] => Ok((parse_recipient_address(recipient, None, "")?, None)),
        _ => Err(format!("“{recipient}” is a name of several addresses; write the address, or the chain")),
    }
}
