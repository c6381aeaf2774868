//! Hints that something happened at the service, so that a read is worthwhile. Their content is never relied on.

use std::collections::BTreeMap;
use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Text;

/// The signature of a webhook: HMAC-SHA256 in hex over the timestamp, in seconds since 1970, a point, and the body.
pub fn sign_webhook(secret: &[u8], timestamp: &str, body: &[u8]) -> String {
    // HMAC accepts a secret of any length.
    let Ok(mut code) = Hmac::<Sha256>::new_from_slice(secret) else { return String::new() };
    code.update(timestamp.as_bytes());
    code.update(b".");
    code.update(body);
    hex::encode(code.finalize().into_bytes())
}

/// The hints received since the last report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookHints {
    pub received: u32,
    /// A few distinct signed topics, sanitised.
    pub topics: Vec<Text>,
    pub rejected: BTreeMap<WebhookRejection, u32>,
}

impl WebhookHints {
    const MAX_TOPICS: usize = 4;

    pub fn record(&mut self, topic: Option<Text>) {
        self.received = self.received.saturating_add(1);
        if let Some(topic) = topic.filter(|topic| !self.topics.contains(topic))
            && self.topics.len() < Self::MAX_TOPICS
        {
            self.topics.push(topic);
        }
    }

    pub fn record_rejection(&mut self, rejection: WebhookRejection) {
        let count = self.rejected.entry(rejection).or_default();
        *count = count.saturating_add(1);
    }

    pub fn is_empty(&self) -> bool {
        self.received == 0 && self.rejected.is_empty()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebhookRejection {
    WrongPath,
    Browser,
    /// Without a signature, or without its time.
    Unsigned,
    WrongSignature,
    /// Signed too long ago, or in the future.
    Expired,
    TooLong,
    TooMany,
    Incomplete,
}

impl fmt::Display for WebhookRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongPath => "for another path, or not a POST",
            Self::Browser => "sent by a browser",
            Self::Unsigned => "not signed",
            Self::WrongSignature => "wrong signature",
            Self::Expired => "signed too long ago, or by a clock that is off",
            Self::TooLong => "too long",
            Self::TooMany => "too many at once",
            Self::Incomplete => "incomplete",
        })
    }
}
