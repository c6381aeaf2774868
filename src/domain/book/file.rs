//! The address book as a file: CSV with a header, the same columns for import and export.

use csv::Writer;

use super::{AddressBook, BookEntry, Contact, Label, LabelSubject};
use crate::domain::Text;
use crate::domain::csv_table::TableLayout;
use crate::domain::csv_table::mapping::{HeaderMapping, KnownMappings};

/// The columns of an export.
pub const BOOK_COLUMNS: [&str; 6] = ["name", "address", "chain", "tag", "note", "kind"];

/// The kind of a row that is a contact; also one without a kind is.
pub const CONTACT_KIND: &str = "contact";

/// The largest plausible file.
const MAX_FILE_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BookColumn {
    Name,
    Address,
    Chain,
    Tag,
    Note,
    Kind,
}

const LAYOUT: TableLayout<BookColumn> = TableLayout {
    kind: "book",
    columns: &[
        (BookColumn::Name, &["name", "contact name", "recipient name"]),
        (BookColumn::Address, &["address", "wallet", "wallet address", "recipient address"]),
        (BookColumn::Chain, &["chain", "blockchain", "network"]),
        (BookColumn::Tag, &["tag", "memo", "destination tag", "memo/tag", "memo tag", "memo id", "payment id", "dt"]),
        (BookColumn::Note, &["note", "notes", "comment"]),
        (BookColumn::Kind, &["kind"]),
    ],
    required: &[BookColumn::Name, BookColumn::Address, BookColumn::Chain],
    example: "name,address,chain[,tag][,note][,kind]",
    max_bytes: MAX_FILE_BYTES,
    max_rows: MAX_ROWS,
};

const MAX_ROWS: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookFile {
    pub rows: Vec<BookFileRow>,
    /// How the file was read otherwise than written.
    pub notes: Vec<String>,
    /// The mapping that was used, if one was typed or kept for the header.
    pub mapping: Option<HeaderMapping>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookFileRow {
    /// Counted from 1.
    pub line: u64,
    pub entry: Result<ContactOrLabel, String>,
}

/// What a row enters into the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContactOrLabel {
    Contact(Contact),
    /// A name for what has none, by its kind.
    Label(Label),
}

/// Reads a whole file.
///
/// # Errors
/// What is wrong with the file as a whole.
pub fn parse_book_file(bytes: &[u8], mappings: &KnownMappings) -> Result<BookFile, String> {
    let table = LAYOUT.read(bytes, mappings)?;
    let mut rows: Vec<BookFileRow> = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let text = |column| Text::clean(table.cell(row, column));
        let non_empty = |column| Some(text(column)).filter(|text| !text.is_empty());
        let entry = if let Some(fault) = &row.fault {
            Err(fault.clone())
        } else {
            let contact = Contact {
                name: text(BookColumn::Name),
                address: text(BookColumn::Address),
                blockchain: text(BookColumn::Chain),
                tag: non_empty(BookColumn::Tag),
                note: non_empty(BookColumn::Note),
            };
            match non_empty(BookColumn::Kind).filter(|kind| !kind.eq_ignore_ascii_case(CONTACT_KIND)) {
                None => check_contact(contact, &rows).map(ContactOrLabel::Contact),
                Some(kind) => parse_label(&kind, &contact, &rows).map(ContactOrLabel::Label),
            }
        };
        rows.push(BookFileRow { line: row.line, entry });
    }
    Ok(BookFile { rows, notes: table.notes, mapping: table.mapping })
}

/// Checks that a contact is valid and not in an earlier row.
fn check_contact(contact: Contact, rows: &[BookFileRow]) -> Result<Contact, String> {
    contact.check().map_err(|fault| fault.to_string())?;
    let is_twin = |other: &ContactOrLabel| matches!(other, ContactOrLabel::Contact(other) if other.is_at(&contact.address, &contact.blockchain));
    match rows.iter().find(|row| row.entry.as_ref().is_ok_and(is_twin)) {
        Some(row) => Err(format!("this address is already on line {}; remove one of the two", row.line)),
        None => Ok(contact),
    }
}

/// A label of this kind, with the name, address and chain of its row, if it is valid and not in an earlier row.
fn parse_label(kind: &str, row: &Contact, rows: &[BookFileRow]) -> Result<Label, String> {
    let subject = LabelSubject::read(&kind.to_ascii_lowercase(), &row.address, &row.blockchain)
        .ok_or_else(|| format!("the kind is contact, address, wallet, account or user, not “{kind}”"))?;
    let label = Label { subject, name: row.name.clone() };
    label.check().map_err(|fault| fault.to_string())?;
    let is_twin =
        |other: &ContactOrLabel| matches!(other, ContactOrLabel::Label(other) if other.subject.is_same(&label.subject));
    match rows.iter().find(|row| row.entry.as_ref().is_ok_and(is_twin)) {
        Some(row) => Err(format!("this {kind} is already named on line {}; remove one of the two", row.line)),
        None => Ok(label),
    }
}

