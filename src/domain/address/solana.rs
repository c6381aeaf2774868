//! Solana addresses: exactly 32 bytes in base58, without a checksum.

use ruint::aliases::U256;

use super::{AddressAssurance, AddressError, Family, base58};

/// The longest base58 text of 32 bytes.
const MAX_LENGTH: usize = 44;

/// 2²⁵⁵ − 19, the prime of the curve's field.
const FIELD_PRIME: U256 = U256::from_limbs([0xffff_ffff_ffff_ffed, u64::MAX, u64::MAX, 0x7fff_ffff_ffff_ffff]);
/// (PRIME − 1) / 2.
const HALF_OF_PRIME: U256 = U256::from_limbs([0xffff_ffff_ffff_fff6, u64::MAX, u64::MAX, 0x3fff_ffff_ffff_ffff]);
/// The curve's d: −121665 / 121666.
const CURVE_D: U256 =
    U256::from_limbs([0x75eb_4dca_1359_78a3, 0x0070_0a4d_4141_d8ab, 0x8cc7_4079_7779_e898, 0x5203_6cee_2b6f_fe73]);

pub(super) fn check(text: &str) -> Result<AddressAssurance, AddressError> {
    let family = Family::Solana;
    base58::check_digits(family, text)?;
    if text.len() > MAX_LENGTH {
        return Err(AddressError::Length { family, expected: "32 to 44 characters", actual: text.len() });
    }
    let bytes = bs58::decode(text).into_vec().map_or(0, |bytes| bytes.len());
    if bytes == 32 {
        Ok(AddressAssurance::FormOnly)
    } else {
        Err(AddressError::Length { family, expected: "32 bytes", actual: bytes })
    }
}

/// Whether an address is a point on the Ed25519 curve, so that a key can belong to it. Addresses derived by programs,
/// such as token accounts, are chosen off the curve. `false` for a text that is no address.
///
/// A point's y is on the curve −x² + y² = 1 + d·x²·y² if (y² − 1) / (d·y² + 1) is a square modulo 2²⁵⁵ − 19, which by
/// Euler's criterion it is if (y² − 1)·(d·y² + 1) to the power of half the group's order is not −1.
pub fn is_on_curve(address: &str) -> bool {
    let Ok(mut bytes) = <[u8; 32]>::try_from(bs58::decode(address).into_vec().unwrap_or_default()) else {
        return false;
    };
    // The highest bit is the sign of x.
    bytes[31] &= 0x7f;
    let y = U256::from_le_bytes(bytes);
    let one = U256::ONE;
    let square = y.mul_mod(y, FIELD_PRIME);
    let above = square.add_mod(FIELD_PRIME.saturating_sub(one), FIELD_PRIME);
    let below = square.mul_mod(CURVE_D, FIELD_PRIME).add_mod(one, FIELD_PRIME);
    let product = above.mul_mod(below, FIELD_PRIME);
    product.pow_mod(HALF_OF_PRIME, FIELD_PRIME) != FIELD_PRIME.saturating_sub(one)
}
