//! The statement as a table: totals first, then each token of each account, imitations apart.

use std::collections::BTreeMap;

use super::{MonthStatement, SignedAmount, StatementLine};
use crate::domain::address_names::AddressNames;
use crate::domain::report::{
    ExactSum, LineLevel, ReportCell, ReportKind, ReportLine, ReportTable, ValueSum, report_columns,
};
use crate::domain::{AccountId, Amount, Day, Period, PriceHistory, Text, Timestamp, TokenKey, ValuationAmount};

/// What a statement needs beside the rows.
#[derive(Debug, Clone)]
pub struct StatementContext<'a> {
    /// When the whole history was read; `None` where only a part of it was, which proves no balance.
    pub whole_at: Option<Timestamp>,
    pub names: &'a AddressNames,
    pub prices: &'a PriceHistory,
}

/// A sum of balances, some of which may be below zero or unknown.
#[derive(Debug, Clone, Copy, Default)]
struct BalanceSum {
    plus: ExactSum,
    minus: ExactSum,
    has_unknown: bool,
}

impl BalanceSum {
    fn add(&mut self, balance: Option<SignedAmount>) {
        match balance {
            Some(SignedAmount { negative: false, amount }) => self.plus.add(amount),
            Some(SignedAmount { negative: true, amount }) => self.minus.add(amount),
            None => self.has_unknown = true,
        }
    }

    fn balance(&self) -> Option<SignedAmount> {
        let (plus, minus) = self.plus.amount().zip(self.minus.amount()).filter(|_| !self.has_unknown)?;
        let decimals = plus.decimals().max(minus.decimals());
        let (plus, minus) = (plus.rescaled(decimals)?, minus.rescaled(decimals)?);
        let amount = plus.checked_sub(minus).or_else(|| minus.checked_sub(plus))?;
        Some(SignedAmount { negative: plus.raw() < minus.raw(), amount })
    }
}

/// The figures of a line, whatever it sums.
#[derive(Debug, Clone, Default)]
struct StatementFigures {
    opening: BalanceSum,
    incoming: ExactSum,
    outgoing: ExactSum,
    fees: ExactSum,
    internal_in: ExactSum,
    internal_out: ExactSum,
    closing: BalanceSum,
    opening_value: ValueSum,
    value_in: ValueSum,
    value_out: ValueSum,
    value_fees: ValueSum,
    closing_value: ValueSum,
    /// Whether a balance below zero, or an unknown one, has no value.
    has_unvalued_balance: [bool; 2],
    movements: u64,
    not_final: u64,
    unclear: u64,
    fees_elsewhere: u64,
}

impl StatementFigures {
    fn of_line(line: &StatementLine, month: Period, context: &StatementContext<'_>) -> Self {
        let mut figures = Self {
            value_in: line.value_in,
            value_out: line.value_out,
            value_fees: line.value_fees,
            movements: line.movements,
            not_final: line.not_final,
            unclear: line.unclear_rows(),
            fees_elsewhere: line.fees_elsewhere,
            ..Self::default()
        };
        let add = |sum: &mut ExactSum, amount: Option<Amount>| amount.into_iter().for_each(|amount| sum.add(amount));
        add(&mut figures.incoming, line.incoming_total());
        add(&mut figures.outgoing, line.outgoing_total());
        add(&mut figures.fees, line.fee_total());
        add(&mut figures.internal_in, line.internal_incoming_total());
        add(&mut figures.internal_out, line.internal_outgoing_total());
        let (opening, closing) = match context.whole_at {
            Some(_) => (line.opening_balance(), line.closing_balance()),
            None => (None, None),
        };
        figures.opening.add(opening);
        figures.closing.add(closing);
        // The last moment before the month, and the last one of it, or the read if that was earlier.
        let last = context.whole_at.map_or(month.end, |closed_at| closed_at.min(month.end));
        let before = |at: Timestamp| Day::from_timestamp(Timestamp::from_millis(at.millis().saturating_sub(1)));
        let mut value = |nth: usize, balance: Option<SignedAmount>, day: Day| {
            let sum = if nth == 0 { &mut figures.opening_value } else { &mut figures.closing_value };
            match balance {
                Some(SignedAmount { negative: false, amount }) => sum.add(amount, &line.symbol, day, context.prices),
                Some(SignedAmount { negative: true, .. }) | None => figures.has_unvalued_balance[nth] = true,
            }
        };
        value(0, opening, before(month.start));
        value(1, closing, before(last));
        figures
    }

    fn merge(&mut self, other: &Self) {
        let merge = |into: &mut BalanceSum, from: &BalanceSum| {
            into.plus.merge(&from.plus);
            into.minus.merge(&from.minus);
            into.has_unknown |= from.has_unknown;
        };
        merge(&mut self.opening, &other.opening);
        merge(&mut self.closing, &other.closing);
        self.incoming.merge(&other.incoming);
        self.outgoing.merge(&other.outgoing);
        self.fees.merge(&other.fees);
        self.internal_in.merge(&other.internal_in);
        self.internal_out.merge(&other.internal_out);
        self.merge_values(other);
    }