/// The cells of a contact, in the columns of the file.
pub fn contact_cells(contact: &Contact) -> [String; BOOK_COLUMNS.len()] {
    let optional = |text: &Option<Text>| text.as_ref().map(ToString::to_string).unwrap_or_default();
    let [name, address, blockchain] = [&contact.name, &contact.address, &contact.blockchain].map(ToString::to_string);
    [name, address, blockchain, optional(&contact.tag), optional(&contact.note), CONTACT_KIND.to_owned()]
}

/// The same of a label.
pub fn label_cells(label: &Label) -> [String; BOOK_COLUMNS.len()] {
    let blockchain = match &label.subject {
        LabelSubject::Address { blockchain, .. } => blockchain.to_string(),
        LabelSubject::Wallet(_) | LabelSubject::Account(_) | LabelSubject::User(_) => String::new(),
    };
    let (id, kind) = (label.subject.id().to_owned(), label.subject.kind().to_owned());
    [label.name.to_string(), id, blockchain, String::new(), String::new(), kind]
}

pub fn book_to_csv(book: &AddressBook) -> Result<String, csv::Error> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(BOOK_COLUMNS)?;
    for BookEntry { contact, .. } in book.entries() {
        writer.write_record(contact_cells(contact))?;
    }
    for label in book.labels() {
        writer.write_record(label_cells(label))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(std::io::Error::other(error.to_string())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::BookChange;
    use crate::domain::{Timestamp, WalletId};

    const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const OTHER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

    #[test]
    fn what_is_written_is_read_again() {
        let contact = Contact {
            name: "Norrland, \"the\" line".into(),
            address: SUPPLIER.into(),
            blockchain: "ethereum".into(),
            tag: None,
            note: Some("by phone".into()),
        };
        let xrp = Contact {
            name: "Exchange".into(),
            address: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh".into(),
            blockchain: "xrp".into(),
            tag: Some("7".into()),
            note: None,
        };
        let labels = [
            (LabelSubject::Address { address: OTHER.into(), blockchain: "base".into() }, "Unknown payer"),
            (LabelSubject::Wallet(WalletId::from_text("w-1")), "Hot wallet"),
        ];
        let labels = labels.map(|(subject, name)| BookChange::Label { subject, name: Some(name.into()) });
        let contacts = [contact, xrp].map(BookChange::Entered);
        let changes = contacts.into_iter().chain(labels).map(|change| (change, Timestamp::from_millis(0)));
        let book = AddressBook::from_changes(changes);
        let rows = parse_book_file(book_to_csv(&book).unwrap().as_bytes(), &KnownMappings::default()).unwrap().rows;
        let entries: Vec<ContactOrLabel> = rows.into_iter().map(|row| row.entry.unwrap()).collect();
        let contacts = book.entries().iter().map(|entry| ContactOrLabel::Contact(entry.contact.clone()));
        let labels = book.labels().iter().map(|label| ContactOrLabel::Label(label.clone()));
        assert_eq!(entries, contacts.chain(labels).collect::<Vec<_>>());
        assert_eq!((book.entries().len(), book.labels().len()), (2, 2));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let mappings = KnownMappings::default();
        let fault = |text: &str| parse_book_file(text.as_bytes(), &mappings).unwrap_err();
        assert_eq!(
            fault("name,address\n"),
            "line 1: the column chain is missing; the first line is name,address,chain[,tag][,note][,kind]"
        );
        assert_eq!(fault("name,name,address,chain\n"), "line 1: two columns are called “name”; remove one of them");
        assert_eq!(fault("name;address;chain\n"), "the file has no row below its header");
        let text = format!(
            "\u{feff}Name,Address,Chain\r\nA,{SUPPLIER},ethereum\r\n,{SUPPLIER},base\r\nB,{},eth\r\nC,0x12,eth\r\n=D,{SUPPLIER},bsc\r\nE,x\r\n",
            SUPPLIER.to_lowercase()
        );
        let rows = parse_book_file(text.as_bytes(), &mappings).unwrap().rows;
        assert!(rows[0].entry.is_ok());
        let messages: Vec<String> =
            rows[1..].iter().map(|row| format!("{}: {}", row.line, row.entry.as_ref().unwrap_err())).collect();
        assert_eq!(messages[0], "3: a name is missing");
        assert_eq!(messages[1], "4: this address is already on line 2; remove one of the two");
        assert!(messages[2].starts_with("5: an EVM address has 40 digits"), "{}", messages[2]);
        assert!(messages[3].starts_with("6: the name begins with a character"), "{}", messages[3]);
        assert_eq!(messages[4], "7: 2 values under 3 columns; put values that contain a comma in quotes");
        let other = format!("Name;Wallet address;Network;IBAN\nA;{SUPPLIER};ethereum;x\n");
        let file = parse_book_file(other.as_bytes(), &mappings).unwrap();
        assert!(file.rows[0].entry.is_ok());
        assert_eq!(
            file.notes,
            [
                "its values are separated by semicolons",
                "its column “Wallet address” is read as the address",
                "its column “Network” is read as the chain",
                "not read: “IBAN”"
            ]
        );
    }
}
