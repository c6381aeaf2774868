//! The table of a report: its lines, in columns that the screen, copies and files share.

use std::borrow::Cow;

use super::ReportKind;
use crate::domain::chain::chain_display_name;
use crate::domain::statement::SignedAmount;
use crate::domain::{Amount, Period, RateChange, Text, Timestamp, ValuationAmount, ValueChange, ValueShare};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTable {
    pub kind: ReportKind,
    pub period: Period,
    /// The symbol of the token in which values are; empty without a valuation.
    pub valuation: Text,
    pub columns: &'static [ReportColumn],
    /// The columns of values that the screen draws as bars from zero, on one scale.
    pub bars: &'static [&'static str],
    pub lines: Vec<ReportLine>,
    /// What the figures do not contain or could not know, in words.
    pub remarks: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportColumn {
    /// In files.
    pub name: &'static str,
    /// On screen.
    pub heading: &'static str,
    /// The order in which columns are given room on screen: 1 first; 0 for a column that is only in files. Columns of one
    /// priority, such as in and out, come together or not at all.
    pub priority: u8,
}

/// Columns up to this priority are what a report is about: figures are shortened so that they fit.
pub const LAST_MAIN_PRIORITY: u8 = 9;

/// How much of a report a line sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineLevel {
    /// The whole report.
    Total,
    /// Several tokens together, by value.
    Group,
    Token,
    /// A token that imitates a listed one, and is in no other line.
    Imitation,
}

