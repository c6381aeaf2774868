//! What goes in and out of the page: rules, deeds and replies.

use secrecy::SecretString;

/// What fields accept: each returns what is wrong with a text, in words that say what would be right.
#[derive(Debug, Clone, Copy)]
pub struct FieldRules {
    /// A new profile's name.
    pub name: fn(&str) -> Option<String>,
    /// A base address.
    pub base_url: fn(&str) -> Option<String>,
    /// An API key.
    pub api_key: fn(&str) -> Option<String>,
    /// A wallet secret.
    pub wallet_secret: fn(&str) -> Option<String>,
    /// A new passphrase.
    pub passphrase: fn(&str) -> Option<String>,
}

/// Where keys can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStoreKind {
    /// In the keyring.
    Keyring,
    /// In a file under a passphrase.
    File,
}

/// What is to be done, each answered by one [`SetupResult`] of the same name. The last three end the page.
#[derive(Debug, Clone)]
pub enum SetupAction {
    /// Write a profile.
    AddProfile {
        /// Its name.
        name: String,
        /// Where its service is.
        base_url: String,
        /// `mainnet` or `testnet`, if somebody said so.
        environment: Option<&'static str>,
    },
    /// See whether there is a keyring for the profile, and an existing sealed file.
    LookForKeyring,
    /// Keep keys.
    Store {
        /// Where.
        place: KeyStoreKind,
        /// The key.
        api_key: SecretString,
        /// The wallet secret, if there is one.
        wallet_secret: Option<SecretString>,
        /// The passphrase of the file.
        passphrase: Option<SecretString>,
    },
    /// Write down that the keys come from the environment.
    UseEnvironment,
    /// Open the dashboard on the profile.
    Open,
    /// Open the demo.
    Demo,
    /// End.
    Quit,
}

/// What came of a deed; errors say what to do.
#[derive(Debug, Clone)]
pub enum SetupResult {
    /// The profile is written, or why not.
    Added(Result<(), String>),
    /// The keyring is there, or why not.
    Keyring(Result<(), String>),
    /// The keys are kept, or why not.
    Stored(Result<(), String>),
    /// It is written down, or why not.
    Environment(Result<(), String>),
}

/// Which profile the page is about, once there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileDraft {
    /// Its name.
    pub name: String,
    /// Where its service is.
    pub base_url: String,
}
