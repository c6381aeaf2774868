//! `[[profiles.NAME.view]]`: views of the transactions that an operator saved, read and edited.

use std::sync::Arc;

use toml_edit::{ArrayOfTables, Item, Table, TableLike, Value, value};

use super::Config;
use super::edit::EditFault;
use super::toml_reader::{TomlFault, TomlTable, TomlValue};
use crate::domain::Text;
use crate::domain::filter::{Filter, FilterContext};
use crate::domain::history::{PriceList, Sort};
use crate::domain::saved_view::{SavedView, ViewChange, is_same_name, view_name_fault};
use crate::domain::{Amount, Timestamp};

const MAX_VIEWS: usize = 100;

pub(super) fn parse_views(value: &TomlValue<'_>, name: &str) -> Result<Vec<SavedView>, TomlFault> {
    let tables = value.tables(name)?;
    if tables.len() > MAX_VIEWS {
        return Err(value.fault(&format!("at most {MAX_VIEWS} views are possible")));
    }
    let mut views: Vec<SavedView> = Vec::new();
    for (entry, table) in tables {
        let view = parse_view(entry, &table)?;
        if views.iter().any(|other| is_same_name(&other.name, &view.name)) {
            return Err(entry.fault("another view has this name; give each a name of its own"));
        }
        views.push(view);
    }
    Ok(views)
}

fn parse_view(entry: TomlValue<'_>, table: &TomlTable<'_>) -> Result<SavedView, TomlFault> {
    table.reject_unknown_keys(&["name", "filter", "sort"])?;
    let name = table.get("name").ok_or_else(|| entry.fault("name is missing, as in \"Deposits of October\""))?;
    if let Some(fault) = view_name_fault(name.text()?) {
        return Err(name.fault(fault));
    }
    let filter = table.get("filter");
    let text = filter.map(|filter| filter.text()).transpose()?.unwrap_or_default();
    if let Some((filter, fault)) = filter.zip(filter_fault(text)) {
        return Err(filter.fault(&fault));
    }
    let sort = table.get("sort").map_or(Ok(Sort::default()), |sort| sort.one_of(&Sort::NAMES))?;
    Ok(SavedView { name: Text::clean(name.text()?), filter: text.to_owned(), sort })
}

/// Why a filter cannot be understood, whatever the time and with any prices.
fn filter_fault(text: &str) -> Option<String> {
    let prices = Amount::parse("1", 0).ok().map(|one| ("USDT".into(), one));
    let context = FilterContext {
        now: Some(Timestamp::from_millis(0)),
        prices: PriceList { prices: prices.into_iter().collect(), ..PriceList::default() },
        row_changes: Some(Arc::default()),
        ..FilterContext::default()
    };
    let fault = Filter::parse(text, &context).faults.into_iter().next()?;
    Some(format!("{}: {}", fault.word, fault.message))
}

impl Config {
    /// Changes the views of a profile in the file.
    ///
    /// # Errors
    /// Where the file cannot be changed, or writes the views otherwise than as tables.
    pub fn change_views(&self, profile: &str, change: &ViewChange) -> Result<(), EditFault> {
        self.edit_profile(profile, |table| {
            let views = table.entry("view").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
            let Some(views) = views.as_array_of_tables_mut() else {
                return Err(EditFault::Faulty(format!(
                    "the views of this profile are written as one line; write each as [[profiles.{profile}.view]]"
                )));
            };
            change_tables(views, change);
            if views.is_empty() {
                table.remove("view");
            }
            Ok(())
        })
    }
}

fn change_tables(views: &mut ArrayOfTables, change: &ViewChange) {
    let position = |views: &ArrayOfTables, name: &Text| {
        views
            .iter()
            .position(|view| view.get("name").and_then(Item::as_str).is_some_and(|other| is_same_name(other, name)))
    };
    match change {
        ViewChange::Save(view) => {
            let at = position(views, &view.name);
            let mut fresh = Table::new();
            let table = match at.and_then(|at| views.get_mut(at)) {
                Some(view) => view,
                None => &mut fresh,
            };
            set_value(table, "name", view.name.as_str().into());
            set_value(table, "filter", view.filter.as_str().into());
            if view.sort != Sort::default() || table.contains_key("sort") {
                set_value(table, "sort", view.sort.name().into());
            }
            if at.is_none() {
                views.push(fresh);
            }
        }
        ViewChange::Rename { from, to } => {
            if let Some(view) = position(views, from).and_then(|at| views.get_mut(at)) {
                set_value(view, "name", to.as_str().into());
            }
        }
        ViewChange::Remove(name) => {
            if let Some(at) = position(views, name) {
                views.remove(at);
            }
        }
    }
}

