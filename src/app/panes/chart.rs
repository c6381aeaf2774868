//! The chart of a balance: how it came to be what it is, or what came and went, day by day, with the exact figures.

pub mod view;

use crate::app::Model;
use crate::app::keymap::Command;
use crate::app::mode::Mode;
use crate::app::msg::Effect;
use crate::app::pictures::Picture;
use crate::app::screen::{self, Pane};
use crate::domain::history::Scope;
use crate::domain::past::{Closing, closings};
use crate::domain::{Day, Flow, Holding, Past, Text, TokenKey};

/// What a chart shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What each day closed with.
    Balance,
    /// What came in and went out on each day.
    Flow,
}

/// A chart that takes the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chart {
    /// Whose.
    pub scope: Scope,
    /// Of which token.
    pub token: TokenKey,
    /// Its symbol, for people.
    pub symbol: Text,
    /// What it shows.
    pub kind: Kind,
    /// Which of [`SPANS`].
    pub span: usize,
    /// The first visible row of the figures.
    pub top: u16,
}

/// How many days a chart can show.
pub const SPANS: [u16; 4] = [7, 30, 90, 365];

/// A day with its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures<'a> {
    /// What it closed with.
    pub closing: Closing,
    /// What moved on it, if anything did.
    pub flow: Option<&'a Flow>,
}

impl Chart {
    /// Days that it shows.
    pub fn days(&self) -> u16 {
        SPANS.get(self.span).copied().unwrap_or(SPANS[0])
    }

    /// What the store has to work out for it.
    pub fn picture(&self, today: Day) -> Picture {
        let since = today.before(self.days() - 1);
        Picture::Token { scope: self.scope.clone(), token: self.token.clone(), since }
    }

    /// How many lines it would take to show every day: those beside the table are always visible.
    pub(in crate::app) fn lines(&self, model: &Model) -> usize {
        let room = screen::reading(model).below(1);
        let beside = room.height.saturating_sub(view::table_rows(room));
        usize::from(self.days().saturating_add(beside))
    }

    /// The figures of each day, the oldest first; `None` until they were worked out.
    pub fn figures<'a>(&self, model: &'a Model) -> Option<Vec<Figures<'a>>> {
        let (past, held) = self.made(model)?;
        let told = past.of(&self.token);
        let now = held.as_ref().and_then(|held| held.amount.as_ref());
        let closings = closings(past.since, Day::of(model.now), now, past.whole, told);
        let flows = told.map_or(&[][..], |told| &told.flows);
        let flow = |day: Day| flows.iter().find(|flow| flow.day == day);
        Some(closings.into_iter().map(|closing| Figures { flow: flow(closing.day), closing }).collect())
    }

    /// What was worked out for it, unless that is of another chart or span still.
    pub fn made<'a>(&self, model: &'a Model) -> Option<&'a (Past, Option<Holding>)> {
        model.pictures.chart(&self.picture(Day::of(model.now)))
    }
}

/// Why nothing here can be shown as a chart, if so.
pub(in crate::app) fn refusal(model: &Model) -> Option<&'static str> {
    let rows = match model.focus() {
        Pane::Balances => model.balances.listing.count(),
        Pane::Held => model.users.held.count(),
        Pane::Recent => model.recent.listing.count(),
        Pane::History => model.history.listing.count(),
        _ => return Some("a chart is of a balance or of a transaction's token; go there first"),
    };
    (rows.number() == 0).then_some("there is nothing here to show as a chart")
}

/// Opens the chart of what is selected. Where nothing is, it is selected first.
pub(in crate::app) fn open(model: &mut Model) -> Vec<Effect> {
    let chart = |scope: Scope, token: &TokenKey, symbol: &Text, kind: Kind| {
        let (token, symbol) = (token.clone(), symbol.clone());
        Box::new(Chart { scope, token, symbol, kind, span: 1, top: 0 })
    };
    let opened = match model.focus() {
        Pane::Balances if model.balances.listing.select_visible() => return Vec::new(),
        Pane::Balances => model
            .balances
            .listing
            .selected()
            .map(|held| chart(model.balances.shown.clone(), &held.token, &held.symbol, Kind::Balance)),
        Pane::Held if model.users.held.select_visible() => return Vec::new(),
        Pane::Held => model
            .users
            .held
            .selected()
            .zip(model.users.shown.as_ref())
            .map(|(held, user)| chart(Scope::User(user.clone()), &held.token, &held.symbol, Kind::Balance)),
        Pane::Recent | Pane::History => {
            let Some(history) = model.focused_history_mut() else { return Vec::new() };
            if history.listing.select_visible() {
                return Vec::new();
            }
            let scope = history.shown.scope.clone();
            history
                .listing
                .selected()
                .map(|row| chart(scope, &row.transaction.token, &row.transaction.symbol, Kind::Flow))
        }
        _ => None,
    };
    if let Some(chart) = opened {
        model.mode = Mode::Chart(chart);
    }
    Vec::new()
}

/// A command while a chart takes the page; says whether it was one of its own.
pub(in crate::app) fn command(model: &mut Model, command: Command) -> bool {
    let Mode::Chart(chart) = &mut model.mode else { return false };
    match command {
        Command::Chart => {
            chart.kind = if chart.kind == Kind::Balance { Kind::Flow } else { Kind::Balance };
            chart.top = 0;
        }
        Command::NextPane => chart.span = (chart.span + 1).min(SPANS.len() - 1),
        Command::PreviousPane => chart.span = chart.span.saturating_sub(1),
        _ => return false,
    }
    true
}
