//! Balances: what the selected wallet or account holds.

pub mod order;
pub mod view;

use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::{update, users};

/// Shows or hides tokens that imitate others.
pub(in crate::app) fn toggle_suspicious(model: &mut Model) -> Vec<Effect> {
    model.balances.with_suspicious = !model.balances.with_suspicious;
    update::show_holdings(model);
    users::show_held(model);
    Vec::new()
}
