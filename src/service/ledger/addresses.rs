//! Addresses of wallets and accounts, derived from the workspace's material.

use sha2::{Digest, Sha256};
use sha3::Keccak256;
use uuid::Uuid;

use crate::domain::Family;
use crate::domain::address::evm;

/// Who an address belongs to. The same owner has the same address on all chains of a family.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner<'a> {
    /// An account itself.
    Account(Uuid),
    /// What a user, or an account where there is no user, calls by a reference.
    Reference(Uuid, &'a str),
    /// One wallet without a reference.
    Wallet(Uuid),
}

/// The address of an owner on chains of a family.
pub(super) fn derive(material: &[u8], family: Family, owner: Owner<'_>) -> String {
    let (kind, id, reference) = match owner {
        Owner::Account(id) => (b'a', id, ""),
        Owner::Reference(id, reference) => (b'r', id, reference),
        Owner::Wallet(id) => (b'w', id, ""),
    };
    let seed = [material, &[kind], id.as_bytes(), reference.as_bytes()].concat();
    of_seed(family, &seed)
}

/// The address that belongs to some bytes.
pub(in crate::service) fn of_seed(family: Family, seed: &[u8]) -> String {
    match family {
        Family::Evm => {
            let hash = Keccak256::digest(seed);
            evm::with_checksum(&hex::encode(hash.iter().skip(12).copied().collect::<Vec<_>>()))
        }
        Family::Solana => bs58::encode(Sha256::digest(seed)).into_string(),
    }
}

/// The chain's name for a transaction: the same for both of its ends.
pub(super) fn transaction_hash(family: Family, transaction: Uuid) -> String {
    let first = Sha256::new().chain_update(b"hash").chain_update(transaction).finalize();
    match family {
        Family::Evm => format!("0x{}", hex::encode(first)),
        Family::Solana => {
            let second = Sha256::digest(first);
            bs58::encode([first, second].concat()).into_string()
        }
    }
}
