//! How long each wallet's own coin lasts for fees, by what the last 30 days took.

use std::collections::HashMap;

use ruint::aliases::U256;

use super::table::report_columns;
use super::{ExactSum, LineLevel, ReportCell, ReportKind, ReportLine, ReportRow, ReportTable};
use crate::domain::chain::Chain;
use crate::domain::{Amount, BalanceBasis, Holding, Period, ReportedAmount, Text, Timestamp, Wallet, WalletId};

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

    /// The wallets that paid such a fee, each with the chain on which it did.
    pub fn wallets(&self) -> impl Iterator<Item = (WalletId, Text)> {
        self.by_wallet.keys().cloned()
    }

    /// The table of these wallets: first those without coin for any fee, then those that run dry first. `further` wallets
    /// are not among them.
    pub fn into_table(self, wallets: Vec<GasWallet>, further: u64, period: Period, now: Timestamp) -> ReportTable {
        let (mut wallets, empty): (Vec<GasWallet>, Vec<GasWallet>) =
            wallets.into_iter().partition(|wallet| wallet.runway() != Runway::NothingHeld);
        wallets.sort_by(|one, other| one.runway().cmp(&other.runway()).then_with(|| one.name.cmp(&other.name)));
        let line = |wallet: &GasWallet| ReportLine {
            level: LineLevel::Token,
            cells: cells(wallet, now),
            filter: Some(format!("dir:out wallet:{}", wallet.id)),
            period,
        };
        let mut remarks = Vec::new();
        let mut remark = |count: u64, [one, many]: [&str; 2]| match count {
            0 => {}
            1 => remarks.push(format!("1 {one}")),
            count => remarks.push(format!("{count} {many}")),
        };
        let without_gas = wallets.iter().filter(|wallet| wallet.runway() == Runway::NoGas).count();
        remark(without_gas as u64, ["wallet has no coin for a fee", "wallets have no coin for a fee"]);
        remark(empty.len() as u64, ["wallet that holds nothing is left out", "wallets that hold nothing are left out"]);
        remark(
            further,
            ["further wallet is listed only if it paid a fee", "further wallets are listed only where they paid a fee"],
        );
        remark(
            self.without_wallet,
            ["payment with such a fee names no wallet", "payments with such a fee name no wallet"],
        );
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

/// How long a wallet's coin lasts. The most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runway {
    /// There is no coin, but there are tokens to move, or payments to make.
    NoGas,
    /// In whole days.
    Days(u64),
    /// The balance of the coin is not known.
    Unknown,
    /// Nothing was burnt in the period.
    NoFee,
    /// The service pays the wallet's fees.
    Gasless,
    NothingHeld,
}

/// A wallet and its chain's coin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GasWallet {
    pub id: WalletId,
    pub name: Option<Text>,
    pub account_name: Option<Text>,
    pub blockchain: Text,
    /// The symbol of the chain's coin.
    pub coin: Text,
    /// Of the coin; `None` where it is not known.
    pub balance: Option<Amount>,
    pub basis: BalanceBasis,
    pub as_of: Option<Timestamp>,
    /// How many other tokens it holds.
    pub tokens: u64,
    /// In 30 days.
    pub burnt: Option<Amount>,
    pub payments: u64,
    /// Whether the service pays its fees.
    pub is_gasless: bool,
    /// Whether it holds nothing, and paid no fee in 30 days.
    pub is_empty: bool,
}

impl GasWallet {
    /// A wallet with its holdings.
    pub fn new(wallet: Wallet, account_name: Option<Text>, holdings: &[Holding], burns: &GasBurns) -> Self {
        let exact = |holding: &Holding| holding.amount.as_ref().and_then(ReportedAmount::exact);
        let wallet_holdings = || {
            holdings.iter().filter(|wallet_holding| {
                wallet_holding.token.blockchain == wallet.blockchain && !wallet_holding.suspicious
            })
        };
        let coin = wallet_holdings().find(|wallet_holding| wallet_holding.token.is_native());
        // Where the other balances on the chain are known, a coin that is not among them is not held.
        let witness = coin.or_else(|| wallet_holdings().find(|wallet_holding| exact(wallet_holding).is_some()));
        let zero = witness.filter(|_| coin.is_none()).map(|_| Amount::zero(0));
        let usual_coin = || Chain::find(&wallet.blockchain).map_or("", |chain| chain.coin.0);
        let is_nothing = |wallet_holding: &&Holding| exact(wallet_holding).is_some_and(Amount::is_zero);
        let burn = burns.by_wallet.get(&(wallet.id.clone(), wallet.blockchain.clone())).cloned().unwrap_or_default();
        Self {
            coin: coin.map_or_else(|| Text::clean(usual_coin()), |coin| coin.symbol.clone()),
            balance: coin.and_then(exact).or(zero),
            basis: witness.map_or(BalanceBasis::Unknown, |wallet_holding| wallet_holding.basis),
            as_of: witness.and_then(|wallet_holding| wallet_holding.as_of),
            tokens: wallet_holdings()
                .filter(|wallet_holding| !wallet_holding.token.is_native() && !is_nothing(wallet_holding))
                .count() as u64,
            is_empty: burn.payments == 0 && wallet_holdings().all(|wallet_holding| is_nothing(&wallet_holding)),
            burnt: burn.fees.amount(),
            payments: burn.payments,
            is_gasless: wallet.gasless_withdraw == Some(true),
            id: wallet.id,
            name: wallet.name,
            account_name,
            blockchain: wallet.blockchain,
        }
    }

