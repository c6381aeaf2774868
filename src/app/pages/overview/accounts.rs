//! Accounts: containers that isolate funds.

pub mod pane;
pub mod view;

use crate::app::data::queries;
use crate::app::model::Model;
use crate::app::msg::Effect;

/// Another account, or none, is selected: the list of wallets is another one.
pub(in crate::app) fn after_account_change(model: &mut Model) -> Vec<Effect> {
    model.pages.overview.wallets.reset_position();
    model.pages.overview.recent.listing.reset_position();
    queries::query_for_selected_scope(model)
}
