//! The amount in a form, as digits or as a share of the balance.

use super::balance_share;
use super::field::FieldId;
use super::form_state::FormState;
use super::payer::{chosen_token_decimals, reliable_balance};
use crate::app::model::Model;
use crate::domain::{Amount, Holding};

/// What is done with an amount, in the words of its errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AmountUse {
    pub(super) verb: &'static str,
    pub(super) participle: &'static str,
}

/// Reads the amount of a holding. It is greater than zero, and no more than a balance that can be relied on.
pub(super) fn parse_typed_amount(
    model: &Model,
    form: &FormState,
    holding: &Holding,
    AmountUse { verb, participle }: AmountUse,
) -> Result<Amount, String> {
    let (typed, balance) = (form.value(FieldId::Amount), reliable_balance(model, holding));
    if let Some(share) = balance_share::share_of_balance(typed, balance) {
        return share;
    }
    let decimals = chosen_token_decimals(model, form)
        .ok_or_else(|| format!("the number of decimals of this token is not known; nothing can be {participle}"))?;
    let amount = Amount::parse(typed, decimals).map_err(|error| error.to_string())?;
    if amount.is_zero() {
        return Err(format!("{verb} an amount greater than zero"));
    }
    match balance {
        Some(balance) if amount.cmp_value(balance).is_gt() => {
            Err(format!("the amount exceeds the balance of {} {}", balance.format_grouped(), holding.symbol))
        }
        _ => Ok(amount),
    }
}