    fn merge_values(&mut self, other: &Self) {
        self.opening_value.merge(&other.opening_value);
        self.value_in.merge(&other.value_in);
        self.value_out.merge(&other.value_out);
        self.value_fees.merge(&other.value_fees);
        self.closing_value.merge(&other.closing_value);
        for (unvalued, other) in self.has_unvalued_balance.iter_mut().zip(other.has_unvalued_balance) {
            *unvalued |= other;
        }
        self.movements += other.movements;
        self.not_final += other.not_final;
        self.unclear += other.unclear;
        self.fees_elsewhere += other.fees_elsewhere;
    }

    fn balance_value(&self, nth: usize) -> Option<ValuationAmount> {
        let sum = if nth == 0 { &self.opening_value } else { &self.closing_value };
        sum.total().filter(|_| !self.has_unvalued_balance[nth])
    }

    /// By which prices the line is valued, in words.
    fn valued_by_text(&self) -> String {
        let all = self.value_in.merged_with(&self.value_out).merged_with(&self.value_fees);
        all.merged_with(&self.opening_value).merged_with(&self.closing_value).to_string()
    }
}

/// What a line sums.
#[derive(Clone, Copy)]
enum StatementLineSubject<'a> {
    All,
    /// A symbol over all accounts and chains.
    Symbol(&'a Text),
    Line(&'a (Option<AccountId>, TokenKey), &'a StatementLine),
}

impl MonthStatement {
    /// The statement as a table. Its remarks say what it does not contain, but not how the history was read.
    pub fn into_table(self, context: &StatementContext<'_>) -> ReportTable {
        let mut by_symbol: BTreeMap<&Text, StatementFigures> = BTreeMap::new();
        let mut all = StatementFigures::default();
        let (mut accounts, mut imitations) = (Vec::new(), Vec::new());
        for (key, line) in &self.lines {
            let figures = StatementFigures::of_line(line, self.month, context);
            if line.imitates {
                imitations.push((key, line, figures));
                continue;
            }
            by_symbol.entry(&line.symbol).or_default().merge(&figures);
            all.merge_values(&figures);
            accounts.push((key, line, figures));
        }
        let mut lines = Vec::new();
        let mut add = |level, subject, figures: &StatementFigures| {
            let cells = cells(level, self.month, context, subject, figures);
            let filter = match subject {
                StatementLineSubject::All => Some(String::new()),
                StatementLineSubject::Symbol(symbol) => Some(format!("token:{symbol}")),
                StatementLineSubject::Line((account, token), line) => {
                    let account = account.as_ref().map_or_else(String::new, |account| format!("account:{account} "));
                    Some(format!("{account}chain:{} token:{}", token.blockchain, line.symbol))
                }
            };
            lines.push(ReportLine { level, cells, filter, period: self.month });
        };
        if !accounts.is_empty() {
            add(LineLevel::Total, StatementLineSubject::All, &all);
        }
        let mut symbols: Vec<_> = by_symbol.into_iter().collect();
        symbols.sort_by_key(|(_, figures)| std::cmp::Reverse((figures.balance_value(1), figures.movements)));
        for (symbol, figures) in &symbols {
            add(LineLevel::Group, StatementLineSubject::Symbol(symbol), figures);
        }
        for (key, line, figures) in &accounts {
            add(LineLevel::Token, StatementLineSubject::Line(key, line), figures);
        }
        for (key, line, figures) in &imitations {
            add(LineLevel::Imitation, StatementLineSubject::Line(key, line), figures);
        }
        ReportTable {
            kind: ReportKind::Statement,
            period: self.month,
            valuation: context.prices.valuation_symbol().clone(),
            columns: STATEMENT_COLUMNS,
            bars: &["closing_value"],
            lines,
            remarks: self.remarks(!imitations.is_empty(), context),
        }
    }

    fn remarks(&self, has_imitations: bool, context: &StatementContext<'_>) -> Vec<String> {
        let mut remarks = Vec::from_iter(self.empty_month_reason(context.whole_at.is_some()));
        let mut count = |number: u64, [one, many]: [&str; 2]| match number {
            0 => {}
            1 => remarks.push(format!("1 {one}")),
            number => remarks.push(format!("{number} {many}")),
        };
        let sum = |figure: fn(&StatementLine) -> u64| self.lines.values().map(figure).sum();
        count(
            sum(|line| line.not_final),
            ["movement of the month is not final yet", "movements of the month are not final yet"],
        );
        count(
            sum(StatementLine::unclear_rows),
            ["movement of the month lacks information", "movements of the month lack information"],
        );
        count(
            sum(|line| line.fees_elsewhere),
            [
                "payment had a fee in another token, which is not included in any figure",
                "payments had a fee in another token, which is not included in any figure",
            ],
        );
        count(
            self.rows_without_time,
            [
                "row has no time from the service; the time when this console first saw it is used",
                "rows have no time from the service; the time when this console first saw them is used",
            ],
        );
        if !context.prices.valuation_symbol().is_empty() {
            remarks
                .push("values are at the price of each day: what they do not add up to is the change of prices".into());
        }
        if has_imitations {
            remarks.push("tokens that imitate a listed one stand last and are in no total".to_owned());
        }
        remarks
    }
}

