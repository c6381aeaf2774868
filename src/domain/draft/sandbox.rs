//! Simulated operations in the sandbox of version 1.

use serde::{Deserialize, Serialize};

use super::Text;

/// A deposit address of the Prime Wallet in the sandbox: a new one, or the existing one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSandboxAddress {
    /// The service accepts only coins that can be deposited.
    pub coin: Text,
    /// In the service's word.
    pub chain: Text,
}

/// A deposit that a test service simulates, by version 1. Its sender is the wallet's own address: the request must name
/// a sender, and there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulatedDeposit {
    pub token: Text,
    /// In the service's word.
    pub blockchain: Text,
    /// The amount received: a decimal in the operator's grammar.
    pub amount: Text,
    pub to: Text,
}
