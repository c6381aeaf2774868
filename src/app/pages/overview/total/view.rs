//! ```text
//!  Total  ≈8,470,218.42 USDT   1 of 22 tokens without price   prices 12:03Z
//!         +12,400.10 (+0.15%) since midnight UTC   −3.10 (0.00%) in 24 h   +250.00 (0.00%) since last seen 11:40Z
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::app::data::prices;
use crate::app::data::prices::Valuation;
use crate::app::data::total::ChangePeriod;
use crate::app::model::Model;
use crate::app::pages::overview::account_holdings::account_holdings;
use crate::domain::{TotalSample, ValuationAmount, duration};
use crate::ui::{Theme, paint};

/// Draws the total, which is to be found first: what fits of it in one row, with all of its changes in a second one.
pub fn draw(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if area.height == 0 {
        return;
    }
    let bold = theme.text.add_modifier(Modifier::BOLD);
    let mut x = area.x + 1;
    x += paint::put(buf, x, area.y, area.width, "Total", theme.title) + 2;
    let value = model.data.prices.value_holdings(model.data.total.holdings());
    let indent = x;
    let room = area.right().saturating_sub(x + 1);
    match total_text(model, theme, value) {
        Ok(figure) => x += paint::put(buf, x, area.y, room, &figure, bold),
        Err((reason, style)) => {
            paint::put(buf, x, area.y, room, &reason, style);
            return;
        }
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

/// The total as a figure, or why there is none.
fn total_text(model: &Model, theme: &Theme, value: Valuation) -> Result<String, (String, Style)> {
    let unknown = |reason: String| Err((reason, theme.dim));
    let not_yet_read = || match model.data.remotes.latest.unread_reason() {
        Some(reason) => Err((reason, theme.warn)),
        None => unknown("reading…".into()),
    };
    let Some(symbol) = &model.data.prices.settings.valuation else { return unknown("hidden".into()) };
    if model.data.total.holdings.is_none() {
        return not_yet_read();
    }
    match total_if_plausible(model, value) {
        Some(total) => Ok(format!("≈{} {symbol}", total.format_grouped())),
        None if prices::unlisted_valuation(model).is_some() => unknown(format!("no prices: {symbol} is not listed")),
        None if model.is_total_preliminary() => not_yet_read(),
        None => unknown("not known: nothing has a price".into()),
    }
}

/// The value of all holdings; zero where nothing is held. While it still grows it is not known where an account alone is
/// worth more: the rows of the accounts would contradict it.
pub(in crate::app::pages::overview) fn total_if_plausible(model: &Model, value: Valuation) -> Option<ValuationAmount> {
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
pub(in crate::app::pages::overview) fn missing_text(model: &Model, value: Valuation) -> Option<String> {
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
pub(in crate::app::pages::overview) fn short_missing_text(value: Valuation) -> String {
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
