//! Quotes of a reviewed swap: those shown, and whether a later one is still as good.

use super::{Review, ReviewStatus};
use crate::app::request_id::RequestId;
use crate::domain::{Amount, ConfirmedQuote, ReceivedQuote, SlippageTolerance, Text, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedQuote {
    /// The first quote since the review last took keys: the drift is measured from it.
    pub first_quote: ReceivedQuote,
    /// The best quote since then: its output amount and time. Later quotes are compared with it, so that one that gets
    /// a little worse each time is still stopped.
    best_output: (Amount, Timestamp),
    pub newest_quote: ReceivedQuote,
}

enum QuoteComparison {
    /// As good, within the bound; or the first one, on which the findings report.
    WithinTolerance,
    /// Worse than the bound allows; the message says by how much.
    Worse(String),
}

impl Review {
    /// The output of a quote, if it is a quote for this swap.
    fn quoted_output(&self, quote: &ReceivedQuote) -> Option<Amount> {
        let sold = self.order.drafted.sender.as_ref()?.amount;
        quote.checked_output(&self.draft.exchange()?, sold).ok()
    }

    /// How much worse than the best quote shown a later one may be.
    pub fn slippage_tolerance(&self) -> SlippageTolerance {
        self.facts.as_ref().map_or(SlippageTolerance::DEFAULT, |facts| facts.policy.slippage_tolerance())
    }

    /// The best quote shown, for the confirmation.
    pub(super) fn confirmed_quote(&self) -> Option<ConfirmedQuote> {
        let ((amount, at), coin) = (self.quote.as_ref()?.best_output, self.draft.exchange()?.to.clone());
        Some(ConfirmedQuote { coin, amount, at, slippage: self.slippage_tolerance() })
    }

    /// Takes the latest quote; returns a message if it is worse than the bound allows.
    pub(super) fn apply_quote(&mut self) -> Option<String> {
        let quote = match self.facts.as_ref()?.quote.as_ref()? {
            Ok(quote) => quote.clone(),
            // A finding reports it, and stops the swap.
            Err(_) => return None,
        };
        let output = self.quoted_output(&quote)?;
        let first_reviewed =
            ReviewedQuote { first_quote: quote.clone(), best_output: (output, quote.at), newest_quote: quote.clone() };
        match self.compare_with_best_shown(output) {
            QuoteComparison::Worse(warning) => {
                self.quote = Some(first_reviewed);
                Some(warning)
            }
            QuoteComparison::WithinTolerance => {
                let reviewed_quote = self.quote.get_or_insert(first_reviewed);
                if output.cmp_value(reviewed_quote.best_output.0).is_gt() {
                    reviewed_quote.best_output = (output, quote.at);
                }
                reviewed_quote.newest_quote = quote;
                None
            }
        }
    }

    fn compare_with_best_shown(&self, output: Amount) -> QuoteComparison {
        let Some(ReviewedQuote { best_output: (best, _), .. }) = &self.quote else {
            return QuoteComparison::WithinTolerance;
        };
        let bound = self.slippage_tolerance();
        if bound.allows(*best, output) {
            return QuoteComparison::WithinTolerance;
        }
        let coin = self.draft.exchange().map_or_else(String::new, |exchange| exchange.to.to_string());
        let (now, best_text, bound) = (output.format_grouped(), best.format_grouped(), bound.format_percent());
        QuoteComparison::Worse(format!(
            "the swap would now give {now} {coin}, and {best_text} was shown: more than {bound} less"
        ))
    }

    /// A confirmed swap was not sent, because its quote changed: resets the review, with the new quote.
    pub fn reset_with_new_quote(&mut self, quote: Result<ReceivedQuote, Text>, request_id: RequestId, now: Timestamp) {
        self.status = ReviewStatus::Waiting;
        let reason = match &quote {
            Ok(_) => None,
            Err(reason) => Some(format!("the quote could not be refreshed ({reason})")),
        };
        if let Some(facts) = &mut self.facts {
            facts.quote = Some(quote);
        }
        let drift_message = self.apply_quote();
        let reason = reason.or(drift_message).unwrap_or_else(|| "the quote has changed".into());
        self.findings = self.judge_draft(now).findings;
        let message = format!("Nothing was sent: {reason}. Read the review again");
        self.reset_review(message, request_id);
    }
}
