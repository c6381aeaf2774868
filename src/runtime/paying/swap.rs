//! Swaps at the desk: what one would give is asked for a review, and once more right before it is sent.
//!
//! ```text
//!  Send ─▶ keys ─▶ the quote again ─▶ as good as was shown? ─▶ judged ─▶ journal.begin ─▶ operator.send
//!                           └── none, of something else, or worse ──▶ Requoted: nothing was sent, and the review shows it
//! ```

use super::{Desk, failure};
use crate::app::Msg;
use crate::domain::intent::{Confirmation, State};
use crate::domain::{Draft, Failure, Intent, IntentId, Quoted, Sender, Text};
use crate::guard::still_holds;

impl Desk {
    /// What a swap would give now.
    pub(super) async fn quoted(&self, draft: &Draft, sender: &Sender) -> Result<Quoted, Failure> {
        let Some(exchange) = draft.exchange() else { return Err(failure("this is no swap")) };
        let quote = self.world.reader.swap_quote(exchange.from, sender.amount, exchange.to).await?;
        Ok(Quoted { quote, at: self.now() })
    }

    /// The same for what the guard is told; why there is none is for the operator to read.
    pub(super) async fn quote_of(&self, draft: &Draft, sender: &Sender) -> Option<Result<Quoted, Text>> {
        draft.exchange()?;
        let quoted = self.quoted(draft, sender).await;
        Some(quoted.map_err(|failure| Text::clean(&failure.to_string())))
    }

    /// Asks once more what a swap gives, right before it would be sent. `None` where it may be: it is none, or the quote
    /// is as good as what was shown, within the bound. Otherwise nothing is sent, and this is the answer.
    pub(super) async fn requote(&self, id: IntentId, confirmation: Option<&Confirmation>) -> Option<Msg> {
        let refused = |failure: Failure| Some(Msg::Sent { intent: id, result: Err(failure) });
        let intent = match self.journal(move |journal| journal.intent(id)).await {
            Ok(intent) if intent.drafted.draft.operation().is_swap() => intent,
            Ok(_) => return None,
            // Nothing is sent of which nobody knows whether it is a swap.
            Err(why) => return refused(why),
        };
        // What left already is not sent again, by any quote; why not is told where it is refused.
        if !matches!(intent.state(self.now()), State::Drafted | State::Confirmed | State::NotSent) {
            return None;
        }
        let Some(sender) = intent.drafted.sender.clone() else {
            return refused(failure("nobody is known to sell this"));
        };
        let quoted = self.quoted(&intent.drafted.draft, &sender).await;
        match (held_against(&intent, &sender, confirmation, quoted.as_ref()), confirmation) {
            (Ok(()), _) => None,
            // A review is open: it shows what it would be now.
            (Err(_), Some(_)) => Some(Msg::Requoted { intent: id, result: quoted.map(Box::new) }),
            (Err(why), None) => {
                self.let_go(id);
                let words = format!("{why}. Give it up and make the swap anew");
                refused(failure(&words))
            }
        }
    }
}

/// Whether a quote is as good as what was confirmed; else why not.
fn held_against(
    intent: &Intent,
    sender: &Sender,
    confirmation: Option<&Confirmation>,
    quoted: Result<&Quoted, &Failure>,
) -> Result<(), String> {
    let quoted = quoted.map_err(|why| format!("what it gives could not be asked for again ({why})"))?;
    let agreed = confirmation.map_or_else(|| intent.agreed(), |confirmation| confirmation.agreed.as_ref());
    let exchange = intent.drafted.draft.exchange().ok_or_else(|| "this is no swap".to_owned())?;
    still_holds(agreed, quoted, &exchange, sender.amount).map(|_| ()).map_err(|moved| moved.to_string())
}
