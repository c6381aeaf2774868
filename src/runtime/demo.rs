//! A console at the embedded service, whose keys are in hand: of whoever tries a demo, and of a visitor.
//!
//! Nothing is asked for here: no profile, no keyring, no environment.

use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::Clock;
use super::effect_runner::{
    AuthorisedClient, BackOffList, OperatorFactory, PayingDisabled, PaymentContext, StoreWriteQueue, World,
};
use crate::api::{Connection, ConnectionError, Limits, Operator, Reader, Route, WireNames};
use crate::app::lock::LockSettings;
use crate::app::prices::PriceSettings;
use crate::app::veil::Veil;
use crate::app::{Identity, Settings};
use crate::config::Profile;
use crate::domain::intent::{Console, Destination};
use crate::domain::{Appearance, Failure, FinalStatuses, Policy, Reason, Redaction, Text, Zone};
use crate::journal::{self, Journal, JournalError};
use crate::secrets::{ApiKey, KeyFault};
use crate::store::{self, Store, StoreError};

/// The business that the embedded service invents.
const BUSINESS: &str = "Harbour Trading";

/// What stands where others have the name of a profile.
const PROFILE: &str = "demo";

/// Rows of the history in a page of a visitor's, of whom there may be hundreds. The newest page is read again with every
/// look: all that is on its way stands among so many rows, or is looked for on the pages behind.
const VISITORS_PAGE: u64 = 25;

/// What the embedded service's chains are.
const NETWORK: &str = "testnet";

/// Keys as the embedded service gave them out.
#[derive(Debug, Clone)]
pub struct DemoKeys {
    /// Goes with every request.
    pub api_key: SecretString,
    /// Goes with those that change something.
    pub wallet_secret: SecretString,
}

/// Why there is no console at an embedded service.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Its key is none.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// It cannot be asked.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The cache does not open.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal does not open.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// An embedded service and the keys to it.
#[derive(Debug, Clone)]
pub struct Demo {
    connection: Connection,
    reader: Reader,
    here: Destination,
    period: Duration,
}

impl Demo {
    /// The service at an address, of which what is on screen is read once a `period`.
    pub fn connect(base_url: &str, keys: DemoKeys, period: Duration) -> Result<Self, DemoError> {
        let key_mark = mark(&keys.api_key, base_url)?;
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
        let here = Destination {
            profile: Text::clean(PROFILE),
            environment: Some(Text::clean(NETWORK)),
            base_url: Text::clean(base_url),
            key_mark,
        };
        Ok(Self { connection, reader, here, period })
    }

    /// The same address under other keys. Both read over the same connections.
    pub fn with_keys(&self, keys: DemoKeys) -> Result<Self, DemoError> {
        let key_mark = mark(&keys.api_key, &self.connection.base_url)?;
        let redaction = Redaction::default();
        redaction.add_secret(Redaction::WALLET_SECRET, keys.wallet_secret.expose_secret());
        let reader = self.reader.with_key(&keys.api_key, redaction.clone())?;
        let wallet_secret = Some(keys.wallet_secret);
        let connection = Connection { api_key: keys.api_key, wallet_secret, redaction, ..self.connection.clone() };
        Ok(Self { connection, reader, here: Destination { key_mark, ..self.here.clone() }, period: self.period })
    }

    /// What reads it.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// What the screen is told of it.
    pub fn settings(&self, looks: Appearance, veil: Veil) -> Settings {
        Settings {
            identity: Identity {
                name: Text::clean(BUSINESS),
                profile: self.here.profile.clone(),
                environment: self.here.environment.clone(),
                demo: true,
                fault: None,
                base_url: self.here.base_url.clone(),
            },
            period: self.period,
            probe_lists: true,
            v1: true,
            v2: true,
            idle_limit: Profile::DEFAULT_AWAY_AFTER,
            zone: Zone::default(),
            looks,
            // Nothing real is within reach of whoever is shown a demo.
            profiles: Vec::new(),
            read_only: None,
            prices: PriceSettings::default(),
            veil,
            // Nobody's money is within reach.
            lock: LockSettings::default(),
            // Nobody else asks its service, and a demo with one seed is to be like itself.
            seed: 0,
        }
    }

    /// What it takes to pay there, recorded in a journal.
    pub fn payment_context(&self, journal: Journal) -> PaymentContext {
        let (connection, here) = (self.connection.clone(), self.here.clone());
        let operator: OperatorFactory = Arc::new(move || {
            let Connection { api_key, wallet_secret, .. } = connection.clone();
            let key = ApiKey::parse(api_key).map_err(|fault| cannot(&fault))?;
            AuthorisedClient::open(key, wallet_secret, &here, |api_key| {
                Ok(Connection { api_key, ..connection.clone() })
            })
        });
        PaymentContext {
            journal,
            operator,
            passphrase_verifier: None,
            separate_keys: false,
            destination: self.here.clone(),
            wire: self.connection.wire_names.clone(),
            final_words: FinalStatuses::default(),
            expected_network: self.here.environment.clone(),
            policy: Policy::default(),
            period: self.period,
        }
    }

    /// What a visitor's console may reach: this service under these keys, a cache and a journal in memory, and nothing of
    /// the machine that it runs on.
    pub fn visitor_world(&self, by: Console) -> Result<World, DemoError> {
        let store = Store::open(&store::CacheLocation::Memory)?.store;
        let journal = Journal::open(&journal::JournalLocation::Memory, by)?.journal;
        Ok(World {
            reader: Arc::new(self.reader.clone()),
            store,
            clock: Clock::System,
            store_queue: StoreWriteQueue::default(),
            back_off: BackOffList::default(),
            payments: Ok::<_, PayingDisabled>(self.payment_context(journal)),
            host: None,
            page: VISITORS_PAGE,
        })
    }
}

impl AuthorisedClient {
    /// Opens the way to a service, and says under which key it leads there. Nothing is sent yet.
    pub fn open(
        api_key: ApiKey,
        wallet_secret: Option<SecretString>,
        place: &Destination,
        connection: impl FnOnce(SecretString) -> Result<Connection, Failure>,
    ) -> Result<Self, Failure> {
        let key_mark = Text::clean(&api_key.mark(&place.base_url));
        let connection = Connection { wallet_secret, ..connection(api_key.into_secret())? };
        let operator = Operator::new(connection).map_err(|error| cannot(&error))?;
        Ok(Self { operator, destination: Destination { key_mark, ..place.clone() } })
    }
}

/// What tells a key from others.
fn mark(api_key: &SecretString, base_url: &str) -> Result<Text, KeyFault> {
    Ok(Text::clean(&ApiKey::parse(api_key.clone())?.mark(base_url)))
}

/// Nothing was sent, and this is why.
fn cannot(why: &impl std::fmt::Display) -> Failure {
    Failure::from_read(Reason::Local, &why.to_string())
}
