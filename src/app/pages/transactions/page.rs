//! The history as a page.

use crate::app::model::Model;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement, Pane};

pub(in crate::app) struct TransactionsLogic;

impl PageLogic for TransactionsLogic {
    fn arrange(&self, _model: &Model, body: Area) -> Arrangement {
        Arrangement::list_and_detail(Pane::History, body)
    }
}
