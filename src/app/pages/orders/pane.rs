//! The pane of orders.

use crate::app::input::keymap::Context;
use crate::app::list_filter::examples::distinct_single_words;
use crate::app::listing::PaneList;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders::{MAX_CLOSED_ORDERS, abandoned_count, find_order};
use crate::app::overlays::copying::items::items_of_order;
use crate::app::overlays::directory_record::scope::scope_of_order;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::menu::MenuItem;
use crate::app::pages::pane::{FilterText, OpenRow, PaneLogic, shows_list};
use crate::domain::export::cells::ExportTable;
use crate::domain::export::orders::{ORDER_COLUMNS, recipient_rows};
use crate::domain::history::Scope;

/// From this height on, all orders have a sum, and not only those of a filter.
const MIN_HEIGHT_WITH_SUM: u16 = 30;

pub struct OrdersPane;

impl PaneLogic for OrdersPane {
    shows_list!(model => model.pages.orders.listing);

    fn open_row(&self) -> Option<OpenRow> {
        Some(|model| {
            if let Some(id) = model.pages.orders.listing.selected_key().copied() {
                model.show_mode(Mode::Order { id, top: 0 });
            }
            Vec::new()
        })
    }

    fn filter(&self) -> Option<FilterText> {
        Some(|model| &mut model.pages.orders.filter)
    }

    /// The rows are arranged after this message.
    fn after_filter_change(&self, model: &mut Model) -> Vec<Effect> {
        model.pages.orders.listing.reset_position();
        Vec::new()
    }

    fn filter_examples(&self, model: &Model) -> Vec<String> {
        let payments = model.journal.orders.iter().filter_map(|order| order.drafted.draft.payment_details());
        let token = payments.map(|payment| payment.token).next();
        distinct_single_words([token]).into_iter().chain(["settled".to_owned(), "withdrawal".to_owned()]).collect()
    }

    fn has_sum(&self, model: &Model) -> bool {
        let is_roomy = model.size.height >= MIN_HEIGHT_WITH_SUM;
        (is_roomy || !model.pages.orders.filter.is_empty())
            && !model.journal.orders.is_empty()
            && !model.session.veil.is_on()
    }

    fn copy_items(&self, model: &Model) -> Vec<MenuItem> {
        model.pages.orders.listing.selected_key().map_or_else(Vec::new, |id| items_of_order(model, *id))
    }

    fn exportable_list(&self, model: &Model) -> Option<ExportList> {
        Some(ExportList {
            nouns: ["order", "orders"],
            qualifiers: missing_orders_remark(model),
            rows: |model| {
                let orders = model.pages.orders.listing.rows().iter().filter_map(|id| find_order(model, *id));
                let names = &model.data.analyses.names.names;
                let rows = orders.flat_map(|order| recipient_rows(order, model.now, names));
                Some(ExportTable::new("orders", ORDER_COLUMNS, rows).into())
            },
        })
    }

    fn scope_of_selected_row(&self, model: &Model) -> Option<Scope> {
        scope_of_order(model, *model.pages.orders.listing.selected_key()?)
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Orders]
    }
}

/// The remark on orders that the list hides, or that are not loaded.
fn missing_orders_remark(model: &Model) -> String {
    let hidden_remark = match abandoned_count(model) {
        _ if model.pages.orders.shows_abandoned => String::new(),
        0 => String::new(),
        1 => "; 1 that was given up is hidden (h) and left out".into(),
        hidden => format!("; {hidden} that were given up are hidden (h) and left out"),
    };
    let over = model.journal.orders.iter().filter(|order| !order.is_open(model.now)).count();
    if over >= MAX_CLOSED_ORDERS {
        return format!("{hidden_remark}; of closed orders only the newest {MAX_CLOSED_ORDERS} are known here");
    }
    hidden_remark
}
