//! The columns of a quote: rate, time, and change.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{NONE_SELECTED, marked};
use crate::app::Model;
use crate::app::link::words;
use crate::app::panes::view::{draw_empty, pane_title_of, scroll_position};
use crate::app::prices::{self, QuoteHistory};
use crate::app::screen::Pane;
use crate::domain::history::Count;
use crate::domain::v1::SwapPair;
use crate::domain::{Drift, Rate, Zone};
use crate::ui::chart::spark;
use crate::ui::chrome::PaneTitle;
use crate::ui::{Row, Theme, paint};

/// Column widths with the gap before each: rate, time, change in the session, change in 15 minutes, sparkline.
const COLUMNS: [u16; 5] = [16, 10, 9, 9, 10];
const SPARK: usize = 8;

/// The number of columns that fit; the last gives way first.
fn fitting(room: u16) -> usize {
    let mut taken = 0;
    COLUMNS
        .iter()
        .take_while(|width| {
            taken += **width;
            taken <= room
        })
        .count()
}

pub(super) fn width(room: u16) -> u16 {
    COLUMNS.iter().take(fitting(room)).sum()
}

pub(super) fn draw_heads(zone: &Zone, theme: &Theme, area: Rect, rate: &str, buf: &mut Buffer) {
    let at = if zone.is_utc() { "at (UTC)" } else { "at local" };
    let titles = [rate, at, "session", "15 min", "trend"];
    let mut x = area.x;
    for (title, width) in titles.into_iter().zip(COLUMNS).take(fitting(area.width)) {
        x += width;
        paint::put_right(buf, x, area.y, width - 1, title, theme.dim);
    }
}

/// The most fraction digits of the rates of some pairs: the room behind each decimal point, so that all points are
/// aligned.
pub(super) fn max_fraction_digits(model: &Model, pairs: impl Iterator<Item = Option<SwapPair>>) -> usize {
    let rates = pairs.filter_map(|pair| model.prices.history_of(&pair?)?.newest());
    rates.map(|newest| fraction(&newest.rate.words())).max().unwrap_or(0)
}

/// The length of the fraction, including the decimal point.
fn fraction(words: &str) -> usize {
    words.split_once('.').map_or(0, |(_, fraction)| fraction.len() + 1)
}

/// A rate padded with blanks to `digits` behind its point; not padded where there is no room.
fn aligned(words: &str, digits: usize) -> String {
    let wanted = words.len() - fraction(words) + digits;
    let room = usize::from(COLUMNS[0] - 1);
    let behind = digits.saturating_sub(fraction(words)).min(room.saturating_sub(words.len()));
    if wanted > room { words.to_owned() } else { format!("{words}{}", " ".repeat(behind)) }
}

/// Draws a pair's quote, its rate padded to `digits`. Without a pair it is the valuation token, whose rate is 1.
pub(super) fn draw_row(
    model: &Model,
    theme: &Theme,
    row: Row,
    area: Rect,
    pair: Option<&SwapPair>,
    digits: usize,
    buf: &mut Buffer,
) {
    let Some(pair) = pair else {
        paint::put_right(buf, area.x + COLUMNS[0], row.y, COLUMNS[0] - 1, &aligned("1", digits), row.over(theme.dim));
        return;
    };
    let track = model.prices.history_of(pair);
    let newest = track.and_then(QuoteHistory::newest);
    let Some(newest) = newest else {
        paint::put_right(buf, area.x + COLUMNS[0], row.y, COLUMNS[0] - 1, "—", row.over(theme.dim));
        let refused = track.and_then(QuoteHistory::refusal);
        if let Some(failure) = refused {
            let room = area.width.saturating_sub(COLUMNS[0] + 1);
            paint::put(buf, area.x + COLUMNS[0] + 1, row.y, room, &failure.to_string(), row.over(theme.dim));
        }
        return;
    };
    let old = prices::stale_age(model, newest.at);
    let style = if old.is_some() { theme.dim } else { theme.text };
    let at = model.zone.format(newest.at, if old.is_none() { "%H:%M:%S" } else { "old %H:%M" });
    let drift =
        |drift: Option<Drift>| drift.map_or_else(|| ("—".into(), theme.dim), |drift| moved(theme, drift, style));
    let (session, session_style) = drift(track.and_then(QuoteHistory::since_first));
    let (quarter, quarter_style) = drift(track.and_then(QuoteHistory::since_quarter));
    let cells = [
        (aligned(&newest.rate.words(), digits), style),
        (at, if old.is_some() { theme.warn } else { theme.dim }),
        (session, session_style),
        (quarter, quarter_style),
        (track.map(sparkline).unwrap_or_default(), theme.accent),
    ];
    let mut x = area.x;
    for ((text, style), width) in cells.into_iter().zip(COLUMNS).take(fitting(area.width)) {
        x += width;
        paint::put_right(buf, x, row.y, width - 1, &text, row.over(style));
    }
}

