//! The due dates of templates that orders paid.

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::{Order, OrderState};
use crate::domain::Timestamp;
use crate::domain::template::TemplateId;

/// The due dates for which an order was made that paid, or of which it is not known that it did not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PaidDues(BTreeSet<(TemplateId, NaiveDate)>);

impl PaidDues {
    pub fn contains(&self, template: TemplateId, due: NaiveDate) -> bool {
        self.0.contains(&(template, due))
    }

    /// Counts an order, if it was made for a due date.
    pub fn add_order(&mut self, order: &Order, now: Timestamp) {
        let made_from = order.drafted.template.as_ref();
        if let Some((template, due)) = made_from.and_then(|of| Some((of.template, of.due?)))
            && order.state(now).may_have_paid()
        {
            self.0.insert((template, due));
        }
    }
}

impl OrderState {
    /// Whether an order in this state paid, will, or may have. A draft does not count: it may never be sent.
    pub fn may_have_paid(self) -> bool {
        match self {
            Self::Drafted | Self::Refused | Self::Failed | Self::Abandoned => false,
            Self::Confirmed
            | Self::Sending
            | Self::NotSent
            | Self::Unknown
            | Self::ProbablyRefused
            | Self::Accepted
            | Self::Settled
            | Self::PartlySettled
            | Self::WrittenOff => true,
        }
    }
}
