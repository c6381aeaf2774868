//! Swaps at the desk: what one would give is asked for a review, and once more right before it is sent.
//!
//! ```text
//!  Send ─▶ keys ─▶ the quote again ─▶ as good as was shown? ─▶ judged ─▶ journal.begin ─▶ operator.send
//!                     ▲     └── none, of something else, or worse ──▶ Requoted: nothing was sent, and the review shows it
//!                     └───────────────── another console was faster ──────┘
//! ```

use super::{OrderExecutor, failure};
use crate::app::Msg;
use crate::domain::intent::{Confirmation, State};
use crate::domain::{Draft, Failure, Order, OrderId, ReceivedQuote, Sender, Text};
use crate::guard::check_quote;

impl OrderExecutor {
    /// What a swap would give now.
    pub(super) async fn fetch_quote(&self, draft: &Draft, sender: &Sender) -> Result<ReceivedQuote, Failure> {
        let Some(exchange) = draft.exchange() else { return Err(failure("this is not a swap")) };
        // It is as old as the question: however long the answer takes, it tells of no later moment.
        let at = self.now();
        let quote = self.world.reader.fetch_swap_quote(exchange.from, sender.amount, exchange.to).await?;
        Ok(ReceivedQuote { quote, at })
    }

    /// The same for what the guard is told; why there is none is for the operator to read.
    pub(super) async fn quote_for_guard(&self, draft: &Draft, sender: &Sender) -> Option<Result<ReceivedQuote, Text>> {
        draft.exchange()?;
        let quoted = self.fetch_quote(draft, sender).await;
        Some(quoted.map_err(|failure| Text::clean(&failure.to_string())))
    }

    /// Asks once more what a swap gives, right before it would be sent. `None` where it may be: it is none, or the quote
    /// is as good as what was shown, within the bound. Otherwise nothing is sent, and this is the answer.
    pub(super) async fn check_quote_before_send(
        &self,
        id: OrderId,
        confirmation: Option<&Confirmation>,
    ) -> Option<Msg> {
        match self.recheck_quote(id, confirmation).await {
            Ok(()) => None,
            // A review is open: it shows what it would be now.
            Err(QuoteChanged { quoted: Some(quoted), .. }) if confirmation.is_some() => {
                Some(Msg::Requoted { intent: id, result: quoted.map(Box::new) })
            }
            Err(not_as_shown) => {
                self.let_go(id);
                Some(Msg::Sent { intent: id, result: Err(not_as_shown.into_failure()) })
            }
        }
    }

    /// Asks for a swap's quote once more. What is none, and what left already, needs none: it is not sent again, by any
    /// quote, and why not is told where it is refused.
    pub(super) async fn recheck_quote(
        &self,
        id: OrderId,
        confirmation: Option<&Confirmation>,
    ) -> Result<(), QuoteChanged> {
        // Nothing is sent of which nobody knows whether it is a swap.
        let intent = self.with_journal(move |journal| journal.intent(id)).await.map_err(QuoteChanged::unasked)?;
        let nothing_left = matches!(intent.state(self.now()), State::Drafted | State::Confirmed | State::NotSent);
        if !intent.drafted.draft.operation().is_swap() || !nothing_left {
            return Ok(());
        }
        let unsold = || QuoteChanged::unasked(failure("the selling wallet is not known"));
        let sender = intent.drafted.sender.clone().ok_or_else(unsold)?;
        let quoted = self.fetch_quote(&intent.drafted.draft, &sender).await;
        let held = held_against(&intent, &sender, confirmation, quoted.as_ref());
        held.map_err(|why| QuoteChanged { failure: failure(&why), quoted: Some(quoted) })
    }
}

/// Why a swap is not sent by what it would give now.
pub(super) struct QuoteChanged {
    failure: Failure,
    /// What it would give, or why that is not known; `None` where nobody could be asked.
    quoted: Option<Result<ReceivedQuote, Failure>>,
}

impl QuoteChanged {
    fn unasked(failure: Failure) -> Self {
        Self { failure, quoted: None }
    }

    /// The same for whoever has no review before him any more, and what he can do.
    pub(super) fn into_failure(self) -> Failure {
        if self.quoted.is_none() {
            return self.failure;
        }
        failure(&format!("{}. Give up this order and make the swap again", self.failure.detail))
    }
}

/// Whether a quote is as good as what was confirmed; else why not.
fn held_against(
    intent: &Order,
    sender: &Sender,
    confirmation: Option<&Confirmation>,
    quoted: Result<&ReceivedQuote, &Failure>,
) -> Result<(), String> {
    let quoted = quoted.map_err(|why| format!("its quote could not be requested again ({why})"))?;
    let agreed = confirmation.map_or_else(|| intent.confirmed_quote(), |confirmation| confirmation.agreed.as_ref());
    let exchange = intent.drafted.draft.exchange().ok_or_else(|| "this is not a swap".to_owned())?;
    check_quote(agreed, quoted, &exchange, sender.amount).map(|_| ()).map_err(|moved| moved.to_string())
}
