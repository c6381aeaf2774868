//! How rows are written for other programs.

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// Comma-separated values with a header; a spreadsheet treats no cell as a formula.
    #[default]
    Csv,
    /// An array of objects, one on each line.
    Json,
}

impl Format {
    /// Both, by the words that name them, which are also how their files end.
    pub const ALL: [(&'static str, Self); 2] = [("csv", Self::Csv), ("json", Self::Json)];

    /// The word that names it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}
