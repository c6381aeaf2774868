//! Markets as a page.

use super::layout;
use crate::app::data::queries;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::pages::page::PageLogic;
use crate::app::screen::{Area, Arrangement};

pub(in crate::app) struct MarketsLogic;

impl PageLogic for MarketsLogic {
    fn arrange(&self, model: &Model, body: Area) -> Arrangement {
        layout::arrange(model, body)
    }

    fn query_rows(&self, model: &mut Model) -> Vec<Effect> {
        vec![queries::query_tokens(model)]
    }
}
