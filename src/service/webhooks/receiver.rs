use std::str::FromStr;

use reqwest::Url;

/// URL of a webhook receiver: https, or http on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookUrl(Url);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookUrlError {
    #[error("{0}; write an address as in https://treasury.example/events")]
    Invalid(String),
    /// Plain http to another machine.
    #[error("events name customers and amounts, so they may only go over https, or to this machine")]
    Unencrypted,
}

impl WebhookUrl {
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The origin, for the log: path and query may contain a token of the receiver.
    pub(super) fn redacted(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

impl FromStr for WebhookUrl {
    type Err = WebhookUrlError;

    fn from_str(text: &str) -> Result<Self, WebhookUrlError> {
        let url = Url::parse(text).map_err(|error| WebhookUrlError::Invalid(error.to_string()))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let is_here =
            host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        match url.scheme() {
            "https" if !host.is_empty() => Ok(Self(url)),
            "http" if is_here => Ok(Self(url)),
            "http" => Err(WebhookUrlError::Unencrypted),
            other => Err(WebhookUrlError::Invalid(format!("{other} is not https"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_reached_over_tls_or_on_this_machine() {
        for text in
            ["https://treasury.example/events", "http://127.0.0.1:9000/e", "http://[::1]:9/", "http://localhost/"]
        {
            assert!(text.parse::<WebhookUrl>().is_ok(), "{text}");
        }
        for text in ["http://treasury.example/events", "ftp://127.0.0.1/", "treasury.example", "", "file:///tmp/x"] {
            assert!(text.parse::<WebhookUrl>().is_err(), "{text}");
        }
    }
}
