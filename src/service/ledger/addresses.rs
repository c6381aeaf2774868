//! Addresses of wallets and accounts, derived from the workspace's secret material, and transaction hashes.

use ruint::aliases::U512;
use sha2::{Digest, Sha256};
use sha3::Keccak256;
use uuid::Uuid;

use super::workspaces::Workspace;
use crate::domain::address::{bitcoin, cosmos, evm, stellar, ton, tron, xrp};
use crate::domain::{Family, Network};

/// Owner of an address. One owner has the same address on all chains of a family.
#[derive(Debug, Clone, Copy)]
pub(super) enum AddressOwner<'a> {
    Account(Uuid),
    /// A reference of a user, or of an account where there is no user.
    Reference(Uuid, &'a str),
    /// A single wallet without a reference.
    Wallet(Uuid),
}

/// The owner's address on a family of chains, on the workspace's network.
pub(super) fn derive_address(workspace: &Workspace, family: Family, owner: AddressOwner<'_>) -> String {
    let (kind, id, reference) = match owner {
        AddressOwner::Account(id) => (b'a', id, ""),
        AddressOwner::Reference(id, reference) => (b'r', id, reference),
        AddressOwner::Wallet(id) => (b'w', id, ""),
    };
    let seed = [workspace.address_secret.as_slice(), &[kind], id.as_bytes(), reference.as_bytes()].concat();
    address_from_seed(family, workspace.network(), &seed)
}

/// The address for a seed.
pub(in crate::service) fn address_from_seed(family: Family, network: Network, seed: &[u8]) -> String {
    match family {
        Family::Evm => evm::with_checksum(&hex::encode(public_key_hash(seed))),
        Family::Solana => bs58::encode(Sha256::digest(seed)).into_string(),
        Family::Tron => tron::encode_address(public_key_hash(seed)),
        Family::Bitcoin => bitcoin::encode_address(public_key_hash(seed), network),
        Family::Xrp => xrp::encode_address(public_key_hash(seed)),
        Family::Stellar => stellar::encode_address(Sha256::digest(seed).into()),
        Family::Ton => ton::encode_address(Sha256::digest(seed).into()),
        Family::Cosmos(prefix) => cosmos::encode_address(prefix, public_key_hash(seed)),
    }
}

/// Stands in for the hash of a public key: the last 20 bytes of the seed's hash.
fn public_key_hash(seed: &[u8]) -> [u8; 20] {
    let hash: [u8; 32] = Keccak256::digest(seed).into();
    hash.last_chunk().copied().unwrap_or_default()
}

/// The hash of a transaction on its chain, the same for both ends.
///
/// It looks random but [`transaction_of_hash`] inverts it, so that a lookup by hash needs no scan: the first half is a
/// hash of the identifier, the second half the identifier masked with the first.
pub(super) fn transaction_hash(family: Family, transaction: Uuid) -> String {
    let open = truncated_hash(b"hash", transaction.as_bytes());
    let masked = xor_with_mask(open, transaction.into_bytes());
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

/// Digits of base 58, from zero.
const BASE_58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Values of ten base-58 digits.
const TEN_DIGITS: u64 = 58_u64.pow(10);

/// `bs58` for 64 bytes, much faster: ten digits at a time. A page of history has many such hashes.
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
    // Each leading zero byte is a digit of its own.
    from_last.extend(bytes.iter().take_while(|byte| **byte == 0).map(|_| 0));
    from_last.iter().rev().filter_map(|digit| BASE_58.get(*digit)).map(|digit| char::from(*digit)).collect()
}

/// The transaction of a hash, whether or not it exists; `None` for text that [`transaction_hash`] never returns for
/// this family.
pub(super) fn transaction_of_hash(family: Family, hash: &str) -> Option<Uuid> {
    let bytes = match family {
        Family::Evm => hex::decode(hash.strip_prefix("0x")?).ok()?,
        Family::Tron | Family::Bitcoin | Family::Stellar | Family::Ton | Family::Xrp | Family::Cosmos(_) => {
            hex::decode(hash).ok()?
        }
        // Decoding time grows with the square of the length; no hash is longer.
        Family::Solana if hash.len() > 88 => return None,
        Family::Solana => bs58::decode(hash).into_vec().ok()?,
    };
    let (open, rest) = bytes.split_first_chunk::<16>()?;
    let transaction = Uuid::from_bytes(xor_with_mask(*open, *rest.first_chunk()?));
    transaction_hash(family, transaction).eq_ignore_ascii_case(hash).then_some(transaction)
}

fn truncated_hash(domain: &[u8], bytes: &[u8]) -> [u8; 16] {
    let hash: [u8; 32] = Sha256::new().chain_update(domain).chain_update(bytes).finalize().into();
    hash.first_chunk().copied().unwrap_or_default()
}

fn xor_with_mask(open: [u8; 16], bytes: [u8; 16]) -> [u8; 16] {
    let mut masked = truncated_hash(b"mask", &open);
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
                for network in [Network::Mainnet, Network::Testnet] {
                    let text = address_from_seed(family, network, &[n]);
                    assert_eq!(Address::parse(family, &text).unwrap().canonical(), text);
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
                assert_eq!(transaction_of_hash(family, &hash), Some(transaction));
                let changed = hash.replace(['a', 'b', 'c', 'A', 'B', 'C'], "d");
                assert!(changed == hash || transaction_of_hash(family, &changed).is_none(), "{changed}");
                assert!(transaction_of_hash(family, &hash[..hash.len() - 2]).is_none());
            }
            let hash = transaction_hash(Family::Evm, transaction);
            assert_eq!(transaction_of_hash(Family::Evm, &hash.to_uppercase().replacen('X', "x", 1)), Some(transaction));
            assert_eq!(transaction_of_hash(Family::Tron, &hash), None);
        }
        assert!(FAMILIES.iter().all(|family| transaction_of_hash(*family, "").is_none()));
    }
}
