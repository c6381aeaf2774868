//! Every page and every pane with its logic: the one place that lists them all.

use super::attention::page::AttentionLogic;
use super::attention::panes::{AttentionPane, WatchesPane};
use super::book::page::BookLogic;
use super::book::pane::BookPane;
use super::events::page::EventsLogic;
use super::events::pane::EventsPane;
use super::markets::page::MarketsLogic;
use super::markets::panes::{ChainsPane, PairsPane, TokensPane};
use super::orders::page::OrdersLogic;
use super::orders::pane::OrdersPane;
use super::overview::accounts::pane::AccountsPane;
use super::overview::balances::pane::BalancesPane;
use super::overview::page::OverviewLogic;
use super::overview::wallets::pane::WalletsPane;
use super::page::PageLogic;
use super::pane::PaneLogic;
use super::transactions::page::TransactionsLogic;
use super::transactions::pane::HistoryPane;
use super::users::page::UsersLogic;
use super::users::panes::{
    AddressesPane, AssetsPane, DepositsPane, HoldingsPane, TransfersPane, UserPane, UsersPane, WithdrawalsPane,
};
use crate::app::screen::{HistoryList, Page, Pane};

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

pub(in crate::app) fn pane_logic(pane: Pane) -> &'static dyn PaneLogic {
    match pane {
        Pane::Accounts => &AccountsPane,
        Pane::Wallets => &WalletsPane,
        Pane::Balances => &BalancesPane,
        Pane::Recent => &HistoryPane(HistoryList::Recent),
        Pane::Users => &UsersPane,
        Pane::User => &UserPane,
        Pane::Holdings => &HoldingsPane,
        Pane::Assets => &AssetsPane,
        Pane::Addresses => &AddressesPane,
        Pane::Deposits => &DepositsPane,
        Pane::Withdrawals => &WithdrawalsPane,
        Pane::Transfers => &TransfersPane,
        Pane::History => &HistoryPane(HistoryList::Page),
        Pane::Orders => &OrdersPane,
        Pane::Tokens => &TokensPane,
        Pane::Pairs => &PairsPane,
        Pane::Chains => &ChainsPane,
        Pane::Events => &EventsPane,
        Pane::Book => &BookPane,
        Pane::Attention => &AttentionPane,
        Pane::Watches => &WatchesPane,
    }
}
