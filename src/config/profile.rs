//! A profile: one service, and how to deal with it.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use crate::api::{AddressFault, BaseUrl, Connection, Limits, WireNames};
use crate::secrets::ApiKey;

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
    pub poll: Duration,
    /// Whether to try the lists of accounts, wallets and users, which the specification does not have.
    pub probe_lists: bool,
    /// The names that the specification leaves out.
    pub wire: WireNames,
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
}

impl Profile {
    /// How often what is looked at is read again, if nobody says otherwise.
    pub const POLL: Duration = Duration::from_secs(5);

    /// The name of the profile that the environment describes.
    const AMBIENT: &str = "environment";

    /// A profile of which only the base address is told.
    pub(super) fn new(name: String, base_url: BaseUrl) -> Self {
        let wire = WireNames::default();
        Self { name, base_url, network: None, poll: Self::POLL, probe_lists: true, wire }
    }

    /// The profile that the environment describes.
    pub(super) fn ambient(base_url: &str) -> Result<Self, AddressFault> {
        Ok(Self::new(Self::AMBIENT.into(), BaseUrl::read(base_url)?))
    }

    /// What to call it on screen: its name, or the host where the environment describes it.
    pub fn title(&self) -> &str {
        if self.name == Self::AMBIENT { self.base_url.host() } else { &self.name }
    }

    /// The folder of its cache, below the data folder. Another address or another key may mean another workspace, whose
    /// figures must never be shown as this one's, so each pair has a folder of its own.
    pub fn cache_folder(&self, key: &ApiKey) -> PathBuf {
        let host = self.base_url.host().replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_");
        PathBuf::from("cache").join(format!("{host}-{}", key.mark(&self.base_url.to_string())))
    }

    /// What the client needs to reach the service.
    pub fn connection(&self, api_key: SecretString) -> Connection {
        let wire = self.wire.clone();
        let base_url = self.base_url.to_string();
        Connection { base_url, api_key, wallet_secret: None, certificates: None, limits: Limits::default(), wire }
    }
}
