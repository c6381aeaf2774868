//! How long each wallet's own coin lasts for fees, by what the last 30 days took.

use std::collections::HashMap;

use ruint::aliases::U256;

use super::table::report_columns;
use super::{ExactSum, LineLevel, ReportCell, ReportKind, ReportLine, ReportRow, ReportTable};
use crate::domain::chain::Chain;
use crate::domain::{Amount, Holding, Period, ReportedAmount, Text, Timestamp, WalletId};

/// The days whose fees are counted.
pub const GAS_DAYS: u16 = 30;
/// A runway beyond this is not a number of days any more.
const LONGEST_RUNWAY_DAYS: u64 = 3_650;

#[derive(Debug, Clone, Default)]
pub struct GasBurn {
    pub fees: ExactSum,
    pub payments: u64,
}

/// The fees in its chain's coin of each wallet.
#[derive(Debug, Default)]
pub struct GasBurns {
    by_wallet: HashMap<(WalletId, Text), GasBurn>,
    /// Rows with such a fee that name no wallet.
    without_wallet: u64,
}

impl GasBurns {
    pub fn add(&mut self, row: &ReportRow<'_>) {
        if row.is_suspicious {
            return;
        }
        let coin = Chain::find(&row.token.blockchain).map(|chain| chain.coin.0);
        for fee in row.fees() {
            let is_coin = if fee.is_in_row_token {
                row.token.is_native()
            } else {
                coin.is_some_and(|coin| coin.eq_ignore_ascii_case(fee.symbol))
            };
            if !is_coin {
                continue;
            }
            let Some(wallet) = row.wallet else {
                self.without_wallet += 1;
                continue;
            };
            let burn = self.by_wallet.entry((wallet.clone(), row.token.blockchain.clone())).or_default();
            burn.fees.add(fee.amount);
            burn.payments += 1;
        }
    }

    pub fn of_wallets(&self) -> impl Iterator<Item = (&WalletId, &Text, &GasBurn)> {
        self.by_wallet.iter().map(|((wallet, chain), burn)| (wallet, chain, burn))
    }

    /// The table of these wallets, those that run dry first on top.
    pub fn into_table(self, mut wallets: Vec<GasWallet>, period: Period, now: Timestamp) -> ReportTable {
        wallets.sort_by(|one, other| {
            let order = |wallet: &GasWallet| (wallet.runway_days().is_none(), wallet.runway_days());
            order(one).cmp(&order(other)).then_with(|| one.name.cmp(&other.name))
        });
        let line = |wallet: &GasWallet| ReportLine {
            level: LineLevel::Token,
            cells: cells(wallet, now),
            filter: Some(format!("dir:out wallet:{}", wallet.wallet)),
            period,
        };
        let mut remarks = vec![format!(
            "only wallets that paid a fee in their chain's own coin in the last {GAS_DAYS} days are listed"
        )];
        if self.without_wallet > 0 {
            remarks.push(format!("{} payments with such a fee name no wallet", self.without_wallet));
        }
        let listed = wallets.len();
        if listed < self.by_wallet.len() {
            remarks.push(format!("{} further wallets are not listed", self.by_wallet.len() - listed));
        }
        ReportTable {
            kind: ReportKind::Gas,
            period,
            valuation: Text::default(),
            columns: COLUMNS,
            bars: &[],
            lines: wallets.iter().map(line).collect(),
            remarks,
        }
    }
}

/// A wallet that burns its chain's coin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GasWallet {
    pub wallet: WalletId,
    pub name: Option<Text>,
    pub account_name: Option<Text>,
    pub blockchain: Text,
    /// Its holding of the chain's coin; `None` where none is known.
    pub holding: Option<Holding>,
    /// In 30 days.
    pub burnt: Option<Amount>,
    pub payments: u64,
}

impl GasWallet {
    fn held(&self) -> Option<Amount> {
        self.holding.as_ref()?.amount.as_ref().and_then(ReportedAmount::exact)
    }

    /// The whole days that the coin lasts; `None` where it is not known.
    pub fn runway_days(&self) -> Option<u64> {
        let (held, burnt) = (self.held()?, self.burnt?);
        let decimals = held.decimals().max(burnt.decimals());
        let (held, burnt) = (held.rescaled(decimals)?, burnt.rescaled(decimals)?);
        let days = held.raw().checked_mul(U256::from(GAS_DAYS))?.checked_div(burnt.raw())?;
        Some(u64::try_from(days).unwrap_or(u64::MAX))
    }

    /// The runway in words.
    fn runway(&self) -> ReportCell {
        match self.runway_days() {
            None => ReportCell::Unknown,
            Some(days) if days > LONGEST_RUNWAY_DAYS => ReportCell::word("over 10 years"),
            Some(days) => ReportCell::Count(days),
        }
    }

    /// The day on which the coin is used up; none where that is far off or unknown.
    fn empty_on(&self, now: Timestamp) -> ReportCell {
        let days = self.runway_days().filter(|days| *days <= LONGEST_RUNWAY_DAYS);
        days.map_or(ReportCell::Empty, |days| {
            ReportCell::Day(now.plus(std::time::Duration::from_secs(days.saturating_mul(86_400))))
        })
    }
}

report_columns! {
    fn cells(wallet: &GasWallet, now: Timestamp) -> COLUMNS {
        let coin = wallet.holding.as_ref().map(|holding| holding.symbol.clone())
            .or_else(|| Chain::find(&wallet.blockchain).map(|chain| Text::clean(chain.coin.0)));
        "wallet", "", 0 => ReportCell::word(wallet.wallet.to_string()),
        "wallet_name", "Wallet", 1 => wallet.name.as_ref().map_or_else(|| ReportCell::word(wallet.wallet.to_string()), |name| ReportCell::Text(name.clone())),
        "account_name", "Account", 8 => ReportCell::text(wallet.account_name.as_ref()),
        "blockchain", "Chain", 4 => ReportCell::Chain(wallet.blockchain.clone()),
        "coin", "Coin", 5 => ReportCell::text(coin.as_ref()),
        "held", "Held", 3 => ReportCell::amount(wallet.held()),
        "burnt_in_30_days", "Fees 30d", 6 => ReportCell::amount(wallet.burnt),
        "payments", "Payments", 9 => ReportCell::Count(wallet.payments),
        "runway_days", "Days left", 2 => wallet.runway(),
        "empty_on", "Empty on", 7 => wallet.empty_on(now),
        "known", "Known by", 10 => wallet.holding.as_ref().map_or(ReportCell::Unknown, |holding| ReportCell::word(holding.basis.word())),
        "as_of", "", 0 => wallet.holding.as_ref().and_then(|holding| holding.as_of).map_or(ReportCell::Empty, ReportCell::At),
    }
}
