//! What a filter of the orders searches, and what orders add up to.

use crate::domain::chain::chain_display_name;
use crate::domain::filter::AllWordsFilter;
use crate::domain::order::OrderState;
use crate::domain::{Amount, ListSum, Order, RowSum, Text, Timestamp};

/// Whether each word occurs in one of the texts of an order, or in one of those that its row shows.
pub(super) fn matches(order: &Order, word_filter: &AllWordsFilter, shown_texts: &[&str]) -> bool {
    let draft = &order.drafted.draft;
    let sender = order.drafted.sender.as_ref();
    let mut texts: Vec<String> = shown_texts.iter().map(|text| (*text).to_owned()).collect();
    texts.push(order.created.by.user.to_string());
    texts.extend(order_symbol(order).map(Text::to_string));
    if let Some(chain) = draft.chain(sender) {
        texts.extend([chain.to_string(), chain_display_name(chain).to_owned()]);
    }
    texts.extend(order.drafted.request.key.map(|key| key.to_string()));
    texts.extend([draft.reference(), draft.note()].into_iter().flatten().map(Text::to_string));
    texts.extend(draft.metadata().map(ToString::to_string));
    texts.extend(draft.recipient_references_and_labels().map(Text::to_string));
    texts.extend(sender.and_then(|sender| sender.name.as_ref()).map(Text::to_string));
    texts.extend(sender.map(|sender| sender.amount.to_string()));
    texts.extend(draft.payment_details().into_iter().flat_map(|pays| pays.to).map(|(address, _)| address.to_string()));
    word_filter.matches(texts)
}

fn order_symbol(order: &Order) -> Option<&Text> {
    let draft = &order.drafted.draft;
    let paid_token = draft.payment_details().map(|pays| pays.token);
    // What a swap sells.
    paid_token.or_else(|| draft.exchange().map(|exchange| exchange.from))
}

/// What the matching orders add up to, by token, and the orders left out of the sum beside the failed ones.
#[derive(Debug, Default)]
pub struct OrderSum {
    pub list: ListSum,
    pub unresolved: u64,
    pub not_sent: u64,
    /// Orders that move no money.
    pub without_amount: u64,
}

pub fn order_sum<'a>(orders: impl Iterator<Item = &'a Order>, now: Timestamp) -> OrderSum {
    let (mut sum, mut sums) = (OrderSum::default(), Vec::new());
    for order in orders {
        let sender = order.drafted.sender.as_ref().filter(|_| order.drafted.draft.operation().moves_money());
        let Some((symbol, sender)) = order_symbol(order).zip(sender) else {
            sum.without_amount += 1;
            continue;
        };
        let mut row = RowSum {
            symbol: symbol.clone(),
            suspicious: false,
            incoming: Some(Amount::zero(sender.amount.decimals())),
            outgoing: Some(sender.amount),
            rows: 0,
            internal: [None; 2],
            internal_rows: 0,
            unclear: 0,
            failed: 0,
            fees: Vec::new(),
        };
        match order.state(now) {
            _ if order.is_unresolved(now) => {
                sum.unresolved += 1;
                continue;
            }
            OrderState::Sending | OrderState::Accepted | OrderState::Settled => row.rows = 1,
            OrderState::Refused | OrderState::Failed => row.failed = 1,
            OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent | OrderState::Abandoned => {
                sum.not_sent += 1;
                continue;
            }
            // How much of it was paid is not known.
            OrderState::PartlySettled | OrderState::WrittenOff | OrderState::Unknown | OrderState::ProbablyRefused => {
                row.unclear = 1;
            }
        }
        sums.push(row);
    }
    sum.list = ListSum::new(&sums);
    sum
}
