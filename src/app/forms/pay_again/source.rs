//! The payment that is selected or open, and whether it may be made again.

use crate::app::model::{Mode, Model, Page};
use crate::app::orders;
use crate::app::orders::find_order;
use crate::app::transaction_text::is_poison;
use crate::domain::address::is_same_address;
use crate::domain::history::HistoryRow;
use crate::domain::{Amount, Direction, Draft, Operation, Order, SubType, Text};

#[derive(Debug, Clone, Copy)]
pub(in crate::app::forms) enum EarlierPayment<'a> {
    Order(&'a Order),
    Row(&'a HistoryRow),
}

impl<'a> EarlierPayment<'a> {
    /// The open or selected one. A row of the history that an order of this profile made stands for the order, unless
    /// it is the row of one recipient of a batch.
    pub(in crate::app::forms) fn selected(model: &'a Model, mode: &'a Mode) -> Option<Self> {
        if let Mode::Order { id, .. } = mode {
            return find_order(model, *id).map(Self::Order);
        }
        let row = if let Mode::Detail { row, .. } = mode {
            row.as_ref()
        } else if model.page == Page::Orders {
            return find_order(model, *model.pages.orders.listing.selected_key()?).map(Self::Order);
        } else {
            model.focused_history()?.listing.selected()?
        };
        let Some(order) = orders::order_of_transaction(&model.journal.orders, &row.transaction) else {
            return Some(Self::Row(row));
        };
        let draft = &order.drafted.draft;
        let to = row.transaction.to_address.as_ref();
        let is_one_of_a_batch = draft.operation() == Operation::Batch && to.is_some();
        let is_same = |recipient: &Text| to.is_none_or(|chosen_address| is_same_address(chosen_address, recipient));
        // A row that names another recipient than its order is judged as a row.
        let is_other = draft.single_payment().is_some_and(|recipient| !is_same(&recipient.to));
        Some(if is_one_of_a_batch || is_other { Self::Row(row) } else { Self::Order(order) })
    }

    /// Whether a recipient may be taken from it.
    ///
    /// # Errors
    /// Why not, and what to do instead.
    pub(in crate::app::forms) fn check(&self, model: &Model) -> Result<(), String> {
        match self {
            Self::Order(order) => check_order(model, order),
            Self::Row(row) => check_row(model, row),
        }
    }
}

fn check_order(model: &Model, order: &Order) -> Result<(), String> {
    let draft = &order.drafted.draft;
    if draft.payment_details().is_some() && order.is_unresolved(model.now) {
        return Err("the outcome of this order is not known: paying again might pay twice; c checks the history".into());
    }
    check_draft(model, draft)
}

/// Whether a draft can be filled in again: by version, and by the addresses of its recipients.
///
/// # Errors
/// Why not, and what to do instead.
pub(in crate::app::forms) fn check_draft(model: &Model, draft: &Draft) -> Result<(), String> {
    let Some(pays) = draft.payment_details() else {
        return Err("this order pays nobody; only a payment or a batch can be made again".into());
    };
    check_version(model, draft.operation())?;
    pays.to.into_iter().try_for_each(|(to, _)| check_no_look_alike(model, to))
}

/// Whether the profile still uses the version of the service that a payment used.
pub(in crate::app::forms) fn check_version(model: &Model, operation: Operation) -> Result<(), String> {
    if operation == Operation::Payment && !model.console.preferences.v1 {
        return Err("the payment used version 1, which the profile no longer uses; pay with w".into());
    }
    if operation != Operation::Payment && !model.console.preferences.v2 {
        return Err("the payment used version 2, which the profile no longer uses; pay with w".into());
    }
    Ok(())
}

fn check_row(model: &Model, row: &HistoryRow) -> Result<(), String> {
    let transaction = &row.transaction;
    if transaction.direction != Direction::Outgoing {
        return Err("this came in: whoever sent it is not thereby somebody to pay; pay with w".into());
    }
    if row.internal {
        return Err("this moved between own wallets; pay with w".into());
    }
    if transaction.sub_type == Some(SubType::Swap) {
        return Err("this is a leg of a swap and pays nobody; s swaps".into());
    }
    let is_nothing = transaction.exact_amount().is_some_and(Amount::is_zero);
    if is_nothing || is_poison(model, row) {
        return Err("this row may be there to deceive, so no recipient is taken from it; pay with w".into());
    }
    let made_by = orders::order_of_transaction(&model.journal.orders, transaction);
    if made_by.is_some_and(|order| order.is_unresolved(model.now)) {
        return Err("the outcome of its order is not known: paying again might pay twice".into());
    }
    let Some(to) = &transaction.to_address else {
        return Err("the service does not name the recipient of this row; pay with w".into());
    };
    check_no_look_alike(model, to)
}

/// Whether a recipient may be taken over from elsewhere: not one that resembles a known address.
///
/// # Errors
/// Which address it resembles.
pub(in crate::app) fn check_no_look_alike(model: &Model, to: &Text) -> Result<(), String> {
    match model.data.analyses.look_alikes.match_of_address(to) {
        None => Ok(()),
        Some(other) => Err(format!(
            "its recipient resembles {} ({}) without being it, so it is not taken over; pay with w",
            other.address, other.reason
        )),
    }
}
