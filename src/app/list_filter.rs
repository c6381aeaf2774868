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
        Pane::Wallets => &mut model.wallet_filter,
        Pane::Balances => &mut model.balances.filter,
        Pane::Users => &mut model.users.filter,
        Pane::Recent => &mut model.recent.filter,
        Pane::History => &mut model.history.filter,
        Pane::Events => &mut model.events.filter,
        Pane::Book => &mut model.book.filter,
        Pane::Tokens => &mut model.token_filter,
        Pane::Orders => &mut model.order_filter,
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
            model.wallets.reset();
            let mut effects = vec![queries::query_wallets(model)];
            effects.extend(queries::query_selection(model));
            effects
        }
        Pane::Users => {
            model.users.listing.reset();
            let mut effects = vec![queries::query_users(model)];
            effects.extend(users::after_selection_change(model));
            effects
        }
        Pane::Balances => {
            model.balances.listing.reset();
            balances::refresh_balance_rows(model);
            Vec::new()
        }
        Pane::Tokens => {
            model.tokens.reset();
            model.chains.reset();
            model.pairs.reset();
            markets::refresh_token_rows(model);
            Vec::new()
        }
        // These rows are in memory, and are arranged after this message.
        Pane::Events => {
            model.events.listing.reset();
            Vec::new()
        }
        Pane::Orders => {
            model.order_list.reset();
            Vec::new()
        }
        Pane::Book => {
            model.book.listing.reset();
            Vec::new()
        }
        Pane::History => {
            if model.history.filter.is_empty() {
                model.history.leave_view();
            }
            model.history.listing.reset();
            vec![queries::query_history_rows(model, HistoryList::Page)]
        }
        Pane::Recent => {
            model.recent.listing.reset();
            vec![queries::query_history_rows(model, HistoryList::Recent)]
        }
        _ => Vec::new(),
    }
}
