//! Keys and seeds that are pasted where an address is wanted. Whoever reads one can take what it guards, so it is named
//! before anything is done with it, and never repeated.

use bs58::Alphabet;

use super::{base58, stellar};

/// What a text is, if it is a secret by its form; with its article.
pub fn secret(text: &str) -> Option<&'static str> {
    let text = text.trim();
    // Addresses are checked by the thousand; what a secret begins with keeps nearly all of them from being decoded.
    match text.bytes().next()? {
        b'S' => stellar::is_seed(text).then_some("a secret seed of Stellar"),
        // 16 bytes, for either kind of key.
        b's' => match base58::payload(text, Alphabet::RIPPLE)?.as_slice() {
            [0x21, seed @ ..] | [0x01, 0xe1, 0x4b, seed @ ..] if seed.len() == 16 => Some("a secret seed of XRP"),
            _ => None,
        },
        // The form in which wallets export keys, of either network, compressed or not.
        b'5' | b'9' | b'K' | b'L' | b'c' => match base58::payload(text, Alphabet::BITCOIN)?.as_slice() {
            [0x80 | 0xef, key @ ..] if key.len() == 32 => Some("a private key of Bitcoin"),
            [0x80 | 0xef, key @ .., 1] if key.len() == 32 => Some("a private key of Bitcoin"),
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
        for (text, what) in [
            ("SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN", "a secret seed of Stellar"),
            ("snoPBrXtMeMyMHUVTgbuqAfg1SUTb", "a secret seed of XRP"),
            ("sEdSKaCy2JT7JaM7v95H9SxkhP9wS2r", "a secret seed of XRP"),
            ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "a private key of Bitcoin"),
            ("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617", "a private key of Bitcoin"),
        ] {
            assert_eq!(secret(text), Some(what), "{text}");
            assert_eq!(secret(&format!(" {text}")), Some(what));
            for family in [Family::Evm, Family::Stellar, Family::Xrp, Family::Bitcoin] {
                let error = Address::check(family, text).unwrap_err();
                assert_eq!(error, AddressError::Secret { what });
                assert!(!error.to_string().contains(&text[..8]));
            }
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
            assert_eq!(secret(text), None, "{text}");
        }
    }
}
