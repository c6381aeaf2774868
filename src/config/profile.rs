//! A profile: one service, and the settings for it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;

use super::approvals::ApprovalSettings;
use super::notify::NotifyConfig;
use crate::api::{
    BaseUrl, BaseUrlError, CertificateFault, Certificates, Connection, Limits, ProxyAddress, Route, WireNames,
};
use crate::domain::csv_table::mapping::HeaderMapping;
use crate::domain::draft::RequestDefaults;
use crate::domain::saved_view::SavedView;
use crate::domain::watch::Watch;
use crate::domain::{FinalStatuses, Network, Policy, Redaction, ServicePreferences};
use crate::secrets::{ApiKey, KeyStorage, Owner};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// `environment` for the profile from the environment.
    pub name: String,
    pub base_url: BaseUrl,
    /// The expected network; `None` where it is not configured.
    pub network: Option<Network>,
    pub preferences: ServicePreferences,
    /// The symbol of the token in which everything is valued; `None` for no valuation.
    pub valuation: Option<String>,
    /// The age from which an indicative quote counts as old.
    pub quote_max_age: Duration,
    pub wire: WireNames,
    /// The only certificates to trust for the service, in a PEM file; by default the machine's own.
    pub ca_file: Option<PathBuf>,
    /// By default none, whatever the environment has.
    pub proxy: Option<ProxyAddress>,
    pub read_only: bool,
    /// Statuses of a settled transaction, in lower case.
    pub final_ok: Vec<String>,
    /// Statuses of a failed transaction, in lower case.
    pub final_failed: Vec<String>,
    pub listener: Option<super::ListenerConfig>,
    pub views: Vec<SavedView>,
    /// Which column of a file is which, by the header.
    pub column_mappings: Vec<HeaderMapping>,
    pub watches: Vec<Watch>,
    /// What `bursar watch` calls.
    pub notify: Option<NotifyConfig>,
    /// Idle time after which paying is locked; `None` for never.
    pub lock_after: Option<Duration>,
    /// Whether the console has a passphrase that unlocks paying.
    pub lock_passphrase: bool,
    pub separate_keys: bool,
    /// Whether amounts are masked at the start.
    pub veil: bool,
    pub policy: Policy,
    pub request_defaults: RequestDefaults,
    pub approvals: ApprovalSettings,
    /// Whether times are shown in the machine's time zone rather than in UTC.
    pub local_time: bool,
    /// Where keys are stored; by default in the environment if that has a key, else in the keyring.
    pub key_storage: Option<KeyStorage>,
}

#[derive(Debug, thiserror::Error)]
pub enum CaFileFault {
    #[error("ca_file: cannot read {}", .path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("ca_file: {} {fault}", .path.display())]
    Content { path: PathBuf, fault: CertificateFault },
}

impl Profile {
    pub const DEFAULT_VALUATION: &str = "USDT";

    pub const DEFAULT_QUOTE_MAX_AGE: Duration = Duration::from_secs(15);

    pub const DEFAULT_LOCK_AFTER: Duration = Duration::from_mins(15);

    /// Bytes. A machine's whole set of certificates has a third of it.
    const LONGEST_CA_FILE: u64 = 1024 * 1024;

    pub const ENVIRONMENT_NAME: &str = "environment";

    /// A profile with defaults for everything but the base address.
    pub fn new(name: String, base_url: BaseUrl) -> Self {
        Self {
            name,
            base_url,
            network: None,
            preferences: ServicePreferences::default(),
            valuation: Some(Self::DEFAULT_VALUATION.into()),
            quote_max_age: Self::DEFAULT_QUOTE_MAX_AGE,
            wire: WireNames::default(),
            ca_file: None,
            proxy: None,
            read_only: false,
            final_ok: FinalStatuses::OK.map(str::to_owned).into(),
            final_failed: FinalStatuses::FAILED.map(str::to_owned).into(),
            listener: None,
            views: Vec::new(),
            column_mappings: Vec::new(),
            watches: Vec::new(),
            notify: None,
            lock_after: Some(Self::DEFAULT_LOCK_AFTER),
            lock_passphrase: false,
            separate_keys: false,
            veil: false,
            policy: Policy::default(),
            request_defaults: RequestDefaults::default(),
            approvals: ApprovalSettings::default(),
            local_time: false,
            key_storage: None,
        }
    }

    pub(super) fn from_environment(base_url: &str) -> Result<Self, BaseUrlError> {
        Ok(Self::new(Self::ENVIRONMENT_NAME.into(), BaseUrl::parse(base_url)?))
    }

    pub fn is_from_environment(&self) -> bool {
        self.name == Self::ENVIRONMENT_NAME
    }

    /// The displayed name: the profile's name, or the host for the profile from the environment.
    pub fn display_name(&self) -> &str {
        if self.is_from_environment() { self.base_url.host() } else { &self.name }
    }

    /// The profile's cache folder, below the data folder. Another address or key may mean another workspace, whose
    /// amounts must never be shown as this one's, so each pair has a folder of its own.
    pub fn cache_folder(&self, key: &ApiKey) -> PathBuf {
        let host = self.base_url.host().replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_");
        let mark = key.mark(&self.base_url.to_string());
        // The sums of a cache depend on which statuses are final.
        let final_statuses = self.final_statuses();
        let by_words = if final_statuses == FinalStatuses::default() {
            String::new()
        } else {
            format!("-{}", final_statuses.digest())
        };
        PathBuf::from("cache").join(format!("{host}-{mark}{by_words}"))
    }

    pub fn final_statuses(&self) -> FinalStatuses {
        FinalStatuses { ok: self.final_ok.clone(), failed: self.final_failed.clone() }
    }

    /// The owner of its keys: its name and base address.
    pub fn owner(&self) -> Owner {
        Owner { profile: self.name.clone(), base_url: self.base_url.to_string() }
    }

    /// The certificates to trust, and the proxy. Reads the file of certificates.
    pub fn connection_route(&self) -> Result<Route, CaFileFault> {
        let certificates = self.ca_file.as_deref().map(read_certificates).transpose()?;
        Ok(Route { certificates, proxy: self.proxy.clone() })
    }

    /// The client's connection, with all secrets registered for redaction. Reads the certificate file and the
    /// listener's secret file, if the profile names them.
    pub fn connection(&self, api_key: SecretString, redaction: Redaction) -> Result<Connection, CaFileFault> {
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
            route: self.connection_route()?,
        })
    }
}

pub(super) fn read_certificates(path: &Path) -> Result<Certificates, CaFileFault> {
    let unreadable = |source| CaFileFault::Unreadable { path: path.to_owned(), source };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    let no_file = || CaFileFault::Content { path: path.to_owned(), fault: CertificateFault::NoFile };
    // A pipe or a device would block the program for ever.
    if !about.is_file() || about.len() > Profile::LONGEST_CA_FILE {
        return Err(no_file());
    }
    let pem = std::fs::read(path).map_err(unreadable)?;
    Certificates::from_pem(&pem).map_err(|fault| CaFileFault::Content { path: path.to_owned(), fault })
}
