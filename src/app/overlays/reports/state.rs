//! What the reports show: which one, over which period, and the selected line.

use std::sync::Arc;

use crate::domain::address_names::AddressNames;
use crate::domain::history::{PriceList, Scope};
use crate::domain::report::gas::GAS_DAYS;
use crate::domain::report::{LineLevel, ReportKind, ReportLine, ReportTable};
use crate::domain::{Period, Text, Timestamp};

/// A report to compute. What it says changes with the rows and the recorded prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportQuery {
    pub kind: ReportKind,
    /// Whose value and allocation.
    pub scope: Scope,
    pub period: Period,
    /// The token in which everything is valued; empty for no values.
    pub valuation: Text,
    /// The names of counterparties.
    pub names: Arc<AddressNames>,
    /// The latest prices.
    pub prices: PriceList,
}

impl ReportQuery {
    /// Whether it is the same report, at whatever latest prices.
    pub fn equals_except_prices(&self, other: &Self) -> bool {
        let Self { kind, scope, period, valuation, names, prices: _ } = self;
        (*kind, *period) == (other.kind, other.period)
            && (scope, valuation, names) == (&other.scope, &other.valuation, &other.names)
    }
}

/// The days that a report by day or on counterparties can cover; of counterparties the named periods follow.
const DAY_COUNTS: [u16; 4] = [7, 30, 90, 365];
const COUNTERPARTY_PERIODS: [&str; 3] = ["this month", "last month", "all time"];
/// The numbers of months that a report by month can cover.
const MONTH_COUNTS: [u16; 5] = [3, 6, 12, 24, 60];
/// The most months before the present one whose statement is offered.
const MOST_MONTHS_BACK: usize = 120;

#[derive(Debug, Clone)]
pub struct Reports {
    pub kind: ReportKind,
    /// The position of each report's period among those that it offers.
    period_steps: [usize; ReportKind::ALL.len()],
    /// Whether each report has lines of single tokens, chains or accounts.
    unfolded: [bool; ReportKind::ALL.len()],
    /// The index of the selected line among those shown.
    pub at: usize,
    /// The index of the first line on screen.
    pub top: usize,
    pub scope: Scope,
}

impl Reports {
    pub fn new(kind: ReportKind, scope: Scope) -> Self {
        Self {
            kind,
            period_steps: [1, 0, 1, 2, 0, 2, 0],
            unfolded: [true, true, false, true, true, false, true],
            at: 0,
            top: 0,
            scope,
        }
    }

    fn kind_index(&self) -> usize {
        ReportKind::ALL.iter().position(|kind| *kind == self.kind).unwrap_or(0)
    }

    fn period_step(&self) -> usize {
        self.period_steps.get(self.kind_index()).copied().unwrap_or(0)
    }

    pub fn is_unfolded(&self) -> bool {
        self.unfolded.get(self.kind_index()).copied().unwrap_or(true)
    }

    /// Shows another report; its period stays as it was.
    pub fn show(&mut self, kind: ReportKind) {
        self.kind = kind;
        (self.at, self.top) = (0, 0);
    }

    /// Shows the next report, or the previous one.
    pub fn show_adjacent_report(&mut self, forward: bool) {
        let count = ReportKind::ALL.len();
        let next = (self.kind_index() + if forward { 1 } else { count - 1 }) % count;
        if let Some(kind) = ReportKind::ALL.get(next) {
            self.show(*kind);
        }
    }

    /// Takes a longer period or an earlier month, or the opposite. Returns whether there is one.
    pub fn change_period(&mut self, longer: bool) -> bool {
        let last = match self.kind {
            ReportKind::Value => DAY_COUNTS.len() - 1,
            ReportKind::Counterparties => DAY_COUNTS.len() + COUNTERPARTY_PERIODS.len() - 1,
            ReportKind::Fees | ReportKind::Months => MONTH_COUNTS.len() - 1,
            ReportKind::Gas | ReportKind::Allocation => 0,
            ReportKind::Statement => MOST_MONTHS_BACK,
        };
        let index = self.kind_index();
        let Some(step) = self.period_steps.get_mut(index) else { return false };
        let before = *step;
        *step = if longer { (before + 1).min(last) } else { before.saturating_sub(1) };
        (self.at, self.top) = (0, 0);
        *step != before
    }

    /// Shows or hides the lines of single tokens. Lines of wallets have nothing to fold.
    pub fn toggle_folded(&mut self) {
        let (index, kind) = (self.kind_index(), self.kind);
        if let Some(unfolded) = self
            .unfolded
            .get_mut(index)
            .filter(|_| !matches!(kind, ReportKind::Gas | ReportKind::Allocation | ReportKind::Value))
        {
            *unfolded = !*unfolded;
            (self.at, self.top) = (0, 0);
        }
    }

