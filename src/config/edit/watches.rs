//! Changes the watches of a profile in the file. Comments stay.

use toml_edit::{ArrayOfTables, Item, Table, Value, value};

use super::EditFault;
use crate::config::Config;
use crate::config::watches::{ALERT_NAMES, KEYS, condition_values, duration_value};
use crate::domain::Text;
use crate::domain::watch::{Watch, WatchEdit, WatchScope};

impl Config {
    /// Changes a watch of a profile in the file as it is now: another program may have changed it since.
    pub fn edit_watch(&self, name: &str, edit: &WatchEdit) -> Result<(), EditFault> {
        self.require_profile(name)?;
        // Comments are part of neither, so that a comment written meanwhile stays.
        let mut watches = self.watches_in_file(name)?;
        edit.apply(&mut watches).map_err(|reason| EditFault::Faulty(reason.to_owned()))?;
        self.edit_profile(name, |profile| {
            let entry = profile.entry("watch").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
            let tables = entry.as_array_of_tables_mut().ok_or_else(|| {
                let message =
                    format!("the watches of {name} are written in one line; write each as [[profiles.{name}.watch]]");
                EditFault::Faulty(message)
            })?;
            match edit {
                WatchEdit::Add(watch) => {
                    let mut table = Table::new();
                    fill_table(&mut table, watch);
                    tables.push(table);
                }
                WatchEdit::Replace { index, now, .. } => {
                    if let Some(table) = tables.get_mut(*index) {
                        fill_table(table, now);
                    }
                }
                WatchEdit::Remove { index, .. } => drop(tables.remove(*index)),
            }
            Ok(())
        })
    }
}

/// Writes a watch into its table, and removes what it does not say.
fn fill_table(table: &mut Table, watch: &Watch) {
    let mut entries: Vec<(&str, Value)> = Vec::new();
    let mut text =
        |key: &'static str, word: Option<&Text>| entries.extend(word.map(|word| (key, word.as_str().into())));
    text("name", watch.name.as_ref());
    text("token", watch.token.as_ref());
    text("chain", watch.chain.as_ref());
    match &watch.scope {
        WatchScope::Everything => {}
        WatchScope::Account(name) => text("account", Some(name)),
        WatchScope::Wallet(name) => text("wallet", Some(name)),
    }
    if watch.is_of_total() {
        entries.push(("total", true.into()));
    }
    entries.extend(condition_values(&watch.condition));
    entries.extend(watch.max_age.as_ref().map(|age| ("max_age", duration_value(*age))));
    let alert = ALERT_NAMES.iter().find(|(_, channels)| *channels == watch.alert).map_or("none", |(name, _)| name);
    if alert != "none" || table.contains_key("notify") {
        entries.push(("notify", alert.into()));
    }
    if watch.is_muted {
        entries.push(("muted", true.into()));
    }
    for key in &KEYS {
        if !entries.iter().any(|(other, _)| other == key) {
            table.remove(key);
        }
    }
    for (key, new) in entries {
        match table.get_mut(key).and_then(Item::as_value_mut) {
            // The comment behind it stays.
            Some(old) => {
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
            None => drop(table.insert(key, value(new))),
        }
    }
}