/// Sets a value and leaves the comment behind it.
pub(super) fn set_value(table: &mut dyn TableLike, key: &str, new: Value) {
    if let Some(value) = table.get_mut(key).and_then(Item::as_value_mut) {
        let decor = value.decor().clone();
        *value = new;
        *value.decor_mut() = decor;
    } else {
        table.insert(key, value(new));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::{Environment, Overrides};

    const CONFIG_TEXT: &str = "\
# Ada's file.
[profiles.live]
base_url = \"https://api.example.com\"  # not the old one

# What the auditors ask for.
[[profiles.live.view]]
name = \"Audit\"          # do not rename
filter = \"amount:>10k\"  # since 2025

[[profiles.live.view]]
name = \"Payroll\"
filter = \"note:payroll last month\"
sort = \"largest\"
";

    fn read(folder: &tempfile::TempDir) -> Config {
        let overrides = Overrides { config_dir: Some(folder.path().to_owned()), ..Overrides::default() };
        Config::resolve(overrides, &Environment::default()).unwrap()
    }

    fn view(name: &str, filter: &str, sort: Sort) -> SavedView {
        SavedView { name: name.into(), filter: filter.into(), sort }
    }

    #[test]
    fn views_are_saved_renamed_and_removed_and_every_comment_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        fs::write(&file, CONFIG_TEXT).unwrap();
        let config = read(&folder);
        let payroll = view("Payroll", "note:payroll last month", Sort::Largest);
        assert_eq!(config.profiles[0].views, [view("Audit", "amount:>10k", Sort::Newest), payroll.clone()]);
        let gas = view("Gas", "chain:ethereum \"quoted\" this week", Sort::Oldest);
        for change in [
            ViewChange::Save(view("audit", "amount:>20k", Sort::Newest)),
            ViewChange::Save(gas.clone()),
            ViewChange::Rename { from: "AUDIT".into(), to: "Auditors".into() },
        ] {
            config.change_views("live", &change).unwrap();
        }
        let audit = view("Auditors", "amount:>20k", Sort::Newest);
        assert_eq!(read(&folder).profiles[0].views, [audit, payroll, gas.clone()]);
        let text = fs::read_to_string(&file).unwrap();
        for comment in
            ["# Ada's file.", "# not the old one", "# What the auditors ask for.", "# do not rename", "# since 2025"]
        {
            assert!(text.contains(comment), "{comment} is lost in\n{text}");
        }
        for name in ["Auditors", "Payroll", "gas", "nothing"] {
            config.change_views("live", &ViewChange::Remove(name.into())).unwrap();
        }
        assert_eq!(read(&folder).profiles[0].views, []);
        assert!(!fs::read_to_string(&file).unwrap().contains("view"), "{}", fs::read_to_string(&file).unwrap());
        config.change_views("live", &ViewChange::Save(gas.clone())).unwrap();
        assert_eq!(read(&folder).profiles[0].views, [gas]);
    }

    #[test]
    fn a_view_that_cannot_be_is_a_fault_of_the_file() {
        for (lines, fault) in [
            ("filter = \"usdc\"", "name is missing"),
            ("name = \" \"", "name: write a text in quotation marks"),
            ("name = \"a\"\nfilter = \"fom:x\"", "no field is called fom"),
            ("name = \"a\"\nsort = \"biggest\"", "largest"),
            ("name = \"a\"\n[[profiles.live.view]]\nname = \"A\"", "another view has this name"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let text =
                format!("[profiles.live]\nbase_url = \"https://api.example.com\"\n[[profiles.live.view]]\n{lines}\n");
            fs::write(folder.path().join("config.toml"), text).unwrap();
            let faults = read(&folder).invalid_profiles;
            assert!(faults.len() == 1 && faults[0].1.contains(fault), "{lines}: {faults:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        let inline = "[profiles.live]\nbase_url = \"https://api.example.com\"\nview = [{ name = \"a\" }]\n";
        fs::write(folder.path().join("config.toml"), inline).unwrap();
        let config = read(&folder);
        assert_eq!(config.profiles[0].views.len(), 1);
        let fault = config.change_views("live", &ViewChange::Remove("a".into())).unwrap_err();
        assert!(fault.to_string().contains("[[profiles.live.view]]"), "{fault}");
    }
}
