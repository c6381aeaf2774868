//! What a console needs to pay; or why it cannot.

use std::sync::Arc;
use std::time::Duration;

use super::{ApprovalSources, JournalReader};
use crate::api::{Operator, WireNames};
use crate::app::session::lock::SecretInput;
use crate::domain::draft::RequestDefaults;
use crate::domain::order::{ConsoleIdentity, ServiceDestination};
use crate::domain::{Failure, FinalStatuses, Network, Policy, ReadOnlyReason};
use crate::journal::Journal;

#[derive(Clone)]
pub struct PaymentContext {
    pub journal: Journal,
    /// Opens an authorised client for one review.
    pub operator_factory: OperatorFactory,
    /// Verifies the passphrase that unlocks paying; `None` where none is set.
    pub passphrase_verifier: Option<PassphraseVerifier>,
    /// Whether the operator has an API key other than the key that reads.
    pub separate_keys: bool,
    /// This console's profile, service and reading key. Orders for other destinations are not looked up or sent here.
    pub destination: ServiceDestination,
    /// Wire names that the specification leaves out.
    pub wire: WireNames,
    pub final_statuses: FinalStatuses,
    /// The network that the profile expects: `mainnet` or `testnet`.
    pub expected_network: Option<Network>,
    pub policy: Policy,
    pub request_defaults: RequestDefaults,
    pub approvals: ApprovalSources,
    /// The refresh period. A balance that a payment relies on is no older than two periods.
    pub period: Duration,
}

impl PaymentContext {
    /// The same for another console, under whose name it writes in the same journal.
    #[must_use]
    pub fn with_console_identity(&self, by: ConsoleIdentity) -> Self {
        Self { journal: self.journal.for_console(by), ..self.clone() }
    }
}

/// Why a console cannot pay, and the journal that it may still read.
#[derive(Debug, Clone)]
pub struct PayingDisabled {
    pub reason: ReadOnlyReason,
    pub journal: Option<JournalReader>,
}

/// A client that may send, opened for one review, and its destination.
#[derive(Debug)]
pub struct AuthorisedClient {
    pub operator: Operator,
    /// The service and the mark of the key under which it sends.
    pub destination: ServiceDestination,
}

/// Verifies a passphrase that unlocks paying; deliberately slow. An error means that it could not be verified.
pub type PassphraseVerifier = Arc<dyn Fn(&SecretInput) -> Result<bool, Failure> + Send + Sync>;

/// Requests the keys and opens a client. Called on a blocking thread, since unlocking a keyring takes a person's time.
pub type OperatorFactory = Arc<dyn Fn() -> Result<AuthorisedClient, Failure> + Send + Sync>;