report_columns! {
    fn cells(
        level: LineLevel,
        month: Period,
        context: &StatementContext<'_>,
        subject: StatementLineSubject<'_>,
        figures: &StatementFigures,
    ) -> STATEMENT_COLUMNS {
        let (account, token, line) = match subject {
            StatementLineSubject::Line((account, token), line) => (account.as_ref(), Some(token), Some(line)),
            StatementLineSubject::All | StatementLineSubject::Symbol(_) => (None, None, None),
        };
        let symbol = match subject {
            StatementLineSubject::All => None,
            StatementLineSubject::Symbol(symbol) => Some(symbol),
            StatementLineSubject::Line(_, line) => Some(&line.symbol),
        };
        let name = account.and_then(|account| context.names.account_name(account));
        // Amounts of different tokens are not added.
        let exact = |sum: &ExactSum| if symbol.is_some() { ReportCell::amount(sum.amount()) } else { ReportCell::Empty };
        let balance = |sum: &BalanceSum| match (symbol, sum.balance()) {
            (None, _) => ReportCell::Empty,
            (Some(_), balance) => balance.map_or(ReportCell::Unknown, ReportCell::Signed),
        };
        let [opening, closing] = [balance(&figures.opening), balance(&figures.closing)];
        let closes = context.whole_at.filter(|_| matches!(closing, ReportCell::Signed(_)));
        let basis = if matches!((&opening, &closing), (ReportCell::Signed(_), ReportCell::Signed(_))) { "derived" } else { "unknown" };
        let title = match subject {
            StatementLineSubject::All | StatementLineSubject::Symbol(_) => ReportCell::word("all accounts"),
            StatementLineSubject::Line(..) => account.map_or(ReportCell::Unknown, |account| {
                name.map_or_else(|| ReportCell::word(account.to_string()), |name| ReportCell::Text(name.clone()))
            }),
        };
        "month", "", 0 => ReportCell::Month(month.start),
        "account", "", 0 => account.map_or(ReportCell::Empty, |account| ReportCell::word(account.to_string())),
        "account_name", "Account", 1 => title,
        "blockchain", "Chain", 7 => token.map_or(ReportCell::Empty, |token| ReportCell::Chain(token.blockchain.clone())),
        "token", "Token", 2 => ReportCell::symbol(symbol, level),
        "token_name", "", 0 => ReportCell::text(line.and_then(|line| line.name.as_ref())),
        "contract", "", 0 => ReportCell::text(token.and_then(|token| token.contract.as_ref())),
        "opening", "Opening", 4 => opening,
        "in", "In", 5 => exact(&figures.incoming),
        "out", "Out", 5 => exact(&figures.outgoing),
        "internal_in", "Own in", 8 => exact(&figures.internal_in),
        "internal_out", "Own out", 8 => exact(&figures.internal_out),
        "fees", "Fees", 6 => exact(&figures.fees),
        "closing", "Closing", 3 => closing,
        "movements", "Rows", 13 => ReportCell::Count(figures.movements),
        "not_final", "", 0 => ReportCell::Count(figures.not_final),
        "unclear", "", 0 => ReportCell::Count(figures.unclear),
        "fees_in_other_tokens", "", 0 => ReportCell::Count(figures.fees_elsewhere),
        "balances", "", 0 => ReportCell::word(basis),
        "begins", "", 0 => ReportCell::At(month.start),
        "ends", "", 0 => ReportCell::At(month.end),
        "closing_at", "", 0 => closes.map_or(ReportCell::Empty, |closed_at| ReportCell::At(closed_at.min(month.end))),
        "imitates_a_token", "", 0 => ReportCell::word((level == LineLevel::Imitation).to_string()),
        "level", "", 0 => ReportCell::word(match subject {
            StatementLineSubject::All => "total",
            StatementLineSubject::Symbol(_) => "token total",
            StatementLineSubject::Line(..) => level.word(),
        }),
        "opening_value", "", 0 => ReportCell::value(figures.balance_value(0)),
        "in_value", "≈ In", 11 => ReportCell::value(figures.value_in.total()),
        "out_value", "≈ Out", 11 => ReportCell::value(figures.value_out.total()),
        "fees_value", "≈ Fees", 12 => ReportCell::value(figures.value_fees.total()),
        "closing_value", "≈ Closing", 10 => ReportCell::value(figures.balance_value(1)),
        "valued_in", "", 0 => ReportCell::text(Some(context.prices.valuation_symbol()).filter(|text| !text.is_empty())),
        "prices", "Valued by", 14 => ReportCell::word(figures.valued_by_text()),
    }
}
