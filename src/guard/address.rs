//! Whether the recipient's address is valid, and how surely.

use super::{Finding, GuardedPayment, Override, Rule, truncate_word};
use crate::domain::address::{detect_secret, recognise_address_kind, solana};
use crate::domain::network::network_suffix;
use crate::domain::{Address, AddressAssurance, AddressError, Family, Network};

const RULE: Rule = Rule::Address;

pub(super) fn judge(case: &GuardedPayment<'_>) -> Vec<Finding> {
    let to = case.request.to.as_str();
    let chain = case.chain_name();
    if let Some(secret) = detect_secret(to) {
        return vec![Finding::stop(RULE, capitalise(&AddressError::Secret { kind: secret }.to_string()) + ".")];
    }
    if let Some(stranger) = invalid_character(to) {
        return vec![stranger];
    }
    let kind = recognise_address_kind(to);
    if let Some(kind) = kind.filter(|kind| kind.carries_tag) {
        return vec![Finding::stop(
            RULE,
            format!(
                "This is {} address with a tag inside. The tag would be lost, because a request cannot carry it.",
                kind.name
            ),
        )];
    }
    let Some(family) = case.family() else {
        let resemblance = kind.map_or(String::new(), |kind| format!(" It looks like {} address.", kind.name));
        return vec![Finding::caution(
            RULE,
            format!(
                "The format of the address was not checked: this console does not know the address format of {chain}.{resemblance}"
            ),
        )];
    };
    let address = match Address::parse(family, to) {
        Ok(address) => address,
        Err(error) => return vec![invalid_address(&error, family, to, &chain)],
    };
    let mut findings: Vec<Finding> = missing_checksum(&address, &chain).into_iter().collect();
    findings.extend(wrong_network(case, &address));
    if family == Family::Solana && !solana::is_on_curve(to) {
        findings.push(Finding::caution(
            RULE,
            "No key can belong to this address: such addresses belong to programs, as those of token accounts do. \
             Ask the recipient for the wallet's own address."
                .into(),
        ));
    }
    findings
}

/// The finding for an address in which a typing error would not be noticed.
fn missing_checksum(address: &Address, chain: &str) -> Option<Finding> {
    match (address.assurance(), address.family()) {
        (AddressAssurance::Checksum, _) => None,
        (AddressAssurance::FormOnly, Family::Evm) => Some(Finding::caution(
            Rule::Checksum,
            "The address is written in one letter case, so it has no checksum: a wrong digit would not be noticed."
                .into(),
        )),
        (AddressAssurance::FormOnly, Family::Ton) => Some(Finding::caution(
            Rule::Checksum,
            "The address is written raw, so it has no checksum: a wrong digit would not be noticed.".into(),
        )),
        (AddressAssurance::FormOnly, _) => Some(Finding::note(
            RULE,
            format!("Addresses on {chain} have no checksum: a wrong character may not be noticed."),
        )),
    }
}

/// Some addresses name their network: an address of another network has no owner on this one.
fn wrong_network(case: &GuardedPayment<'_>, address: &Address) -> Option<Finding> {
    let encoded_network = address.mainnet_or_testnet()?;
    let network_word =
        network_suffix(&case.request.blockchain).or(case.facts.network_claims.first().map(|(_, word)| word.as_str()));
    let Some(paid_on) = network_word.map_or(case.facts.expected_network, Network::of_word) else {
        let message =
            "This address is for a test network only, and it is not known which network the payment goes out on.";
        return encoded_network.is_test().then(|| Finding::danger(RULE, Override::TestAddress, message.into()));
    };
    let network_kind = |network: Network| if network.is_test() { "test network" } else { "main network" };
    (encoded_network != paid_on).then(|| {
        let (address_network, payment_network, chain) = (network_kind(encoded_network), network_kind(paid_on), case.chain_name());
        Finding::stop(
            RULE,
            format!("This address belongs to the {address_network} of {chain}; the payment goes out on its {payment_network}."),
        )
    })
}

/// A character that no address of any chain contains, named by its code point so that an invisible one is noticed too.
fn invalid_character(to: &str) -> Option<Finding> {
    let (index, character) = to.chars().enumerate().find(|(_, character)| !character.is_ascii_graphic())?;
    let position = index + 1;
    let message = if character == char::REPLACEMENT_CHARACTER {
        format!(
            "An invisible or control character is at position {position} of the address. Copy it again from its source."
        )
    } else {
        AddressError::InvalidCharacter { position, code: u32::from(character) }.to_string() + "."
    };
    Some(Finding::stop(RULE, capitalise(&message)))
}

