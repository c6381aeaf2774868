//! Families of addresses: the notations that chains share.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// `0x` and 40 hexadecimal digits, with a checksum in the case of the letters (EIP-55).
    Evm,
    /// 32 bytes in base58.
    Solana,
    /// 20 bytes behind the byte 0x41, in base58 with a checksum.
    Tron,
    /// A hash in base58 with a checksum, or a witness program in bech32 or bech32m.
    Bitcoin,
    /// 20 bytes in base58 of another alphabet with a checksum; or an X-address, which may carry a tag.
    Xrp,
    /// A key in base32 with a checksum, alone or with an identifier.
    Stellar,
    /// A workchain and 32 bytes, raw or with flags and a checksum.
    Ton,
    /// 20 or 32 bytes in bech32 behind this prefix, which names the chain.
    Cosmos(&'static str),
}

impl fmt::Display for Family {
    /// With its article, for use in sentences.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Evm => "an EVM",
            Self::Solana => "a Solana",
            Self::Tron => "a Tron",
            Self::Bitcoin => "a Bitcoin",
            Self::Xrp => "an XRP",
            Self::Stellar => "a Stellar",
            Self::Ton => "a TON",
            Self::Cosmos(prefix) => super::cosmos::name_with_article(prefix),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressAssurance {
    /// It carries a checksum, which is right.
    Checksum,
    /// Only its form is right: a wrong letter would go unnoticed.
    FormOnly,
}
