//! What is asked of the sandbox of version 1, where activity is simulated.

use super::Text;

/// A deposit address of the Prime Wallet in the sandbox: a new one, or the one that there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSandboxAddress {
    /// The coin; the service takes only those that can be deposited.
    pub coin: Text,
    /// The chain, in the word that the service uses.
    pub chain: Text,
}
