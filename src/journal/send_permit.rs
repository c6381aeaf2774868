//! The permit to send an order: the only way to it, and so the place where approvals are counted.

use super::file::{self, NewRecord};
use super::{Journal, JournalError, approvals};
use crate::domain::approval::ApprovalPolicy;
use crate::domain::order::{IllegalOrderEvent, OrderEvent, OrderState, RequestBytes, SendReason, ServiceDestination};
use crate::domain::{Order, OrderId, Timestamp};

/// The permit to send the bytes of an order once. Only the journal makes one, together with the durable record of the
/// attempt; it cannot be copied, and sending consumes it.
#[derive(Debug)]
#[must_use = "the attempt is on record; an order that is dropped reads as one whose outcome nobody knows"]
pub struct SendPermit {
    pub(super) order: Order,
    pub(super) attempt: u32,
    pub(super) destination: ServiceDestination,
}

impl SendPermit {
    pub fn id(&self) -> OrderId {
        self.order.id
    }

    /// The order, this attempt included.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    pub fn request_bytes(&self) -> &RequestBytes {
        &self.order.drafted.request
    }

    pub fn destination(&self) -> &ServiceDestination {
        &self.destination
    }
}

impl Journal {
    /// Records that the bytes are being sent, and issues the permit to send them once.
    ///
    /// `gives_up_at` is when the sender will surely have stopped waiting for the answer; until then no other console
    /// may send. `judged` is the number of the last record that the guard's judgement took into account
    /// ([`Self::last_seq`], read before anything else for it), and `None` for orders that are not judged before they are
    /// sent. `policy` says which orders need approval by others; approvals are counted anew, from the signatures, in the
    /// transaction that records the attempt. Before the record is written, the chain is read again from the order's draft to its end.
    ///
    /// # Errors
    /// [`JournalError::Illegal`] where the order may not be sent now, or not to this destination, with
    /// [`IllegalOrderEvent::Stale`] where it must be judged again and [`IllegalOrderEvent::NotApproved`] where approvals
    /// are missing; [`JournalError::FromBackup`] where it came with a backup.
    /// Without a [`SendPermit`] nothing is sent.
    #[expect(clippy::too_many_arguments, reason = "each is a part of the one question, and no two belong together")]
    pub fn permit_send(
        &self,
        id: OrderId,
        reason: SendReason,
        destination: &ServiceDestination,
        at: Timestamp,
        gives_up_at: Timestamp,
        judged: Option<u64>,
        policy: &ApprovalPolicy,
    ) -> Result<SendPermit, JournalError> {
        let mut attempt = 0;
        let mut file = self.lock();
        let written = file.write_record("sending", at, &self.console, |connection, journal_projection| {
            let this_order = file::find_order(connection, journal_projection, id)?;
            journal_projection.refuse_from_backup(id)?;
            this_order.check_destination(destination, at)?;
            // Attempt records do not include the API key, so every attempt must use the first one.
            let first = &this_order.drafted.destination;
            if first.key_mark != destination.key_mark {
                return Err(
                    IllegalOrderEvent::OtherDestination(format!("{} under another API key", first.base_url)).into()
                );
            }
            attempt = this_order.attempts.last().map_or(0, |last| last.number).saturating_add(1);
            let event = OrderEvent::Sending { attempt, reason, gives_up_at };
            this_order.check_event(&event, at)?;
            // Two consoles may have reviewed an equal payment at the same time; the second one must ask its operator
            // again.
            let never_left = matches!(this_order.state(at), OrderState::Confirmed | OrderState::NotSent);
            if never_left && journal_projection.has_duplicate_sent_since(&this_order) {
                return Err(IllegalOrderEvent::DuplicateSent.into());
            }
            // Limits count ended orders, too, and the allow-list depends on the address book.
            if judged.is_some_and(|judged| journal_projection.last_conflicting > judged) {
                return Err(IllegalOrderEvent::Stale.into());
            }
            file::verify_order(connection, journal_projection, &this_order)?;
            approvals::check_approvals(connection, &this_order, policy, at)?;
            Ok(Some(NewRecord::of(&this_order, event)))
        });
        written.map_err(|error| self.name_folder_in_error(error))?;
        let this_order = file.projection.open_order(id).cloned().ok_or(JournalError::NoSuchOrder(id))?;
        Ok(SendPermit { order: this_order, attempt, destination: destination.clone() })
    }
}
