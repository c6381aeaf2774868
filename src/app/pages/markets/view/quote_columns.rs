//! The columns of a quote: rate, time, and change.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{NO_TOKEN_SELECTED, mark_imitation};
use crate::app::data::link::format_age;
use crate::app::data::prices::{self, QuoteHistory};
use crate::app::model::Model;
use crate::app::pages::view::{draw_empty_message, new_pane_title, scroll_position};
use crate::app::screen::Pane;
use crate::domain::history::RowCount;
use crate::domain::v1::SwapPair;
use crate::domain::{Rate, RateChange, Zone};
use crate::ui::chart::sparkline_text;
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

/// Column widths with the gap before each: rate, time, change in the session, change in 15 minutes, sparkline.
const COLUMN_WIDTHS: [u16; 5] = [16, 10, 9, 9, 10];
const SPARKLINE_CELLS: usize = 8;

/// The number of columns that fit; the last gives way first.
fn fitting_column_count(room: u16) -> usize {
    let mut taken = 0;
    COLUMN_WIDTHS
        .iter()
        .take_while(|width| {
            taken += **width;
            taken <= room
        })
        .count()
}

pub(super) fn quote_columns_width(room: u16) -> u16 {
    COLUMN_WIDTHS.iter().take(fitting_column_count(room)).sum()
}

pub(super) fn draw_column_heads(zone: &Zone, theme: &Theme, area: Rect, rate: &str, buf: &mut Buffer) {
    let at = if zone.is_utc() { "at (UTC)" } else { "at local" };
    let titles = [rate, at, "session", "15 min", "trend"];
    let mut x = area.x;
    for (title, width) in titles.into_iter().zip(COLUMN_WIDTHS).take(fitting_column_count(area.width)) {
        x += width;
        paint::put_right(buf, x, area.y, width - 1, title, theme.dim);
    }
}

/// The most fraction digits of the rates of some pairs: the room behind each decimal point, so that all points are
/// aligned.
pub(super) fn max_fraction_digits(model: &Model, pairs: impl Iterator<Item = Option<SwapPair>>) -> usize {
    let rates = pairs.filter_map(|pair| model.prices.history_of(&pair?)?.newest());
    rates.map(|newest| fraction_width(&newest.rate.format_rate())).max().unwrap_or(0)
}

/// The length of the fraction, including the decimal point.
fn fraction_width(words: &str) -> usize {
    words.split_once('.').map_or(0, |(_, fraction)| fraction.len() + 1)
}

/// A rate padded with blanks to `digits` behind its point; not padded where there is no room.
fn pad_fraction(words: &str, digits: usize) -> String {
    let wanted = words.len() - fraction_width(words) + digits;
    let room = usize::from(COLUMN_WIDTHS[0] - 1);
    let behind = digits.saturating_sub(fraction_width(words)).min(room.saturating_sub(words.len()));
    if wanted > room { words.to_owned() } else { format!("{words}{}", " ".repeat(behind)) }
}

/// Draws a pair's quote, its rate padded to `digits`. Without a pair it is the valuation token, whose rate is 1.
pub(super) fn draw_quote(
    model: &Model,
    theme: &Theme,
    row: Row,
    area: Rect,
    pair: Option<&SwapPair>,
    digits: usize,
    buf: &mut Buffer,
) {
    let Some(pair) = pair else {
        paint::put_right(
            buf,
            area.x + COLUMN_WIDTHS[0],
            row.y,
            COLUMN_WIDTHS[0] - 1,
            &pad_fraction("1", digits),
            row.style_over(theme.dim),
        );
        return;
    };
    let track = model.prices.history_of(pair);
    let newest = track.and_then(QuoteHistory::newest);
    let Some(newest) = newest else {
        paint::put_right(buf, area.x + COLUMN_WIDTHS[0], row.y, COLUMN_WIDTHS[0] - 1, "—", row.style_over(theme.dim));
        let refused = track.and_then(QuoteHistory::refusal);
        if let Some(failure) = refused {
            let room = area.width.saturating_sub(COLUMN_WIDTHS[0] + 1);
            paint::put(
                buf,
                area.x + COLUMN_WIDTHS[0] + 1,
                row.y,
                room,
                &failure.to_string(),
                row.style_over(theme.dim),
            );
        }
        return;
    };
    let old = prices::stale_quote_age(model, newest.at);
    let style = if old.is_some() { theme.dim } else { theme.text };
    let at = model.zone.format(newest.at, if old.is_none() { "%H:%M:%S" } else { "old %H:%M" });
    let drift = |drift: Option<RateChange>| {
        drift.map_or_else(|| ("—".into(), theme.dim), |drift| rate_change_cell(theme, drift, style))
    };
    let (session, session_style) = drift(track.and_then(QuoteHistory::drift_since_first));
    let (quarter, quarter_style) = drift(track.and_then(QuoteHistory::drift_over_history_span));
    let cells = [
        (pad_fraction(&newest.rate.format_rate(), digits), style),
        (at, if old.is_some() { theme.warn } else { theme.dim }),
        (session, session_style),
        (quarter, quarter_style),
        (track.map(rate_sparkline).unwrap_or_default(), theme.accent),
    ];
    let mut x = area.x;
    for ((text, style), width) in cells.into_iter().zip(COLUMN_WIDTHS).take(fitting_column_count(area.width)) {
        x += width;
        paint::put_right(buf, x, row.y, width - 1, &text, row.style_over(style));
    }
}

