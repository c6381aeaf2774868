//! What is held now, by token, and the share of each.

use std::collections::{BTreeMap, BTreeSet};

use super::table::report_columns;
use super::{ExactSum, LineLevel, ReportCell, ReportKind, ReportLine, ReportTable, ValueSum};
use crate::domain::{Day, Holding, Period, PriceHistory, ReportedAmount, Text, ValueShare};

/// One symbol, over all chains.
#[derive(Debug, Clone, Default)]
struct SymbolTotal {
    amount: ExactSum,
    has_unknown: bool,
    value: ValueSum,
    chains: BTreeSet<Text>,
}

/// The table of holdings, the largest value first. Imitations and zero balances are left out.
pub fn allocation_table(holdings: &[Holding], prices: &PriceHistory, today: Day) -> ReportTable {
    let mut by_symbol: BTreeMap<&Text, SymbolTotal> = BTreeMap::new();
    let mut whole = ValueSum::default();
    for holding in holdings.iter().filter(|holding| !holding.suspicious) {
        let amount = holding.amount.as_ref().and_then(ReportedAmount::exact);
        if amount.is_some_and(crate::domain::Amount::is_zero) {
            continue;
        }
        let part = by_symbol.entry(&holding.symbol).or_default();
        part.chains.insert(holding.token.blockchain.clone());
        match amount {
            Some(amount) => {
                part.amount.add(amount);
                part.value.add(amount, &holding.symbol, today, prices);
                whole.add(amount, &holding.symbol, today, prices);
            }
            None => part.has_unknown = true,
        }
    }
    let total = whole.total();
    let share = |value: &ValueSum| value.total().zip(total).and_then(|(part, whole)| part.share_of(whole));
    let mut parts: Vec<(&Text, SymbolTotal)> = by_symbol.into_iter().collect();
    parts.sort_by_key(|(_, part)| std::cmp::Reverse(part.value.total()));
    let all = SymbolTotal { value: whole, ..SymbolTotal::default() };
    let valuation = prices.valuation_symbol();
    let mut lines = vec![ReportLine {
        level: LineLevel::Total,
        cells: cells(LineLevel::Total, None, &all, share(&whole), valuation),
        filter: None,
        period: Period::EVER,
    }];
    lines.extend(parts.iter().map(|(symbol, part)| ReportLine {
        level: LineLevel::Token,
        cells: cells(LineLevel::Token, Some(symbol), part, share(&part.value), valuation),
        filter: Some(format!("token:{symbol}")),
        period: Period::EVER,
    }));
    let note_for = |has: fn(&SymbolTotal) -> bool, note: &str| {
        let names: Vec<&str> = parts.iter().filter(|(_, part)| has(part)).map(|(symbol, _)| symbol.as_str()).collect();
        (!names.is_empty()).then(|| format!("{note}: {}", names.join(", ")))
    };
    let remarks = [
        note_for(|part| part.value.total().is_none() && !part.has_unknown, "without price, and in no share"),
        note_for(|part| part.has_unknown, "a balance is not known"),
    ];
    ReportTable {
        kind: ReportKind::Allocation,
        period: Period { start: today.start(), end: today.next().start() },
        valuation: valuation.clone(),
        columns: COLUMNS,
        bars: &["value"],
        lines,
        remarks: remarks.into_iter().flatten().collect(),
    }
}

report_columns! {
    fn cells(
        level: LineLevel,
        symbol: Option<&Text>,
        part: &SymbolTotal,
        share: Option<ValueShare>,
        valuation: &Text,
    ) -> COLUMNS {
        let amount = if part.has_unknown { None } else { part.amount.amount() };
        "level", "", 0 => ReportCell::word(level.word()),
        "token", "Token", 1 => symbol.map_or_else(|| ReportCell::word("all tokens"), |symbol| ReportCell::Text(symbol.clone())),
        "amount", "Amount", 4 => if symbol.is_some() { ReportCell::amount(amount) } else { ReportCell::Empty },
        "value", "≈ Value", 2 => ReportCell::value(part.value.total()),
        "share_percent", "Share", 3 => share.map_or(ReportCell::Empty, ReportCell::Share),
        "chains", "Chains", 5 => if symbol.is_some() { ReportCell::Count(part.chains.len() as u64) } else { ReportCell::Empty },
        "valued_in", "", 0 => ReportCell::text(Some(valuation)),
        "prices", "Valued by", 0 => ReportCell::word(part.value.to_string()),
    }
}
