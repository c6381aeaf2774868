//! Whose a row is: by the order's key, by its transaction, or by its reference together with its contents.

use std::time::Duration;

use crate::domain::address::is_same_address;
use crate::domain::comparison::{self, BatchRecipients};
use crate::domain::draft::Draft;
use crate::domain::{
    Amount, Direction, Operation, Order, ReportedAmount, Sender, SubType, Text, Timestamp, Transaction, Withdrawal,
    chain,
};

/// How far the clocks of a service and of this machine may differ.
pub const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(10);

pub fn order_reference(order: &Order) -> Option<&str> {
    order.drafted.draft.reference().map(Text::as_str)
}

pub fn row_has_key(row: &Transaction, order: &Order) -> bool {
    let key = order.drafted.request.key.map(|key| key.to_string());
    key.zip(row.idempotency_key.as_ref()).is_some_and(|(key, row_key)| row_key.eq_ignore_ascii_case(&key))
}

pub fn is_known_at_draft(row: &Transaction, order: &Order) -> bool {
    order.drafted.newest.iter().chain(&order.drafted.anchors).any(|recorded| *recorded == row.id)
}

/// Whether a time of the service's clock may be later than an order's draft.
pub fn is_since_draft(at: Timestamp, order: &Order) -> bool {
    at.plus(MAX_CLOCK_DIFFERENCE) >= order.created.at
}

/// Whether a row without a key is an order's by its reference, which no other order has: it matches the order, and
/// was not there before the order was.
pub fn matches_by_sole_reference(row: &Transaction, order: &Order, reading_key_mark: &Text) -> bool {
    // Another key may lead to another workspace, in which the same reference was given to another payment.
    let payer = order.drafted.sender.as_ref().and_then(|sender| sender.address.as_ref());
    let is_from_payer = payer.zip(row.from_address.as_ref()).is_some_and(|(payer, from)| is_same_address(payer, from));
    let is_ours = is_from_payer || order.drafted.destination.key_mark == *reading_key_mark;
    let reference = order.drafted.draft.reference();
    row.idempotency_key.is_none()
        && reference.is_some()
        && row.ref_id.as_ref() == reference
        && !is_known_at_draft(row, order)
        && row.reported_time().is_none_or(|at| is_since_draft(at, order))
        && is_ours
        && resembles_order(row, order)
}

/// Whether a row shows the other end of an order: what a swap bought, or what arrived where the recipient is a wallet
/// of the same service. Evidence is the row's wallet, or another row that is certainly the order's own (`beside`). A
/// row that differs from such an end is none.
pub fn is_incoming_side(row: &Transaction, order: &Order, beside: bool) -> bool {
    // In version 1 a request names the paying user, and a row names the wallet.
    let is_by_wallet = !matches!(order.drafted.draft, Draft::Payment(_));
    let payer = order.drafted.draft.payment_details().filter(|_| is_by_wallet).map(|pays| pays.wallet.as_str());
    let is_elsewhere = row.wallet.as_ref().is_some_and(|wallet| payer.is_some_and(|payer| payer != wallet.as_str()));
    let is_named = order.transaction_id() == Some(&row.id);
    row.direction == Direction::Incoming
        && (order.drafted.draft.operation().is_swap()
            || ((is_elsewhere || (beside && !is_named)) && resembles_order(row, order)))
}

/// Whether a row is of the swap that an order's answer, or a row of its own, named. An answer that differs from the
/// request may have named another swap of the same amount.
pub fn is_of_swap_group(row: &Transaction, order: &Order) -> bool {
    let group = order.sure_observations().next().and_then(|observed| observed.swap.as_ref()?.group.as_ref());
    row.sub_type == Some(SubType::Swap) && group.is_some() && row.group.as_ref() == group
}

/// The contents by which a row matches an order.
pub struct OrderPattern<'a> {
    order: &'a Order,
    sender: &'a Sender,
    /// The symbol of the token paid; `None` for a swap.
    token: Option<&'a Text>,
    recipients: Option<BatchRecipients<'a>>,
}

impl<'a> OrderPattern<'a> {
    pub fn from_order(order: &'a Order) -> Option<Self> {
        let draft = &order.drafted.draft;
        let recipients = if let Draft::Batch(batch) = draft { Some(BatchRecipients::from_batch(batch)) } else { None };
        let token = draft.payment_details().map(|pays| pays.token);
        Some(Self { order, sender: order.drafted.sender.as_ref()?, token, recipients })
    }

    /// Whether a row has the order's chain, token, recipient and amount; for a batch those of all recipients or one.
    pub fn matches_row(&self, row: &Transaction) -> bool {
        let sender = self.sender;
        let Some(token) = self.token else { return resembles_swap(row, self.order, sender) };
        let is_of_token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(token);
        is_of_token
            && chain::is_same_chain(&row.token.blockchain, &sender.token.blockchain)
            && self.matches_recipient_and_amount(row)
    }

    fn matches_recipient_and_amount(&self, row: &Transaction) -> bool {
        if let Some(recipients) = &self.recipients {
            let reported = comparison::ReportedPayment::from_row(row);
            return (recipients.is_about_whole_batch(&reported) && row.exact_amount().is_some())
                || recipients.find_recipient(&reported, |_| true).is_some();
        }
        let is_same_amount = |amount: Amount| amount.cmp_value(self.sender.amount).is_eq();
        let is_same = |to: &Text, payment: &Text| to.eq_ignore_ascii_case(payment) || is_same_address(to, payment);
        let is_to = |payment: &Withdrawal| row.to_address.as_ref().is_some_and(|to| is_same(to, &payment.to));
        self.order.drafted.draft.single_payment().is_some_and(is_to) && row.exact_amount().is_some_and(is_same_amount)
    }
}

pub fn resembles_order(row: &Transaction, order: &Order) -> bool {
    OrderPattern::from_order(order).is_some_and(|pattern| pattern.matches_row(row))
}

/// Whether a row is of a swap that sells what an order sells, with its amount reported with or without the fee.
fn resembles_swap(row: &Transaction, order: &Order, sender: &Sender) -> bool {
    let Some(exchange) = order.drafted.draft.exchange() else { return false };
    let token = row.token.contract == sender.token.contract || row.symbol.eq_ignore_ascii_case(exchange.from);
    let is_as_much = |amount: Amount| amount.cmp_value(sender.amount).is_eq();
    let total = row.total_amount.as_ref().and_then(ReportedAmount::exact);
    row.sub_type == Some(SubType::Swap)
        && token
        && (row.exact_amount().is_some_and(is_as_much) || total.is_some_and(is_as_much))
        && (is_instant_swap(order) || chain::is_same_chain(&row.token.blockchain, &sender.token.blockchain))
}

pub fn is_instant_swap(order: &Order) -> bool {
    order.drafted.draft.operation() == Operation::InstantSwap
}
