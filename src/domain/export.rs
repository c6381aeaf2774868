//! The formats of exported rows.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ExportFormat {
    /// Comma-separated values with a header; a spreadsheet treats no cell as a formula.
    #[default]
    Csv,
    /// An array of objects, one on each line.
    Json,
}

impl ExportFormat {
    /// Both formats by name, which is also their file extension.
    pub const ALL: [(&'static str, Self); 2] = [("csv", Self::Csv), ("json", Self::Json)];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}
