//! How a webhook is signed: HMAC-SHA256 in hex, under a secret that the service and the console share.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use hyper::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::domain::{HintRejection, Timestamp};

/// How long a signature is taken. It also is how far two clocks may differ.
const TAKEN_FOR: Duration = Duration::from_mins(5);

/// What is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// The seconds since 1970, a point, and the body.
    #[default]
    TimestampBody,
    /// The body alone. An event that was overheard can be told again for ever; it makes the console read, no more.
    Body,
}

impl Scheme {
    /// Each, and the word that names it.
    pub const ALL: [(&'static str, Self); 2] = [("timestamp.body", Self::TimestampBody), ("body", Self::Body)];
}

/// How webhooks are signed.
#[derive(Debug, Clone)]
pub struct Signature {
    /// What is signed.
    pub scheme: Scheme,
    /// The header that holds the signature, in lower case.
    pub header: String,
    /// The header that holds the time, in seconds since 1970, in lower case.
    pub timestamp_header: String,
    /// The secret.
    pub secret: SecretString,
}

/// What a request claims before its body was read.
#[derive(Debug)]
pub(super) struct SignatureClaim {
    timestamp: String,
    signature: Vec<u8>,
}

impl Signature {
    /// What a request claims by its headers.
    pub(super) fn claim(&self, headers: &HeaderMap, now: Timestamp) -> Result<SignatureClaim, HintRejection> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let written = header(&self.header).ok_or(HintRejection::Unsigned)?;
        let written = written.strip_prefix("sha256=").unwrap_or(written);
        let signature = hex::decode(written).map_err(|_| HintRejection::WrongSignature)?;
        if self.scheme == Scheme::Body {
            return Ok(SignatureClaim { timestamp: String::new(), signature });
        }
        let timestamp = header(&self.timestamp_header).ok_or(HintRejection::Unsigned)?;
        let seconds: i64 = timestamp.parse().map_err(|_| HintRejection::Expired)?;
        let at = Timestamp::from_millis(seconds.saturating_mul(1_000));
        if at.age(now) > TAKEN_FOR || now.age(at) > TAKEN_FOR {
            return Err(HintRejection::Expired);
        }
        Ok(SignatureClaim { timestamp: timestamp.to_owned(), signature })
    }

    /// Whether the body is what was signed. It takes as long whatever differs.
    pub(super) fn verify(&self, claim: &SignatureClaim, body: &[u8]) -> Result<(), HintRejection> {
        let key = self.secret.expose_secret().as_bytes();
        let mut code = Hmac::<Sha256>::new_from_slice(key).map_err(|_| HintRejection::WrongSignature)?;
        if self.scheme == Scheme::TimestampBody {
            code.update(claim.timestamp.as_bytes());
            code.update(b".");
        }
        code.update(body);
        code.verify_slice(&claim.signature).map_err(|_| HintRejection::WrongSignature)
    }
}
