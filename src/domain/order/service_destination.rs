use crate::domain::{Network, Text};

/// The service and API key that a request goes to. A request is only ever resent to its first destination.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServiceDestination {
    pub profile: Text,
    /// `None` where the profile names none.
    pub environment: Option<Network>,
    pub base_url: Text,
    /// Distinguishes the API key from others without revealing it.
    pub key_mark: Text,
}

impl ServiceDestination {
    /// Whether both name a network, and not the same one.
    pub fn names_other_network_than(&self, other: &Self) -> bool {
        self.environment.zip(other.environment).is_some_and(|(network, other_network)| network != other_network)
    }
}
