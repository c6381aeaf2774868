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

    /// The next format, as a key cycles through them.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|(_, format)| *format == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()].1
    }
}
