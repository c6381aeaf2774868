//! What the policy allows, said at the amount before the guard judges it.

use crate::app::forms::form_state::FormState;
use crate::app::forms::payer::{chosen_holding, reliable_balance};
use crate::app::model::Model;
use crate::app::overlays::record::policy::{PaymentLimit, payment_limit};
use crate::domain::Amount;
use crate::domain::policy::OverLimit;

/// The smallest limit on a payment of the chosen token from the chosen wallet.
fn limit_of_payment(model: &Model, form: &FormState) -> Option<PaymentLimit> {
    let holding = chosen_holding(form)?;
    payment_limit(model, &holding.symbol, &holding.token.blockchain, reliable_balance(model, holding))
}

pub(super) fn empty_amount_hint(model: &Model, form: &FormState) -> Option<String> {
    let symbol = &chosen_holding(form)?.symbol;
    let limit = limit_of_payment(model, form)?;
    Some(format!("at most {} {symbol}, {}; or max; or 25%", limit.amount.format_grouped(), limit.reason))
}

pub(super) fn above_limit_warning(model: &Model, form: &FormState, amount: Amount) -> Option<String> {
    let limit = limit_of_payment(model, form).filter(|limit| amount.cmp_value(limit.amount).is_gt())?;
    let consequence = match limit.over_limit {
        OverLimit::Stop => "this will not be sent",
        OverLimit::Danger => "the review will ask for its words",
    };
    Some(format!("above {}, {}: {consequence}", limit.amount.format_grouped(), limit.reason))
}
