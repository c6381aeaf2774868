//! Filters on lists.

pub mod completions;
mod context;
mod examples;
pub mod filter_line;
pub mod view;

use super::data::queries;
use super::model::Model;
use super::msg::Effect;
use super::pages::markets;
use super::pages::overview::balances;
use super::pages::users;
use super::screen::{HistoryList, Pane};
pub(super) use context::parse_context;

pub(super) fn has_filter(pane: Pane) -> bool {
    matches!(
        pane,
        Pane::Wallets
            | Pane::Balances
            | Pane::Users
            | Pane::Recent
            | Pane::History
            | Pane::Tokens
            | Pane::Orders
            | Pane::Events
            | Pane::Book
    )
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the other lists have no filter")]
pub(super) fn filter_text_mut(model: &mut Model, pane: Pane) -> Option<&mut String> {
    Some(match pane {
        Pane::Wallets => &mut model.pages.overview.wallet_filter,
        Pane::Balances => &mut model.pages.overview.balances.filter,
        Pane::Users => &mut model.pages.users.filter,
        Pane::Recent => &mut model.pages.overview.recent.filter,
        Pane::History => &mut model.pages.transactions.filter,
        Pane::Events => &mut model.pages.events.filter,
        Pane::Book => &mut model.pages.book.filter,
        Pane::Tokens => &mut model.pages.markets.filter,
        Pane::Orders => &mut model.pages.orders.filter,
        _ => return None,
    })
}

/// Whether the list has a filter with named fields, such as `dir:in`.
pub(super) fn has_named_fields(pane: Pane) -> bool {
    matches!(pane, Pane::Recent | Pane::History)
}

/// Sets the filter of a list and queries it again, unless the filter is unchanged.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other lists have no filter")]
pub(super) fn set_filter(model: &mut Model, pane: Pane, value: String) -> Vec<Effect> {
    let Some(filter) = filter_text_mut(model, pane).filter(|filter| **filter != value) else { return Vec::new() };
    *filter = value;
    match pane {
        Pane::Wallets => {
            model.pages.overview.wallets.reset();
            let mut effects = vec![queries::query_wallets(model)];
            effects.extend(queries::query_selection(model));
            effects
        }
        Pane::Users => {
            model.pages.users.listing.reset();
            let mut effects = vec![queries::query_users(model)];
            effects.extend(users::after_selection_change(model));
            effects
        }
        Pane::Balances => {
            model.pages.overview.balances.listing.reset();
            balances::refresh_balance_rows(model);
            Vec::new()
        }
        Pane::Tokens => {
            model.pages.markets.tokens.reset();
            model.pages.markets.chains.reset();
            model.pages.markets.pairs.reset();
            markets::refresh_token_rows(model);
            Vec::new()
        }
        // These rows are in memory, and are arranged after this message.
        Pane::Events => {
            model.pages.events.listing.reset();
            Vec::new()
        }
        Pane::Orders => {
            model.pages.orders.listing.reset();
            Vec::new()
        }
        Pane::Book => {
            model.pages.book.listing.reset();
            Vec::new()
        }
        Pane::History => {
            if model.pages.transactions.filter.is_empty() {
                model.pages.transactions.leave_view();
            }
            model.pages.transactions.listing.reset();
            vec![queries::query_history_rows(model, HistoryList::Page)]
        }
        Pane::Recent => {
            model.pages.overview.recent.listing.reset();
            vec![queries::query_history_rows(model, HistoryList::Recent)]
        }
        _ => Vec::new(),
    }
}
