//! The history as a page.

use crate::app::data::queries;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement, HistoryList, Pane};

pub(in crate::app) struct TransactionsLogic;

impl PageLogic for TransactionsLogic {
    fn arrange(&self, _model: &Model, body: Area) -> Arrangement {
        Arrangement::list_and_detail(Pane::History, body)
    }

    fn query_rows(&self, model: &mut Model) -> Vec<Effect> {
        vec![queries::query_history_rows(model, HistoryList::Page)]
    }
}
