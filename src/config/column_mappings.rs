//! `[[profiles.NAME.columns]]`: which column of a file is which, as an operator said it for a header.

use toml_edit::{ArrayOfTables, Item, Table};

use super::Config;
use super::edit::EditFault;
use super::toml_reader::{TomlFault, TomlValue};
use super::views::set_value;
use crate::domain::csv_table::mapping::{ColumnMapping, HeaderMapping};

/// When one more is kept, the oldest is dropped.
const MAX_MAPPINGS: usize = 100;

pub(super) fn parse_column_mappings(value: &TomlValue<'_>, name: &str) -> Result<Vec<HeaderMapping>, TomlFault> {
    let tables = value.tables(name)?;
    if tables.len() > MAX_MAPPINGS {
        return Err(value.fault(&format!("at most {MAX_MAPPINGS} are possible")));
    }
    let mut mappings = Vec::with_capacity(tables.len());
    for (entry, table) in tables {
        table.reject_unknown_keys(&["file", "header", "mapping"])?;
        let text = |key: &'static str| {
            let value = table.get(key).ok_or_else(|| entry.fault(&format!("{key} is missing")))?;
            value.text().map(|text| (value, text))
        };
        let (written, mapping) = text("mapping")?;
        let mapping = ColumnMapping::parse(mapping).map_err(|fault| written.fault(&fault))?;
        let (kind, header) = (text("file")?.1.to_owned(), text("header")?.1.to_owned());
        mappings.push(HeaderMapping { kind, header, mapping });
    }
    Ok(mappings)
}

impl Config {
    /// Keeps a mapping in the file, in place of one for the same header.
    ///
    /// # Errors
    /// Where the file cannot be changed, or writes the mappings otherwise than as tables.
    pub fn keep_column_mapping(&self, profile: &str, mapping: &HeaderMapping) -> Result<(), EditFault> {
        self.edit_profile(profile, |table| {
            let tables = table.entry("columns").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
            let Some(tables) = tables.as_array_of_tables_mut() else {
                return Err(EditFault::Faulty(format!(
                    "the columns of this profile are written as one line; write each as [[profiles.{profile}.columns]]"
                )));
            };
            let has = |table: &Table, key: &str, text: &str| table.get(key).and_then(Item::as_str) == Some(text);
            tables.retain(|table| !(has(table, "file", &mapping.kind) && has(table, "header", &mapping.header)));
            if tables.len() >= MAX_MAPPINGS {
                tables.remove(0);
            }
            let mut fresh = Table::new();
            set_value(&mut fresh, "file", mapping.kind.as_str().into());
            set_value(&mut fresh, "header", mapping.header.as_str().into());
            set_value(&mut fresh, "mapping", mapping.mapping.to_string().into());
            tables.push(fresh);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::{Environment, Overrides};

    fn read(folder: &tempfile::TempDir) -> Config {
        let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
        Config::resolve(overrides, &Environment::default()).unwrap()
    }

    fn mapping(header: &str, pairs: &str) -> HeaderMapping {
        HeaderMapping { kind: "batch".into(), header: header.into(), mapping: ColumnMapping::parse(pairs).unwrap() }
    }

    #[test]
    fn a_mapping_is_kept_for_its_header_and_a_later_one_takes_its_place() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.toml"), "[profiles.live]\nbase_url = \"https://api.example.com\"\n")
            .unwrap();
        let config = read(&folder);
        let (first, other) = (mapping("payee,net", "address=Payee"), mapping("to,net", "address=To"));
        let replacement = mapping("payee,net", "address=Payee amount=\"Net \\\"x=1\"");
        for mapping in [&first, &other, &replacement] {
            config.keep_column_mapping("live", mapping).unwrap();
        }
        assert_eq!(read(&folder).profiles[0].column_mappings, [other, replacement]);
        for number in 0..MAX_MAPPINGS {
            config.keep_column_mapping("live", &mapping(&number.to_string(), "address=Payee")).unwrap();
        }
        let mappings = read(&folder).profiles[0].column_mappings.clone();
        assert_eq!((mappings.len(), mappings[0].header.as_str()), (MAX_MAPPINGS, "0"));
    }

    #[test]
    fn a_mapping_that_says_nothing_is_a_fault_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[profiles.live]\nbase_url = \"https://api.example.com\"\n[[profiles.live.columns]]\nfile = \"batch\"\n\
            header = \"a,b\"\nmapping = \"address\"\n";
        fs::write(folder.path().join("config.toml"), text).unwrap();
        let faults = read(&folder).invalid_profiles;
        assert!(faults.len() == 1 && faults[0].1.contains("names no column"), "{faults:?}");
    }
}
