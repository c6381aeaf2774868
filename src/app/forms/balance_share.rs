//! An amount as a share of the balance, such as `25%`.

use super::lookups::Picked;
use super::payer::CheckedValue;
use crate::domain::{Amount, Percent};

/// The amount that a percentage of the balance is; `None` where no percentage was typed. `balance` is one that can be
/// relied on.
pub(super) fn share_of_balance(typed: &str, balance: Option<Amount>) -> Option<Result<Amount, String>> {
    let percent = match Percent::parse(typed)? {
        Ok(percent) => percent,
        Err(error) => return Some(Err(error.to_string())),
    };
    let share = balance
        .ok_or_else(|| format!("{typed} needs a fresh balance reported by the service; type the amount"))
        .and_then(|balance| balance.share(percent).ok_or_else(|| "the balance cannot be divided".to_owned()));
    Some(share.and_then(|share| {
        if share.is_zero() {
            Err(format!("{typed} of the balance is less than the token can express"))
        } else {
            Ok(share)
        }
    }))
}

/// The amount in place of its percentage, so that a balance that changes meanwhile does not change what was agreed.
pub(super) fn settle_share(typed: &str, amount: Amount) -> CheckedValue {
    Percent::parse(typed).map(|_| (amount.to_string(), Picked::TextOnly))
}

/// What a percentage is, while it is typed.
pub(super) fn share_hint(typed: &str, symbol: &str, amount: Amount) -> Option<String> {
    Percent::parse(typed)?.ok()?;
    Some(format!("{} {symbol}: {typed} of the balance, rounded down; the fee is extra", amount.format_grouped()))
}
