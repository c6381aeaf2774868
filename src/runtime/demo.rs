//! A console for the embedded service, whose keys are at hand: for a demo, and for SSH visitors.
//!
//! Reads no profile, no keyring and no environment.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::ServicePreferences;

use secrecy::{ExposeSecret, SecretString};

use super::Clock;
use super::effect_runner::{
    ApprovalSources, AuthorisedClient, BalanceBackOffList, ConsoleResources, KeySource, OperatorFactory,
    PayingDisabled, PaymentContext, SignersSource, StoreWriteQueue,
};
use super::profile_file::ProfileFile;
use crate::api::{Connection, ConnectionError, Limits, Operator, Reader, Route, WireNames};
use crate::app::data::prices::PriceSettings;
use crate::app::session::lock::LockSettings;
use crate::app::session::veil::Veil;
use crate::app::{ProfileIdentity, Settings};
use crate::domain::approval::{ApprovalRule, PrivateKey, Signers, Touch, key_of_seed};
use crate::domain::draft::RequestDefaults;
use crate::domain::order::{ConsoleIdentity, ServiceDestination};
use crate::domain::{Appearance, Failure, FailureReason, FinalStatuses, Network, Policy, Redaction, Text, Zone};
use crate::journal::{self, Journal, JournalError};
use crate::secrets::{ApiKey, KeyFault};
use crate::store::{self, Store, StoreError};

const BUSINESS_NAME: &str = "Harbour Trading";

const PROFILE_NAME: &str = "demo";

/// Rows of the history per page of a visitor's console, of which there may be hundreds. The newest page is read with
/// every refresh: pending transactions are among its rows, or are looked up on the pages after it.
const ROWS_PER_VISITOR_PAGE: u64 = 25;

/// The network of the embedded service's chains.
const NETWORK: Network = Network::Testnet;

