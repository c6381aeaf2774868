//! A profile: one service, and how to deal with it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;

use crate::api::{
    AddressFault, BaseUrl, CertificateFault, Certificates, Connection, Limits, ProxyAddress, Route, WireNames,
};
use crate::domain::watch::Watch;
use crate::domain::{FinalStatuses, Policy, Redaction};
use crate::secrets::{ApiKey, KeyStorage, Owner};

/// One service, and how to deal with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name; `environment` for the one that the environment describes.
    pub name: String,
    /// Where the service is.
    pub base_url: BaseUrl,
    /// What its figures are expected to be about; absent where nobody said.
    pub network: Option<Network>,
    /// How often what is looked at is read again.
    pub poll_period: Duration,
    /// Whether to try the lists of accounts, wallets and users, which the specification does not have.
    pub probe_lists: bool,
    /// Whether version 1 is asked for what it tells of users. What version 1 alone has, as the list of tokens, is asked
    /// for in any case.
    pub v1: bool,
    /// Whether version 2 is asked for what moves money; version 1 is, where it is not. What version 2 alone has, as the
    /// history, is read in any case.
    pub v2: bool,
    /// The symbol of the token in which everything is valued; `None` where nothing is.
    pub valuation: Option<String>,
    /// When an indicative quote counts as old.
    pub quote_max_age: Duration,
    /// The names that the specification leaves out.
    pub wire: WireNames,
    /// The only certificates that may vouch for the service, in a PEM file; the machine's own where nobody said.
    pub ca_file: Option<PathBuf>,
    /// The proxy on the way to the service; none where nobody said, whatever the environment may hold.
    pub proxy: Option<ProxyAddress>,
    /// Whether everything that changes something is out of reach.
    pub read_only: bool,
    /// Words of the service for a transaction that is done, in lower case.
    pub final_ok: Vec<String>,
    /// Words of the service for one that will never be done, in lower case.
    pub final_failed: Vec<String>,
    /// Where it listens for webhooks, if it does.
    pub listener: Option<super::ListenerConfig>,
    /// What the operator wants to be told of.
    pub watches: Vec<Watch>,
    /// After how long without a key somebody is taken to have looked away.
    pub away_after: Duration,
    /// After how long without a key paying is locked; `None` where it never is by itself.
    pub lock_after: Option<Duration>,
    /// Whether the console has a passphrase that unlocks paying.
    pub lock_passphrase: bool,
    /// Whether requests that change something use a separate API key.
    pub separate_keys: bool,
    /// Whether the screen is veiled to start with.
    pub veil: bool,
    /// What the business allows itself.
    pub policy: Policy,
    /// Whether times are shown by the clock of this machine's place rather than in UTC.
    pub local_time: bool,
    /// Where its keys are kept; where nobody said, in the environment if that has a key, else in the keyring.
    pub key_storage: Option<KeyStorage>,
}

/// Why the certificates of a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaFault {
    /// The file is not there, or the system does not let us read it.
    #[error("ca_file: cannot read {}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// It holds no certificates.
    #[error("ca_file: {} {fault}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: CertificateFault,
    },
}

/// Real money or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// Real money.
    Mainnet,
    /// Test networks.
    Testnet,
}

impl Network {
    /// Both, and the words that name them.
    pub const ALL: [(&'static str, Self); 2] = [("mainnet", Self::Mainnet), ("testnet", Self::Testnet)];

    /// Whether it is only a test.
    pub const fn is_test(self) -> bool {
        matches!(self, Self::Testnet)
    }

    /// The word that names it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
        }
    }
}

impl Profile {
    /// How often what is looked at is read again, if nobody says otherwise.
    pub const DEFAULT_POLL_PERIOD: Duration = Duration::from_secs(5);

    /// What everything is valued in, if nobody says otherwise.
    pub const DEFAULT_VALUATION: &str = "USDT";

    /// When an indicative quote counts as old, if nobody says otherwise.
    pub const DEFAULT_QUOTE_MAX_AGE: Duration = Duration::from_secs(15);

    /// After how long without a key somebody is taken to have looked away, if nobody says otherwise.
    pub const DEFAULT_AWAY_AFTER: Duration = Duration::from_mins(5);

    /// After how long without a key paying is locked, if nobody says otherwise.
    pub const DEFAULT_LOCK_AFTER: Duration = Duration::from_mins(15);

