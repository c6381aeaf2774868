//! What a session pays with: a journal in a folder that outlives its consoles, and keys that can be changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bursar::api::{Connection, Limits, Operator, WireNames};
use bursar::domain::intent::{Console, Destination};
use bursar::domain::{Failure, FinalWords, Intent, Reason, Text};
use bursar::journal::{Journal, Place};
use bursar::runtime::perform::{OpenOperator, OpenedOperator, Paying};
use bursar::secrets::ApiKey;
use bursar::service::{Credentials, Running};
use secrecy::{ExposeSecret, SecretString};
use tempfile::TempDir;

/// What sessions call the address of their service, whatever port it has.
pub(in super::super) const BASE_URL: &str = "http://127.0.0.1";
/// The profile of every session.
pub(in super::super) const PROFILE: &str = "harbour";

/// What is at hand to pay with.
pub(in super::super) struct Till {
    folder: TempDir,
    base_url: String,
    patience: Duration,
    period: Duration,
    /// The keys, as a keyring would hold them; words where it would say why not.
    keys: Arc<Mutex<Result<(SecretString, SecretString), String>>>,
}

impl Till {
    pub(super) fn new(service: &Running, patience: Duration, period: Duration) -> Self {
        let Credentials { api_key, wallet_secret, .. } = service.credentials().unwrap();
        Self {
            folder: tempfile::tempdir().unwrap(),
            base_url: service.base_url().to_owned(),
            patience,
            period,
            keys: Arc::new(Mutex::new(Ok((api_key.clone(), wallet_secret.clone())))),
        }
    }

    /// The folder of the journal.
    pub(in super::super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The journal's file.
    pub(in super::super) fn file(&self) -> PathBuf {
        self.folder().join("journal.sqlite")
    }

    /// The keyring holds other keys from now on.
    pub(in super::super) fn holds(&self, api_key: &SecretString, wallet_secret: &SecretString) {
        *self.keys.lock().unwrap() = Ok((api_key.clone(), wallet_secret.clone()));
    }

    /// The keyring says no from now on.
    pub(in super::super) fn refuses(&self, why: &str) {
        *self.keys.lock().unwrap() = Err(why.to_owned());
    }

    /// Opens the journal, as a program that was just started does.
    pub(in super::super) fn opens(&self) -> Paying {
        let by = Console { user: "ada".into(), host: "quay".into(), run: uuid::Uuid::new_v4() };
        let journal = Journal::open(&Place::Folder(self.folder().to_owned()), by).unwrap().journal;
        self.pays_by(journal)
    }

    /// What it takes to pay, with this journal.
    pub(in super::super) fn pays_by(&self, journal: Journal) -> Paying {
        let (keys, base_url, patience) = (Arc::clone(&self.keys), self.base_url.clone(), self.patience);
        let operator: OpenOperator = Arc::new(move || {
            let failure = |why: &str| Failure::of_read(Reason::Local, why);
            let (api_key, wallet_secret) = keys.lock().unwrap().clone().map_err(|why| failure(&why))?;
            let key = ApiKey::read(api_key.expose_secret().to_owned()).unwrap();
            let destination = Destination {
                profile: PROFILE.into(),
                environment: Some("testnet".into()),
                base_url: BASE_URL.into(),
                key_mark: key.mark("bursar").as_str().into(),
            };
            let operator = Operator::new(Connection {
                base_url: base_url.clone(),
                api_key,
                wallet_secret: Some(wallet_secret),
                route: bursar::api::Route::default(),
                limits: Limits { request: patience, ..Limits::default() },
                wire: WireNames::default(),
            });
            operator
                .map(|operator| OpenedOperator { operator, destination })
                .map_err(|error| failure(&error.to_string()))
        });
        Paying {
            journal,
            operator,
            profile: PROFILE.into(),
            base_url: BASE_URL.into(),
            wire: WireNames::default(),
            final_words: FinalWords::default(),
            expected_network: Some(Text::clean("testnet")),
            period: self.period,
        }
    }

    /// Every order, as another program reads it in the journal.
    pub(in super::super) fn orders(&self) -> Vec<Intent> {
        self.opens().journal.intents(PROFILE, usize::MAX).unwrap()
    }
}
