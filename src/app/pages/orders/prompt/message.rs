//! The text of a prompt above its inputs.

use super::answer::available_offer;
use super::{OrderPrompt, PromptSubject, prompt_inputs};
use crate::app::forms;
use crate::app::model::Model;
use crate::app::orders::{self, CommandOffer, OrderCommand, find_order};
use crate::app::pages::Tone;
use crate::domain::order::OrderState;
use crate::domain::{Draft, Order, address};

/// The effects that a written-off order still has.
const WRITE_OFF_EFFECTS: &str = "For 24 hours after sending, the order still counts against limits (against those of a cooling entry \
                           for its whole cooling-off period), and an equal payment asks for typed words. Later only a payment with \
                           the same reference does.";

pub fn prompt_message(model: &Model, prompt: &OrderPrompt) -> (&'static str, Vec<(String, Tone)>) {
    if let Some(address) = &prompt.address {
        return (
            "Is this the same service?",
            crate::app::pages::orders::service_address::question_lines(model, address),
        );
    }
    let PromptSubject::Order { id, command, state_at_opening, .. } = prompt.subject else {
        let lines = left_behind_on_quit(model).into_iter().map(|text| (text, Tone::Warn));
        let ends = ("q, y or Ctrl-C leaves, Esc stays.".to_owned(), Tone::Text);
        return ("Leave?", lines.chain([ends]).collect());
    };
    let Some(order) = find_order(model, id) else { return ("Order", Vec::new()) };
    let mut paragraphs = vec![(order_summary(model, order), Tone::Accent)];
    let mut say = |text: &str, tone| paragraphs.push((text.to_owned(), tone));
    match (command, state_at_opening) {
        (OrderCommand::SendAgain, OrderState::Confirmed | OrderState::NotSent) => {
            say(
                "Nothing has left this machine so far. The same request is sent, with the same idempotency key.",
                Tone::Text,
            );
            say("The guard checks the order once more; any new finding stops it from being sent.", Tone::Text);
        }
        (OrderCommand::SendAgain, _) => {
            say(
                "The same request is resent: same bytes, same idempotency key. A service that remembers the key pays once.",
                Tone::Text,
            );
        }
        (OrderCommand::WriteOff, OrderState::Accepted) => {
            say(
                "The service accepted this order. If you write it off, it is no longer watched; what was sent is not called back.",
                Tone::Warn,
            );
            say(WRITE_OFF_EFFECTS, Tone::Warn);
        }
        (OrderCommand::WriteOff, _) => {
            say(
                "The outcome of this order is not known, and it may have been executed: ask the service first. If you write it off, it \
                 is no longer waited for, and it does not stop an equal payment.",
                Tone::Warn,
            );
            say(WRITE_OFF_EFFECTS, Tone::Warn);
        }
        (OrderCommand::Abandon, _) => {
            say("Nothing was sent, and nothing will be. Enter gives the order up, Esc keeps it.", Tone::Text);
        }
        (OrderCommand::CheckAgain | OrderCommand::SendRest, _) => {}
    }
    if let Some((_, CommandOffer { warning: Some(warning), .. })) = available_offer(model, id, command) {
        say(warning, Tone::Bad);
    }
    let title = match command {
        OrderCommand::SendAgain if prompt_inputs(prompt.subject).first().is_some_and(|line| line.words == ["send"]) => {
            "Send"
        }
        OrderCommand::SendAgain => "Send the same request again",
        OrderCommand::WriteOff => "Write off",
        OrderCommand::Abandon => "Give up",
        OrderCommand::CheckAgain => "Check again",
        OrderCommand::SendRest => "Send the rest",
    };
    (title, paragraphs)
}

/// What quitting now would leave behind; empty if nothing. A read-only console leaves its orders to another one.
pub(super) fn left_behind_on_quit(model: &Model) -> Vec<String> {
    let mut lines = Vec::new();
    let is_under_way = |order: &&Order| order.state(model.now) == OrderState::Sending;
    let sending: Vec<&Order> = model.journal.orders.iter().filter(is_under_way).collect();
    if orders::is_awaiting_any_answer(model) {
        let until = sending.iter().filter_map(|order| order.attempts.last()).map(|attempt| attempt.gives_up_at).max();
        let until = until.map_or(String::new(), |until| {
            format!(" The answer comes by {} or not at all.", model.console.zone.format_with_offset(until, "%H:%M:%S"))
        });
        lines.push(format!(
            "A request is on its way. If you leave, the screen closes, and the program waits for the answer in the \
             terminal.{until} Ctrl-C leaves the order to the next start, which looks it up in the history."
        ));
    } else if !sending.is_empty() && model.console.read_only.is_none() {
        lines.push("Another console has a request on its way. If you leave, only that console follows it.".to_owned());
    }
    let is_left = |order: &&Order| order.is_unresolved(model.now) && Some(order.id) != model.send_tracker.sample_order;
    let unresolved = model.journal.orders.iter().filter(is_left).count();
    if unresolved > 0 && model.console.read_only.is_none() {
        let orders = if unresolved == 1 { "1 order is".to_owned() } else { format!("{unresolved} orders are") };
        lines.push(format!(
            "{orders} unresolved: it is not certain what became of the money. If you leave, it is not looked for from \
             here until the next start. Do not pay again from elsewhere."
        ));
    }
    if forms::is_review_open(model) {
        lines.push("A review is open. Nothing was sent, and nothing will be if you leave.".to_owned());
    }
    lines
}

pub(in crate::app::pages::orders) fn order_summary(model: &Model, order: &Order) -> String {
    let (zone, parties) = (&model.console.zone, model.address_formatter());
    let draft = &order.drafted.draft;
    match draft.single_payment() {
        Some(payment) => format!(
            "{} {} to {}, drafted {}",
            crate::app::orders::group_typed_amount(&payment.amount),
            payment.token,
            address::format_grouped(&payment.to),
            zone.format_with_offset(order.created.at, "%Y-%m-%d %H:%M:%S")
        ),
        None => {
            if let Draft::Batch(batch) = draft {
                let total = order
                    .drafted
                    .sender
                    .as_ref()
                    .map_or_else(|| "—".to_owned(), |sender| sender.amount.format_grouped());
                let drafted = zone.format_with_offset(order.created.at, "%Y-%m-%d %H:%M:%S");
                format!(
                    "batch of {total} {} to {}, drafted {drafted}",
                    batch.token,
                    crate::app::orders::recipients_text(batch, &parties)
                )
            } else {
                format!("{}: {}", draft.operation().title(), crate::app::orders::order_subject(draft, &parties))
            }
        }
    }
}
