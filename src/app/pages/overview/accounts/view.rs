//! ```text
//!  Total  ≈8,470,218.42 USDT   1 of 22 tokens without price   prices 12:03Z
//!         +12,400.10 (+0.15%) since midnight UTC   −3.10 (0.00%) in 24 h   +250.00 (0.00%) since last seen 11:40Z
//!
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
use crate::app::data::total::ChangePeriod;
use crate::app::model::Model;
use crate::app::pages::group_thousands;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{draw_empty_message, new_pane_title, state_style};
use crate::app::screen::Pane;
use crate::domain::duration;
use crate::domain::history::{RowCount, Scope};
use crate::domain::{Account, Holding, TotalSample, ValuationAmount, ValueShare};
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, paint};

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

/// Draws the total, which is to be found first: what fits of it in one row, with all of its changes in a second one.
pub fn draw_total(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let bold = theme.text.add_modifier(Modifier::BOLD);
    let mut x = area.x + 1;
    x += paint::put(buf, x, area.y, area.width, "Total", theme.title) + 2;
    let value = model.data.prices.value_holdings(model.data.total.holdings());
    let (figure, is_known) = total_text(model, value);
    let indent = x;
    x += paint::put(
        buf,
        x,
        area.y,
        area.right().saturating_sub(x + 1),
        &figure,
        if is_known { bold } else { theme.dim },
    );
    if !is_known {
        return;
    }
    let mut notes: Vec<_> = balance_age_note(model, theme, value).into_iter().collect();
    if area.height == 1 {
        let changes = change_notes(model, theme, true);
        let is_known = changes.first().is_some_and(|(_, style)| *style == theme.text);
        let unknown = || ("change not known".to_owned(), theme.dim);
        notes.extend(changes.into_iter().next().map(|change| if is_known { change } else { unknown() }));
    }
    notes.extend(price_note(model, theme, value));
    notes.extend(missing_text(model, value).map(|note| (note, theme.warn)));
    draw_notes(&notes, Rect { x, width: area.right().saturating_sub(x + 1), height: 1, ..area }, buf);
    if area.height > 1 {
        let below = Rect { x: indent - 3, y: area.y + 1, width: area.right().saturating_sub(indent - 2), height: 1 };
        let whole = change_notes(model, theme, false);
        let fits = whole.iter().map(|(note, _)| paint::text_width(note) + 3).sum::<u16>() <= below.width;
        draw_notes(&if fits { whole } else { change_notes(model, theme, true) }, below, buf);
    }
}

/// Writes notes three columns apart; one that does not fit gives way to later ones.
fn draw_notes(notes: &[(String, Style)], area: Rect, buf: &mut Buffer) {
    let mut x = area.x;
    for (note, style) in notes {
        if x + 3 + paint::text_width(note) <= area.right() {
            x += 3 + paint::put(buf, x + 3, area.y, area.width, note, *style);
        }
    }
}

/// The total as a figure, or why there is none, and whether it is one.
fn total_text(model: &Model, value: Valuation) -> (String, bool) {
    let Some(symbol) = &model.data.prices.settings.valuation else { return ("hidden".into(), false) };
    if model.data.total.holdings.is_none() {
        return ("reading…".into(), false);
    }
    match total_if_plausible(model, value) {
        Some(total) => (format!("≈{} {symbol}", total.format_grouped()), true),
        None if prices::unlisted_valuation(model).is_some() => (format!("no prices: {symbol} is not listed"), false),
        None if model.is_total_preliminary() => ("reading…".into(), false),
        None => ("not known: nothing has a price".into(), false),
    }
}

/// The value of all holdings; zero where nothing is held. While it still grows it is not known where an account alone is
/// worth more: the rows of the accounts would contradict it.
fn total_if_plausible(model: &Model, value: Valuation) -> Option<ValuationAmount> {
    let is_preliminary = model.is_total_preliminary();
    let total = value.total.or_else(|| (value.count == 0 && !is_preliminary).then_some(ValuationAmount::ZERO))?;
    (!is_preliminary || !is_total_below_an_account(model, total)).then_some(total)
}

fn is_total_below_an_account(model: &Model, total: ValuationAmount) -> bool {
    let mut accounts = model.pages.overview.accounts.visible_rows();
    accounts.any(|(account, _)| {
        let holdings = account_holdings(model, &account.entry);
        holdings
            .and_then(|holdings| model.data.prices.value_holdings(holdings).total)
            .is_some_and(|value| value > total)
    })
}

