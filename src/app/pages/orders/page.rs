//! Orders as a page.

use super::sort::OrderSort;
use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::orders::abandoned_count;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement, Pane};

pub(in crate::app) struct OrdersLogic;

impl PageLogic for OrdersLogic {
    fn arrange(&self, _model: &Model, body: Area) -> Arrangement {
        Arrangement::list_and_detail(Pane::Orders, body)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the page decides nothing about other commands")]
    fn availability(&self, model: &Model, command: Command) -> Option<Result<(), String>> {
        match command {
            Command::Hidden if abandoned_count(model) == 0 => Some(Err("no order here was given up".into())),
            Command::Hidden | Command::Sort => Some(Ok(())),
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other commands mean here what they mean elsewhere")]
    fn run_command(&self, model: &mut Model, command: Command) -> Option<Vec<Effect>> {
        match command {
            Command::Sort => cycle_sort(model),
            Command::Hidden => model.pages.orders.shows_abandoned = !model.pages.orders.shows_abandoned,
            _ => return None,
        }
        Some(Vec::new())
    }
}

/// Unresolved orders stay counted in the header.
fn cycle_sort(model: &mut Model) {
    model.pages.orders.sort = match model.pages.orders.sort {
        OrderSort::Urgent => OrderSort::Newest,
        OrderSort::Newest => OrderSort::Urgent,
    };
    model.notice = Some(format!("orders: {}", model.pages.orders.sort.label()));
}
