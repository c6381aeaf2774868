//! Counterparties of the sample business: suppliers, staff, exchanges, and attackers.

use serde::Deserialize;

use super::sample_names::{CounterpartyName, SAMPLE_NAMES};
use super::strand;
use crate::domain::address::{Network, evm};
use crate::domain::{Family, shorten};
use crate::service::ledger::of_seed;
use crate::service::rng::Rng;

/// A recurring counterparty.
#[derive(Debug, Clone)]
pub(super) struct Counterparty {
    pub(super) name: &'static str,
    /// Prefix of payment references.
    pub(super) code: &'static str,
    pub(super) kind: CounterpartyKind,
    evm: String,
    bytes: [u8; 32],
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
        on_test(family, &self.bytes)
    }

    /// Memo or tag for an exchange, which has one address for all its customers.
    pub(super) fn tag(&self) -> String {
        let [one, two, three, ..] = self.bytes;
        u32::from_be_bytes([0, one, two, three]).to_string()
    }

    pub(super) fn reference(&self, dice: &mut Rng) -> String {
        format!("{}-{}", self.code, 2_000 + dice.below(8_000))
    }

    pub(super) fn note(&self) -> String {
        let what = match self.kind {
            CounterpartyKind::Supplier => "invoice",
            CounterpartyKind::Exchange => "rebalance",
            CounterpartyKind::Payroll => "payroll",
        };
        format!("{what} · {}", self.name)
    }

    /// An address that equals this one wherever addresses are shortened: the first and last four digits are the same,
    /// case included, and their neighbours differ. Like an attacker, it tries middle digits until the checksum fits.
    pub(super) fn look_alike(&self, seed: u64) -> String {
        let mut dice = Rng::new(seed, strand::STRANGERS + 99);
        let own = evm::with_checksum(&self.evm);
        let mut forged = String::new();
        for _ in 0..MOST_FORGED {
            forged = evm::with_checksum(&forge(evm::digits(&own), &hex::encode(dice.bytes::<20>())));
            if shorten(&forged) == shorten(&own) {
                break;
            }
        }
        forged
    }
}

/// Attempts at a look-alike. The checksum sets the case of at most eight letters, so one in 256 fits: finding none is
/// less likely than a look-alike by chance.
const MOST_FORGED: usize = 8_192;

/// The ends of one address around the middle of another.
fn forge(own: &str, other: &str) -> String {
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

pub(super) fn counterparties(seed: u64) -> Vec<Counterparty> {
    let mut dice = Rng::new(seed, strand::STRANGERS);
    let counterparty = |named: &'static CounterpartyName| {
        let bytes: [u8; 32] = dice.bytes();
        Counterparty {
            name: &named.name,
            code: &named.code,
            kind: named.kind,
            evm: on_test(Family::Evm, &bytes),
            bytes,
        }
    };
    SAMPLE_NAMES.counterparties.iter().map(counterparty).collect()
}

/// The external address that a customer pays from and withdraws to.
pub(super) fn customer_address(seed: u64, user: i64, family: Family) -> String {
    let bytes = [seed.to_le_bytes().as_slice(), b"home", &user.to_le_bytes()].concat();
    on_test(family, &bytes)
}

/// The sample business and its counterparties are on test networks.
fn on_test(family: Family, seed: &[u8]) -> String {
    of_seed(family, Network::Test, seed)
}

/// Symbol of an unlisted token that imitates Tether: it ends in a Cyrillic letter.
pub(super) const FALSE_SYMBOL: &str = "USD\u{422}";
pub(super) const FALSE_NAME: &str = "Visit claim-usdt.example";

/// Contract and sender of the imitation token.
pub(super) fn false_token(seed: u64) -> (String, String) {
    let mut dice = Rng::new(seed, strand::STRANGERS + 50);
    let mut address = || on_test(Family::Evm, &dice.bytes::<32>());
    (address(), address())
}
