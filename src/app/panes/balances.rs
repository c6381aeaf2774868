//! Balances: what the selected wallet or account holds.

pub mod view;

use crate::app::model::{Model, Page};
use crate::app::msg::Effect;
use crate::app::{update, users};

/// Shows or hides tokens that imitate others.
pub(in crate::app) fn toggle_suspicious(model: &mut Model) -> Vec<Effect> {
    let held = match model.page {
        Page::Overview => &model.balances.all,
        Page::Users => &model.users.all_held,
        Page::Transactions | Page::Orders | Page::Markets => {
            model.notice = Some("balances are on pages 1 and 2".into());
            return Vec::new();
        }
    };
    if held.iter().any(|holding| holding.suspicious) {
        model.balances.with_suspicious = !model.balances.with_suspicious;
        update::show_holdings(model);
        users::show_held(model);
    } else {
        model.notice = Some("nothing is hidden here".into());
    }
    Vec::new()
}
