use crate::domain::Text;

/// The service and API key that a request goes to. A request is only ever resent to its first destination.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Destination {
    pub profile: Text,
    /// `mainnet`, `testnet` or another word; absent where the profile names none.
    pub environment: Option<Text>,
    pub base_url: Text,
    /// Distinguishes the API key from others without revealing it.
    pub key_mark: Text,
}
