//! Packs values into bytes: small, self-delimiting, and checked at every step when read.

use data_encoding::HEXLOWER;
use ruint::aliases::U256;
use uuid::Uuid;

use crate::domain::{Amount, ReportedAmount, Text};

#[derive(Default)]
pub(super) struct Packer(pub(super) Vec<u8>);

const RAW_TEXT_TAG: u64 = 0;
const UUID_TEXT_TAG: u64 = 1;
const HEX_TEXT_TAG: u64 = 2;

impl Packer {
    pub(super) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(u8::try_from(value & 0x7f).unwrap_or(0) | 0x80);
            value >>= 7;
        }
        self.0.push(u8::try_from(value).unwrap_or(0));
    }

    pub(super) fn signed(&mut self, value: i64) {
        self.number(value.cast_unsigned() << 1 ^ (value >> 63).cast_unsigned());
    }

    /// Identifiers and hashes are mostly UUIDs or `0x` with hexadecimal digits: those take half their length.
    pub(super) fn text(&mut self, text: &str) {
        if let Some(bytes) = parse_uuid_bytes(text) {
            self.number(16 << 2 | UUID_TEXT_TAG);
            self.0.extend_from_slice(&bytes);
        } else if let Some(digits) = digits_after_hex_prefix(text) {
            self.number((digits.len() as u64 / 2) << 2 | HEX_TEXT_TAG);
            self.0.extend(
                digits.as_bytes().chunks_exact(2).map(|pair| hex_digit_value(pair[0]) << 4 | hex_digit_value(pair[1])),
            );
        } else {
            self.number((text.len() as u64) << 2 | RAW_TEXT_TAG);
            self.0.extend_from_slice(text.as_bytes());
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn big_integer(&mut self, value: U256) {
        let bytes = value.to_be_bytes::<32>();
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        self.bytes(&bytes[zeros..]);
    }

    pub(super) fn reported_amount(&mut self, reported: &ReportedAmount) {
        let disputed = matches!(reported, ReportedAmount::Disputed { .. });
        self.number(u64::from(reported.even_if_disputed().decimals()) << 1 | u64::from(disputed));
        self.big_integer(reported.even_if_disputed().raw());
        if let ReportedAmount::Disputed { formatted, .. } = reported {
            self.text(formatted);
        }
    }
}

/// Reads values in the order in which they were written; `None` where the bytes hold something else.
pub(super) struct Unpacker<'a>(pub(super) &'a [u8]);

impl<'a> Unpacker<'a> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let value = self.number()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn take_bytes(&mut self, length: u64) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take_bytes(length)
    }

    pub(super) fn text(&mut self) -> Option<Text> {
        self.packed_text().map(PackedText::text)
    }

    /// A text without allocating it.
    pub(super) fn packed_text(&mut self) -> Option<PackedText<'a>> {
        let head = self.number()?;
        let bytes = self.take_bytes(head >> 2)?;
        match head & 3 {
            RAW_TEXT_TAG => std::str::from_utf8(bytes).ok().map(PackedText::Raw),
            UUID_TEXT_TAG => bytes.try_into().ok().map(PackedText::Uuid),
            HEX_TEXT_TAG if bytes.len() <= PackedText::MAX_HEX_BYTES => Some(PackedText::Hex(bytes)),
            _ => None,
        }
    }

    pub(super) fn big_integer(&mut self) -> Option<U256> {
        U256::try_from_be_slice(self.bytes()?)
    }

    pub(super) fn reported_amount(&mut self) -> Option<ReportedAmount> {
        let head = self.number()?;
        let raw = Amount::new(self.big_integer()?, u8::try_from(head >> 1).ok()?)?;
        if head & 1 == 0 {
            return Some(ReportedAmount::Exact(raw));
        }
        Some(ReportedAmount::Disputed { raw, formatted: self.text()? })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackedText<'a> {
    Raw(&'a str),
    Uuid(&'a [u8; 16]),
    Hex(&'a [u8]),
}

impl PackedText<'_> {
    /// The most bytes whose digits fit a text after `0x`.
    const MAX_HEX_BYTES: usize = Text::MAX_CHARS / 2 - 1;

    pub(super) fn text(self) -> Text {
        match self {
            Self::Raw(raw) => Text::clean(raw),
            Self::Uuid(bytes) => Text::clean(format_uuid(bytes, &mut Uuid::encode_buffer())),
            Self::Hex(bytes) => {
                let mut spelt = String::with_capacity(2 + 2 * bytes.len());
                self.append_to(&mut spelt);
                Text::clean(&spelt)
            }
        }
    }

    /// Appends the text, cleaned as every [`Text`].
    pub(super) fn append_to(self, to: &mut String) {
        match self {
            Self::Raw(raw) if Text::is_short_printable_ascii(raw) => to.push_str(raw),
            Self::Raw(raw) => to.push_str(Text::clean(raw).as_str()),
            Self::Uuid(bytes) => to.push_str(format_uuid(bytes, &mut Uuid::encode_buffer())),
            Self::Hex(bytes) => {
                to.push_str("0x");
                HEXLOWER.encode_append(bytes, to);
            }
        }
    }
}

fn format_uuid<'a>(bytes: &[u8; 16], buffer: &'a mut [u8]) -> &'a str {
    Uuid::from_bytes_ref(bytes).as_hyphenated().encode_lower(buffer)
}

/// The bytes of a UUID in its usual spelling: lower case, with hyphens.
fn parse_uuid_bytes(text: &str) -> Option<[u8; 16]> {
    let bytes = text.as_bytes();
    if bytes.len() != 36 {
        return None;
    }
    let mut packed = [0_u8; 16];
    let mut half = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        if matches!(index, 8 | 13 | 18 | 23) {
            if byte != b'-' {
                return None;
            }
            continue;
        }
        if !is_lower_hex_digit(byte) {
            return None;
        }
        packed[half / 2] = packed[half / 2] << 4 | hex_digit_value(byte);
        half += 1;
    }
    Some(packed)
}

/// The digits after `0x`, if they are whole bytes in lower case.
fn digits_after_hex_prefix(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x")?;
    (digits.len().is_multiple_of(2) && digits.bytes().all(is_lower_hex_digit)).then_some(digits)
}

fn is_lower_hex_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

pub(super) fn hex_digit_value(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        _ => byte.wrapping_sub(b'a' - 10) & 0xf,
    }
}
