//! ```text
//!  Account           Value  Share State
//!  All accounts    ≈8.47M+ 100.0% 1 of 22 tokens without price
//! ▌Treasury        ≈1.90M+  22.4% LIVE
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::pane::AccountsPane;
use crate::app::data::prices;
use crate::app::data::prices::Valuation;
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::app::pages::overview::account_holdings::{account_holdings, is_shown_in_balances};
use crate::app::pages::overview::total::view::{missing_text, short_missing_text, total_if_plausible};
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{draw_empty_message, new_pane_title, state_style};
use crate::app::screen::Pane;
use crate::domain::duration;
use crate::domain::history::{RowCount, Scope};
use crate::domain::{Account, Holding, ValuationAmount, ValueShare};
use crate::ui::Theme;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};

/// A column of the accounts.
type AccountColumn<'a> = Column<'a, AccountRow<'a>>;

impl PaneView for AccountsPane {
    fn name(&self) -> &'static str {
        "Accounts"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let mut head = new_pane_title(model, Pane::Accounts, "Accounts".into());
        if model.data.prices.settings.valuation.is_some() {
            head.notes.extend(model.as_of_label(holdings_of_visible_accounts(model)).map(|note| (note, theme.warn)));
        }
        if let Some(stats) = &model.data.stats
            && let (Some(deposits), Some(withdraws)) = (stats.deposits_in_30_days, stats.withdraws_in_30_days)
        {
            // Where room is short the counts give way to their age, and are not shown without it.
            if let Some(age) = model.stats_staleness() {
                head.notes.push((format!("stale {}", duration::format_age(age)), theme.warn));
            }
            let note = format!("30 days: {} in, {} out", group_thousands(deposits), group_thousands(withdraws));
            head.notes.push((note, theme.dim));
        }
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.pages.overview.accounts.count() == RowCount::Exact(0) {
            let message = if model.console.read_only.is_some() {
                "no accounts known yet"
            } else {
                "no accounts known yet; n creates one"
            };
            return draw_empty_message(model, theme, area, buf, model.pages.overview.accounts.is_loaded(), message);
        }
        let is_valued = model.data.prices.settings.valuation.is_some();
        let is_all = model.pages.overview.accounts.selected_key().is_none();
        let total = model.data.prices.value_holdings(model.data.total.holdings());
        let whole = total_for_shares(model, total);
        let accounts = model.pages.overview.accounts.visible_rows();
        let rows: Vec<_> = std::iter::once((all_accounts_row(model, theme, total), is_all))
            .chain(
                accounts
                    .map(|(account, selected)| (account_row(model, theme, &account.entry, whole), selected && !is_all)),
            )
            .collect();
        let columns = [
            AccountColumn::left("Account", 12).grow_to(34).cell(|row, _| row.name.clone()),
            AccountColumn::right("Value", 9)
                .rank(1)
                .used_if(is_valued)
                .cell(|row, _| Cell::text(row.value.as_deref().unwrap_or("—"), row.style)),
            AccountColumn::right("Share", 6)
                .rank(2)
                .used_if(is_valued)
                .cell(|row, _| Cell::text(row.share.as_deref().unwrap_or_default(), row.style)),
            AccountColumn::left("State", 11).rank(3).cell(|row, _| row.state.clone()),
            AccountColumn::left("", 12).rank(4).grow_to(40).cell(|_, _| Cell::blank()),
        ];
        Table::fit(columns, area).draw(theme, &rows, Highlight::Whole, model.focus() == Pane::Accounts, buf);
    }
}

const LAST: usize = 4;

struct AccountRow<'a> {
    name: Cell<'a>,
    value: Option<String>,
    share: Option<String>,
    /// Of value and share.
    style: Style,
    /// The state; of all accounts, what their total lacks.
    state: Cell<'a>,
}

/// The row of all accounts, which is the selected one while no account is.
fn all_accounts_row(model: &Model, theme: &Theme, value: Valuation) -> AccountRow<'static> {
    let stale = model.total_staleness().is_some() || !model.data.connection.is_answered();
    let style = if stale { theme.dim } else { theme.text }.add_modifier(Modifier::BOLD);
    let figure = model.data.total.holdings.as_deref().and_then(|holdings| match total_if_plausible(model, value) {
        Some(total) if total == ValuationAmount::ZERO => Some(format!("≈{}", total.format_short())),
        None if value.total.is_some() => None,
        Some(_) | None => Some(format_value(model, holdings, value)),
    });
    // Where the total has one row, this one has room for what it lacks.
    let missing = missing_text(model, value).unwrap_or_default();
    AccountRow {
        name: Cell::text("All accounts", theme.text.add_modifier(Modifier::BOLD)),
        value: figure,
        share: total_for_shares(model, value).and_then(|whole| share_text(whole, whole)),
        style,
        state: Cell::address("", missing, short_missing_text(value), theme.warn).extend_to(LAST),
    }
}

/// What the accounts' shares are of; `None` while the total still grows, and an account may be worth more than it.
fn total_for_shares(model: &Model, total: Valuation) -> Option<ValuationAmount> {
    total.total.filter(|_| !model.is_total_preliminary())
}

fn share_text(part: ValuationAmount, whole: ValuationAmount) -> Option<String> {
    part.share_of(whole).map(ValueShare::format_percent)
}

fn account_row<'a>(
    model: &Model,
    theme: &Theme,
    account: &'a Account,
    whole: Option<ValuationAmount>,
) -> AccountRow<'a> {
    let holdings = account_holdings(model, account);
    let value = holdings.map(|holdings| model.data.prices.value_holdings(holdings));
    let stale = holdings.is_some_and(|holdings| {
        let oldest = holdings.iter().filter_map(|holding| holding.as_of).min();
        model.is_account_value_stale(is_shown_in_balances(model, account), oldest)
    });
    let state = account.state.as_ref();
    AccountRow {
        name: Cell::name(model.scope_name(&Scope::Account(account.id.clone())), theme.text),
        value: holdings.zip(value).map(|(holdings, value)| format_value(model, holdings, value)),
        share: value.and_then(|value| share_text(value.total?, whole?)),
        style: if stale { theme.dim } else { theme.text },
        state: Cell::text(state.map_or("—", |state| state.word()), state_style(theme, state)),
    }
}

fn holdings_of_visible_accounts(model: &Model) -> impl Iterator<Item = &Holding> {
    let accounts = model.pages.overview.accounts.visible_rows();
    accounts.filter_map(|(account, _)| account_holdings(model, &account.entry)).flatten()
}

/// A value with a `+` where a part is unpriced, and `…` while prices are still being read.
fn format_value(model: &Model, holdings: &[Holding], value: Valuation) -> String {
    let more = match value.missing {
        0 => "",
        _ if prices::is_awaiting_prices(model, holdings) => "…",
        _ => "+",
    };
    value.total.map_or_else(|| "—".into(), |total| format!("≈{}{more}", total.format_short()))
}

#[cfg(test)]
mod tests;
