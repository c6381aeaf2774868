//! The first line of a file: which column is which, by name or by mapping, and which one is missing.

use csv::StringRecord;

use super::mapping::{ColumnMapping, HeaderMapping, KnownMappings};
use super::{CsvTable, TableLayout, squeeze_name};
use crate::domain::address::{find_secret, recognise_address_kind};
use crate::domain::{AddressError, Text};

impl<C: Copy + PartialEq> TableLayout<C> {
    pub(super) fn read_header(&self, header: &StringRecord, mappings: &KnownMappings) -> Result<CsvTable<C>, String> {
        if let Some(secret) = header.iter().find_map(find_secret) {
            return Err(format!("line 1: {}", AddressError::Secret { kind: secret }));
        }
        let (mapping, is_kept) = mappings.for_header(self.kind, header);
        let (mut columns, mut notes, mut ignored) = (Vec::with_capacity(header.len()), Vec::new(), Vec::new());
        let mapped = self.mapped_columns(header, &mapping)?;
        if is_kept {
            notes.push("its columns are read as you said before for this header".to_owned());
        }
        for (at, name) in header.iter().enumerate() {
            let clean_name = Text::clean(name);
            let mapped_column = mapped.iter().find(|(_, position)| *position == at).map(|(column, _)| *column);
            // A column that was mapped takes the place of the one that has the name.
            let unmapped =
                || self.column_by_name(name).filter(|position| mapped.iter().all(|(column, _)| column != position));
            let Some(column) = mapped_column.or_else(unmapped) else {
                if name.is_empty() {
                    return Err(format!("line 1 has a column without a name; the first line is {}", self.example));
                }
                if recognise_address_kind(name).is_some() || name.starts_with("0x") {
                    return Err(format!(
                        "line 1 is already a row; the first line must name the columns: {}",
                        self.example
                    ));
                }
                ignored.push(clean_name.to_string());
                columns.push(None);
                continue;
            };
            let own = self.column_name(column);
            if let Some(first) = columns.iter().position(|other| *other == Some(column)) {
                if header.get(first).is_some_and(|first| squeeze_name(first) == squeeze_name(name)) {
                    return Err(format!("line 1: two columns are called “{clean_name}”; remove one of them"));
                }
                return Err(format!(
                    "line 1: two columns mean the same; remove “{clean_name}”, or say which is meant: FILE {}",
                    ColumnMapping::example(own, &clean_name)
                ));
            }
            if squeeze_name(own) != squeeze_name(name) {
                notes.push(format!("its column “{clean_name}” is read as the {own}"));
            }
            columns.push(Some(column));
        }
        for column in self.required {
            if !columns.contains(&Some(*column)) {
                return Err(self.missing_column_error(*column, &ignored));
            }
        }
        if !ignored.is_empty() {
            notes.push(format!("not read: {}", quoted_list(&ignored)));
        }
        let mapping = (!mapping.is_empty()).then(|| HeaderMapping::new(self.kind, header, mapping));
        Ok(CsvTable { columns, rows: Vec::new(), notes, ignored, mapping })
    }

    /// The position of each column that the mapping names.
    fn mapped_columns(&self, header: &StringRecord, mapping: &ColumnMapping) -> Result<Vec<(C, usize)>, String> {
        let place = |(own, name): (&str, &str)| {
            let column = self
                .columns
                .iter()
                .find(|(_, names)| names.first().is_some_and(|first| first.eq_ignore_ascii_case(own)));
            let Some((column, _)) = column else {
                let names: Vec<&str> = self.columns.iter().filter_map(|(_, names)| names.first().copied()).collect();
                return Err(format!("no column is called “{}” here; there are {}", Text::clean(own), names.join(", ")));
            };
            let is_meant = |(_, column_name): &(usize, &str)| squeeze_name(column_name) == squeeze_name(name);
            let mut matches = header.iter().enumerate().filter(is_meant);
            match (matches.next(), matches.next()) {
                (Some((at, _)), None) => Ok((*column, at)),
                (Some(_), Some(_)) => Err(format!("line 1: two columns are called “{}”", Text::clean(name))),
                (None, _) => {
                    let names: Vec<String> = header.iter().map(|name| Text::clean(name).to_string()).collect();
                    Err(format!("line 1 has no column “{}”; it has {}", Text::clean(name), quoted_list(&names)))
                }
            }
        };
        let mapped = mapping.pairs().map(place).collect::<Result<Vec<_>, _>>()?;
        let is_twice = |(at, (column, position)): (usize, &(C, usize))| {
            mapped.iter().take(at).any(|(other, place)| other == column || place == position)
        };
        if mapped.iter().enumerate().any(is_twice) {
            return Err("a column is named twice; name each once".into());
        }
        Ok(mapped)
    }

    fn missing_column_error(&self, column: C, ignored: &[String]) -> String {
        let own = self.column_name(column);
        match ignored {
            [] => format!("line 1: the column {own} is missing; the first line is {}", self.example),
            _ => format!(
                "line 1: no column is called {own}; write behind the file which one it is, as in FILE {}; columns: {}",
                ColumnMapping::example(own, "COLUMN"),
                quoted_list(ignored)
            ),
        }
    }
}

fn quoted_list(names: &[String]) -> String {
    names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ")
}