    /// The longest file of certificates that can be meant: the whole set of a machine has a third of it.
    const LONGEST_CA_FILE: u64 = 1024 * 1024;

    /// The name of the profile that the environment describes.
    pub const ENVIRONMENT_NAME: &str = "environment";

    /// A profile of which only the base address is told.
    pub fn new(name: String, base_url: BaseUrl) -> Self {
        Self {
            name,
            base_url,
            network: None,
            poll_period: Self::DEFAULT_POLL_PERIOD,
            probe_lists: true,
            v1: true,
            v2: true,
            valuation: Some(Self::DEFAULT_VALUATION.into()),
            quote_max_age: Self::DEFAULT_QUOTE_MAX_AGE,
            wire: WireNames::default(),
            ca_file: None,
            proxy: None,
            read_only: false,
            final_ok: FinalStatuses::OK.map(str::to_owned).into(),
            final_failed: FinalStatuses::FAILED.map(str::to_owned).into(),
            listener: None,
            watches: Vec::new(),
            away_after: Self::DEFAULT_AWAY_AFTER,
            lock_after: Some(Self::DEFAULT_LOCK_AFTER),
            lock_passphrase: false,
            separate_keys: false,
            veil: false,
            policy: Policy::default(),
            local_time: false,
            key_storage: None,
        }
    }

    /// The profile that the environment describes.
    pub(super) fn from_environment(base_url: &str) -> Result<Self, AddressFault> {
        Ok(Self::new(Self::ENVIRONMENT_NAME.into(), BaseUrl::parse(base_url)?))
    }

    /// Whether the environment describes it, and no file.
    pub fn is_from_environment(&self) -> bool {
        self.name == Self::ENVIRONMENT_NAME
    }

    /// What to call it on screen: its name, or the host where the environment describes it.
    pub fn title(&self) -> &str {
        if self.is_from_environment() { self.base_url.host() } else { &self.name }
    }

    /// The folder of its cache, below the data folder. Another address or another key may mean another workspace, whose
    /// figures must never be shown as this one's, so each pair has a folder of its own.
    pub fn cache_folder(&self, key: &ApiKey) -> PathBuf {
        let host = self.base_url.host().replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_");
        let mark = key.mark(&self.base_url.to_string());
        // Sums of one cache follow from one judgement of what is final.
        let words = self.final_words();
        let by_words = if words == FinalStatuses::default() { String::new() } else { format!("-{}", words.mark()) };
        PathBuf::from("cache").join(format!("{host}-{mark}{by_words}"))
    }

    /// Which words of the service are final.
    pub fn final_words(&self) -> FinalStatuses {
        FinalStatuses { ok: self.final_ok.clone(), failed: self.final_failed.clone() }
    }

    /// Whose its keys are: they belong to its name and its base address.
    pub fn owner(&self) -> Owner {
        Owner { profile: self.name.clone(), base_url: self.base_url.to_string() }
    }

    /// The way to the service: whom to trust and through which proxy. Reads the file of certificates.
    pub fn route(&self) -> Result<Route, CaFault> {
        let certificates = self.ca_file.as_deref().map(read_certificates).transpose()?;
        Ok(Route { certificates, proxy: self.proxy.clone() })
    }

    /// What the client needs to reach the service, and what no answer may repeat. Reads the file of certificates and that of
    /// the listener's secret, if the profile names them.
    pub fn connection(&self, api_key: SecretString, redaction: Redaction) -> Result<Connection, CaFault> {
        if let Some(listener) = &self.listener {
            listener.add_to_redaction(&redaction);
        }
        Ok(Connection {
            base_url: self.base_url.to_string(),
            api_key,
            wallet_secret: None,
            redaction,
            limits: Limits::default(),
            wire_names: self.wire.clone(),
            route: self.route()?,
        })
    }
}

/// Reads a file of certificates.
pub(super) fn read_certificates(path: &Path) -> Result<Certificates, CaFault> {
    let unreadable = |source| CaFault::Unreadable { path: path.to_owned(), source };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    let no_file = || CaFault::Content { path: path.to_owned(), fault: CertificateFault::NoFile };
    // A pipe or a device would keep the program waiting for ever.
    if !about.is_file() || about.len() > Profile::LONGEST_CA_FILE {
        return Err(no_file());
    }
    let pem = std::fs::read(path).map_err(unreadable)?;
    Certificates::from_pem(&pem).map_err(|fault| CaFault::Content { path: path.to_owned(), fault })
}
