//! The quote of a reviewed swap: what was shown, and whether what came since is still as good.

use super::{Review, ReviewStatus};
use crate::app::msg::RequestId;
use crate::domain::{Amount, ConfirmedQuote, ReceivedQuote, SlippageTolerance, Text, Timestamp};

/// What a review shows of a swap's quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedQuote {
    /// The first that it showed since it last took keys: the drift is told from here.
    pub first: ReceivedQuote,
    /// The best since then, and what it gives: with this is compared what comes later, so that a quote which gets a
    /// little worse again and again does not slip through.
    best: (Amount, Timestamp),
    /// The one on screen.
    pub newest: ReceivedQuote,
}

/// What a new quote is beside what was shown.
enum Came {
    /// As good, within the bound; or none was shown before, which the findings tell.
    AsShown,
    /// Worse than the bound allows, in words.
    Worse(String),
}

impl Review {
    /// How much a quote gives, if it is one for this swap.
    fn gives(&self, quoted: &ReceivedQuote) -> Option<Amount> {
        let sold = self.intent.drafted.sender.as_ref()?.amount;
        quoted.output_for(&self.draft.exchange()?, sold).ok()
    }

    /// How much worse than shown it may get.
    pub fn bound(&self) -> SlippageTolerance {
        self.facts.as_ref().map_or(SlippageTolerance::DEFAULT, |known| known.policy.slippage_tolerance())
    }

    /// What the review showed, for the confirmation.
    pub(super) fn agreement(&self) -> Option<ConfirmedQuote> {
        let ((amount, at), coin) = (self.quote.as_ref()?.best, self.draft.exchange()?.to.clone());
        Some(ConfirmedQuote { coin, amount, at, slippage: self.bound() })
    }

    /// Takes in the quote that is known now. Says in words if what was shown does not hold any more.
    pub(super) fn apply_quote(&mut self) -> Option<String> {
        let quoted = match self.facts.as_ref()?.quote.as_ref()? {
            Ok(quoted) => quoted.clone(),
            // The findings say so, and nothing can be sent.
            Err(_) => return None,
        };
        let gives = self.gives(&quoted)?;
        let shown = ReviewedQuote { first: quoted.clone(), best: (gives, quoted.at), newest: quoted.clone() };
        match self.compare(gives) {
            Came::Worse(words) => {
                self.quote = Some(shown);
                Some(words)
            }
            Came::AsShown => {
                let known = self.quote.get_or_insert(shown);
                if gives.cmp_value(known.best.0).is_gt() {
                    known.best = (gives, quoted.at);
                }
                known.newest = quoted;
                None
            }
        }
    }

    fn compare(&self, gives: Amount) -> Came {
        let Some(ReviewedQuote { best: (best, _), .. }) = &self.quote else { return Came::AsShown };
        let bound = self.bound();
        if bound.allows(*best, gives) {
            return Came::AsShown;
        }
        let coin = self.draft.exchange().map_or_else(String::new, |exchange| exchange.to.to_string());
        let (now, shown, bound) = (gives.grouped(), best.grouped(), bound.words());
        Came::Worse(format!("the swap would now give {now} {coin}, and {shown} was shown: more than {bound} less"))
    }

    /// It was confirmed and not sent, for what it would give now. Then it is as if it had just been opened, with the new
    /// quote.
    pub fn apply_requote(&mut self, quote: Result<ReceivedQuote, Text>, turn: RequestId, now: Timestamp) {
        self.status = ReviewStatus::Waiting;
        let why = match &quote {
            Ok(_) => None,
            Err(why) => Some(format!("the quote could not be refreshed ({why})")),
        };
        if let Some(known) = &mut self.facts {
            known.quote = Some(quote);
        }
        let worse = self.apply_quote();
        let why = why.or(worse).unwrap_or_else(|| "the quote has changed".into());
        self.findings = self.judge(now).findings;
        let words = format!("Nothing was sent: {why}. Read the review again");
        self.begin_anew(words, turn);
    }
}
