//! The address book as a file: CSV with a header, the same columns for import and export.

use csv::{ReaderBuilder, Trim, Writer};

use super::{AddressBook, BookEntry, Contact, Label, LabelSubject};
use crate::domain::Text;
use crate::domain::line_counter::{LineCounter, separator_error};

/// The columns, of which the first three are required.
pub const BOOK_COLUMNS: [&str; 6] = ["name", "address", "chain", "tag", "note", "kind"];

/// The kind of a row that is a contact; also one without a kind is.
pub const CONTACT_KIND: &str = "contact";

/// The largest plausible file.
const MAX_FILE_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookFileRow {
    /// Counted from 1.
    pub line: u64,
    pub entry: Result<FileEntry, String>,
}

/// What a row enters into the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileEntry {
    Contact(Contact),
    /// A name for what has none, by its kind.
    Label(Label),
}

/// Reads a whole file.
///
/// # Errors
/// What is wrong with the file as a whole.
pub fn parse_book_file(bytes: &[u8]) -> Result<Vec<BookFileRow>, String> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err("the file is larger than 1 MiB; import it in parts".to_owned());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text; save it as UTF-8".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| format!("line 1: {error}"))?.clone();
    if let Some(words) = separator_error(&header) {
        return Err(words);
    }
    let mut places = [None; BOOK_COLUMNS.len()];
    for (at, name) in header.iter().enumerate() {
        let known = BOOK_COLUMNS.iter().position(|column| column.eq_ignore_ascii_case(name));
        match known.and_then(|column| places.get_mut(column)) {
            Some(place @ None) => *place = Some(at),
            Some(Some(_)) => return Err(format!("line 1: the column {} appears twice", Text::clean(name))),
            None => {
                let (name, known) = (Text::clean(name), BOOK_COLUMNS.join(", "));
                return Err(format!("line 1: no column is called “{name}”; there are {known}"));
            }
        }
    }
    if let Some((column, _)) = BOOK_COLUMNS.iter().zip(places).take(3).find(|(_, place)| place.is_none()) {
        return Err(format!("line 1: the column {column} is missing; the header must name every column"));
    }
    let mut rows: Vec<BookFileRow> = Vec::new();
    let mut lines = LineCounter::new(text);
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = lines.line_of(&record);
        let field =
            |column: usize| places.get(column).copied().flatten().and_then(|at| record.get(at)).map(Text::clean);
        let some = |column: usize| field(column).filter(|text| !text.is_empty());
        let entry = if record.len() == header.len() {
            let told = |column: usize| field(column).unwrap_or_default();
            let contact = Contact { name: told(0), address: told(1), blockchain: told(2), tag: some(3), note: some(4) };
            match some(5).filter(|kind| !kind.eq_ignore_ascii_case(CONTACT_KIND)) {
                None => check_contact(contact, &rows).map(FileEntry::Contact),
                Some(kind) => read_label(&kind, &contact, &rows).map(FileEntry::Label),
            }
        } else {
            Err(format!(
                "{} values under {} columns; put values that contain a comma in quotes",
                record.len(),
                header.len()
            ))
        };
        rows.push(BookFileRow { line, entry });
    }
    Ok(rows)
}

/// Checks that a contact is valid and not in an earlier row.
fn check_contact(contact: Contact, rows: &[BookFileRow]) -> Result<Contact, String> {
    contact.check().map_err(|fault| fault.to_string())?;
    let is_twin = |other: &FileEntry| matches!(other, FileEntry::Contact(other) if other.is_at(&contact.address, &contact.blockchain));
    match rows.iter().find(|row| row.entry.as_ref().is_ok_and(is_twin)) {
        Some(row) => Err(format!("this address is already on line {}; remove one of the two", row.line)),
        None => Ok(contact),
    }
}

/// A label of this kind, with the name, address and chain of its row, if it is valid and not in an earlier row.
fn read_label(kind: &str, row: &Contact, rows: &[BookFileRow]) -> Result<Label, String> {
    let subject = LabelSubject::read(&kind.to_ascii_lowercase(), &row.address, &row.blockchain)
        .ok_or_else(|| format!("the kind is contact, address, wallet, account or user, not “{kind}”"))?;
    let label = Label { subject, name: row.name.clone() };
    label.check().map_err(|fault| fault.to_string())?;
    let is_twin = |other: &FileEntry| matches!(other, FileEntry::Label(other) if other.subject.is_same(&label.subject));
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
            (LabelSubject::Wallet(WalletId::read("w-1")), "Hot wallet"),
        ];
        let labels = labels.map(|(subject, name)| BookChange::Label { subject, name: Some(name.into()) });
        let contacts = [contact, xrp].map(BookChange::Entered);
        let changes = contacts.into_iter().chain(labels).map(|change| (change, Timestamp::from_millis(0)));
        let book = AddressBook::from_changes(changes);
        let rows = parse_book_file(book_to_csv(&book).unwrap().as_bytes()).unwrap();
        let read: Vec<FileEntry> = rows.into_iter().map(|row| row.entry.unwrap()).collect();
        let contacts = book.entries().iter().map(|entry| FileEntry::Contact(entry.contact.clone()));
        let labels = book.labels().iter().map(|label| FileEntry::Label(label.clone()));
        assert_eq!(read, contacts.chain(labels).collect::<Vec<_>>());
        assert_eq!((book.entries().len(), book.labels().len()), (2, 2));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str| parse_book_file(text.as_bytes()).unwrap_err();
        assert_eq!(said("name,address\n"), "line 1: the column chain is missing; the header must name every column");
        assert!(said("name;address;chain\n").contains("this file seems to use semicolons"));
        assert_eq!(said("name,name,address,chain\n"), "line 1: the column name appears twice");
        assert!(said("name,address,chain,iban\n").starts_with("line 1: no column is called “iban”"));
        let text = format!(
            "\u{feff}Name,Address,Chain\r\nA,{SUPPLIER},ethereum\r\n,{SUPPLIER},base\r\nB,{},eth\r\nC,0x12,eth\r\n=D,{SUPPLIER},bsc\r\nE,x\r\n",
            SUPPLIER.to_lowercase()
        );
        let rows = parse_book_file(text.as_bytes()).unwrap();
        assert!(rows[0].entry.is_ok());
        let said: Vec<String> =
            rows[1..].iter().map(|row| format!("{}: {}", row.line, row.entry.as_ref().unwrap_err())).collect();
        assert_eq!(said[0], "3: a name is missing");
        assert_eq!(said[1], "4: this address is already on line 2; remove one of the two");
        assert!(said[2].starts_with("5: an EVM address has 40 digits"), "{}", said[2]);
        assert!(said[3].starts_with("6: the name begins with a character"), "{}", said[3]);
        assert_eq!(said[4], "7: 2 values under 3 columns; put values that contain a comma in quotes");
    }
}
