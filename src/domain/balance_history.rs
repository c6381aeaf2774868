//! The history of a balance: samples of it, the flows of each day, and the closing balances that follow from both.
//!
//! Days are days of UTC. A sample is the balance at its moment, not yet its day's closing balance. Where the history
//! was read to its end, a day closes with the present balance less all later flows, and a sample counts for a day
//! without movement, since it includes what the history lacks. Where the history does not give a closing balance, the
//! last sample of the day is shown with its time.

use super::{Amount, Day, ReportedAmount, Timestamp, TokenKey};

#[cfg(test)]
mod tests;

/// The flows of a token on a day.
///
/// Incoming rows count once they are settled; outgoing ones from acceptance on, with their fee; failed ones do not
/// count. Movements between own wallets are summed apart, but for their fees, which went out. So the flows of all days
/// add up to the balance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DailyFlow {
    pub day: Day,
    /// The sum of incoming rows; `None` where it overflows, or where its parts have different fraction digits.
    pub incoming: Option<Amount>,
    /// The sum of outgoing rows, fees included.
    pub outgoing: Option<Amount>,
    /// What came in from own wallets, and what went out to own wallets, without fees.
    pub internal: [Option<Amount>; 2],
    /// Rows that are not between own wallets.
    pub rows: u64,
    pub internal_rows: u64,
    /// The number of further rows that lack what a sum needs.
    pub unclear: u64,
}

impl DailyFlow {
    /// The balance before the day's movements, by the one after them.
    fn balance_before(&self, after: Amount) -> Option<Amount> {
        let [received, sent_internally] = self.internal;
        let before = after.checked_add(self.outgoing?)?.checked_add(sent_internally?)?;
        before.checked_sub(self.incoming?)?.checked_sub(received?)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalanceSample {
    pub at: Timestamp,
    pub amount: Amount,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBalanceHistory {
    pub token: TokenKey,
    /// Oldest first.
    pub samples: Vec<BalanceSample>,
    /// The days with movement, oldest first.
    pub flows: Vec<DailyFlow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalanceHistory {
    pub since: Day,
    /// Whether the flows are complete: the history was read to its end and has no gap.
    pub is_complete: bool,
    /// The tokens with any samples or flows.
    pub tokens: Vec<TokenBalanceHistory>,
}

impl BalanceHistory {
    pub fn token(&self, token: &TokenKey) -> Option<&TokenBalanceHistory> {
        self.tokens.iter().find(|history| history.token == *token)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosingBasis {
    /// Today, with the present balance.
    Now,
    /// Calculated from a later day's balance and the flows since.
    History,
    /// A sample with no movement around it.
    Sample,
    /// Not known; this is the last sample of the day, taken at this time.
    Observed(Timestamp),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosingBalance {
    pub day: Day,
    /// The balance at the day's end; `None` where it is not known.
    pub amount: Option<Amount>,
    pub basis: ClosingBasis,
}

/// The closing balance of each day from `since` to today, oldest first. Today closes, so far, with the present balance.
pub fn closing_balances(
    since: Day,
    today: Day,
    now: Option<&ReportedAmount>,
    whole: bool,
    past: Option<&TokenBalanceHistory>,
) -> Vec<ClosingBalance> {
    let (samples, flows): (&[BalanceSample], &[DailyFlow]) =
        past.map_or((&[], &[]), |past| (&past.samples, &past.flows));
    let mut balance = now.and_then(ReportedAmount::exact);
    let mut closings = Vec::with_capacity(usize::try_from(today.days_since(since)).unwrap_or(0) + 1);
    closings.push(ClosingBalance { day: today, amount: balance, basis: ClosingBasis::Now });
    let mut day = today;
    while day > since {
        // From the end of a day to the end of the day before: the day's flows are reversed. Rows that a service dates
        // ahead have moved by today all the same.
        let day_flows = flows.iter().rev().filter(|flow| flow.day == day || (day == today && flow.day > today));
        balance = balance.filter(|_| whole);
        for flow in day_flows {
            balance = balance.filter(|_| flow.unclear == 0).and_then(|balance| flow.balance_before(balance));
        }
        day = day.days_before(1);
        let sample = samples.iter().rev().find(|sample| Day::from_timestamp(sample.at) == day);
        // The balance of a sample may have been read an hour earlier, and a row settles some time after its own time:
        // so the day before must be without movement too. Before the first day no day is known to be.
        let still = whole && day > since && !flows.iter().any(|flow| flow.day == day || flow.day == day.days_before(1));
        let closing = match (sample, balance) {
            (Some(sample), _) if still => {
                // The sample is surer than the balance calculated back from today.
                balance = Some(sample.amount);
                (balance, ClosingBasis::Sample)
            }
            // Flows after the sample are not in it, and whether there were any may not be known.
            (Some(sample), None) => (Some(sample.amount), ClosingBasis::Observed(sample.at)),
            (_, balance) => (balance, ClosingBasis::History),
        };
        closings.push(ClosingBalance { day, amount: closing.0, basis: closing.1 });
    }
    closings.reverse();
    closings
}
