//! The message on an order under way when the program ends, since the screen that showed it is gone.

use super::prompt::order_summary;
use crate::app::model::Model;
use crate::app::orders::{closed_message, find_order, is_awaiting_answer};
use crate::domain::order::OrderState;
use crate::domain::{Order, OrderId};

pub fn exit_message(model: &Model, id: OrderId) -> String {
    match find_order(model, id) {
        // The message stays in a terminal that others may read.
        Some(order) if model.session.veil.is_on() => {
            let veiled = model.session.veil.mask_order(order);
            format!("{}. {}", veiled.drafted.draft.operation().title(), outcome_message(model, order.id, &veiled))
        }
        Some(order) => format!("{}. {}", order_summary(model, order), outcome_message(model, id, order)),
        // The journal could not be read; but the request was sent.
        None if model.session.veil.is_on() => "An order. Its outcome is not known.".into(),
        None => format!("Order {id}. Its outcome is not known."),
    }
}

fn outcome_message(model: &Model, id: OrderId, order: &Order) -> String {
    let looked_up = if order.drafted.draft.operation().moves_money() {
        "the next start looks it up in the history. Do not pay again from elsewhere."
    } else {
        "check whether it exists before you create another."
    };
    // What the history shows counts, even while the answer is awaited.
    match order.state(model.now) {
        OrderState::Drafted | OrderState::Confirmed | OrderState::Sending | OrderState::Unknown
            if is_awaiting_answer(model, id) =>
        {
            format!("It was being sent, and its outcome is not known: {looked_up}")
        }
        OrderState::Sending | OrderState::Unknown | OrderState::ProbablyRefused => {
            format!("Its outcome is not known: {looked_up}")
        }
        OrderState::Accepted | OrderState::Settled | OrderState::PartlySettled => "The service accepted it.".into(),
        OrderState::Failed => "The service accepted it and reports it as failed.".into(),
        OrderState::Refused => closed_message(order),
        OrderState::NotSent | OrderState::Drafted | OrderState::Confirmed | OrderState::Abandoned => {
            "It was not sent.".into()
        }
        OrderState::WrittenOff => "It was written off.".into(),
    }
}
