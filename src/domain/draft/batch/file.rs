//! Recipients from a file, or from several pasted lines.
//!
//! No row is dropped silently: each becomes a recipient or an error.

use super::{RecipientRow, TokenHint};
use crate::domain::address;
use crate::domain::csv_table::mapping::{HeaderMapping, KnownMappings};
use crate::domain::csv_table::{self, CsvRow, CsvTable, TableLayout};

/// In bytes.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;

/// More than any batch may have, so that a long list can be checked before it is split.
pub const MAX_ROWS: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecipientFile {
    pub rows: Vec<RecipientRow>,
    /// Remarks for the operator, such as columns that were read under another name.
    pub notes: Vec<String>,
    /// The mapping that was used, if one was typed or kept for the header.
    pub mapping: Option<HeaderMapping>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecipientColumn {
    Address,
    Amount,
    Label,
    Reference,
    Memo,
    Token,
    Chain,
    /// The contract and the kind of the token, as in Safe's airdrop files.
    Contract,
    Kind,
    /// The number of a collectible in such a file, which no token has.
    Id,
}

/// Columns that change what a row means are recognised under the names of other programs too, so that none of them is
/// passed over as one that is not read.
const LAYOUT: TableLayout<RecipientColumn> = TableLayout {
    kind: "batch",
    columns: &[
        (
            RecipientColumn::Address,
            &["address", "receiver", "wallet", "wallet address", "recipient address", "to address", "payee address"],
        ),
        (RecipientColumn::Amount, &["amount", "value"]),
        (RecipientColumn::Label, &["label"]),
        (
            RecipientColumn::Reference,
            &["reference", "ref", "invoice", "invoice no", "invoice no.", "invoice number", "invoice id"],
        ),
        (
            RecipientColumn::Memo,
            &["memo", "tag", "destination tag", "memo/tag", "memo id", "payment id", "memo tag", "dt"],
        ),
        (RecipientColumn::Token, &["token", "currency", "coin", "asset", "symbol", "ccy", "ticker"]),
        (RecipientColumn::Chain, &["chain", "network", "blockchain"]),
        (RecipientColumn::Contract, &["token_address", "contract", "contract address", "token contract"]),
        (RecipientColumn::Kind, &["token_type"]),
        (RecipientColumn::Id, &["id"]),
    ],
    required: &[RecipientColumn::Address, RecipientColumn::Amount],
    example: EXPECTED_HEADER,
    max_bytes: MAX_FILE_BYTES,
    max_rows: MAX_ROWS,
};

const EXPECTED_HEADER: &str = "address,amount[,label][,reference]";

/// Reads a whole file. What a row states about its token stays in the row, to be compared with the chosen token at
/// every check.
///
/// # Errors
/// What is wrong with the file as a whole, and what would be right.
pub fn parse_recipient_file(bytes: &[u8], mappings: &KnownMappings) -> Result<RecipientFile, String> {
    let table = LAYOUT.read(bytes, mappings)?;
    let rows = table.rows.iter().map(|row| read_row(&table, row)).collect::<Result<_, _>>()?;
    Ok(RecipientFile { rows, notes: table.notes, mapping: table.mapping })
}

/// Parses several pasted lines: address, amount and optionally a label, separated by commas, semicolons or tabs; or a whole
/// file with its header.
///
/// # Errors
/// What is wrong with the lines as a whole.
pub fn parse_recipient_lines(text: &str) -> Result<RecipientFile, String> {
    // A terminal pastes line ends as lone carriage returns.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_matches(['\u{feff}', '\n']);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let delimiter = csv_table::row_delimiter(first);
    let cell = first.split(delimiter).next().unwrap_or_default().trim().trim_matches('"');
    if LAYOUT.column_by_name(cell).is_some() {
        let recipient_file = parse_recipient_file(text.as_bytes(), &KnownMappings::default())?;
        let typed = |row| RecipientRow { line: None, ..row };
        return Ok(RecipientFile { rows: recipient_file.rows.into_iter().map(typed).collect(), ..recipient_file });
    }
    let mut reader = csv_table::reader(text, delimiter, false);
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| format!("what was pasted cannot be read: {error}"))?;
        if rows.len() == MAX_ROWS {
            return Err(format!("that paste has more than {MAX_ROWS} rows"));
        }
        if let Some(fault) = csv_table::secret_fault(&record) {
            rows.push(RecipientRow { fault: Some(fault), ..RecipientRow::default() });
            continue;
        }
        let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
        let fault = match record.len() {
            values @ 4.. => {
                Some(format!("{values} values on one line; a row is an address, an amount and perhaps a label"))
            }
            _ => None,
        };
        let (address, amount, label) = (cell(0), cell(1), cell(2));
        let address = address::parse_grouped(&address).unwrap_or(address);
        rows.push(RecipientRow { line: None, address, amount, label, fault, ..RecipientRow::default() });
    }
    if rows.is_empty() {
        Err("that paste holds no row".into())
    } else {
        Ok(RecipientFile { rows, ..RecipientFile::default() })
    }
}

/// Reads a row of a file.
///
/// # Errors
/// A row that no batch can carry, which refuses the whole file.
fn read_row(table: &CsvTable<RecipientColumn>, row: &CsvRow) -> Result<RecipientRow, String> {
    let cell = |column: RecipientColumn| table.cell(row, column);
    if row.fault.is_none() && !cell(RecipientColumn::Memo).is_empty() {
        return Err(format!(
            "line {} has a memo, which a batch cannot carry: remove this row and pay it separately",
            row.line
        ));
    }
    let text = |column| cell(column).to_owned();
    Ok(RecipientRow {
        line: Some(row.line),
        address: address::parse_grouped(cell(RecipientColumn::Address))
            .unwrap_or_else(|| text(RecipientColumn::Address)),
        amount: text(RecipientColumn::Amount),
        label: text(RecipientColumn::Label),
        reference: text(RecipientColumn::Reference),
        token_hint: TokenHint {
            token: text(RecipientColumn::Token),
            chain: text(RecipientColumn::Chain),
            contract: text(RecipientColumn::Contract),
            kind: text(RecipientColumn::Kind),
            id: text(RecipientColumn::Id),
        },
        fault: row.fault.clone(),
    })
}
