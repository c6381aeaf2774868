//! A list that can be exported, as its pane describes it.

use super::ExportRows;
use crate::app::model::Model;
use crate::domain::Holding;
use crate::domain::export::balances::{BALANCE_COLUMNS, balance_cells};
use crate::domain::export::cells::ExportTable;
use crate::domain::history::Scope;

pub(in crate::app) struct ExportList {
    /// What one row is called, and several.
    pub nouns: [&'static str; 2],
    /// Owner, filter, and what is left out.
    pub qualifiers: String,
    /// All rows of the list that has the focus, in their order.
    pub rows: fn(&Model) -> Option<ExportRows>,
}

pub(in crate::app) fn filter_phrase(filter: &str) -> String {
    if filter.is_empty() { String::new() } else { format!(", filtered by {filter}") }
}

pub(in crate::app) fn scope_phrase(model: &Model, scope: &Scope) -> String {
    if *scope == Scope::All { String::new() } else { format!(" of {}", model.scope_name(scope)) }
}

/// The remark on balances that are hidden on screen, and left out of the export too.
pub(in crate::app) fn hidden_tokens_remark(model: &Model, all: &[Holding]) -> String {
    let hidden = all.iter().filter(|holding| holding.suspicious).count();
    match hidden {
        _ if model.pages.shows_suspicious => String::new(),
        0 => String::new(),
        1 => "; 1 imitation token is hidden (h) and left out".into(),
        _ => format!("; {hidden} imitation tokens are hidden (h) and left out"),
    }
}

/// The holdings of a scope.
pub(in crate::app) fn balance_table(model: &Model, scope: &Scope, holdings: &[Holding]) -> ExportRows {
    let name = model.scope_label(scope);
    ExportTable::new("balances", BALANCE_COLUMNS, holdings.iter().map(|holding| balance_cells(scope, name, holding)))
        .into()
}
