//! The rules that decide which event may happen to an order.

use std::collections::HashSet;
use std::time::Duration;

use crate::domain::address::ComparableAddress;
use crate::domain::approval::{StatementKind, StatementWithProposal};
use crate::domain::order::{
    Attempt, DraftedOrder, IllegalOrderEvent, OrderEnd, OrderEvent, OrderState, SendReason, ServiceDestination,
};
use crate::domain::{Amount, Draft, Network, Order, Text, Timestamp, chain};

/// The recipients and amounts of a draft in comparable form: amounts without trailing zeros, and each address twice,
/// case-folded and in canonical form.
fn recipient_amounts(drafted: &DraftedOrder) -> impl Iterator<Item = (RecipientKey, String)> {
    let recipients: Vec<(&Text, String)> = match (&drafted.draft, drafted.draft.single_payment(), &drafted.sender) {
        (_, Some(withdrawal), Some(sender)) => vec![(&withdrawal.to, sender.amount.to_string())],
        (Draft::Batch(batch), ..) => {
            let amounts = batch.amounts_as_written().unwrap_or_default();
            batch.to.iter().map(|to| &to.address).zip(amounts.iter().map(Amount::to_string)).collect()
        }
        _ => Vec::new(),
    };
    recipients.into_iter().flat_map(|(to, amount)| {
        let places =
            [RecipientKey::Folded(to.to_ascii_lowercase()), RecipientKey::Shaped(ComparableAddress::parse(to))];
        places.map(|place| (place, amount.clone()))
    })
}

/// Whether two drafts pay an equal amount of the same token to the same address, or swap equal amounts of the same
/// pair. The notation of chain and address does not matter, and one recipient of a batch suffices. Swaps of a pair are
/// the same whichever version they use, and from whichever wallet.
fn drafts_pay_same(one: &DraftedOrder, other: &DraftedOrder) -> bool {
    if let (Some(details), Some(other_details)) = (one.draft.payment_details(), other.draft.payment_details()) {
        let other_amounts: HashSet<_> = recipient_amounts(other).collect();
        return chain::is_same_chain(details.blockchain, other_details.blockchain)
            && details.token.eq_ignore_ascii_case(other_details.token)
            && recipient_amounts(one).any(|recipient_amount| other_amounts.contains(&recipient_amount));
    }
    let amounts = one.sender.as_ref().zip(other.sender.as_ref());
    let pairs = one.draft.exchange().zip(other.draft.exchange());
    amounts.is_some_and(|(sender, other_sender)| sender.amount.cmp_value(other_sender.amount).is_eq())
        && pairs.is_some_and(|(exchange, other_exchange)| exchange.is_of_same_pair(&other_exchange))
}

#[derive(PartialEq, Eq, Hash)]
enum RecipientKey {
    Folded(String),
    Shaped(ComparableAddress),
}

/// The number of automatic attempts, the first included.
const MAX_AUTOMATIC_ATTEMPTS: usize = 3;
/// How long after the first attempt automatic retries are made.
const AUTOMATIC_RETRY_WINDOW: Duration = Duration::from_mins(5);
/// How long a review is valid for an order that was never sent: later, balances, findings and other orders may have
/// changed.
const REVIEW_VALIDITY: Duration = Duration::from_mins(5);
/// How long the service surely remembers a key.
const KEY_RETENTION: Duration = Duration::from_hours(12);

impl Order {
    pub fn check_event(&self, event: &OrderEvent, now: Timestamp) -> Result<(), IllegalOrderEvent> {
        if self.end.is_some() {
            return match event {
                // What the service reports after a write-off is still recorded.
                OrderEvent::Answered { .. } | OrderEvent::LookedUp(_) => Ok(()),
                OrderEvent::Reopened(look) if look.contradiction.is_some() => Ok(()),
                _ => Err(IllegalOrderEvent::Ended),
            };
        }
        match event {
            OrderEvent::Reopened(_) => Err(IllegalOrderEvent::NotContradicted),
            OrderEvent::Drafted(_) => Err(IllegalOrderEvent::Confirmed),
            // An order that was proposed is confirmed again when it is released.
            OrderEvent::Confirmed(_) if self.confirmed.is_some() && self.approval.is_none() => {
                Err(IllegalOrderEvent::Confirmed)
            }
            OrderEvent::Confirmed(_) if self.first_sent_at().is_some() => Err(IllegalOrderEvent::Confirmed),
            OrderEvent::Signed(signed) => self.check_statement(signed, now),
            OrderEvent::Sending { reason, .. } => self.check_send(*reason, now),
            OrderEvent::Answered { attempt, .. } => {
                let waits = |other: &Attempt| other.number == *attempt && other.answer.is_none();
                if self.attempts.iter().any(waits) { Ok(()) } else { Err(IllegalOrderEvent::NoSuchAttempt) }
            }
            OrderEvent::Ended(OrderEnd::Abandoned(_))
                if matches!(self.state(now), OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent) =>
            {
                Ok(())
            }
            OrderEvent::Ended(OrderEnd::Abandoned(_)) => Err(IllegalOrderEvent::Sent),
            OrderEvent::Ended(OrderEnd::WrittenOff(_)) if self.state(now) == OrderState::Sending => {
                Err(IllegalOrderEvent::UnderWay)
            }
            OrderEvent::Confirmed(_)
            | OrderEvent::LookedUp(_)
            | OrderEvent::Ended(
                OrderEnd::Settled | OrderEnd::PartlySettled | OrderEnd::Failed | OrderEnd::WrittenOff(_),
            ) => Ok(()),
        }
    }

