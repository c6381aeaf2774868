//! The chart over a page: opened, turned, and closed by keys; its figures.

use super::{Chart, ChartKind, DayFigures, SPAN_DAYS, view};
use crate::app::data::analyses::{TokenHistory, TokenQuery};
use crate::app::input::keymap::Command;
use crate::app::input::mode::Mode;
use crate::app::layout::body::body_area;
use crate::app::model::Model;
use crate::domain::balance_history::{ClosingBalance, closing_balances};
use crate::domain::history::{RowCount, Scope};
use crate::domain::{Day, Text, TokenKey};

/// Whether a list with these rows has something to chart; an open chart has.
pub(in crate::app) fn check_chartable(mode: &Mode, rows: RowCount) -> Result<(), String> {
    let is_empty = rows.number() == 0 && !matches!(mode, Mode::Chart(_));
    if is_empty { Err("there is nothing here to show as a chart".into()) } else { Ok(()) }
}

pub(in crate::app) fn open_chart(model: &mut Model, kind: ChartKind, scope: Scope, token: TokenKey, symbol: Text) {
    let valuation = model.data.prices.settings.valuation.clone().unwrap_or_default();
    let chart = Chart { scope, token, symbol, valuation, kind, span_index: 1, scroll_top: 0 };
    model.show_mode(Mode::Chart(Box::new(chart)));
}

/// Handles a command of the chart page; returns whether it was one.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other commands are none of its own")]
pub(in crate::app) fn handle_command(model: &mut Model, command: Command) -> bool {
    let Mode::Chart(chart) = &mut model.mode else { return false };
    match command {
        Command::Chart => {
            chart.kind = chart.next_kind();
            chart.scroll_top = 0;
        }
        Command::NextPane => chart.span_index = (chart.span_index + 1).min(SPAN_DAYS.len() - 1),
        Command::PreviousPane => chart.span_index = chart.span_index.saturating_sub(1),
        _ => return false,
    }
    true
}

impl Chart {
    /// What `t` shows next.
    pub(in crate::app) fn next_kind(&self) -> ChartKind {
        match self.kind {
            ChartKind::Balance if !self.valuation.is_empty() => ChartKind::Value,
            ChartKind::Balance | ChartKind::Value => ChartKind::Flow,
            ChartKind::Flow => ChartKind::Balance,
        }
    }

    /// The number of lines for every day to be shown, including those beside the table.
    pub(in crate::app) fn line_count(&self, model: &Model) -> usize {
        let room = body_area(model).without_top(1);
        let beside = room.height.saturating_sub(view::table_rows(room));
        usize::from(self.day_count().saturating_add(beside))
    }

    /// The figures of each day, oldest first; `None` until they are calculated.
    pub fn day_figures<'a>(&self, model: &'a Model) -> Option<Vec<DayFigures<'a>>> {
        let TokenHistory { history: past, holding, prices } = self.chart_data(model)?;
        let token_history = past.token(&self.token);
        let now = holding.as_ref().and_then(|token_holding| token_holding.amount.as_ref());
        let closings =
            closing_balances(past.since, Day::from_timestamp(model.now), now, past.is_complete, token_history);
        let flows = token_history.map_or(&[][..], |token_history| &token_history.flows);
        let flow = |day: Day| flows.iter().find(|flow| flow.day == day);
        let price = |day: Day| prices.nearest_rate(&self.symbol, day);
        let figures =
            |closing: ClosingBalance| DayFigures { flow: flow(closing.day), price: price(closing.day), closing };
        Some(closings.into_iter().map(figures).collect())
    }

    pub fn token_query(&self, model: &Model) -> TokenQuery {
        TokenQuery {
            scope: self.scope.clone(),
            token: self.token.clone(),
            since: Day::from_timestamp(model.now).days_before(self.day_count() - 1),
            valuation: self.valuation.clone(),
            prices: model.data.prices.price_list(),
        }
    }

    /// The figures calculated for this chart; `None` while they are those of another chart or span.
    pub fn chart_data<'a>(&self, model: &'a Model) -> Option<&'a TokenHistory> {
        model.data.analyses.token_chart(&self.token_query(model))
    }
}