/// A change of the rate; its sign matches its colour.
fn rate_change_cell(theme: &Theme, drift: RateChange, still: Style) -> (String, Style) {
    let style = match drift.basis_points() {
        0 => still,
        1.. => theme.good,
        _ => theme.bad,
    };
    (drift.format_percent(), style)
}

/// A sparkline of the rates of the last 15 minutes; evenly picked, the newest included, where there are too many.
fn rate_sparkline(track: &QuoteHistory) -> String {
    let rates: Vec<Rate> = track.rates().collect();
    let (Some(least), Some(most)) = (rates.iter().min(), rates.iter().max()) else { return String::new() };
    let cells = rates.len().min(SPARKLINE_CELLS);
    // A change below a hundredth looks flat; the drift column has its figure.
    if most.change_since(*least).is_none_or(|drift| drift.basis_points() < 100) {
        return "─".repeat(cells);
    }
    let picked =
        (1..=cells).filter_map(|cell| rates.get((rates.len() * cells.min(cell)).div_ceil(cells).saturating_sub(1)));
    sparkline_text(picked.map(|rate| Some(rate.position_from_zero(*most, 7))))
}

pub fn pairs_title(model: &Model, theme: &Theme) -> PaneTitle {
    let (symbol, _) = mark_imitation(model.tokens.selected().map_or("—", |token| token.symbol.as_str()), theme);
    let mut head = new_pane_title(model, Pane::Pairs, format!("Pairs · 1 {symbol} gives"));
    if let Some((failure, _)) = &model.remotes.pairs.failure {
        head.notes.extend([("not read".into(), theme.warn), (failure.reason.to_string(), theme.warn)]);
    }
    let after = format_age(model.prices.settings.old_after);
    head.notes.push((format!("old after {after}"), theme.dim));
    head.notes.extend(scroll_position(&model.pairs).map(|note| (note, theme.dim)));
    head
}

pub fn draw_pairs(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.prices.settings.valuation.is_none() {
        return paint::put_centered(buf, area, "no quotes are requested: valuation = \"none\"", theme.dim);
    }
    if model.pairs.count() == RowCount::Exact(0) {
        let nothing = match &model.prices.pairs {
            _ if model.tokens.selected().is_none() => NO_TOKEN_SELECTED,
            None => "the service does not report which pairs it swaps",
            Some(_) => "the service swaps this token for no other",
        };
        let read = model.remotes.pairs.last_success.is_some() && model.pairs.is_loaded();
        return draw_empty_message(model, theme, area, buf, read, nothing);
    }
    let from = area.x + 10;
    let quotes = quote_columns_width(area.width.saturating_sub(11));
    let at = Rect { x: from, width: quotes, ..area };
    paint::put(buf, area.x + 1, area.y, 8, "To", theme.dim);
    draw_column_heads(&model.zone, theme, at, "rate", buf);
    let digits = max_fraction_digits(model, model.pairs.visible_rows().map(|(pair, _)| Some(pair.clone())));
    let focused = model.focus() == Pane::Pairs;
    for (index, (pair, selected)) in (1_u16..area.height).zip(model.pairs.visible_rows()) {
        let line = Row::new(buf, theme, area, index, selected, focused);
        let (symbol, style) = mark_imitation(&pair.to, theme);
        paint::put(buf, line.x, line.y, 8, &symbol, line.style_over(style));
        draw_quote(model, theme, line, at, Some(pair), digits, buf);
    }
}
