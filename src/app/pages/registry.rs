//! Every page with its logic: the one place that lists them all.

use super::attention::page::AttentionLogic;
use super::book::page::BookLogic;
use super::events::page::EventsLogic;
use super::markets::page::MarketsLogic;
use super::orders::page::OrdersLogic;
use super::overview::page::OverviewLogic;
use super::page::PageLogic;
use super::transactions::page::TransactionsLogic;
use super::users::page::UsersLogic;
use crate::app::screen::Page;

pub(in crate::app) fn page_logic(page: Page) -> &'static dyn PageLogic {
    match page {
        Page::Overview => &OverviewLogic,
        Page::Users => &UsersLogic,
        Page::Transactions => &TransactionsLogic,
        Page::Orders => &OrdersLogic,
        Page::Markets => &MarketsLogic,
        Page::Events => &EventsLogic,
        Page::Book => &BookLogic,
        Page::Attention => &AttentionLogic,
    }
}
