//! The past of a sample business, for a console that opens on it: what the console would have recorded by now, had it been
//! there. All of it follows from the business's own history and market.

use uuid::Uuid;

use super::book::{Contact, Label};
use super::price::RateHistory;
use super::saved_view::SavedView;
use super::watch::Watch;
use super::{BalanceSample, Draft, Sender, Text, Timestamp, TotalSample};

/// What a console of a demo begins with.
#[derive(Debug, Clone, Default)]
pub struct DemoSeed {
    pub contacts: Vec<Contact>,
    pub labels: Vec<Label>,
    /// Orders of the past, the oldest first.
    pub past_orders: Vec<PastOrder>,
    /// A payment to send, whose outcome stays unknown.
    pub unresolved_payment: Option<(Draft, Sender)>,
    /// What the business was worth, the oldest first.
    pub total_samples: Vec<TotalSample>,
    /// The last prices of earlier days in the valuation of the samples, by symbol, the oldest first.
    pub daily_prices: Vec<(Text, Vec<BalanceSample>)>,
    /// Rates of the market.
    pub rates: Vec<RateHistory>,
    pub watches: Vec<Watch>,
    pub views: Vec<SavedView>,
}

/// An order of the past. Its requests were never sent from here: its rows are in the business's history.
#[derive(Debug, Clone)]
pub struct PastOrder {
    pub draft: Draft,
    pub sender: Sender,
    pub key: Uuid,
    pub drafted_at: Timestamp,
    /// Whether a colleague paid, and not who opens the demo.
    pub is_of_colleague: bool,
    pub course: PastCourse,
}

#[derive(Debug, Clone)]
pub enum PastCourse {
    /// Given up before anything was sent.
    Abandoned(Text),
    /// Sent; `body` was the service's answer.
    Answered {
        status: u16,
        body: String,
        /// When the history showed how the payment ended; `None` where it does not contain it, or not yet.
        ended_at: Option<Timestamp>,
    },
    /// Sent and answered by nothing of use; never seen in the history; closed by an operator for this reason.
    WrittenOff(Text),
}
