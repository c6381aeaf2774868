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

/// A deposit that a test service is asked to pretend, by the simulation of version 1 of the service. It is said to come
/// from the wallet's own address: the request must name a sender, and nobody sent it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulatedDeposit {
    /// The token's symbol.
    pub token: Text,
    /// The chain, in the word that the service uses.
    pub blockchain: Text,
    /// How much arrives: a decimal in the operator's grammar.
    pub amount: Text,
    /// The address of the wallet at which it arrives.
    pub to: Text,
}