    pub fn runway(&self) -> Runway {
        match (self.balance, self.burnt) {
            _ if self.is_empty => Runway::NothingHeld,
            _ if self.is_gasless => Runway::Gasless,
            (Some(balance), _) if balance.is_zero() => Runway::NoGas,
            (Some(_), Some(burnt)) if burnt.is_zero() => Runway::NoFee,
            (Some(balance), Some(burnt)) => runway_days(balance, burnt).map_or(Runway::Unknown, Runway::Days),
            (None, _) | (_, None) => Runway::Unknown,
        }
    }

    /// The runway in words.
    fn runway_cell(&self) -> ReportCell {
        match self.runway() {
            Runway::NoGas => ReportCell::Alarm("no gas"),
            Runway::Days(days) if days > LONGEST_RUNWAY_DAYS => ReportCell::word("over 10 years"),
            Runway::Days(days) => ReportCell::Count(days),
            Runway::NoFee => ReportCell::word("no fee in 30 days"),
            Runway::Gasless => ReportCell::word("service pays fees"),
            Runway::Unknown | Runway::NothingHeld => ReportCell::Unknown,
        }
    }

    /// The day on which the coin is used up; none where that is far off or unknown.
    fn empty_on(&self, now: Timestamp) -> ReportCell {
        match self.runway() {
            Runway::Days(days) if days <= LONGEST_RUNWAY_DAYS => {
                ReportCell::Day(now.plus(std::time::Duration::from_secs(days.saturating_mul(86_400))))
            }
            Runway::Days(_)
            | Runway::NoGas
            | Runway::Unknown
            | Runway::NoFee
            | Runway::Gasless
            | Runway::NothingHeld => ReportCell::Empty,
        }
    }
}

/// For how many whole days an amount lasts of which another one was burnt in the period.
fn runway_days(balance: Amount, burnt: Amount) -> Option<u64> {
    let decimals = balance.decimals().max(burnt.decimals());
    let (balance, burnt) = (balance.rescaled(decimals)?, burnt.rescaled(decimals)?);
    let days = balance.raw().checked_mul(U256::from(GAS_DAYS))?.checked_div(burnt.raw())?;
    Some(u64::try_from(days).unwrap_or(u64::MAX))
}

report_columns! {
    fn cells(wallet: &GasWallet, now: Timestamp) -> COLUMNS {
        "wallet", "", 0 => ReportCell::word(wallet.id.to_string()),
        "wallet_name", "Wallet", 1 => wallet.name.as_ref().map_or_else(|| ReportCell::word(wallet.id.to_string()), |name| ReportCell::Text(name.clone())),
        "account_name", "Account", 8 => ReportCell::text(wallet.account_name.as_ref()),
        "blockchain", "Chain", 4 => ReportCell::Chain(wallet.blockchain.clone()),
        "coin", "Coin", 7 => ReportCell::text(Some(&wallet.coin)),
        "held", "Held", 3 => ReportCell::amount(wallet.balance),
        "burnt_in_30_days", "Fees 30d", 5 => ReportCell::amount(wallet.burnt),
        "payments", "Payments", 9 => ReportCell::Count(wallet.payments),
        "runway_days", "Days left", 2 => wallet.runway_cell(),
        "empty_on", "Empty on", 6 => wallet.empty_on(now),
        "tokens", "Tokens", 10 => ReportCell::Count(wallet.tokens),
        "known", "", 0 => ReportCell::word(wallet.basis.word()),
        "as_of", "", 0 => wallet.as_of.map_or(ReportCell::Empty, ReportCell::At),
    }
}
