//! ```text
//! ▌Treasury        SETTLEMENT  LIVE  ≈1.90M+
//!  Customers       USERS       LIVE    ≈312k
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Model;
use crate::app::data::{link, prices};
use crate::app::pages::group_thousands;
use crate::app::pages::view::{draw_empty_message, new_pane_title, state_style};
use crate::app::screen::Pane;
use crate::domain::history::{RowCount, Scope, Sourced};
use crate::domain::{Account, Holding, address};
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

pub fn pane_title(model: &Model, theme: &Theme) -> PaneTitle {
    let mut head = new_pane_title(model, Pane::Accounts, "Accounts".into());
    if model.prices.settings.valuation.is_some() {
        head.notes.extend(model.as_of_label(visible_holdings(model)).map(|words| (words, theme.warn)));
    }
    if let Some(stats) = &model.stats
        && let (Some(deposits), Some(withdraws)) = (stats.deposits_in_30_days, stats.withdraws_in_30_days)
    {
        // Where room is short the counts give way to their age, and are not shown without it.
        if let Some(age) = model.stats_staleness() {
            head.notes.push((format!("stale {}", link::format_age(age)), theme.warn));
        }
        let words = format!("30 days: {} in, {} out", group_thousands(deposits), group_thousands(withdraws));
        head.notes.push((words, theme.dim));
    }
    head
}

pub fn view(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.accounts.count() == RowCount::Exact(0) {
        let words =
            if model.read_only.is_some() { "no accounts known yet" } else { "no accounts known yet; n creates one" };
        return draw_empty_message(model, theme, area, buf, model.accounts.is_loaded(), words);
    }
    let focused = model.focus() == Pane::Accounts;
    for (index, (account, selected)) in (0_u16..area.height).zip(model.accounts.visible_rows()) {
        let row = Row::new(buf, theme, area, index, selected, focused);
        draw_account(model, account, row, theme, buf);
    }
}

fn visible_holdings(model: &Model) -> impl Iterator<Item = &Holding> {
    let accounts = model.accounts.visible_rows();
    accounts.filter_map(|(account, _)| account_holdings(model, &account.entry)).flatten()
}

/// The holdings of an account. For the account whose balances are on screen, these balances: sum and balances must not
/// differ while one of them is being refreshed.
fn account_holdings<'a>(model: &'a Model, account: &Account) -> Option<&'a [Holding]> {
    if is_balance_scope(model, account) { Some(&model.balances.all) } else { model.charts.holdings_of(&account.id) }
}

fn is_balance_scope(model: &Model, account: &Account) -> bool {
    model.balances.listing.is_loaded() && model.balances.scope == Scope::Account(account.id.clone())
}

/// The value of an account, and whether it is stale: with a `+` where a part is unpriced, and `…` while prices are
/// still being read.
fn account_value(model: &Model, account: &Account) -> Option<(String, bool)> {
    let (shown, held) = (is_balance_scope(model, account), account_holdings(model, account)?);
    let value = model.prices.value_holdings(held);
    let more = match value.missing {
        0 => "",
        _ if prices::is_awaiting_prices(model, held) => "…",
        _ => "+",
    };
    let words = value.total.map_or_else(|| "—".into(), |total| format!("≈{}{more}", total.format_short()));
    let oldest = held.iter().filter_map(|holding| holding.as_of).min();
    Some((words, model.is_worth_stale(shown, oldest)))
}

/// Width of an account's value.
const VALUE_WIDTH: u16 = 8;

fn draw_account(model: &Model, account: &Sourced<Account>, row: Row, theme: &Theme, buf: &mut Buffer) {
    let entry = &account.entry;
    let state = entry.state.as_ref().map_or("—", |state| state.word());
    let kind = entry.kind.as_ref().map_or("—", |kind| kind.word());
    let mut right = row.right.saturating_sub(1);
    let room = row.right.saturating_sub(row.x);
    let valued = model.prices.settings.valuation.is_some() && room >= 28;
    if valued {
        let (worth, stale) = account_value(model, entry).unwrap_or_else(|| ("—".into(), false));
        paint::put_right(
            buf,
            right,
            row.y,
            VALUE_WIDTH,
            &worth,
            row.style_over(if stale { theme.dim } else { theme.text }),
        );
        right = right.saturating_sub(VALUE_WIDTH + 1);
    }
    let state_width =
        paint::put_right(buf, right, row.y, 8, state, row.style_over(state_style(theme, entry.state.as_ref())));
    // Where room is short, the value of an account matters more than its kind.
    let kind_room = if valued && room < 36 { 0 } else { 12 };
    let kind_at = right.saturating_sub(state_width.max(4) + kind_room);
    paint::put(buf, kind_at, row.y, kind_room.saturating_sub(1), kind, row.style_over(theme.dim));
    let name = entry.name.as_ref().map_or_else(|| address::shorten_address(entry.id.as_str()), ToString::to_string);
    paint::put(buf, row.x, row.y, kind_at.saturating_sub(row.x + 1), &name, row.base);
}
