//! Rules, actions and results of the set-up page.

use secrecy::SecretString;

/// What fields accept: each rule returns the fault of a text, with what would be right.
#[derive(Debug, Clone, Copy)]
pub struct FieldRules {
    pub name: fn(&str) -> Option<String>,
    pub base_url: fn(&str) -> Option<String>,
    pub api_key: fn(&str) -> Option<String>,
    pub wallet_secret: fn(&str) -> Option<String>,
    pub passphrase: fn(&str) -> Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStoreKind {
    Keyring,
    /// In a file encrypted with a passphrase.
    File,
}

/// An action of the page, answered by a [`SetupResult`]. The last three end the page.
#[derive(Debug, Clone)]
pub enum SetupAction {
    AddProfile {
        name: String,
        base_url: String,
        /// `mainnet` or `testnet`; `None` if not set.
        environment: Option<&'static str>,
    },
    /// Checks for a keyring for the profile, and for an existing encrypted file.
    LookForKeyring,
    Store {
        key_store: KeyStoreKind,
        api_key: SecretString,
        wallet_secret: Option<SecretString>,
        /// For [`KeyStoreKind::File`].
        passphrase: Option<SecretString>,
    },
    /// Records that the keys come from the environment.
    UseEnvironment,
    Open,
    Demo,
    Quit,
}

/// The result of a [`SetupAction`]; an error says what to do.
#[derive(Debug, Clone)]
pub enum SetupResult {
    /// Of [`SetupAction::AddProfile`].
    Added(Result<(), String>),
    /// Of [`SetupAction::LookForKeyring`].
    Keyring(Result<(), String>),
    /// Of [`SetupAction::Store`].
    Stored(Result<(), String>),
    /// Of [`SetupAction::UseEnvironment`].
    Environment(Result<(), String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileDraft {
    pub name: String,
    pub base_url: String,
}
