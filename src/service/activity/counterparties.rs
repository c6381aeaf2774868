//! Counterparties of the sample business: suppliers, staff, exchanges, and attackers.

use serde::Deserialize;

use super::sample_names::{CounterpartyName, SAMPLE_NAMES};
use super::seed_stream;
use crate::domain::address::evm;
use crate::domain::{Family, Network, shorten_address};
use crate::service::ledger::address_from_seed;
use crate::service::rng::Rng;

/// A recurring counterparty.
#[derive(Debug, Clone)]
pub(super) struct Counterparty {
    pub(super) name: &'static str,
    /// Prefix of payment references.
    pub(super) code: &'static str,
    pub(super) kind: CounterpartyKind,
    evm: String,
    address_seed: [u8; 32],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CounterpartyKind {
    Supplier,
    Exchange,
    Payroll,
}

impl Counterparty {
    pub(super) fn address(&self, family: Family) -> String {
        testnet_address_from_seed(family, &self.address_seed)
    }

    /// Memo or tag for an exchange, which has one address for all its customers.
    pub(super) fn tag(&self) -> String {
        let [one, two, three, ..] = self.address_seed;
        u32::from_be_bytes([0, one, two, three]).to_string()
    }

    pub(super) fn reference(&self, rng: &mut Rng) -> String {
        format!("{}-{}", self.code, 2_000 + rng.below(8_000))
    }

    pub(super) fn note(&self) -> String {
        let document = match self.kind {
            CounterpartyKind::Supplier => "invoice",
            CounterpartyKind::Exchange => "rebalance",
            CounterpartyKind::Payroll => "payroll",
        };
        format!("{document} · {}", self.name)
    }

    /// An address that equals this one wherever addresses are shortened: the first and last four digits are the same,
    /// case included, and their neighbours differ. Like an attacker, it tries middle digits until the checksum fits.
    pub(super) fn look_alike_address(&self, seed: u64) -> String {
        let mut rng = Rng::new(seed, seed_stream::COUNTERPARTIES + 99);
        let own = evm::with_checksum(&self.evm);
        let mut forged = String::new();
        for _ in 0..MAX_FORGING_ATTEMPTS {
            forged = evm::with_checksum(&forge_address(evm::hex_digits(&own), &hex::encode(rng.bytes::<20>())));
            if shorten_address(&forged) == shorten_address(&own) {
                break;
            }
        }
        forged
    }
}

/// Attempts at a look-alike. The checksum sets the case of at most eight letters, so one in 256 fits: finding none is
/// less likely than a look-alike by chance.
const MAX_FORGING_ATTEMPTS: usize = 8_192;

/// The ends of one address around the middle of another.
fn forge_address(own: &str, other: &str) -> String {
    let each = own.chars().zip(other.chars()).enumerate();
    let digits = each.map(|(index, (own, other))| match index {
        0..4 | 36..40 => own,
        4 | 35 if own.eq_ignore_ascii_case(&other) => {
            if own == '7' {
                '8'
            } else {
                '7'
            }
        }
        _ => other,
    });
    digits.collect()
}

pub(super) fn sample_counterparties(seed: u64) -> Vec<Counterparty> {
    let mut rng = Rng::new(seed, seed_stream::COUNTERPARTIES);
    let counterparty = |name: &'static CounterpartyName| {
        let bytes: [u8; 32] = rng.bytes();
        Counterparty {
            name: &name.name,
            code: &name.code,
            kind: name.kind,
            evm: testnet_address_from_seed(Family::Evm, &bytes),
            address_seed: bytes,
        }
    };
    SAMPLE_NAMES.counterparties.iter().map(counterparty).collect()
}

/// A supplier who is paid for the first time.
pub(super) fn first_time_supplier(seed: u64) -> Counterparty {
    let bytes: [u8; 32] = Rng::new(seed, seed_stream::COUNTERPARTIES + 70).bytes();
    let (name, code, kind) = ("Lindqvist Marine Survey", "LMS", CounterpartyKind::Supplier);
    Counterparty { name, code, kind, evm: testnet_address_from_seed(Family::Evm, &bytes), address_seed: bytes }
}

/// The external address that a customer pays from and withdraws to.
pub(super) fn customer_outside_address(seed: u64, user: i64, family: Family) -> String {
    let bytes = [seed.to_le_bytes().as_slice(), b"home", &user.to_le_bytes()].concat();
    testnet_address_from_seed(family, &bytes)
}

/// The sample business and its counterparties are on test networks.
fn testnet_address_from_seed(family: Family, seed: &[u8]) -> String {
    address_from_seed(family, Network::Testnet, seed)
}

/// Symbol of an unlisted token that imitates Tether: it ends in a Cyrillic letter.
pub(super) const IMITATION_SYMBOL: &str = "USD\u{422}";
pub(super) const IMITATION_NAME: &str = "Visit claim-usdt.example";

/// Contract and sender of the imitation token.
pub(super) fn imitation_contract_and_sender(seed: u64) -> (String, String) {
    let mut rng = Rng::new(seed, seed_stream::COUNTERPARTIES + 50);
    let mut address = || testnet_address_from_seed(Family::Evm, &rng.bytes::<32>());
    (address(), address())
}
