//! Another payment like an earlier one: a form filled in from an order, or from a row of the history, whoever made it.
//!
//! The form is an ordinary one: the guard judges the payment as new, and nothing is confirmed by the earlier one. A row
//! that may be there to deceive is no source of a recipient.

mod fill;
mod source;

use super::field::FieldId;
use super::open::{check_can_open, show_form};
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::orders::find_order;
use crate::domain::OrderId;
pub(super) use fill::{fill_last_payer, filled_form_of_draft, payments_to, without_trailing_number};
pub(in crate::app) use source::check_no_look_alike;
pub(super) use source::{EarlierPayment, check_draft, check_version};

/// Why the selected or open payment cannot be made again, if so.
pub(in crate::app) fn refusal(model: &Model, mode: &Mode) -> Option<String> {
    if let Err(reason) = check_can_open(model) {
        return Some(reason);
    }
    match EarlierPayment::selected(model, mode) {
        None => Some("select a payment first: a row that paid somebody, or its order".to_owned()),
        Some(earlier) => earlier.check(model).err(),
    }
}

/// Opens a form filled in from the selected or open payment.
pub(in crate::app) fn open(model: &mut Model) -> Vec<Effect> {
    if let Some(reason) = refusal(model, &model.mode) {
        model.notice = Some(reason);
        return Vec::new();
    }
    let form_and_source =
        EarlierPayment::selected(model, &model.mode).and_then(|earlier| fill::filled_form(model, &earlier));
    let Some((form, source)) = form_and_source else {
        model.notice = Some("this payment does not say enough to make it again; pay with w".into());
        return Vec::new();
    };
    let effects = show_form(model, form.with_initial_values());
    model.notice = Some(source.notice_text());
    effects
}

/// Opens a form filled in from an order, and reviews it as soon as it can be judged; where something is left to type,
/// the form stays.
pub(in crate::app) fn review_again(model: &mut Model, id: OrderId) -> Vec<Effect> {
    let Some(order) = find_order(model, id) else { return Vec::new() };
    let form_and_source = EarlierPayment::Order(order).check(model).map(|()| fill::filled_form_of_order(model, order));
    let (form, source) = match form_and_source {
        Ok(Some(form_and_source)) => form_and_source,
        Ok(None) => return Vec::new(),
        Err(reason) => {
            model.notice = Some(reason);
            return Vec::new();
        }
    };
    let mut form = form.with_initial_values();
    if source.is_number_cut {
        form.move_focus_to(FieldId::Note);
    } else {
        form.review_when_ready();
    }
    let effects = show_form(model, form);
    model.notice = Some(source.notice_text());
    effects
}
