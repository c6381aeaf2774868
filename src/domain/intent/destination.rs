//! Where requests go.

use crate::domain::Text;

/// Where a request goes, and under which key. A request is only ever sent again to where it went before.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The profile.
    pub profile: Text,
    /// `mainnet`, `testnet` or another word; absent where the profile does not say.
    pub environment: Option<Text>,
    /// The base address.
    pub base_url: Text,
    /// Tells the API key from others, and says nothing of it.
    pub key_mark: Text,
}
