//! Detects keys and seeds pasted in place of an address. Anyone who reads such a secret can take the funds it protects,
//! so it is detected before anything else is done with the text, and never repeated.

use bs58::Alphabet;

use super::{base58, stellar};

/// The kind of secret, with its article, that a text has the form of. For texts that should be an address.
pub fn detect_secret(text: &str) -> Option<&'static str> {
    let text = text.trim();
    detect_secret_word(text).or_else(|| is_solana_keypair(text).then_some("a Solana private key"))
}

/// The kind of secret, with its article, in a text: the whole text or one of its words. For names, notes and tags,
/// which may mention a Solana transaction: that is as long as a Solana key.
pub fn find_secret(text: &str) -> Option<&'static str> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '=' | '"' | '(' | ')');
    detect_secret_word(text.trim()).or_else(|| text.split(apart).find_map(detect_secret_word))
}

/// Whether a text is 64 bytes in base58, the form in which Solana wallets export a key pair.
fn is_solana_keypair(text: &str) -> bool {
    (80..=88).contains(&text.len()) && bs58::decode(text).into_vec().is_ok_and(|bytes| bytes.len() == 64)
}

/// Whether a text has the form of a BIP-39 mnemonic: the right number of words of three to eight small letters, and
/// nothing else. The word list is not consulted, since one of the words may be mistyped.
fn is_mnemonic(text: &str) -> bool {
    let is_listed = |word: &str| (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let mut count = 0;
    text.split_whitespace().inspect(|_| count += 1).all(is_listed) && matches!(count, 12 | 15 | 18 | 21 | 24)
}

/// Whether a text is an extended private key (BIP-32), by its prefix and length.
fn is_extended_private_key(text: &str) -> bool {
    let starts = ["xprv", "tprv", "yprv", "zprv", "uprv", "vprv"];
    starts.iter().any(|start| text.starts_with(start))
        && (100..=115).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn detect_secret_word(text: &str) -> Option<&'static str> {
    if is_mnemonic(text) {
        return Some("a list of seed words");
    }
    if is_extended_private_key(text) {
        return Some("an extended private key");
    }
    // Addresses are checked by the thousand; the first character keeps nearly all of them from being decoded.
    match text.bytes().next()? {
        b'S' => stellar::is_seed(text).then_some("a Stellar secret seed"),
        // 16 bytes, for either kind of key.
        b's' => match base58::decode_payload(text, Alphabet::RIPPLE)?.as_slice() {
            [0x21, seed @ ..] | [0x01, 0xe1, 0x4b, seed @ ..] if seed.len() == 16 => Some("an XRP secret seed"),
            _ => None,
        },
        // The WIF export format of keys, of either network, compressed or not.
        b'5' | b'9' | b'K' | b'L' | b'c' => match base58::decode_payload(text, Alphabet::BITCOIN)?.as_slice() {
            [0x80 | 0xef, key @ ..] if key.len() == 32 => Some("a Bitcoin private key"),
            [0x80 | 0xef, key @ .., 1] if key.len() == 32 => Some("a Bitcoin private key"),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Address, AddressError, Family};

    #[test]
    fn a_secret_is_named_and_not_repeated() {
        // The seed of the example in SEP-5's appendix; the seeds that XRP's documents derive from the word
        // “masterpassphrase”; the key that Bitcoin's wiki turns into wallet import format.
        for (text, description) in [
            ("SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN", "a Stellar secret seed"),
            ("snoPBrXtMeMyMHUVTgbuqAfg1SUTb", "an XRP secret seed"),
            ("sEdSKaCy2JT7JaM7v95H9SxkhP9wS2r", "an XRP secret seed"),
            ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "a Bitcoin private key"),
            ("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617", "a Bitcoin private key"),
        ] {
            assert_eq!(detect_secret(text), Some(description), "{text}");
            assert_eq!(detect_secret(&format!(" {text}")), Some(description));
            for family in [Family::Evm, Family::Stellar, Family::Xrp, Family::Bitcoin] {
                let error = Address::parse(family, text).unwrap_err();
                assert_eq!(error, AddressError::Secret { kind: description });
                assert!(!error.to_string().contains(&text[..8]));
            }
        }
    }

    #[test]
    fn seed_words_and_keys_of_wallets_are_secrets() {
        // The first examples of BIP-39 and of BIP-32; 64 bytes as Solana's tools print them.
        let seed_phrase = "abandon ".repeat(11) + "about";
        let extended = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi";
        let pair = bs58::encode([7; 64]).into_string();
        for (text, secret_kind) in
            [(seed_phrase.as_str(), "a list of seed words"), (extended, "an extended private key")]
        {
            assert_eq!((detect_secret(text), find_secret(text)), (Some(secret_kind), Some(secret_kind)));
        }
        assert_eq!((detect_secret(&pair), find_secret(&pair)), (Some("a Solana private key"), None));
        let sentence = format!("his key: {extended}, keep it");
        assert_eq!(find_secret(&sentence), Some("an extended private key"));
        for note in ["Invoice 7 of May, paid by Norrland for the three months that were left open", "rent", ""] {
            assert_eq!(find_secret(note), None);
        }
    }

    #[test]
    fn an_address_is_no_secret() {
        for text in [
            "",
            "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
            "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
        ] {
            assert_eq!(detect_secret(text), None, "{text}");
        }
    }
}
