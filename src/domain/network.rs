//! Networks of chains, and the words for them.

use std::fmt;

/// Real money, or a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Network {
    Mainnet,
    Testnet,
}

impl Network {
    pub const ALL: [(&'static str, Self); 2] = [("mainnet", Self::Mainnet), ("testnet", Self::Testnet)];

    pub const fn is_test(self) -> bool {
        matches!(self, Self::Testnet)
    }

    /// The other of the two.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Mainnet => Self::Testnet,
            Self::Testnet => Self::Mainnet,
        }
    }

    /// As profiles, orders and proposals spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
        }
    }

    /// The network of this name, spelt in the same way.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(other, _)| *other == name).map(|(_, network)| network)
    }

    /// The network that the service's word for one means, alone or as a suffix of a chain's name; `None` for an unknown
    /// word.
    pub fn of_word(word: &str) -> Option<Self> {
        let word = network_suffix(word).unwrap_or(word);
        let is_among = |words: &[&str]| words.iter().any(|alias| alias.eq_ignore_ascii_case(word));
        // First, since `mainnet` is among the suffixes as well.
        if is_among(&["mainnet", "main", "live", "production", "prod"]) {
            Some(Self::Mainnet)
        } else if is_among(NETWORK_SUFFIXES) || is_among(&["test", "sandbox", "staging"]) {
            Some(Self::Testnet)
        } else {
            None
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The network suffix of a chain's name: `sepolia` in `ethereum-sepolia`.
pub fn network_suffix(word: &str) -> Option<&str> {
    let (_, network) = word.rsplit_once(['-', '_', ' '])?;
    NETWORK_SUFFIXES.iter().any(|suffix| suffix.eq_ignore_ascii_case(network)).then_some(network)
}

/// The network words that services append to the name of a chain.
pub(super) const NETWORK_SUFFIXES: &[&str] =
    &["mainnet", "testnet", "devnet", "sepolia", "goerli", "holesky", "hoodi", "amoy", "mumbai", "chapel"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_service_mean_a_network() {
        for (word, expected) in [
            ("Mainnet", Some(Network::Mainnet)),
            ("testnet", Some(Network::Testnet)),
            ("SEPOLIA", Some(Network::Testnet)),
            ("ETHEREUM_MAINNET", Some(Network::Mainnet)),
            ("regnet", None),
            ("", None),
        ] {
            assert_eq!(Network::of_word(word), expected, "{word}");
        }
    }

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for (name, network) in Network::ALL {
            assert_eq!((network.name(), Network::named(name)), (name, Some(network)));
        }
        assert_eq!([Network::named("Testnet"), Network::named("sepolia"), Network::named("")], [None; 3]);
    }

    #[test]
    fn the_suffix_of_a_network_is_part_of_a_chains_name() {
        assert_eq!(network_suffix("ethereum-sepolia"), Some("sepolia"));
        assert_eq!(network_suffix("ethereum-classic"), None);
        assert_eq!(network_suffix("ethereum"), None);
    }
}
