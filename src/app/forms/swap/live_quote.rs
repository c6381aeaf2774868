//! The live quote of a swap while its form is filled in, requested again before it is old, and shown with its age. The
//! quote of a review is refreshed with the review's other facts.

mod refresh;

use crate::app::request_id::RequestId;
use crate::domain::{Amount, Failure, ReceivedQuote, Text, Timestamp};
pub(in crate::app) use refresh::{apply_quote, apply_requote, needs_pairs, next_update_at, start_due_quote};
pub use refresh::{drift_since_first, quote_line};

#[derive(Debug, Clone, PartialEq, Eq)]
struct QuoteQuery {
    from: Text,
    amount: Amount,
    to: Text,
}

#[derive(Debug, Clone, Default)]
pub struct LiveQuote {
    /// The newest request; older answers are ignored.
    request_id: RequestId,
    last_query: Option<(QuoteQuery, Timestamp)>,
    last_result: Option<Result<ReceivedQuote, Failure>>,
    /// The first quote for the same request: the drift is measured from it.
    first_quote: Option<ReceivedQuote>,
}
