//! The columns of a quote: rate, time, and change.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::panes::PairsPane;
use super::{NO_TOKEN_SELECTED, mark_imitation, symbol_cell};
use crate::app::data::analyses::WEEK_DAYS;
use crate::app::data::prices::{self, QuoteHistory};
use crate::app::model::Model;
use crate::app::pages::pane::view::PaneView;
use crate::app::pages::view::{draw_empty_message, is_list_focused, new_pane_title, scroll_position, time_head};
use crate::app::screen::Pane;
use crate::domain::duration::format_age;
use crate::domain::history::RowCount;
use crate::domain::v1::SwapPair;
use crate::domain::{DatedRate, Day, Rate, RateChange, Text};
use crate::ui::chart::sparkline_text;
use crate::ui::chrome::PaneTitle;
use crate::ui::table::{Cell, Column, Highlight, Table};
use crate::ui::{Theme, paint};

const RATE_WIDTH: u16 = 14;
const SPARKLINE_CELLS: usize = 8;

/// How many columns a quote has; the column before them names the token.
const COLUMNS: usize = 7;

/// What is known of the rate of a pair.
pub(super) struct Quote<'a> {
    /// `None` for the valuation token, whose rate is 1.
    pair: Option<SwapPair>,
    history: Option<&'a QuoteHistory>,
}

impl<'a> Quote<'a> {
    pub(super) fn new(model: &'a Model, pair: Option<SwapPair>) -> Self {
        let history = pair.as_ref().and_then(|pair| model.data.prices.history_of(pair));
        Self { pair, history }
    }

    fn newest(&self) -> Option<DatedRate> {
        self.history.and_then(QuoteHistory::newest)
    }
}

/// Rate, time, changes in the session, in 15 minutes, and since the last prices of two earlier days, sparkline. Rates are
/// padded to `digits` behind the point. Where there is no quote, the reason extends over the columns behind the rate.
pub(super) fn columns<'a, R: 'a>(
    model: &'a Model,
    theme: &'a Theme,
    rate_head: String,
    digits: usize,
    quote: impl Fn(&'a R) -> &'a Quote<'a> + Copy + 'a,
) -> [Column<'a, R>; COLUMNS] {
    let is_valued = model.data.prices.settings.valuation.is_some();
    let text_style = |newest: DatedRate| if is_old(model, newest) { theme.dim } else { theme.text };
    let change_cell = move |newest: Option<DatedRate>, change: Option<RateChange>| match (newest, change) {
        (None, _) => Cell::blank(),
        (Some(_), None) => Cell::text("—", theme.dim),
        (Some(newest), Some(change)) => rate_change_cell(theme, change, text_style(newest)),
    };
    let [day, week] = compared_days(model).map(|day| {
        Column::right(day.start().format("vs %b %d"), 9).rank(6).used_if(is_valued).cell(move |row: &'a R, _| {
            let quote = quote(row);
            let change = quote.pair.as_ref().and_then(|pair| change_since_day(model, pair, day));
            change_cell(quote.newest(), change)
        })
    });
    [
        Column::right(rate_head, RATE_WIDTH).used_if(is_valued).cell(move |row, _| {
            let quote = quote(row);
            match quote.newest() {
                Some(newest) => Cell::text(pad_fraction(&newest.rate.format_rate(), digits), text_style(newest)),
                None if quote.pair.is_none() => Cell::text(pad_fraction("1", digits), theme.dim),
                None => Cell::text("—", theme.dim),
            }
        }),
        Column::left(time_head(&model.console.zone), 10).rank(1).used_if(is_valued).cell(move |row, _| {
            let quote = quote(row);
            match quote.newest() {
                Some(newest) if is_old(model, newest) => {
                    Cell::text(model.console.zone.format(newest.at, "old %H:%M"), theme.warn)
                }
                Some(newest) => Cell::text(model.console.zone.format(newest.at, "%H:%M:%S"), theme.dim),
                None => {
                    let refusal = quote.history.and_then(QuoteHistory::refusal).map(ToString::to_string);
                    Cell::text(refusal.unwrap_or_default(), theme.dim).extend_to(COLUMNS)
                }
            }
        }),
        Column::right("Session", 7).rank(2).used_if(is_valued).cell(move |row, _| {
            let quote = quote(row);
            change_cell(quote.newest(), quote.history.and_then(QuoteHistory::drift_since_first))
        }),
        Column::right("15 min", 7).rank(3).used_if(is_valued).cell(move |row, _| {
            let quote = quote(row);
            change_cell(quote.newest(), quote.history.and_then(QuoteHistory::drift_over_history_span))
        }),
        day,
        week,
        Column::right("Trend", 8)
            .rank(4)
            .used_if(is_valued)
            .cell(move |row, _| Cell::text(quote(row).history.map(rate_sparkline).unwrap_or_default(), theme.accent)),
    ]
}

