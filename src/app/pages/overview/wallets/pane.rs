//! The pane of wallets.

use crate::app::data::queries;
use crate::app::input::keymap::{Command, Context};
use crate::app::list_filter::examples::distinct_single_words;
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::overlays::copying::items::items_of_wallet;
use crate::app::overlays::directory_record::scope::selected_scope;
use crate::app::overlays::export::list::{filter_phrase, scope_phrase};
use crate::app::overlays::export::{ExportList, ExportRows};
use crate::app::overlays::menu::MenuItem;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::app::screen::Pane;
use crate::domain::history::Scope;

pub struct WalletsPane;

impl PaneLogic for WalletsPane {
    shows_list!(model => model.pages.overview.wallets);

    fn query_rows(&self, model: &mut Model) -> Option<Effect> {
        Some(queries::query_wallets(model))
    }

    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        let before = model.pages.overview.wallets.selected_key().cloned();
        let wallets = &mut model.pages.overview.wallets;
        let is_short = !wallets.moves_to_row_of_all(command) && wallets.run_motion(command, false);
        let mut effects = if is_short { vec![queries::query_wallets(model)] } else { Vec::new() };
        if model.pages.overview.wallets.selected_key() != before.as_ref() {
            model.pages.overview.recent.listing.reset_position();
            effects.extend(queries::query_for_selected_scope(model));
        }
        effects
    }

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            let selected = model.pages.overview.wallets.select_first_visible();
            model.set_focus(Pane::Balances);
            if selected { queries::query_for_selected_scope(model) } else { Vec::new() }
        })
    }

    fn leads_to_next_pane(&self) -> bool {
        true
    }

    fn after_deselection(&self, model: &mut Model) -> Vec<Effect> {
        queries::query_for_selected_scope(model)
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.overview.wallet_filter)
    }

    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        model.pages.overview.wallets.reset_position();
        let mut effects = vec![queries::query_wallets(model)];
        effects.extend(queries::query_for_selected_scope(model));
        effects
    }

    fn filter_examples(&self, model: &Model) -> Vec<String> {
        let first = model.pages.overview.wallets.rows().first().map(|wallet| &wallet.entry);
        distinct_single_words([first.map(|wallet| &wallet.blockchain), first.and_then(|wallet| wallet.name.as_ref())])
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        model.pages.overview.wallets.selected().map_or_else(Vec::new, |wallet| items_of_wallet(model, wallet))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        let overview = &model.pages.overview;
        Some(ExportList {
            nouns: ["wallet", "wallets"],
            qualifiers: scope_phrase(model, &overview.wallets_scope) + &filter_phrase(&overview.wallet_filter),
            rows: |model| {
                let overview = &model.pages.overview;
                Some(ExportRows::Wallets(overview.wallets_scope.clone(), overview.wallet_filter.clone()))
            },
        })
    }

    fn scope_of_selected_row(&self, model: &Model) -> Option<Scope> {
        selected_scope(model)
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Overview]
    }
}