fn invalid_address(error: &AddressError, family: Family, to: &str, chain: &str) -> Finding {
    // An address of this very family with a typing error is reported by its own error.
    if let Some(kind) = recognise_address_kind(to).filter(|kind| kind.family != Some(family)) {
        return Finding::stop(
            RULE,
            format!("This is {} address; the payment goes out on {}.", kind.name, truncate_word(chain)),
        );
    }
    let wrong = capitalise(&error.to_string());
    Finding::stop(RULE, format!("This is not an address on {}. {wrong}.", truncate_word(chain)))
}

pub(super) fn capitalise(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{OTHER, Payment, SUPPLIER};
    use super::*;
    use crate::domain::Blockchain;
    use crate::guard::Severity;

    fn single_finding(chain: &str, to: &str) -> (Severity, String) {
        let findings = Payment::to(to).on(chain).findings().into_iter();
        let mut findings: Vec<Finding> =
            findings.filter(|finding| [RULE, Rule::Checksum].contains(&finding.rule)).collect();
        assert_eq!(findings.len(), 1, "{findings:?}");
        let finding = findings.remove(0);
        (finding.severity, finding.message)
    }

    #[test]
    fn what_has_its_checksum_goes_without_a_word() {
        assert_eq!(Payment::to(SUPPLIER).messages_of(RULE), []);
    }

    #[test]
    fn what_has_none_is_said() {
        assert_eq!(single_finding("base", &OTHER.to_lowercase()).0, Severity::Caution);
        assert_eq!(single_finding("base", &format!("0x{}", &OTHER[2..].to_uppercase())).0, Severity::Caution);
        // The public key of the first example of RFC 8032.
        assert_eq!(single_finding("solana", "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z").0, Severity::Note);
    }

    #[test]
    fn a_typing_error_is_said_with_its_place() {
        let (severity, message) = single_finding("base", &SUPPLIER.replace("Beb6", "beb6").replace("5aA", "5aa"));
        assert_eq!(severity, Severity::Stop);
        assert!(
            message.starts_with("This is not an address on Base. The checksum does not match: a character was changed"),
            "{message}"
        );
        assert_eq!(single_finding("base", &SUPPLIER[..41]).0, Severity::Stop);
        assert_eq!(single_finding("base", "").0, Severity::Stop);
    }

    #[test]
    fn an_address_of_another_family_is_named() {
        for (chain, to, expected) in [
            (
                "ethereum",
                "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
                "This is a Tron address; the payment goes out on Ethereum.",
            ),
            (
                "ethereum",
                "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                "This is a Bitcoin address; the payment goes out on Ethereum.",
            ),
            (
                "base",
                "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
                "This is a Solana address; the payment goes out on Base.",
            ),
            ("solana", SUPPLIER, "This is an EVM address; the payment goes out on Solana."),
            ("tron", SUPPLIER, "This is an EVM address; the payment goes out on Tron."),
            ("tron", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "This is a Bitcoin address; the payment goes out on Tron."),
            (
                "bitcoin",
                "TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL",
                "This is a Tron address; the payment goes out on Bitcoin.",
            ),
            ("solana", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "This is an XRP address; the payment goes out on Solana."),
        ] {
            assert_eq!(single_finding(chain, to), (Severity::Stop, expected.to_owned()));
        }
    }

    #[test]
    fn on_an_unknown_chain_the_format_is_said_to_be_unchecked() {
        let (severity, message) = single_finding("litecoin", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
        assert_eq!(severity, Severity::Caution);
        assert!(message.contains("not checked") && message.ends_with("It looks like a Tron address."), "{message}");
        // A chain that the service says is EVM is checked as one.
        let mut linea = Payment::to(&SUPPLIER[..41]).on("linea");
        assert_eq!(linea.max_severity(RULE), Some(Severity::Caution));
        linea.facts.chain = Some(Blockchain {
            slug: "linea".into(),
            name: "Linea".into(),
            symbol: None,
            decimals: None,
            protocol: Some("EVM".into()),
            chain_id: None,
            is_testnet: None,
            standards: vec![],
            block_explorer: None,
        });
        assert_eq!(linea.max_severity(RULE), Some(Severity::Stop));
    }

    #[test]
    fn an_address_of_bitcoin_s_other_network_is_stopped() {
        const MAIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        const TEST: &str = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
        assert_eq!(Payment::to(MAIN).on("bitcoin").messages_of(RULE), []);
        let expected = "This address belongs to the test network of Bitcoin; the payment goes out on its main network.";
        assert_eq!(single_finding("bitcoin", TEST), (Severity::Stop, expected.to_owned()));
        let expected =
            "This address belongs to the main network of bitcoin-testnet; the payment goes out on its test network.";
        assert_eq!(single_finding("bitcoin-testnet", MAIN), (Severity::Stop, expected.to_owned()));
        let (severity, expected) = single_finding("bitcoin", &TEST.replace("w508", "w5o8"));
        assert_eq!(severity, Severity::Stop);
        assert!(expected.contains("“o” at character 7"), "{expected}");
    }

    #[test]
    fn what_no_address_holds_is_named_on_any_chain() {
        for chain in ["ethereum", "tron", "litecoin"] {
            let (severity, message) = single_finding(chain, "0xd\u{435}709f2102306220921060314715629080e2fb77");
            assert_eq!(severity, Severity::Stop);
            assert!(message.starts_with("Character 4 is U+0435"), "{message}");
            let (severity, message) = single_finding(chain, "0xde709f21\u{200b}02306220921060314715629080e2fb77");
            assert_eq!(severity, Severity::Stop);
            assert!(message.starts_with("An invisible or control character is at position 11"), "{message}");
        }
    }

    #[test]
    fn an_address_with_a_tag_inside_is_stopped() {
        // From the documents of XRP's X-addresses (tag 1, and none) and of Stellar's muxed accounts.
        for (chain, to) in [
            ("xrp", "X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu"),
            ("stellar", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK"),
        ] {
            let (severity, message) = single_finding(chain, to);
            assert_eq!(severity, Severity::Stop, "{message}");
            assert!(message.contains("tag inside"), "{message}");
        }
        // Without a tag it is the classic address, written otherwise.
        assert_eq!(Payment::to("X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ").on("xrp").messages_of(RULE), []);
    }

    #[test]
    fn an_address_of_another_network_or_kind_is_stopped() {
        for (chain, to, expected) in [
            (
                "xrp",
                "T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ",
                "This address belongs to the test network of XRP Ledger; the payment goes out on its main network.",
            ),
            (
                "ton",
                "kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP",
                "This address belongs to the test network of TON; the payment goes out on its main network.",
            ),
            (
                "osmosis",
                "cosmos196ax4vc0lwpxndu9dyhvca7jhxp70rmcfhxsrt",
                "This is a Cosmos address; the payment goes out on Osmosis.",
            ),
            (
                "stellar",
                "CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA",
                "This is not an address on Stellar. This is a Stellar contract, not an account that can be paid; ask the \
                 recipient for the address of the account.",
            ),
            (
                "ethereum",
                "SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN",
                "This is a Stellar secret seed, not an address: anyone who sees it can take the funds it protects; show it to \
                 nobody.",
            ),
        ] {
            assert_eq!(single_finding(chain, to), (Severity::Stop, expected.to_owned()));
        }
    }

    #[test]
    fn an_address_for_tests_is_a_danger_where_the_network_is_not_known() {
        let mut payment = Payment::to("kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP").on("ton");
        payment.facts.network_claims = vec![("the wallet".into(), "shard-7".into())];
        let finding = payment.single_finding(RULE);
        assert_eq!((finding.severity, finding.override_phrase), (Severity::Danger, Some("test address")));
        payment.facts.network_claims.clear();
        payment.facts.expected_network = None;
        assert_eq!(payment.single_finding(RULE).override_phrase, Some("test address"));
        payment.facts.expected_network = Some(Network::Testnet);
        assert_eq!(payment.messages_of(RULE), []);
    }

    #[test]
    fn a_raw_address_of_ton_has_no_checksum() {
        let (severity, message) =
            single_finding("ton", "0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e");
        assert_eq!(severity, Severity::Caution);
        assert!(message.starts_with("The address is written raw"), "{message}");
        assert_eq!(Payment::to("UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA").on("ton").messages_of(RULE), []);
    }

    #[test]
    fn an_account_that_a_program_made_is_told() {
        let (severity, message) = {
            let payment = Payment::to("13yWmRpaTR4r5nAktwLqMpRNr28tnVUZw26rTvPSSB19").on("solana");
            let messages = payment.messages_of(RULE);
            messages.into_iter().max().unwrap()
        };
        assert_eq!(severity, Severity::Caution);
        assert!(message.starts_with("No key can belong"), "{message}");
    }
}
