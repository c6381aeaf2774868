//! Another payment like an earlier one: a form filled in from an order, or from a row of the history, whoever made it.
//!
//! The form is an ordinary one: the guard judges the payment as new, and nothing is confirmed by the earlier one. A row
//! that may be there to deceive is no source of a recipient.

mod fill;
mod source;

use super::open::{check_can_open, show_form};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
pub(super) use fill::{fill_last_payer, filled_form_of_draft, without_number};
pub(super) use source::{EarlierPayment, check_draft, check_recipient, check_version};

/// Why the selected or open payment cannot be made again, if so.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    if let Err(why) = check_can_open(model) {
        return Some(why);
    }
    match EarlierPayment::selected(model, mode) {
        None => Some("select a payment first: a row that paid somebody, or its order".to_owned()),
        Some(earlier) => earlier.check(model).err(),
    }
}

/// Opens a form filled in from the selected or open payment.
pub(in crate::app) fn open(model: &mut Model) -> Vec<Effect> {
    if let Some(why) = refusal(model, &model.mode) {
        model.notice = Some(why);
        return Vec::new();
    }
    let filled = EarlierPayment::selected(model, &model.mode).and_then(|earlier| fill::filled_form(model, &earlier));
    let Some((sheet, words)) = filled else {
        model.notice = Some("this payment does not say enough to make it again; pay with w".into());
        return Vec::new();
    };
    let effects = show_form(model, sheet.with_initial_values());
    model.notice = Some(words);
    effects
}
