//! The columns of exported rows, and the formats of these and of other files.

pub mod balances;
pub mod book;
pub mod cells;
pub mod directory;
pub mod orders;
pub mod transactions;

use std::sync::LazyLock;

/// The format of a table. The command line, the console and its palette list these formats by what stands here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ExportFormat {
    #[default]
    Csv,
    Json,
}

/// Guards against formula injection: spreadsheets read cells that begin like this as formulas, and a note or a name may
/// come from an attacker. An apostrophe in front makes them text.
pub fn escape_formula(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell.to_owned() }
}

impl ExportFormat {
    pub const ALL: [Self; 2] = [Self::Csv, Self::Json];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    pub const fn description(self) -> &'static str {
        match self {
            Self::Csv => "Comma-separated values with a header; a spreadsheet treats no cell as a formula",
            Self::Json => "An array of objects, one on each line",
        }
    }
}

/// The plain-text accounting programs whose journals are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BooksFormat {
    Hledger,
    Beancount,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReceiptFormat {
    /// A page to print.
    Html,
    Text,
    Json,
}

/// The format of a file that is written for another program or for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileFormat {
    Table(ExportFormat),
    Books(BooksFormat),
    Receipt(ReceiptFormat),
}

impl FileFormat {
    const BOOKS: &[Self] = &[Self::Books(BooksFormat::Hledger), Self::Books(BooksFormat::Beancount)];
    pub const RECEIPTS: &[Self] =
        &[Self::Receipt(ReceiptFormat::Html), Self::Receipt(ReceiptFormat::Text), Self::Receipt(ReceiptFormat::Json)];

    pub fn tables() -> &'static [Self] {
        static FORMATS: LazyLock<Vec<FileFormat>> = LazyLock::new(|| ExportFormat::ALL.map(FileFormat::Table).into());
        &FORMATS
    }

    pub fn tables_and_books() -> &'static [Self] {
        static FORMATS: LazyLock<Vec<FileFormat>> =
            LazyLock::new(|| [FileFormat::tables(), FileFormat::BOOKS].concat());
        &FORMATS
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Table(format) => format.name(),
            Self::Books(BooksFormat::Hledger) => "hledger",
            Self::Books(BooksFormat::Beancount) => "beancount",
            Self::Receipt(ReceiptFormat::Html) => "html",
            Self::Receipt(ReceiptFormat::Text) => "text",
            Self::Receipt(ReceiptFormat::Json) => "json",
        }
    }

    /// The ending of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Books(BooksFormat::Hledger) => "journal",
            Self::Receipt(ReceiptFormat::Text) => "txt",
            Self::Table(_) | Self::Books(BooksFormat::Beancount) | Self::Receipt(_) => self.name(),
        }
    }

    /// The next of these formats, as a key cycles through them.
    #[must_use]
    pub fn next_of(self, offered: &[Self]) -> Self {
        let at = offered.iter().position(|format| *format == self).map_or(0, |at| at + 1);
        offered.get(at).or(offered.first()).copied().unwrap_or(self)
    }
}

impl From<ExportFormat> for FileFormat {
    fn from(format: ExportFormat) -> Self {
        Self::Table(format)
    }
}

impl Default for FileFormat {
    fn default() -> Self {
        Self::Table(ExportFormat::default())
    }
}