/// A change of the rate; its sign matches its colour.
fn moved(theme: &Theme, drift: Drift, still: Style) -> (String, Style) {
    let style = match drift.basis_points() {
        0 => still,
        1.. => theme.good,
        _ => theme.bad,
    };
    (drift.words(), style)
}

/// A sparkline of the rates of the last 15 minutes; evenly picked, the newest included, where there are too many.
fn sparkline(track: &QuoteHistory) -> String {
    let rates: Vec<Rate> = track.rates().collect();
    let (Some(least), Some(most)) = (rates.iter().min(), rates.iter().max()) else { return String::new() };
    let cells = rates.len().min(SPARK);
    // A change too small for the drift column is shown as none.
    if most.drift_since(*least).is_none_or(|drift| drift.basis_points() == 0) {
        return "─".repeat(cells);
    }
    let picked =
        (1..=cells).filter_map(|cell| rates.get((rates.len() * cells.min(cell)).div_ceil(cells).saturating_sub(1)));
    spark(picked.map(|rate| Some(rate.level(*least, *most, 7))))
}

pub fn pairs_title(model: &Model, theme: &Theme) -> PaneTitle {
    let (symbol, _) = marked(model.tokens.selected().map_or("—", |token| token.symbol.as_str()), theme);
    let mut head = pane_title_of(model, Pane::Pairs, format!("Pairs · 1 {symbol} gives"));
    if let Some((failure, _)) = &model.remotes.pairs.failure {
        head.notes.extend([("not read".into(), theme.warn), (failure.reason.to_string(), theme.warn)]);
    }
    let after = words(model.prices.settings.old_after);
    head.notes.push((format!("old after {after}"), theme.dim));
    head.notes.extend(scroll_position(&model.pairs).map(|note| (note, theme.dim)));
    head
}

pub fn draw_pairs(model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if model.prices.settings.valuation.is_none() {
        return paint::put_centered(buf, area, "no quotes are requested: valuation = \"none\"", theme.dim);
    }
    if model.pairs.count() == Count::Exact(0) {
        let nothing = match &model.prices.pairs {
            _ if model.tokens.selected().is_none() => NONE_SELECTED,
            None => "the service does not report which pairs it swaps",
            Some(_) => "the service swaps this token for no other",
        };
        let read = model.remotes.pairs.last_success.is_some() && model.pairs.is_loaded();
        return draw_empty(model, theme, area, buf, read, nothing);
    }
    let from = area.x + 10;
    let quotes = width(area.width.saturating_sub(11));
    let at = Rect { x: from, width: quotes, ..area };
    paint::put(buf, area.x + 1, area.y, 8, "To", theme.dim);
    draw_heads(&model.zone, theme, at, "rate", buf);
    let digits = max_fraction_digits(model, model.pairs.visible().map(|(pair, _)| Some(pair.clone())));
    let focused = model.focus() == Pane::Pairs;
    for (index, (pair, selected)) in (1_u16..area.height).zip(model.pairs.visible()) {
        let line = Row::new(buf, theme, area, index, selected, focused);
        let (symbol, style) = marked(&pair.to, theme);
        paint::put(buf, line.x, line.y, 8, &symbol, line.over(style));
        draw_row(model, theme, line, at, Some(pair), digits, buf);
    }
}
