//! Reads private keys, also unencrypted P-256 keys whose private number begins with a zero byte, one of 256: OpenSSH
//! writes that number without the zero, and ssh-key takes 32 bytes for the least that a number of any curve has.

use ssh_key::encoding::pem::PemLabel;
use ssh_key::encoding::{self, Decode, DecodePem, Reader};
use ssh_key::private::{EcdsaKeypair, EcdsaPrivateKey, KeypairData};
use ssh_key::public::{EcdsaPublicKey, KeyData};
use ssh_key::{Cipher, Error};
use zeroize::Zeroizing;

use super::{KeyFault, PrivateKey};

/// Bytes of the key type's name, of OpenSSH's PROTOCOL.key.
const MAGIC: &[u8] = b"openssh-key-v1\0";

struct ShortP256Key(PrivateKey);

/// Reads a private key in OpenSSH's format.
///
/// # Errors
/// [`KeyFault::Unreadable`] for anything else.
pub fn read_private_key(text: &[u8]) -> Result<PrivateKey, KeyFault> {
    let key = PrivateKey::from_openssh(text).or_else(|_| ShortP256Key::decode_pem(text).map(|key| key.0));
    key.map_err(|_| KeyFault::Unreadable)
}

impl PemLabel for ShortP256Key {
    const PEM_LABEL: &'static str = PrivateKey::PEM_LABEL;
}

impl Decode for ShortP256Key {
    type Error = Error;

    fn decode(reader: &mut impl Reader) -> Result<Self, Error> {
        if *reader.read(&mut [0; MAGIC.len()])? != *MAGIC || Cipher::decode(reader)?.is_some() {
            return Err(Error::FormatEncoding);
        }
        reader.drain_prefixed()?; // The derivation of the cipher's key, and its options.
        reader.drain_prefixed()?;
        if u32::decode(reader)? != 1 {
            return Err(encoding::Error::Length.into());
        }
        let key_data = reader.read_prefixed(KeyData::decode)?;
        reader.read_prefixed(|reader| {
            // Two equal numbers, by which the right passphrase is known.
            u64::decode(reader)?;
            let (true, KeyData::Ecdsa(EcdsaPublicKey::NistP256(public))) =
                (KeyData::decode(reader)? == key_data, key_data)
            else {
                return Err(Error::PublicKey);
            };
            let private = reader.read_prefixed(|reader| {
                let mut number = Zeroizing::new([0; 32]);
                let zeros = number.len().checked_sub(reader.remaining_len()).ok_or(encoding::Error::Length)?;
                reader.read(&mut number[zeros..])?;
                Ok::<_, Error>(EcdsaPrivateKey::from(*number))
            })?;
            reader.drain(reader.remaining_len())?; // The comment and the padding.
            Ok(Self(PrivateKey::try_from(KeypairData::Ecdsa(EcdsaKeypair::NistP256 { public, private }))?))
        })
    }
}
