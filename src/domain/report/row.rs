//! A transaction as reports read it.

use crate::domain::history::HistoryRow;
use crate::domain::{
    AccountId, Amount, BalanceDelta, Direction, FinalStatuses, ReportedAmount, Status, SubType, Text, Timestamp,
    TokenKey, Verdict, WalletId,
};

#[derive(Debug, Clone, Copy)]
pub struct ReportRow<'a> {
    /// The time that the service reports, or else the time when this console first saw the row.
    pub at: Timestamp,
    pub is_time_reported: bool,
    pub token: &'a TokenKey,
    pub symbol: &'a Text,
    pub token_name: Option<&'a Text>,
    pub account: Option<&'a AccountId>,
    pub wallet: Option<&'a WalletId>,
    pub sub_type: Option<&'a SubType>,
    pub direction: &'a Direction,
    pub status: Option<&'a Status>,
    pub verdict: Verdict,
    pub amount: Option<&'a ReportedAmount>,
    pub total_amount: Option<&'a ReportedAmount>,
    pub total_fee: Option<&'a ReportedAmount>,
    pub fee_token: Option<&'a Text>,
    pub counterparty: Option<&'a str>,
    /// Whether its token imitates a listed one or hides characters.
    pub is_suspicious: bool,
    /// Whether it moves money between two wallets of the business.
    pub is_internal: bool,
}

/// What a row moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    In(Amount),
    /// What the recipient gets, and that with the fee in the same token. Where the row does not separate the two, both
    /// are the whole.
    Out {
        paid: Amount,
        total: Amount,
    },
    /// The row lacks what a sum needs.
    Unclear,
}

/// The fee of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowFee<'a> {
    pub symbol: &'a Text,
    pub amount: Amount,
    /// Whether it is paid in the token that the row moves, so that it is in the row's total.
    pub is_in_row_token: bool,
}

impl<'a> ReportRow<'a> {
    pub fn of_history(row: &'a HistoryRow, final_statuses: &FinalStatuses) -> Self {
        let HistoryRow { transaction, time, suspicious, internal, .. } = row;
        Self {
            at: *time,
            is_time_reported: transaction.reported_time().is_some(),
            token: &transaction.token,
            symbol: &transaction.symbol,
            token_name: transaction.token_name.as_ref(),
            account: transaction.account.as_ref(),
            wallet: transaction.wallet.as_ref(),
            sub_type: transaction.sub_type.as_ref(),
            direction: &transaction.direction,
            status: transaction.status.as_ref(),
            verdict: transaction.verdict(final_statuses),
            amount: transaction.amount.as_ref(),
            total_amount: transaction.total_amount.as_ref(),
            total_fee: transaction.total_fee.as_ref(),
            fee_token: transaction.fee_token.as_ref(),
            counterparty: transaction.counterparty().map(Text::as_str),
            is_suspicious: *suspicious,
            is_internal: *internal,
        }
    }

    /// What the row moves; `None` where it moves nothing.
    pub fn movement(&self) -> Option<Movement> {
        let delta =
            BalanceDelta::from_fields(self.direction, self.verdict, self.status, self.amount, self.total_amount)?;
        Some(match delta {
            BalanceDelta::In(amount) => Movement::In(amount),
            BalanceDelta::Out(total) => {
                let reported = self.amount.and_then(ReportedAmount::exact);
                let paid = reported.filter(|amount| total.checked_sub(*amount).is_some()).unwrap_or(total);
                Movement::Out { paid, total }
            }
            BalanceDelta::Unclear => Movement::Unclear,
        })
    }

    /// The fees of a row that moves something: of the row's own token, and of another one.
    pub fn fees(&self) -> impl Iterator<Item = RowFee<'a>> + use<'a> {
        let own = match self.movement() {
            Some(Movement::Out { paid, total }) => total.checked_sub(paid),
            Some(Movement::In(_) | Movement::Unclear) | None => None,
        };
        let own = own.map(|amount| RowFee { symbol: self.symbol, amount, is_in_row_token: true });
        let other = self.movement().and(self.fee_in_other_token());
        [own, other].into_iter().flatten().filter(|fee| !fee.amount.is_zero())
    }

    fn fee_in_other_token(&self) -> Option<RowFee<'a>> {
        let symbol = self.fee_token.filter(|symbol| !symbol.eq_ignore_ascii_case(self.symbol))?;
        let amount = self.total_fee.and_then(ReportedAmount::exact)?;
        Some(RowFee { symbol, amount, is_in_row_token: false })
    }

    /// Whether the row has a fee in another token, of a known amount or not.
    pub fn has_fee_in_other_token(&self) -> bool {
        let other = self.fee_token.is_some_and(|fee| !fee.eq_ignore_ascii_case(self.symbol));
        other && self.total_fee.is_some_and(|fee| !fee.even_if_disputed().is_zero())
    }
}
