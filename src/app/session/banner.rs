//! The banner: a warning in a line of its own above every page.

use crate::app::data::connection::ConnectionState;
use crate::app::data::environment;
use crate::app::model::Model;
use crate::app::overlays::receive;
use crate::app::pages::orders;
use crate::domain::{FailureReason, MayHaveHappened};

impl Model {
    pub fn banner(&self) -> Option<String> {
        if self.data.connection == ConnectionState::KeyRejected {
            let failure = self.data.remotes.latest.failure.as_ref().map(|(failure, _)| failure);
            let detail_suffix = failure
                .filter(|failure| !failure.detail.is_empty())
                .map_or(String::new(), |failure| format!(" ({})", failure.detail));
            let since = self.data.remotes.latest.last_success;
            let from = since.map_or(String::new(), |since| {
                format!(" Figures are from {}.", self.console.zone.format_with_offset(since, "%H:%M:%S"))
            });
            // A missing permission may be granted later, so reads are retried.
            if failure.is_some_and(|failure| failure.reason == FailureReason::Forbidden) {
                let next = self.data.remotes.latest.due.filter(|due| *due > self.now);
                let next = next.map_or_else(String::new, |due| {
                    format!(" at {}", self.console.zone.format_with_offset(due, "%H:%M:%S"))
                });
                return Some(format!(
                    "API key has no read permission here: retrying{next}, or press r; grant the permission or trust this \
                     address{detail_suffix}.{from}"
                ));
            }
            return Some(format!(
                "API key rejected: reading has stopped; correct the key, then press r{detail_suffix}.{from}"
            ));
        }
        if let Some(alarm) = environment::network_alarm(self) {
            return Some(alarm);
        }
        if let Some(apart) = self.data.skew.display_text() {
            return Some(format!(
                "ALARM: this machine's clock is {apart}. Limits and cooling-off use the stricter time; correct the clock"
            ));
        }
        // Without its journal the console knows of no orders, open ones included.
        if let Some(reason) = self.console.read_only.as_ref().filter(|reason| !reason.is_chosen()) {
            let heading =
                if reason.can_read_journal() { "Payments disabled" } else { "Payments disabled, no orders shown" };
            return Some(format!("{heading}: {reason}"));
        }
        // The journal may lack a record: the orders on screen may be incomplete.
        if let Some(failure) = &self.journal.orders_failure
            && failure.may_have_happened == MayHaveHappened::Unknown
        {
            return Some(format!("Orders: {}", failure.detail));
        }
        if let Some(alarm) = orders::alarm_banner(self) {
            return Some(alarm);
        }
        if let Some(alarm) = orders::service_address::service_address_banner(self) {
            return Some(alarm);
        }
        if let Some(alarm) = receive::conflict_alarm(self) {
            return Some(alarm);
        }
        // The file may have been changed from outside, so that a name may mean another address.
        if let Some(failure) = &self.pages.book.failure {
            return Some(format!("ALARM: the address book cannot be read and is not used for payments: {failure}"));
        }
        if let Some(failure) = &self.data.store_failure {
            return Some(format!("{failure}. The screen may be out of date."));
        }
        // The header shows that the service is not at fault; the banner names what to correct.
        if let Some((failure, _)) = &self.data.remotes.latest.failure
            && failure.reason == FailureReason::Local
        {
            return Some(format!("{failure}. Retrying."));
        }
        self.data
            .progress
            .partial
            .as_ref()
            .map(|reason| format!("History is partial: {reason}.{}", self.next_attempt_message()))
    }
}