    /// Whether a statement about the order's proposal may be recorded: only before anything was sent.
    fn check_statement(&self, signed: &StatementWithProposal, now: Timestamp) -> Result<(), IllegalOrderEvent> {
        match self.state(now) {
            OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent => {}
            _ => return Err(IllegalOrderEvent::Sent),
        }
        let is_of_proposal = self.approval.as_ref().is_some_and(|approval| approval.file == signed.file);
        match signed.statement.kind {
            StatementKind::Propose => Ok(()),
            StatementKind::Approve | StatementKind::Refuse if is_of_proposal => Ok(()),
            StatementKind::Approve | StatementKind::Refuse | StatementKind::Policy => {
                Err(IllegalOrderEvent::NotProposed)
            }
        }
    }

    pub fn check_send(&self, reason: SendReason, now: Timestamp) -> Result<(), IllegalOrderEvent> {
        let Some((confirmed, _)) = &self.confirmed else { return Err(IllegalOrderEvent::NotConfirmed) };
        if self.end.is_some() {
            return Err(IllegalOrderEvent::Ended);
        }
        let is_fresh = confirmed.at <= now && confirmed.at.age(now) <= REVIEW_VALIDITY;
        match self.state(now) {
            OrderState::Sending => return Err(IllegalOrderEvent::UnderWay),
            OrderState::Accepted => return Err(IllegalOrderEvent::Resolved("the service accepted it")),
            OrderState::Refused => {
                return Err(IllegalOrderEvent::Resolved("the service rejected it, and nothing was executed"));
            }
            // No automatic retry: after a restart it is not known how long ago the review was read.
            OrderState::Confirmed if reason == SendReason::Retry => return Err(IllegalOrderEvent::NotConfirmed),
            OrderState::Confirmed | OrderState::NotSent if !is_fresh => return Err(IllegalOrderEvent::ReviewExpired),
            OrderState::Confirmed => return Ok(()),
            OrderState::NotSent | OrderState::Unknown | OrderState::ProbablyRefused => {}
            OrderState::Drafted
            | OrderState::Settled
            | OrderState::PartlySettled
            | OrderState::Failed
            | OrderState::Abandoned
            | OrderState::WrittenOff => {
                return Err(IllegalOrderEvent::NotConfirmed);
            }
        }
        let was_sent = self.state(now) != OrderState::NotSent;
        if was_sent && !self.drafted.draft.operation().has_documented_key() {
            let carries = self.drafted.draft.operation().has_key();
            return Err(if carries { IllegalOrderEvent::UndocumentedKey } else { IllegalOrderEvent::NoKey });
        }
        let latest = self.attempts.last().map_or(confirmed.at, |attempt| attempt.stamp.at);
        match reason {
            SendReason::Confirmed => Err(IllegalOrderEvent::Confirmed),
            SendReason::Retry => {
                let first = self.first_sent_at().unwrap_or(confirmed.at);
                if now < latest {
                    Err(IllegalOrderEvent::ClockSetBack)
                } else if self.attempts.len() >= MAX_AUTOMATIC_ATTEMPTS || first.age(now) > AUTOMATIC_RETRY_WINDOW {
                    Err(IllegalOrderEvent::RetryLimit)
                } else {
                    Ok(())
                }
            }
            SendReason::Operator { warned } => {
                let old = self.created.at.age(now) > KEY_RETENTION || now < self.created.at;
                if was_sent && old && !warned { Err(IllegalOrderEvent::KeyExpired) } else { Ok(()) }
            }
        }
    }

    /// Whether another order pays the same. If that order is sent after this one was drafted, this one's review could
    /// not show it. The notation of chain and address does not matter, and one recipient of a batch suffices. Which
    /// order came first is decided by the journal's order, not by a clock.
    pub fn pays_same_as(&self, other: &Self) -> bool {
        drafts_pay_same(&self.drafted, &other.drafted)
    }

    /// Whether the request goes to its original destination. A request that was never sent may use another API key of
    /// the same service, since the service does not know it; but never another network, and a simulated request only
    /// the very network that was named when it was drafted.
    pub fn check_destination(&self, destination: &ServiceDestination, now: Timestamp) -> Result<(), IllegalOrderEvent> {
        let first = &self.drafted.destination;
        let is_sent = !matches!(self.state(now), OrderState::Drafted | OrderState::Confirmed | OrderState::NotSent);
        if first.base_url != destination.base_url {
            return Err(IllegalOrderEvent::OtherDestination(first.base_url.to_string()));
        }
        let is_same = if self.drafted.draft.operation().is_sandbox_only() {
            first.environment == destination.environment
        } else {
            !first.names_other_network_than(destination)
        };
        if !is_same {
            let network = first.environment.map_or("an unnamed network", Network::name);
            return Err(IllegalOrderEvent::OtherDestination(format!("{} on {network}", first.base_url)));
        }
        if is_sent && first.key_mark != destination.key_mark {
            return Err(IllegalOrderEvent::OtherDestination(format!("{} under another API key", first.base_url)));
        }
        Ok(())
    }
}
