//! How much a withdrawal pays: digits, a share of the balance, or `max`.

use crate::app::forms::field::FieldId;
use crate::app::forms::form_state::FormState;
use crate::app::forms::payer::{MAX_AMOUNT_WORD, chosen_holding, reliable_balance};
use crate::app::forms::typed_amount::{AmountUse, parse_typed_amount};
use crate::app::model::Model;
use crate::domain::Amount;

pub(super) fn parse_amount(model: &Model, form: &FormState) -> Result<Amount, String> {
    let Some(holding) = chosen_holding(form) else { return Err("choose the token first".into()) };
    let typed = form.value(FieldId::Amount);
    if typed.eq_ignore_ascii_case(MAX_AMOUNT_WORD) {
        return max_payable_amount(model, form);
    }
    parse_typed_amount(model, form, holding, AmountUse { verb: "pay", participle: "paid" })
}

/// The largest amount that can be paid: the balance less the highest known fee of a payment of this token.
pub(super) fn max_payable_amount(model: &Model, form: &FormState) -> Result<Amount, String> {
    let holding = chosen_holding(form).ok_or("choose the token first")?;
    let funds = reliable_balance(model, holding)
        .ok_or("max needs a fresh balance reported by the service, not one calculated from history; type the amount")?;
    let fee = highest_expected_fee(form, funds.decimals())
        .ok_or("max needs a past payment of this token to estimate the fee; type the amount")?;
    match funds.checked_sub(fee) {
        Some(most) if !most.is_zero() => Ok(most),
        _ => {
            Err(format!("the balance of {} does not cover the fee of {}", funds.format_grouped(), fee.format_grouped()))
        }
    }
}

/// The highest fee expected; zero for a gasless wallet.
fn highest_expected_fee(form: &FormState, decimals: u8) -> Option<Amount> {
    if form.selection.wallet.as_ref().is_some_and(|wallet| wallet.gasless_withdraw == Some(true)) {
        return Some(Amount::zero(decimals));
    }
    let is_same_token = form.fee_lookup.token == form.selection.token;
    form.fee_lookup.estimate.as_ref().filter(|_| is_same_token).and_then(|fee| fee.highest.rescaled(decimals))
}
