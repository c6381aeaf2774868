//! What the rows of a list with a filter add up to.

use std::collections::BTreeMap;

use super::flow_sum::{TokenRowSum, TokenRowSums};
use super::segment_sums::{RowAmount, RowToken, SegmentSums, SumQuery};
use super::token_list::read_tokens;
use super::{Cancel, Store, StoreError};
use crate::domain::filter::Filter;
use crate::domain::history::Scope;
use crate::domain::imitation::TokenCandidate;
use crate::domain::{Amount, BalanceDelta, Direction, ReportedAmount, RowSum, Text, Verdict};

/// Only one list with a filter is on screen.
const MAX_CACHED_SUMS: usize = 1;

impl Store {
    /// The sums of the rows of a scope that match a filter, by token.
    pub fn row_sums(&self, scope: &Scope, filter: &Filter, cancel: &Cancel) -> Result<Vec<RowSum>, StoreError> {
        let query = SumQuery { scope: scope.clone(), token: None, filter: filter.clone() };
        let sums = self.read_history(|snapshot| {
            let segments =
                SegmentSums::refresh(&self.inner.row_sum_cache, MAX_CACHED_SUMS, query, snapshot, cancel, add_row)?;
            let mut sums = TokenRowSums::new();
            for (token, by_decimals) in segments.into_iter().flatten() {
                let totals = sums.entry(token).or_default();
                for (decimals, part) in by_decimals {
                    let total = totals.entry(decimals).or_default();
                    total.sum.merge(&part.sum);
                    total.failed += part.failed;
                    for (symbol, fee) in part.fees {
                        total.fees.entry(symbol).or_default().merge(&fee);
                    }
                }
            }
            let tokens = read_tokens(snapshot.connection)?;
            let row_sums = |(token, by_decimals): (RowToken, BTreeMap<_, TokenRowSum>)| {
                let row_sum = |(decimals, TokenRowSum { sum, failed, fees })| {
                    let RowToken { key, symbol, name } = &token;
                    let candidate = TokenCandidate { token: key, symbol, name: name.as_ref(), decimals };
                    let [incoming, outgoing] = sum.external_amounts();
                    RowSum {
                        symbol: symbol.clone(),
                        suspicious: candidate.imitates(&tokens),
                        incoming,
                        outgoing,
                        rows: sum.external_row_count(),
                        internal: sum.internal_amounts(),
                        internal_rows: sum.internal_row_count(),
                        unclear: sum.unclear,
                        failed,
                        fees: fees.into_iter().map(|(symbol, fee)| (symbol, fee.external_amounts()[1])).collect(),
                    }
                };
                by_decimals.into_iter().map(row_sum).collect::<Vec<_>>()
            };
            Ok(sums.into_iter().flat_map(row_sums).collect())
        })?;
        Ok(sums.unwrap_or_default())
    }
}

/// Adds the amount of a row as its list shows it, and apart from it the fee. What failed moved nothing.
fn add_row(row: &RowAmount<'_>, sums: &mut TokenRowSums) {
    let by_decimals = match sums.get_mut(row.token) {
        Some(sums) => sums,
        None => sums.entry(row.token.clone()).or_default(),
    };
    let reported = row.amounts.amount.as_ref();
    let TokenRowSum { sum, failed, fees } =
        by_decimals.entry(reported.map(|amount| amount.even_if_disputed().decimals())).or_default();
    if !matches!(row.verdict, Verdict::Failed | Verdict::Contradiction) {
        for (symbol, fee) in row_fees(row) {
            match fees.get_mut(symbol) {
                Some(sum) => sum.add_fee(fee),
                None => fees.entry(symbol.clone()).or_default().add_fee(fee),
            }
        }
    }
    match (row.verdict, row.direction, reported.and_then(ReportedAmount::exact)) {
        (Verdict::Failed | Verdict::Contradiction, ..) => *failed += 1,
        (_, Direction::Incoming, Some(amount)) => sum.add_movement(BalanceDelta::In(amount), row.internal),
        (_, Direction::Outgoing, Some(amount)) => sum.add_movement(BalanceDelta::Out(amount), row.internal),
        (_, Direction::Other(_), _) | (_, _, None) => sum.add_movement(BalanceDelta::Unclear, false),
    }
}

/// The fees of a row: what was paid in its own token beside the amount, and the fee in another token.
fn row_fees<'a>(row: &RowAmount<'a>) -> impl Iterator<Item = (&'a Text, Amount)> {
    let exact = |amount: &Option<ReportedAmount>| amount.as_ref().and_then(ReportedAmount::exact);
    let paid_amount = exact(&row.amounts.total_amount).zip(exact(&row.amounts.amount));
    let own = paid_amount
        .filter(|_| *row.direction == Direction::Outgoing)
        .and_then(|(total, paid_amount)| total.checked_sub(paid_amount));
    let symbol = &row.token.symbol;
    let other = row.fee_token.filter(|other| !other.eq_ignore_ascii_case(symbol)).zip(exact(&row.amounts.total_fee));
    own.map(|fee| (symbol, fee)).into_iter().chain(other).filter(|(_, fee)| !fee.is_zero())
}