impl LineLevel {
    /// In files, so that sums over a column take lines of one level alone.
    pub fn word(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Group => "all tokens",
            Self::Token => "token",
            Self::Imitation => "imitation",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportLine {
    pub level: LineLevel,
    /// One for each column.
    pub cells: Vec<ReportCell>,
    /// The filter of the Transactions page that shows the rows behind the line, but for their period.
    pub filter: Option<String>,
    /// When those rows are.
    pub period: Period,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportCell {
    /// Nothing belongs here.
    Empty,
    /// Something belongs here, and is not known.
    Unknown,
    Text(Text),
    /// The symbol of a token that imitates a listed one; on screen with the mark of imitations.
    Imitation(Text),
    Word(Cow<'static, str>),
    /// A word that is bad news.
    Alarm(&'static str),
    /// A chain, in the service's word; on screen by its name.
    Chain(Text),
    Count(u64),
    Amount(Amount),
    Signed(SignedAmount),
    Value(ValuationAmount),
    /// A value that may be below zero.
    Net(ValueChange),
    Share(ValueShare),
    Change(RateChange),
    At(Timestamp),
    Day(Timestamp),
    /// By its first moment.
    Month(Timestamp),
}

impl ReportCell {
    pub fn amount(amount: Option<Amount>) -> Self {
        amount.map_or(Self::Unknown, Self::Amount)
    }

    pub fn value(value: Option<ValuationAmount>) -> Self {
        value.map_or(Self::Unknown, Self::Value)
    }

    pub fn text(text: Option<&Text>) -> Self {
        text.map_or(Self::Empty, |text| Self::Text(text.clone()))
    }

    pub fn symbol(symbol: Option<&Text>, level: LineLevel) -> Self {
        match symbol {
            Some(symbol) if level == LineLevel::Imitation => Self::Imitation(symbol.clone()),
            _ => Self::text(symbol),
        }
    }

    pub fn word(word: impl Into<Cow<'static, str>>) -> Self {
        let word = word.into();
        if word.is_empty() { Self::Empty } else { Self::Word(word) }
    }

    /// Exact, for files.
    pub fn file_text(&self) -> Option<String> {
        match self {
            Self::Empty | Self::Unknown => None,
            Self::Text(text) | Self::Imitation(text) | Self::Chain(text) => Some(text.to_string()),
            Self::Word(word) => Some(word.to_string()),
            Self::Alarm(word) => Some((*word).to_owned()),
            Self::Count(count) => Some(count.to_string()),
            Self::Amount(amount) => Some(amount.to_string()),
            Self::Signed(amount) => Some(amount.to_string()),
            Self::Value(value) => Some(value.format_plain()),
            Self::Net(net) => Some(net.format_plain_difference()),
            Self::Share(share) => Some(share.format_plain()),
            Self::Change(change) => Some(change.format_plain()),
            Self::At(at) => Some(at.to_string()),
            Self::Day(day) => Some(day.format("%Y-%m-%d")),
            Self::Month(month) => Some(month.format("%Y-%m")),
        }
    }

    /// Grouped, for the screen; a dash where the figure is unknown.
    pub fn screen_text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Unknown => "—".into(),
            Self::Text(text) => text.to_string(),
            Self::Imitation(symbol) => format!("?{symbol}"),
            Self::Word(word) => word.to_string(),
            Self::Alarm(word) => (*word).to_owned(),
            Self::Chain(chain) => chain_display_name(chain).to_owned(),
            Self::Count(count) => crate::domain::amount::insert_thousands_separators(&count.to_string()),
            Self::Amount(amount) => amount.format_grouped(),
            Self::Signed(SignedAmount { negative, amount }) => {
                format!("{}{}", if *negative { "−" } else { "" }, amount.format_grouped())
            }
            Self::Value(value) => value.format_grouped(),
            Self::Net(net) => net.format_difference(),
            Self::Share(share) => share.format_percent(),
            Self::Change(change) => change.format_percent(),
            Self::At(at) => at.format("%Y-%m-%d %H:%M"),
            Self::Day(day) => day.format("%Y-%m-%d"),
            Self::Month(month) => month.format("%b %Y"),
        }
    }

    /// The same in a few cells, by its first three digits: `≈2.25M`. Only of figures that may be long.
    pub fn short_figure_text(&self) -> Option<String> {
        let short = |amount: Amount| ValuationAmount::from_amount(amount).map(ValuationAmount::format_short);
        match self {
            Self::Amount(amount) => short(*amount).map(|text| format!("≈{text}")),
            Self::Signed(SignedAmount { negative, amount }) => {
                short(*amount).map(|text| format!("{}≈{text}", if *negative { "−" } else { "" }))
            }
            Self::Value(value) => Some(value.format_short()),
            Self::Empty
            | Self::Unknown
            | Self::Text(_)
            | Self::Imitation(_)
            | Self::Word(_)
            | Self::Alarm(_)
            | Self::Chain(_)
            | Self::Count(_)
            | Self::Net(_)
            | Self::Share(_)
            | Self::Change(_)
            | Self::At(_)
            | Self::Day(_)
            | Self::Month(_) => None,
        }
    }

    /// Whether the screen aligns it on the right.
    pub fn is_figure(&self) -> bool {
        match self {
            Self::Empty
            | Self::Text(_)
            | Self::Imitation(_)
            | Self::Word(_)
            | Self::Alarm(_)
            | Self::Chain(_)
            | Self::At(_)
            | Self::Day(_)
            | Self::Month(_) => false,
            Self::Unknown
            | Self::Count(_)
            | Self::Amount(_)
            | Self::Signed(_)
            | Self::Value(_)
            | Self::Net(_)
            | Self::Share(_)
            | Self::Change(_) => true,
        }
    }
}

/// Declares the columns of a report once: the name in files, the heading and the priority on screen, and the cell.
macro_rules! report_columns {
    (
        fn $cells:ident($($argument:ident: $type:ty),* $(,)?) -> $columns:ident {
            $(let $pattern:pat = $value:expr;)*
            $($name:literal, $heading:literal, $priority:literal => $cell:expr,)*
        }
    ) => {
        const $columns: &[$crate::domain::report::ReportColumn] =
            &[$($crate::domain::report::ReportColumn { name: $name, heading: $heading, priority: $priority }),*];

        fn $cells($($argument: $type),*) -> Vec<$crate::domain::report::ReportCell> {
            $(let $pattern = $value;)*
            vec![$($cell),*]
        }
    };
}

pub(in crate::domain) use report_columns;