fn is_old(model: &Model, newest: DatedRate) -> bool {
    prices::stale_quote_age(model, newest.at).is_some()
}

/// The days whose last prices the present ones are compared with: yesterday, and a week ago.
fn compared_days(model: &Model) -> [Day; 2] {
    [1, WEEK_DAYS].map(|days| Day::from_timestamp(model.now).days_before(days))
}

/// The change of a pair since the last prices of a day; `None` where one of them is not known. The price of the pair
/// itself is not recorded, so that the prices of both tokens are compared, then and now.
fn change_since_day(model: &Model, pair: &SwapPair, day: Day) -> Option<RateChange> {
    let past = model.data.analyses.price_history()?;
    let now = |symbol| model.data.prices.valuation_rate(symbol).map(|(rate, _)| rate);
    let before = past.exact_rate_on(&pair.from, day)?.per(past.exact_rate_on(&pair.to, day)?)?;
    now(&pair.from)?.per(now(&pair.to)?)?.change_since(before)
}

/// The most fraction digits of some rates: the room behind each decimal point, so that all points are aligned.
pub(super) fn max_fraction_digits<'a>(quotes: impl Iterator<Item = &'a Quote<'a>>) -> usize {
    quotes.filter_map(Quote::newest).map(|newest| fraction_width(&newest.rate.format_rate())).max().unwrap_or(0)
}

/// The length of the fraction, including the decimal point.
fn fraction_width(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, fraction)| fraction.len() + 1)
}

/// A rate padded with blanks to `digits` behind its point; not padded where there is no room.
fn pad_fraction(text: &str, digits: usize) -> String {
    let width = text.len() - fraction_width(text) + digits;
    let room = usize::from(RATE_WIDTH);
    let behind = digits.saturating_sub(fraction_width(text)).min(room.saturating_sub(text.len()));
    if width > room { text.to_owned() } else { format!("{text}{}", " ".repeat(behind)) }
}

/// A change of the rate; its sign matches its colour.
fn rate_change_cell(theme: &Theme, drift: RateChange, still: Style) -> Cell<'static> {
    let style = match drift.basis_points() {
        0 => still,
        1.. => theme.good,
        _ => theme.bad,
    };
    Cell::text(drift.format_percent(), style)
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
    sparkline_text(picked.map(|rate| Some(rate.axis_step_from_zero(*most, 7))))
}

impl PaneView for PairsPane {
    fn name(&self) -> &'static str {
        "Pairs"
    }

    fn title(&self, model: &Model, theme: &Theme) -> PaneTitle {
        let (symbol, _) =
            mark_imitation(model.pages.markets.tokens.selected().map_or("—", |token| token.symbol.as_str()), theme);
        let mut head = new_pane_title(model, Pane::Pairs, format!("Pairs · 1 {symbol} gives"));
        if let Some((failure, _)) = &model.data.remotes.pairs.failure {
            head.notes.extend([("not read".into(), theme.warn), (failure.reason.to_string(), theme.warn)]);
        }
        let after = format_age(model.data.prices.settings.old_after);
        head.notes.push((format!("old after {after}"), theme.dim));
        head.notes.extend(scroll_position(&model.pages.markets.pairs).map(|note| (note, theme.dim)));
        head
    }

    fn draw(&self, model: &Model, theme: &Theme, area: Rect, buf: &mut Buffer) {
        if model.data.prices.settings.valuation.is_none() {
            return paint::put_centered(buf, area, "no quotes are requested: valuation = \"none\"", theme.dim);
        }
        if model.pages.markets.pairs.count() == RowCount::Exact(0) {
            let nothing = match &model.data.prices.pairs {
                _ if model.pages.markets.tokens.selected().is_none() => NO_TOKEN_SELECTED,
                None => "the service does not report which pairs it swaps",
                Some(_) => "the service swaps this token for no other",
            };
            let is_loaded = model.data.remotes.pairs.last_success.is_some() && model.pages.markets.pairs.is_loaded();
            return draw_empty_message(model, theme, area, buf, is_loaded, nothing);
        }
        let rows: Vec<_> = model
            .pages
            .markets
            .pairs
            .visible_rows()
            .map(|(pair, selected)| ((&pair.to, Quote::new(model, Some(pair.clone()))), selected))
            .collect();
        let digits = max_fraction_digits(rows.iter().map(|((_, quote), _)| quote));
        let [rate, at, session, quarter, day, week, trend] =
            columns(model, theme, "Rate".into(), digits, |(_, quote): &(&Text, Quote<'_>)| quote);
        let to = Column::left("To", 8).cell(|(to, _): &(&Text, Quote<'_>), _| symbol_cell(to, theme));
        let columns = [to, rate, at, session, quarter, day, week, trend];
        Table::fit(columns, area).draw(
            theme,
            &rows,
            Highlight::Whole,
            is_list_focused(model, Pane::Pairs, &model.pages.markets.pairs),
            buf,
        );
    }
}