/// Keys issued by the embedded service.
#[derive(Debug, Clone)]
pub struct DemoCredentials {
    /// Sent with every request.
    pub api_key: SecretString,
    /// Sent with requests that change something.
    pub wallet_secret: SecretString,
}

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error(transparent)]
    Key(#[from] KeyFault),
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// An embedded service and the keys to it.
#[derive(Debug, Clone)]
pub struct DemoClient {
    connection: Connection,
    reader: Reader,
    destination: ServiceDestination,
    period: Duration,
}

impl DemoClient {
    /// A client of the service at an address, with this refresh period.
    pub fn connect(base_url: &str, keys: DemoCredentials, period: Duration) -> Result<Self, DemoError> {
        let key_mark = key_mark(&keys.api_key, base_url)?;
        let connection = Connection {
            base_url: base_url.to_owned(),
            api_key: keys.api_key,
            wallet_secret: Some(keys.wallet_secret),
            redaction: Redaction::default(),
            limits: Limits::default(),
            wire_names: WireNames::default(),
            route: Route::default(),
        };
        let reader = Reader::new(connection.clone())?;
        let destination = ServiceDestination {
            profile: Text::clean(PROFILE_NAME),
            environment: Some(NETWORK),
            base_url: Text::clean(base_url),
            key_mark,
        };
        Ok(Self { connection, reader, destination, period })
    }

    /// A client of the same address under other keys, over the same connections.
    pub fn with_credentials(&self, keys: DemoCredentials) -> Result<Self, DemoError> {
        let key_mark = key_mark(&keys.api_key, &self.connection.base_url)?;
        let redaction = Redaction::default();
        redaction.add_secret(Redaction::WALLET_SECRET, keys.wallet_secret.expose_secret());
        let reader = self.reader.with_key(&keys.api_key, redaction.clone())?;
        let wallet_secret = Some(keys.wallet_secret);
        let connection = Connection { api_key: keys.api_key, wallet_secret, redaction, ..self.connection.clone() };
        Ok(Self {
            connection,
            reader,
            destination: ServiceDestination { key_mark, ..self.destination.clone() },
            period: self.period,
        })
    }

    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    pub fn settings(&self, appearance: Appearance, veil: Veil) -> Settings {
        Settings {
            identity: ProfileIdentity {
                name: Text::clean(BUSINESS_NAME),
                profile: self.destination.profile.clone(),
                environment: self.destination.environment,
                demo: true,
                fault: None,
                demo_role: None,
                base_url: self.destination.base_url.clone(),
            },
            preferences: ServicePreferences { poll_period: self.period, ..ServicePreferences::default() },
            zone: Zone::default(),
            appearance,
            // Real profiles must be out of reach in a demo.
            profiles: Vec::new(),
            read_only: None,
            prices: PriceSettings::default(),
            veil,
            // No real money is within reach.
            lock: LockSettings::default(),
            // The demo's service has no other clients, and demos with one seed are to be identical.
            seed: 0,
        }
    }

    /// What it takes to pay there, with orders recorded in this journal.
    pub fn payment_context(&self, journal: Journal) -> PaymentContext {
        let (connection, destination) = (self.connection.clone(), self.destination.clone());
        let operator: OperatorFactory = Arc::new(move || {
            let Connection { api_key, wallet_secret, .. } = connection.clone();
            let key = ApiKey::parse(api_key).map_err(|fault| local_failure(&fault))?;
            AuthorisedClient::open(key, wallet_secret, &destination, |api_key| {
                Ok(Connection { api_key, ..connection.clone() })
            })
        });
        PaymentContext {
            journal,
            operator_factory: operator,
            passphrase_verifier: None,
            separate_keys: false,
            destination: self.destination.clone(),
            wire: self.connection.wire_names.clone(),
            final_statuses: FinalStatuses::default(),
            expected_network: self.destination.environment,
            policy: Policy::default(),
            request_defaults: RequestDefaults::default(),
            approvals: ApprovalSources::default(),
            period: self.period,
        }
    }

    /// The same where no payment leaves before a second person has signed it: these of two people sign at this console.
    pub fn payment_context_of_four_eyes(&self, journal: Journal, people: &[DemoSigner]) -> PaymentContext {
        Self::require_four_eyes(self.payment_context(journal), people)
    }

    /// What it takes to pay, where no payment leaves before a second person has signed it.
    pub fn require_four_eyes(payments: PaymentContext, people: &[DemoSigner]) -> PaymentContext {
        let rule = ApprovalRule {
            token: ApprovalRule::ANY_TOKEN.into(),
            chain: None,
            above: None,
            always: true,
            needs: 1,
            touch: Touch::None,
            within: ApprovalRule::DEFAULT_VALIDITY,
        };
        let lines = DemoSigner::ALL.map(DemoSigner::allowed_signers_line).concat();
        let approvals = ApprovalSources {
            // The lines are this program's own.
            signers: SignersSource::Fixed(Signers::parse(&lines, "").unwrap_or_default()),
            keys: KeySource::Fixed(people.iter().map(|person| person.private_key()).collect()),
            folder: None,
        };
        let policy = Policy { approval: vec![rule], ..Policy::default() };
        PaymentContext { policy, approvals, ..payments }
    }

    /// What it takes a visitor to pay there, with a journal in memory.
    pub fn visitor_payment_context(&self, by: ConsoleIdentity) -> Result<PaymentContext, DemoError> {
        let journal = Journal::open(&journal::JournalLocation::Memory, by)?.journal;
        Ok(self.payment_context(journal))
    }

    /// What a visitor's console may reach: this service under these keys, and a cache and a journal in memory.
    pub fn visitor_resources(&self, by: ConsoleIdentity) -> Result<ConsoleResources, DemoError> {
        self.visitor_resources_with_payments(self.visitor_payment_context(by)?)
    }

    /// The same with a journal that others may share.
    pub fn visitor_resources_with_payments(&self, payments: PaymentContext) -> Result<ConsoleResources, DemoError> {
        let store = Store::open(&store::CacheLocation::Memory)?.store;
        Ok(ConsoleResources {
            reader: Arc::new(self.reader.clone()),
            store,
            clock: Clock::System,
            store_queue: StoreWriteQueue::default(),
            balance_back_off: BalanceBackOffList::default(),
            payments: Ok::<_, PayingDisabled>(payments),
            host: None,
            profile_file: ProfileFile::of_visitor(),
            rows_per_page: ROWS_PER_VISITOR_PAGE,
        })
    }
}

/// Who signs in the scene of four eyes, with a key that everybody has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoSigner {
    Maker,
    Checker,
}

impl DemoSigner {
    pub const ALL: [Self; 2] = [Self::Maker, Self::Checker];

    fn private_key(self) -> PrivateKey {
        key_of_seed(match self {
            Self::Maker => 1,
            Self::Checker => 2,
        })
    }

    pub fn person(self) -> &'static str {
        match self {
            Self::Maker => "anna",
            Self::Checker => "bert",
        }
    }

    pub fn role(self) -> &'static str {
        match self {
            Self::Maker => "maker",
            Self::Checker => "checker",
        }
    }

    fn allowed_signers_line(self) -> String {
        let name = self.person();
        let public = self.private_key().public_key().to_openssh().unwrap_or_default();
        format!("{name} {public}\n")
    }
}

impl AuthorisedClient {
    /// Opens a client and states the mark of its key. Nothing is sent yet.
    pub fn open(
        api_key: ApiKey,
        wallet_secret: Option<SecretString>,
        destination: &ServiceDestination,
        connection: impl FnOnce(SecretString) -> Result<Connection, Failure>,
    ) -> Result<Self, Failure> {
        let key_mark = Text::clean(&api_key.mark(&destination.base_url));
        let connection = Connection { wallet_secret, ..connection(api_key.into_secret())? };
        let operator = Operator::new(connection).map_err(|error| local_failure(&error))?;
        Ok(Self { operator, destination: ServiceDestination { key_mark, ..destination.clone() } })
    }
}

fn key_mark(api_key: &SecretString, base_url: &str) -> Result<Text, KeyFault> {
    Ok(Text::clean(&ApiKey::parse(api_key.clone())?.mark(base_url)))
}

fn local_failure(reason: &impl std::fmt::Display) -> Failure {
    Failure::from_read(FailureReason::Local, &reason.to_string())
}
