//! Computes reports. Each reads the rows of its period once; that by counterparty reads them twice.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Cancel, Store, StoreError};
use crate::domain::address_names::AddressNames;
use crate::domain::history::{Scope, SyncProgress};
use crate::domain::report::allocation::allocation_table;
use crate::domain::report::counterparties::{CounterpartyRanking, MAX_COUNTERPARTIES};
use crate::domain::report::fees::FeeSums;
use crate::domain::report::gas::{GAS_DAYS, GasBurns, GasWallet};
use crate::domain::report::months::MonthSums;
use crate::domain::report::value::value_table;
use crate::domain::report::{ReportKind, ReportTable};
use crate::domain::statement::{MonthStatement, StatementContext};
use crate::domain::{Day, Period, PriceHistory, Text, Timestamp, TotalSample, Wallet, WalletId};

/// The most wallets whose runway is computed.
const MAX_GAS_WALLETS: u32 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRequest {
    pub kind: ReportKind,
    /// Whose value and allocation; the other reports are on everything.
    pub scope: Scope,
    /// The months of a report by month are those that begin in it; that on gas is always of the last 30 days.
    pub period: Period,
    pub prices: PriceHistory,
    /// The names of counterparties, accounts and wallets.
    pub names: Arc<AddressNames>,
    pub now: Timestamp,
}

impl Store {
    /// # Errors
    /// [`StoreError::Cancelled`] when it was cancelled; others where the cache cannot be read.
    pub fn report(&self, request: &ReportRequest, cancel: &Cancel) -> Result<ReportTable, StoreError> {
        let ReportRequest { kind, scope, period, prices, names, now } = request;
        let valuation = prices.valuation_symbol();
        let today = Day::from_timestamp(*now);
        let mut table = match kind {
            ReportKind::Value => {
                let history = self.balance_history(scope, None, Day::from_timestamp(period.start), cancel)?;
                let samples = if *scope == Scope::All { self.add_total_sample(valuation, None)? } else { Vec::new() };
                let midnight = TotalSample::at_start_of(&samples, today);
                value_table(&history, &self.holdings(scope)?, prices, today, midnight)
            }
            ReportKind::Allocation => allocation_table(&self.holdings(scope)?, prices, today),
            ReportKind::Counterparties => {
                let mut ranking = CounterpartyRanking::default();
                self.walk_report_rows(*period, cancel, &mut |row| ranking.add(row, prices, names))?;
                let mut sums = ranking.into_heaviest_sums(MAX_COUNTERPARTIES);
                self.walk_report_rows(*period, cancel, &mut |row| sums.add(row, prices, names))?;
                sums.into_table(*period, valuation)
            }
            ReportKind::Fees => {
                let mut sums = FeeSums::default();
                self.walk_report_rows(*period, cancel, &mut |row| sums.add(row, prices))?;
                sums.into_table(*period, valuation)
            }
            ReportKind::Months => {
                let mut sums = MonthSums::new(*period);
                self.walk_report_rows(sums.required_period(), cancel, &mut |row| sums.add(row, prices))?;
                sums.into_table(valuation, *now)
            }
            ReportKind::Gas => self.gas_report(names, *now, cancel)?,
            ReportKind::Statement => {
                let mut statement = MonthStatement::new(*period);
                self.walk_report_rows(Period::EVER, cancel, &mut |row| statement.add(row, prices))?;
                let read_at = self.newest_rows_synced_at()?;
                let whole_at = read_at.filter(|_| self.progress().is_ok_and(|progress| is_history_whole(&progress)));
                statement.into_table(&StatementContext { whole_at, names, prices })
            }
        };
        table.remarks.extend(self.history_remarks(*kind, *period)?);
        Ok(table)
    }

    fn gas_report(&self, names: &AddressNames, now: Timestamp, cancel: &Cancel) -> Result<ReportTable, StoreError> {
        let period = Period::last_days(GAS_DAYS, now);
        let mut burns = GasBurns::default();
        self.walk_report_rows(period, cancel, &mut |row| burns.add(row))?;
        let window = self.wallets(&Scope::All, "", 0, MAX_GAS_WALLETS)?;
        let further = window.count.number().saturating_sub(window.rows.len() as u64);
        let mut wallets: Vec<Wallet> = window.rows.into_iter().map(|sourced| sourced.entry).collect();
        let wallet_ids: HashSet<(WalletId, Text)> =
            wallets.iter().map(|wallet| (wallet.id.clone(), wallet.blockchain.clone())).collect();
        // Wallets beyond the limit, or known from their rows alone, are listed where they pay fees.
        let paying = burns.wallets().filter(|paying| !wallet_ids.contains(paying)).take(MAX_GAS_WALLETS as usize);
        for (id, chain) in paying {
            let sourced = self.wallets(&Scope::Wallet(id.clone()), "", 0, 1)?.rows.into_iter().next();
            wallets.push(Wallet {
                blockchain: chain.clone(),
                ..sourced.map_or_else(|| Wallet::new(id, chain), |it| it.entry)
            });
        }
        let mut fuelled = Vec::with_capacity(wallets.len());
        for wallet in wallets {
            cancel.check()?;
            let holdings = self.holdings(&Scope::Wallet(wallet.id.clone()))?;
            let account_name = wallet.account.as_ref().and_then(|account| names.account_name(account)).cloned();
            let name = names.wallet_name(&wallet.id).cloned().or(wallet.name);
            fuelled.push(GasWallet::new(Wallet { name, ..wallet }, account_name, &holdings, &burns));
        }
        Ok(burns.into_table(fuelled, further, period, now))
    }

    /// How far the history behind a report was read, in words.
    fn history_remarks(&self, kind: ReportKind, period: Period) -> Result<Vec<String>, StoreError> {
        let progress = self.progress()?;
        let is_whole = is_history_whole(&progress);
        let is_statement = kind == ReportKind::Statement;
        let mut remarks = Vec::new();
        if is_statement && is_whole {
            remarks
                .push("balances are calculated from the history: the service does not report past balances".to_owned());
        } else if !is_whole {
            let consequence = if is_statement { "no balances are given" } else { "sums may lack rows" };
            let state = if progress.complete { "is not complete" } else { "was not read to its end" };
            remarks.push(format!("the history {state}: {consequence}"));
        }
        if progress.unreadable > 0 {
            remarks.push(format!("{} rows could not be read and are not included in any figure", progress.unreadable));
        }
        if is_statement
            && let Some(checked_at) = self.newest_rows_synced_at()?.filter(|checked_at| *checked_at < period.end)
        {
            remarks.push(if is_whole {
                format!("the history was read before the month ended: closing balances are as of {checked_at}")
            } else {
                format!("the history was read at {checked_at}, before the month ended: more may follow")
            });
        }
        Ok(remarks)
    }
}

/// Whether the history is complete and every row readable, so that sums of it are balances.
fn is_history_whole(progress: &SyncProgress) -> bool {
    progress.complete && progress.partial.is_none() && progress.unreadable == 0
}