    pub fn period(&self, now: Timestamp) -> Period {
        let this_month = || Period::month_of(now).unwrap_or(Period::EVER);
        match self.kind {
            ReportKind::Value => Period::last_days(self.day_count().unwrap_or(30), now),
            ReportKind::Allocation => Period::last_days(1, now),
            ReportKind::Counterparties => match self.day_count() {
                Some(days) => Period::last_days(days, now),
                None => self.named_period().and_then(|name| Period::parse_named(name, now)).unwrap_or(Period::EVER),
            },
            ReportKind::Gas => Period::last_days(GAS_DAYS, now),
            ReportKind::Fees | ReportKind::Months => {
                Period::spanning_last_months(self.month_count(), now).unwrap_or_else(this_month)
            }
            ReportKind::Statement => (0..self.period_step())
                .fold(this_month(), |month, _| Period::month_before(month.start).unwrap_or(month)),
        }
    }

    /// The period in words.
    pub fn period_text(&self, now: Timestamp) -> String {
        match self.kind {
            ReportKind::Allocation => "now".to_owned(),
            ReportKind::Value | ReportKind::Counterparties => match (self.day_count(), self.named_period()) {
                (Some(days), _) => format!("last {days} days"),
                (None, name) => name.unwrap_or_default().to_owned(),
            },
            ReportKind::Gas => format!("last {GAS_DAYS} days"),
            ReportKind::Fees | ReportKind::Months => format!("last {} months", self.month_count()),
            ReportKind::Statement => self.period(now).start.format("%B %Y"),
        }
    }

    fn named_period(&self) -> Option<&'static str> {
        COUNTERPARTY_PERIODS.get(self.period_step().checked_sub(DAY_COUNTS.len())?).copied()
    }

    fn day_count(&self) -> Option<u16> {
        DAY_COUNTS.get(self.period_step()).copied()
    }

    fn month_count(&self) -> u16 {
        MONTH_COUNTS.get(self.period_step()).copied().unwrap_or(12)
    }

    /// The lines on screen, from the first one of the report.
    pub fn lines<'a>(&self, table: &'a ReportTable) -> Vec<&'a ReportLine> {
        let shows_tokens = self.is_unfolded();
        let is_shown = |line: &&ReportLine| match line.level {
            LineLevel::Total | LineLevel::Group => true,
            LineLevel::Token => shows_tokens,
            LineLevel::Imitation => shows_tokens || self.kind == ReportKind::Statement,
        };
        table.lines.iter().filter(is_shown).collect()
    }

    /// Keeps the selected line among the lines and on screen.
    pub fn fit(&mut self, lines: usize, visible: usize) {
        self.at = self.at.min(lines.saturating_sub(1));
        let least = (self.at + 1).saturating_sub(visible.max(1));
        self.top = self.top.clamp(least, self.at.max(least)).min(lines.saturating_sub(visible.min(lines)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports(kind: ReportKind) -> Reports {
        Reports::new(kind, Scope::All)
    }

    fn now() -> Timestamp {
        Timestamp::parse_iso("2026-03-31T12:00:00Z").unwrap()
    }

    #[test]
    fn each_report_keeps_a_period_of_its_own() {
        let mut state = reports(ReportKind::Statement);
        assert_eq!(state.period_text(now()), "March 2026");
        assert!(!state.change_period(false), "no month after this one");
        assert!(state.change_period(true));
        assert_eq!(state.period_text(now()), "February 2026");
        assert_eq!(Some(state.period(now())), Period::parse_month("2026-02"));
        state.show_adjacent_report(true);
        assert_eq!((state.kind, state.period_text(now())), (ReportKind::Value, "last 30 days".to_owned()));
        state.show(ReportKind::Counterparties);
        while state.change_period(true) {}
        assert_eq!((state.period(now()), state.period_text(now())), (Period::EVER, "all time".to_owned()));
        state.change_period(false);
        assert_eq!(Some(state.period(now())), Period::parse_month("2026-02"));
        state.show(ReportKind::Statement);
        assert_eq!(state.period_text(now()), "February 2026");
        state.show(ReportKind::Gas);
        assert!(!state.change_period(true));
    }

    #[test]
    fn the_selected_line_is_always_on_screen() {
        let mut state = reports(ReportKind::Months);
        for (at, lines, visible, expected) in [
            (0, 0, 5, (0, 0)),
            (7, 10, 5, (7, 3)),
            (3, 10, 5, (3, 3)),
            (2, 10, 5, (2, 2)),
            (99, 10, 5, (9, 5)),
            (9, 3, 5, (2, 0)),
            (4, 5, 0, (4, 4)),
        ] {
            state.at = at;
            state.fit(lines, visible);
            assert_eq!((state.at, state.top), expected, "{at} of {lines} in {visible}");
        }
    }
}
