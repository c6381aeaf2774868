//! Pages as keys show them.

use super::page_links::enter_page;
use crate::app::model::{Model, Page};
use crate::app::msg::Effect;
use crate::app::pages::registry::page_logic;

pub(in crate::app) fn show_page(model: &mut Model, page: Page) -> Vec<Effect> {
    enter_page(model, page, page_logic(page))
}
