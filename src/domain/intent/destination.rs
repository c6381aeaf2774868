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

impl Destination {
    /// Whether what went there concerns whoever stands here: the same service and, as far as anybody knows, the same
    /// workspace. A profile may be renamed, and several may name one service, so that its name says nothing; a key may
    /// be exchanged, so that another one may well open the same workspace, unless the networks contradict each other.
    pub fn concerns(&self, here: &Self) -> bool {
        let networks = self.environment.as_ref().zip(here.environment.as_ref());
        let may_be_same = networks.is_none_or(|(there, here)| there.eq_ignore_ascii_case(here));
        self.base_url == here.base_url && (self.key_mark == here.key_mark || may_be_same)
    }

    /// Whether what went there is shown to whoever stands here: it concerns them, or the profile named another service
    /// when it was made, so that nobody else would show it.
    pub fn is_shown(&self, here: &Self) -> bool {
        self.concerns(here) || self.profile == here.profile
    }
}
