//! Signatures of webhooks: HMAC-SHA256 in hex, with a secret that the service and the console share.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use hyper::HeaderMap;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::domain::{Timestamp, WebhookRejection};

/// How long a signature is valid, and so how far the two clocks may differ.
const SIGNATURE_VALIDITY: Duration = Duration::from_mins(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SignatureScheme {
    /// The seconds since 1970, a point, and the body.
    #[default]
    TimestampBody,
    /// The body alone. An intercepted event can be replayed for ever; it only makes the console read.
    Body,
}

impl SignatureScheme {
    /// Each scheme with its name in a profile.
    pub const ALL: [(&'static str, Self); 2] = [("timestamp.body", Self::TimestampBody), ("body", Self::Body)];
}

#[derive(Debug, Clone)]
pub struct SignatureOptions {
    pub scheme: SignatureScheme,
    /// The header with the signature, in lower case.
    pub header: String,
    /// The header with the time in seconds since 1970, in lower case.
    pub timestamp_header: String,
    pub secret: SecretString,
}

#[derive(Debug)]
pub(super) struct SignatureClaim {
    timestamp: String,
    signature: Vec<u8>,
}

impl SignatureOptions {
    pub(super) fn read_claim(&self, headers: &HeaderMap, now: Timestamp) -> Result<SignatureClaim, WebhookRejection> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let written = header(&self.header).ok_or(WebhookRejection::Unsigned)?;
        let written = written.strip_prefix("sha256=").unwrap_or(written);
        let signature = hex::decode(written).map_err(|_| WebhookRejection::WrongSignature)?;
        if self.scheme == SignatureScheme::Body {
            return Ok(SignatureClaim { timestamp: String::new(), signature });
        }
        let timestamp = header(&self.timestamp_header).ok_or(WebhookRejection::Unsigned)?;
        let seconds: i64 = timestamp.parse().map_err(|_| WebhookRejection::Expired)?;
        let at = Timestamp::from_millis(seconds.saturating_mul(1_000));
        if at.age(now) > SIGNATURE_VALIDITY || now.age(at) > SIGNATURE_VALIDITY {
            return Err(WebhookRejection::Expired);
        }
        Ok(SignatureClaim { timestamp: timestamp.to_owned(), signature })
    }

    /// Checks the signature of the body, in constant time.
    pub(super) fn verify(&self, claim: &SignatureClaim, body: &[u8]) -> Result<(), WebhookRejection> {
        let key = self.secret.expose_secret().as_bytes();
        let mut code = Hmac::<Sha256>::new_from_slice(key).map_err(|_| WebhookRejection::WrongSignature)?;
        if self.scheme == SignatureScheme::TimestampBody {
            code.update(claim.timestamp.as_bytes());
            code.update(b".");
        }
        code.update(body);
        code.verify_slice(&claim.signature).map_err(|_| WebhookRejection::WrongSignature)
    }
}
