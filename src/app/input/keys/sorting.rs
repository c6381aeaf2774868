//! The next sort order of a list.

use crate::app::data::queries;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::holdings;
use crate::app::screen::Pane;
use crate::domain::history::Sort;

/// Switches the list that has the focus to its next sort order.
pub(super) fn switch_sort_order(model: &mut Model) -> Vec<Effect> {
    if matches!(model.focus(), Pane::Balances | Pane::Holdings) {
        holdings::toggle_order(model);
        return Vec::new();
    }
    let prices = model.data.prices.price_list();
    let Some(history) = model.focused_history_mut() else { return Vec::new() };
    // Largest and Smallest rank by the same prices.
    if history.sort == Sort::Oldest {
        history.prices = prices;
    }
    history.set_sort(match history.sort {
        Sort::Newest => Sort::Oldest,
        Sort::Oldest => Sort::Largest,
        Sort::Largest => Sort::Smallest,
        Sort::Smallest => Sort::Listed,
        Sort::Listed => Sort::Newest,
    });
    let list = history.list;
    vec![queries::query_history_rows(model, list)]
}
