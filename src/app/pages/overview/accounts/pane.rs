//! The pane of accounts.

use super::after_account_change;
use crate::app::input::keymap::{Command, Context};
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::overlays::copying::items::items_of_known_values;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::menu::MenuItem;
use crate::app::pages::pane::{OpenRow, PaneLogic, shows_list};
use crate::app::screen::Pane;
use crate::domain::export::cells::ExportTable;
use crate::domain::export::directory::{ACCOUNT_COLUMNS, account_cells};
use crate::domain::history::Scope;

pub struct AccountsPane;

impl PaneLogic for AccountsPane {
    shows_list!(model => model.pages.overview.accounts);

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        let before = model.pages.overview.accounts.selected_key().cloned();
        let accounts = &mut model.pages.overview.accounts;
        if !accounts.moves_to_row_of_all(command) {
            accounts.run_motion(command, false);
        }
        if model.pages.overview.accounts.selected_key() == before.as_ref() {
            Vec::new()
        } else {
            after_account_change(model)
        }
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            let selected = model.pages.overview.accounts.select_first_visible();
            model.set_focus(Pane::Wallets);
            if selected { after_account_change(model) } else { Vec::new() }
        })
    }

    fn leads_to_next_pane(&self) -> bool {
        true
    }

    fn after_deselection(&self, model: &mut Model) -> Vec<Effect> {
        after_account_change(model)
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        let Some(selected_account) = model.pages.overview.accounts.selected() else { return Vec::new() };
        let account = &selected_account.entry;
        items_of_known_values([
            ("Account id", Some(account.id.to_string())),
            ("Name", account.name.as_ref().map(ToString::to_string)),
        ])
    }

    fn exportable_list(&self, _model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["account", "accounts"],
            qualifiers: String::new(),
            rows: |model| {
                let accounts = model.pages.overview.accounts.rows();
                Some(ExportTable::new("accounts", ACCOUNT_COLUMNS, accounts.iter().map(account_cells)).into())
            },
        })
    }

    fn scope_of_selected_row(&self, model: &Model) -> Option<Scope> {
        model.pages.overview.accounts.selected_key().cloned().map(Scope::Account)
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Overview]
    }
}
