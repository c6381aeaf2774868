//! Addresses of wallets and accounts, derived from the workspace's material, and the names of transactions.

use ruint::aliases::U512;
use sha2::{Digest, Sha256};
use sha3::Keccak256;
use uuid::Uuid;

use super::workspaces::Workspace;
use crate::domain::Family;
use crate::domain::address::{Network, bitcoin, cosmos, evm, stellar, ton, tron, xrp};

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

/// The address of an owner on chains of a family, on the network of its workspace.
pub(super) fn derive(workspace: &Workspace, family: Family, owner: Owner<'_>) -> String {
    let (kind, id, reference) = match owner {
        Owner::Account(id) => (b'a', id, ""),
        Owner::Reference(id, reference) => (b'r', id, reference),
        Owner::Wallet(id) => (b'w', id, ""),
    };
    let seed = [workspace.material.as_slice(), &[kind], id.as_bytes(), reference.as_bytes()].concat();
    of_seed(family, workspace.network(), &seed)
}

/// The address that belongs to some bytes.
pub(in crate::service) fn of_seed(family: Family, network: Network, seed: &[u8]) -> String {
    match family {
        Family::Evm => evm::with_checksum(&hex::encode(key_hash(seed))),
        Family::Solana => bs58::encode(Sha256::digest(seed)).into_string(),
        Family::Tron => tron::address_of(key_hash(seed)),
        Family::Bitcoin => bitcoin::address_of(key_hash(seed), network),
        Family::Xrp => xrp::address_of(key_hash(seed)),
        Family::Stellar => stellar::address_of(Sha256::digest(seed).into()),
        Family::Ton => ton::address_of(Sha256::digest(seed).into()),
        Family::Cosmos(prefix) => cosmos::address_of(prefix, key_hash(seed)),
    }
}

/// What stands for the hash of a public key: the last 20 bytes of the hash of a seed.
fn key_hash(seed: &[u8]) -> [u8; 20] {
    let hash: [u8; 32] = Keccak256::digest(seed).into();
    hash.last_chunk().copied().unwrap_or_default()
}

/// The chain's name for a transaction: the same for both of its ends.
///
/// It looks drawn and can be turned back by [`transaction_of`], so that a transaction is found by it without looking at
/// all of them: half of it is a hash of the identifier, the other half the identifier under a mask from the first.
pub(super) fn transaction_hash(family: Family, transaction: Uuid) -> String {
    let open = half(b"hash", transaction.as_bytes());
    let masked = masked(open, transaction.into_bytes());
    let first = [open, masked].concat();
    match family {
        Family::Evm => format!("0x{}", hex::encode(first)),
        Family::Tron | Family::Bitcoin | Family::Stellar | Family::Ton => hex::encode(first),
        Family::Xrp | Family::Cosmos(_) => hex::encode_upper(first),
        Family::Solana => {
            let second = Sha256::digest(&first);
            let mut name = [0; 64];
            for (byte, from) in name.iter_mut().zip(first.iter().chain(&second)) {
                *byte = *from;
            }
            base58(name)
        }
    }
}

/// The digits of base 58, from nought.
const BASE_58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// What ten digits of base 58 hold.
const TEN_DIGITS: u64 = 58_u64.pow(10);

/// The same as `bs58` writes of 64 bytes, in a fraction of its time: ten digits at once. A page of history is full of
/// such names.
fn base58(bytes: [u8; 64]) -> String {
    let mut from_last = Vec::with_capacity(90);
    for mut ten in U512::from_be_bytes(bytes).to_base_le(TEN_DIGITS) {
        for _ in 0..10 {
            from_last.push(usize::try_from(ten % 58).unwrap_or(0));
            ten /= 58;
        }
    }
    while from_last.last() == Some(&0) {
        from_last.pop();
    }
    // A byte that is nought at the beginning is a digit of its own.
    from_last.extend(bytes.iter().take_while(|byte| **byte == 0).map(|_| 0));
    from_last.iter().rev().filter_map(|digit| BASE_58.get(*digit)).map(|digit| char::from(*digit)).collect()
}

/// The transaction that a chain calls so, whether there is one or not; `None` for what [`transaction_hash`] gives of
/// none in this family.
pub(super) fn transaction_of(family: Family, hash: &str) -> Option<Uuid> {
    let bytes = match family {
        Family::Evm => hex::decode(hash.strip_prefix("0x")?).ok()?,
        Family::Tron | Family::Bitcoin | Family::Stellar | Family::Ton | Family::Xrp | Family::Cosmos(_) => {
            hex::decode(hash).ok()?
        }
        // Decoding takes time with the square of the length; no hash is longer.
        Family::Solana if hash.len() > 88 => return None,
        Family::Solana => bs58::decode(hash).into_vec().ok()?,
    };
    let (open, rest) = bytes.split_first_chunk::<16>()?;
    let transaction = Uuid::from_bytes(masked(*open, *rest.first_chunk()?));
    transaction_hash(family, transaction).eq_ignore_ascii_case(hash).then_some(transaction)
}

fn half(domain: &[u8], bytes: &[u8]) -> [u8; 16] {
    let hash: [u8; 32] = Sha256::new().chain_update(domain).chain_update(bytes).finalize().into();
    hash.first_chunk().copied().unwrap_or_default()
}

fn masked(open: [u8; 16], bytes: [u8; 16]) -> [u8; 16] {
    let mut masked = half(b"mask", &open);
    for (mask, byte) in masked.iter_mut().zip(bytes) {
        *mask ^= byte;
    }
    masked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Address;

    const FAMILIES: [Family; 8] = [
        Family::Evm,
        Family::Solana,
        Family::Tron,
        Family::Bitcoin,
        Family::Xrp,
        Family::Stellar,
        Family::Ton,
        Family::Cosmos("osmo"),
    ];

    #[test]
    fn addresses_are_valid_in_their_family_and_on_their_network() {
        for n in 0..64_u8 {
            for family in FAMILIES {
                for network in [Network::Main, Network::Test] {
                    let text = of_seed(family, network, &[n]);
                    assert_eq!(Address::check(family, &text).unwrap().canonical(), text);
                    assert!(family != Family::Bitcoin || bitcoin::network(&text) == network, "{text}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn base_58_is_written_as_by_its_crate(bytes in any::<[u8; 64]>(), noughts in 0..=64_usize) {
            let mut bytes = bytes;
            bytes.iter_mut().take(noughts).for_each(|byte| *byte = 0);
            prop_assert_eq!(base58(bytes), bs58::encode(bytes).into_string());
        }
    }

    #[test]
    fn a_transaction_is_found_by_its_hash_in_its_own_family_alone() {
        for n in 0..64_u128 {
            let transaction = Uuid::from_u128(n << 64 | n);
            for family in FAMILIES {
                let hash = transaction_hash(family, transaction);
                assert_eq!(transaction_of(family, &hash), Some(transaction));
                let changed = hash.replace(['a', 'b', 'c', 'A', 'B', 'C'], "d");
                assert!(changed == hash || transaction_of(family, &changed).is_none(), "{changed}");
                assert!(transaction_of(family, &hash[..hash.len() - 2]).is_none());
            }
            let hash = transaction_hash(Family::Evm, transaction);
            assert_eq!(transaction_of(Family::Evm, &hash.to_uppercase().replacen('X', "x", 1)), Some(transaction));
            assert_eq!(transaction_of(Family::Tron, &hash), None);
        }
        assert!(FAMILIES.iter().all(|family| transaction_of(*family, "").is_none()));
    }
}
