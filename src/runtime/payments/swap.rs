//! Swap quotes: requested for a review, and again right before the swap is sent.
//!
//! ```text
//!  Send ─▶ keys ─▶ the quote again ─▶ as good as shown? ─▶ judged ─▶ journal.permit_send ─▶ operator.send
//!                     ▲     └── none, another pair, or worse ──▶ Requoted: nothing was sent; the review shows it
//!                     └───────────── another console wrote first ────────┘
//! ```

use super::{OrderExecutor, local_failure};
use crate::app::Msg;
use crate::domain::order::{Confirmation, OrderState};
use crate::domain::{Draft, Failure, Order, OrderId, ReceivedQuote, Sender, Text};
use crate::guard::check_quote;

impl OrderExecutor {
    pub(super) async fn fetch_quote(&self, draft: &Draft, sender: &Sender) -> Result<ReceivedQuote, Failure> {
        let Some(exchange) = draft.exchange() else { return Err(local_failure("this is not a swap")) };
        // Dated by the request: however long the answer takes, it is no newer than that.
        let at = self.now();
        let quote = self.resources.reader.fetch_swap_quote(exchange.from, sender.amount, exchange.to).await?;
        Ok(ReceivedQuote { quote, at })
    }

    /// The quote for the guard, or the reason for its absence, for the operator to read.
    pub(super) async fn fetch_quote_for_guard(
        &self,
        draft: &Draft,
        sender: &Sender,
    ) -> Option<Result<ReceivedQuote, Text>> {
        draft.exchange()?;
        let quoted = self.fetch_quote(draft, sender).await;
        Some(quoted.map_err(|failure| Text::clean(&failure.to_string())))
    }

    /// Requests a swap's quote again, right before it is sent. `None` if the order may be sent: it is no swap, or the
    /// quote is within the bound of what was shown. Otherwise nothing is sent, and this message is the result.
    pub(super) async fn check_quote_before_send(
        &self,
        id: OrderId,
        confirmation: Option<&Confirmation>,
    ) -> Option<Msg> {
        match self.recheck_quote(id, confirmation).await {
            Ok(()) => None,
            // A review is open: it shows the new quote.
            Err(QuoteChanged { new_quote: Some(quoted), .. }) if confirmation.is_some() => {
                Some(Msg::Requoted { order_id: id, result: quoted.map(Box::new) })
            }
            Err(not_as_shown) => {
                self.drop_review_client(id);
                Some(Msg::Sent { order_id: id, result: Err(not_as_shown.into_failure()) })
            }
        }
    }

    /// Requests a swap's quote again. Other orders need none, nor does a swap that was sent before.
    pub(super) async fn recheck_quote(
        &self,
        id: OrderId,
        confirmation: Option<&Confirmation>,
    ) -> Result<(), QuoteChanged> {
        // An order that cannot be read may be a swap, so it is not sent.
        let journal_order =
            self.with_journal(move |journal| journal.order(id)).await.map_err(QuoteChanged::without_new_quote)?;
        let nothing_left = matches!(
            journal_order.state(self.now()),
            OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent
        );
        if !journal_order.drafted.draft.operation().is_swap() || !nothing_left {
            return Ok(());
        }
        let unsold = || QuoteChanged::without_new_quote(local_failure("the selling wallet is not known"));
        let sender = journal_order.drafted.sender.clone().ok_or_else(unsold)?;
        let quoted = self.fetch_quote(&journal_order.drafted.draft, &sender).await;
        let quote_check = check_against_confirmed_quote(&journal_order, &sender, confirmation, quoted.as_ref());
        quote_check.map_err(|reason| QuoteChanged { failure: local_failure(&reason), new_quote: Some(quoted) })
    }
}

/// Why a swap is not sent at its new quote.
pub(super) struct QuoteChanged {
    failure: Failure,
    /// The new quote, or why it is unknown; `None` if it was not requested.
    new_quote: Option<Result<ReceivedQuote, Failure>>,
}

impl QuoteChanged {
    fn without_new_quote(failure: Failure) -> Self {
        Self { failure, new_quote: None }
    }

    /// The failure to show where no review is open any more, with what to do.
    pub(super) fn into_failure(self) -> Failure {
        if self.new_quote.is_none() {
            return self.failure;
        }
        local_failure(&format!("{}. Give up this order and draft a new one", self.failure.detail))
    }
}

/// Whether a quote is as good as the confirmed one; else why not.
fn check_against_confirmed_quote(
    order: &Order,
    sender: &Sender,
    confirmation: Option<&Confirmation>,
    quoted: Result<&ReceivedQuote, &Failure>,
) -> Result<(), String> {
    let quoted = quoted.map_err(|reason| format!("its quote could not be requested again ({reason})"))?;
    let agreed = confirmation.map_or_else(|| order.confirmed_quote(), |confirmation| confirmation.agreed.as_ref());
    let exchange = order.drafted.draft.exchange().ok_or_else(|| "this is not a swap".to_owned())?;
    check_quote(agreed, quoted, &exchange, sender.amount).map(|_| ()).map_err(|quote_change| quote_change.to_string())
}