/// Whether the total is still growing, or no longer current.
fn balance_age_note(model: &Model, theme: &Theme, value: Valuation) -> Option<(String, Style)> {
    if let Some(label) = model.as_of_label(model.data.total.holdings().iter()) {
        return Some((label, theme.warn));
    }
    if model.is_total_preliminary() {
        // Most of what is held, while the history that it is summed from is read for the first time.
        return Some(match value.unknown {
            0 => ("so far".into(), theme.dim),
            unknown => (format!("so far, {unknown} of {} tokens not known yet", value.count), theme.warn),
        });
    }
    model.total_staleness().map(|age| (format!("stale {}", duration::format_age(age)), theme.warn))
}

fn price_note(model: &Model, theme: &Theme, value: Valuation) -> Option<(String, Style)> {
    let at = value.at?;
    let style = if at.age(model.now) > prices::OLD_PRICE_AGE { theme.warn } else { theme.dim };
    Some((format!("prices {}", model.console.zone.format_with_offset(at, "%H:%M")), style))
}

/// What the total lacks: `1 of 22 tokens without price`.
fn missing_text(model: &Model, value: Valuation) -> Option<String> {
    let unpriced = value.missing - value.unknown;
    match (unpriced, value.unknown) {
        (0, 0) => None,
        _ if model.is_total_preliminary() => None,
        (_, 0) => Some(format!("{unpriced} of {} tokens without price", value.count)),
        (0, unknown) => Some(format!("{unknown} of {} tokens of unknown amount", value.count)),
        (_, unknown) => {
            Some(format!("{unpriced} of {} tokens without price, {unknown} of unknown amount", value.count))
        }
    }
}

/// The same where a column has no more room than for the state of an account.
fn short_missing_text(value: Valuation) -> String {
    let noun = if value.unknown > 0 { "unvalued" } else { "unpriced" };
    format!("{} {noun}", value.missing)
}

/// The changes of the total, in few words where room is short: those that are known, and then those whose opening value
/// is not.
fn change_notes(model: &Model, theme: &Theme, short: bool) -> Vec<(String, Style)> {
    let Some(now) = model.total_sample() else { return Vec::new() };
    let (mut notes, mut unknown) = (Vec::new(), Vec::new());
    for period in ChangePeriod::ALL {
        let opening = model.data.total.opening_sample(period, model.now);
        let change = opening.and_then(|opening| Some((opening, now.change_since(opening)?)));
        let name = |opening: Option<&TotalSample>| match (period, opening) {
            (ChangePeriod::Today, _) => if short { "today UTC" } else { "since midnight UTC" }.to_owned(),
            (ChangePeriod::LastDay, _) => "in 24 h".to_owned(),
            (ChangePeriod::SinceLastSeen, None) => "since last seen".to_owned(),
            (ChangePeriod::SinceLastSeen, Some(opening)) => {
                let is_today = model.console.zone.local_day(opening.at) == model.console.zone.local_day(model.now);
                let pattern = if is_today { "%H:%M" } else { "%b %d %H:%M" };
                let prefix = if short { "" } else { "last seen " };
                format!("since {prefix}{}", model.console.zone.format_with_offset(opening.at, pattern))
            }
        };
        match change {
            Some((opening, change)) => {
                notes.push((format!("{} {}", change.format_with_percentage(), name(Some(opening))), theme.text));
            }
            None => unknown.push(name(None)),
        }
    }
    if !unknown.is_empty() {
        notes.push((format!("change {} not known", unknown.join(", ")), theme.dim));
    }
    notes
}

fn holdings_of_visible_accounts(model: &Model) -> impl Iterator<Item = &Holding> {
    let accounts = model.pages.overview.accounts.visible_rows();
    accounts.filter_map(|(account, _)| account_holdings(model, &account.entry)).flatten()
}

/// The holdings of an account. For the account whose balances are on screen, these balances: sum and balances must not
/// differ while one of them is being refreshed.
fn account_holdings<'a>(model: &'a Model, account: &Account) -> Option<&'a [Holding]> {
    if is_shown_in_balances(model, account) {
        Some(&model.pages.overview.balances.all)
    } else {
        model.data.analyses.holdings_of_account(&account.id)
    }
}

fn is_shown_in_balances(model: &Model, account: &Account) -> bool {
    model.pages.overview.balances.listing.is_loaded()
        && model.pages.overview.balances.scope == Scope::Account(account.id.clone())
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
