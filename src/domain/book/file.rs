//! The address book as a file: CSV with a header, the same columns for import and export.

use csv::{ReaderBuilder, Trim, Writer};

use super::{BookEntry, Contact};
use crate::domain::Text;
use crate::domain::line_counter::{LineCounter, separator_error};

/// The columns, of which the first three are required.
pub const CONTACT_COLUMNS: [&str; 5] = ["name", "address", "chain", "tag", "note"];

/// The largest plausible file.
const MAX_FILE_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactRow {
    /// Counted from 1.
    pub line: u64,
    pub contact: Result<Contact, String>,
}

/// Reads a whole file.
///
/// # Errors
/// What is wrong with the file as a whole.
pub fn parse_contact_file(bytes: &[u8]) -> Result<Vec<ContactRow>, String> {
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
    let mut places = [None; CONTACT_COLUMNS.len()];
    for (at, name) in header.iter().enumerate() {
        let known = CONTACT_COLUMNS.iter().position(|column| column.eq_ignore_ascii_case(name));
        match known.and_then(|column| places.get_mut(column)) {
            Some(place @ None) => *place = Some(at),
            Some(Some(_)) => return Err(format!("line 1: the column {} appears twice", Text::clean(name))),
            None => {
                let (name, known) = (Text::clean(name), CONTACT_COLUMNS.join(", "));
                return Err(format!("line 1: no column is called “{name}”; there are {known}"));
            }
        }
    }
    if let Some((column, _)) = CONTACT_COLUMNS.iter().zip(places).take(3).find(|(_, place)| place.is_none()) {
        return Err(format!("line 1: the column {column} is missing; the header must name every column"));
    }
    let mut rows: Vec<ContactRow> = Vec::new();
    let mut lines = LineCounter::new(text);
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = lines.line_of(&record);
        let field =
            |column: usize| places.get(column).copied().flatten().and_then(|at| record.get(at)).map(Text::clean);
        let some = |column: usize| field(column).filter(|text| !text.is_empty());
        let contact = if record.len() == header.len() {
            let told = |column: usize| field(column).unwrap_or_default();
            let contact = Contact { name: told(0), address: told(1), blockchain: told(2), tag: some(3), note: some(4) };
            check_contact(contact, &rows)
        } else {
            Err(format!(
                "{} values under {} columns; put values that contain a comma in quotes",
                record.len(),
                header.len()
            ))
        };
        rows.push(ContactRow { line, contact });
    }
    Ok(rows)
}

/// Checks that a contact is valid and not in an earlier row.
fn check_contact(contact: Contact, rows: &[ContactRow]) -> Result<Contact, String> {
    contact.check().map_err(|fault| fault.to_string())?;
    let is_twin = |other: &Contact| other.is_at(&contact.address, &contact.blockchain);
    match rows.iter().find(|row| row.contact.as_ref().is_ok_and(is_twin)) {
        Some(row) => Err(format!("this address is already on line {}; remove one of the two", row.line)),
        None => Ok(contact),
    }
}

pub fn contacts_to_csv(entries: &[BookEntry]) -> Result<String, csv::Error> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(CONTACT_COLUMNS)?;
    for BookEntry { contact, .. } in entries {
        let optional = |text: &Option<Text>| text.as_ref().map(ToString::to_string).unwrap_or_default();
        let (tag, note) = (optional(&contact.tag), optional(&contact.note));
        writer.write_record([&*contact.name, &*contact.address, &*contact.blockchain, &tag, &note])?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(std::io::Error::other(error.to_string())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;

    const SUPPLIER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

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
        let since = Timestamp::from_millis(0);
        let known = [contact, xrp].map(|contact| BookEntry { contact, entered_at: since, effective_since: since });
        let rows = parse_contact_file(contacts_to_csv(&known).unwrap().as_bytes()).unwrap();
        let read: Vec<&Contact> = rows.iter().map(|row| row.contact.as_ref().unwrap()).collect();
        assert_eq!(read, [&known[0].contact, &known[1].contact]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str| parse_contact_file(text.as_bytes()).unwrap_err();
        assert_eq!(said("name,address\n"), "line 1: the column chain is missing; the header must name every column");
        assert!(said("name;address;chain\n").contains("this file seems to use semicolons"));
        assert_eq!(said("name,name,address,chain\n"), "line 1: the column name appears twice");
        assert!(said("name,address,chain,iban\n").starts_with("line 1: no column is called “iban”"));
        let text = format!(
            "\u{feff}Name,Address,Chain\r\nA,{SUPPLIER},ethereum\r\n,{SUPPLIER},base\r\nB,{},eth\r\nC,0x12,eth\r\n=D,{SUPPLIER},bsc\r\nE,x\r\n",
            SUPPLIER.to_lowercase()
        );
        let rows = parse_contact_file(text.as_bytes()).unwrap();
        assert!(rows[0].contact.is_ok());
        let said: Vec<String> =
            rows[1..].iter().map(|row| format!("{}: {}", row.line, row.contact.as_ref().unwrap_err())).collect();
        assert_eq!(said[0], "3: a name is missing");
        assert_eq!(said[1], "4: this address is already on line 2; remove one of the two");
        assert!(said[2].starts_with("5: an EVM address has 40 digits"), "{}", said[2]);
        assert!(said[3].starts_with("6: the name begins with a character"), "{}", said[3]);
        assert_eq!(said[4], "7: 2 values under 3 columns; put values that contain a comma in quotes");
    }
}
