//! Rows of named cells, as they are exported.

/// `None` is an empty cell.
pub type Cell = Option<String>;

pub fn optional_cell<T: ToString>(value: Option<&T>) -> Cell {
    value.map(ToString::to_string)
}

/// Several texts in one cell, each on its own line: a [`Text`](crate::domain::Text) never contains a line break.
pub fn multi_line_cell<T: ToString>(texts: impl Iterator<Item = T>) -> Cell {
    let all: Vec<String> = texts.map(|text| text.to_string()).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Declares the columns of a table once: a constant with their names, and the function that gives the cells of a row.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        pub fn $cells:ident($($argument:ident: $type:ty),*) -> $names:ident {
            $(let $pattern:pat = $value:expr;)*
            $($name:literal => $cell:expr,)*
        }
    ) => {
        pub const $names: &[&str] = &[$($name),*];

        $(#[$doc])*
        pub fn $cells($($argument: $type),*) -> [Cell; $names.len()] {
            $(let $pattern = $value;)*
            [$($cell),*]
        }
    };
}
pub(crate) use columns;

/// A list that is whole in memory, as it is exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportTable {
    /// What the rows are, for the name of the file.
    pub kind: &'static str,
    pub columns: &'static [&'static str],
    /// A cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl ExportTable {
    pub fn new<const N: usize>(
        kind: &'static str,
        columns: &'static [&'static str],
        rows: impl IntoIterator<Item = [Cell; N]>,
    ) -> Self {
        Self { kind, columns, rows: rows.into_iter().map(Vec::from).collect() }
    }
}
