//! The base address of a service, and the faults that one may have.

use std::net::IpAddr;

use reqwest::Url;

use crate::domain::Text;
use crate::domain::text::{is_forbidden_in_text, quote_character};

/// Scheme, host, and perhaps a port and a path in front of the version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    #[error("the base address is empty; write it like https://api.example.com")]
    Empty,
    #[error("the base address lacks https:// in front; write it like https://api.example.com")]
    NoScheme,
    #[error("the base address starts with {0}://; the service is reached over https://")]
    Scheme(Text),
    /// A second scheme, as after pasting behind an existing one, or an empty part of the path.
    #[error("the base address contains // twice; write it like https://api.example.com")]
    Doubled,
    #[error("the base address cannot be read ({0}); write it like https://api.example.com")]
    Form(String),
    /// Plain http to another machine, which would expose the key on the network.
    #[error("http:// would send the API key in the clear to {host}; use https:// (http is for this machine only)")]
    Insecure { host: Text },
    #[error("the base address contains a user name or password before its host; remove everything before the @")]
    Credentials,
    #[error("the base address ends with a ? or # part; leave it out")]
    Query,
    /// The version, which each request adds by itself.
    #[error("the base address ends with /{0}; remove that part, each request adds its version")]
    Version(Text),
}

impl BaseUrl {
    /// Parses a base address: https, or http to a loopback address; no credentials, query, fragment or version.
    pub fn parse(text: &str) -> Result<Self, BaseUrlError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BaseUrlError::Empty);
        }
        // The URL parser would drop line ends and tabs, and take a backslash for a slash: another address than was
        // typed.
        if let Some(stranger) = text.chars().find(|c| *c == '\\' || c.is_whitespace() || is_forbidden_in_text(*c)) {
            return Err(BaseUrlError::Form(format!("{} does not belong in it", quote_character(stranger))));
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(BaseUrlError::NoScheme);
        };
        if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
            return Err(BaseUrlError::Scheme(Text::clean(scheme)));
        }
        if rest.trim_end_matches('/').contains("//") {
            return Err(BaseUrlError::Doubled);
        }
        let mut url = Url::parse(text).map_err(|error| BaseUrlError::Form(error.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Query);
        }
        if url.scheme() == "http" && !is_loopback(&url) {
            return Err(BaseUrlError::Insecure { host: Text::clean(url.host_str().unwrap_or_default()) });
        }
        // A final dot of a host and escapes of plain letters are other spellings of the same address, which must not
        // look like another service.
        if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')).map(str::to_owned) {
            url.set_host(Some(&host)).map_err(|error| BaseUrlError::Form(error.to_string()))?;
        }
        let path = remove_needless_escapes(url.path().trim_end_matches('/'));
        if let Some((_, last)) = path.rsplit_once('/')
            && (last.eq_ignore_ascii_case("v1") || last.eq_ignore_ascii_case("v2"))
        {
            return Err(BaseUrlError::Version(Text::clean(last)));
        }
        url.set_path(&path);
        Ok(Self(url))
    }

    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Whether it is plain http, which is accepted for this machine only.
    pub fn is_unencrypted(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// The URL of an operation; `path` starts with the version.
    pub(super) fn operation_url(&self, path: &str, query: &[(&str, &str)]) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{}", self.0.path().trim_end_matches('/'), path.trim_start_matches('/')));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    /// The address as displayed and compared: without a final slash.
    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }
}

impl std::fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// A path without needless escapes: those of letters, digits, `-`, `.`, `_` and `~`.
fn remove_needless_escapes(path: &str) -> String {
    let mut parts = path.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let meant = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).map(char::from);
        match (digits, meant.filter(|meant| meant.is_ascii_alphanumeric() || "-._~".contains(*meant))) {
            (Some(_), Some(meant)) => plain.push(meant),
            (Some(digits), None) => plain.extend(["%", &digits.to_ascii_uppercase()]),
            (None, _) => plain.push('%'),
        }
        plain.push_str(digits.map_or(part, |_| part.get(2..).unwrap_or_default()));
    }
    plain
}

/// Whether a host is this machine: 127.0.0.0/8, `::1`, or the name `localhost`.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_addresses_are_read_and_lose_their_closing_slash() {
        for (text, expected) in [
            ("https://api.example.com", "https://api.example.com"),
            (" https://api.example.com/ ", "https://api.example.com"),
            ("https://api.example.com:8443/wallet/", "https://api.example.com:8443/wallet"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://127.9.9.9", "http://127.9.9.9"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("HTTP://LocalHost:1", "http://localhost:1"),
            ("https://API.Example.com:443/", "https://api.example.com"),
            ("https://api.example.com./", "https://api.example.com"),
            ("https://api.example.com/a/../%77allet%2fx/", "https://api.example.com/wallet%2Fx"),
            ("http://127.1:80", "http://127.0.0.1"),
        ] {
            assert_eq!(BaseUrl::parse(text).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn an_operation_is_appended_and_its_query_encoded() {
        let base = BaseUrl::parse("https://api.example.com/wallet/").unwrap();
        let url = base.operation_url("/v2/users", &[("userId", "a&b=c d/é")]);
        assert_eq!(url.as_str(), "https://api.example.com/wallet/v2/users?userId=a%26b%3Dc+d%2F%C3%A9");
        let root = BaseUrl::parse("https://api.example.com").unwrap();
        assert_eq!(root.operation_url("/v2/users", &[]).as_str(), "https://api.example.com/v2/users");
    }

    #[test]
    fn bad_addresses_say_what_would_be_right() {
        for (text, expected) in [
            ("", "is empty"),
            ("api.example.com", "lacks https://"),
            ("localhost:8080", "lacks https://"),
            ("ftp://api.example.com", "starts with ftp://"),
            ("https://", "cannot be read"),
            ("https://exa mple.com", "cannot be read"),
            ("https://api.exa\tmple.com", "U+0009"),
            ("https://api.example.com\\@evil.example.com", "\\"),
            ("https://api.example.com/\u{202e}", "U+202E"),
            ("https://https://api.example.com", "// twice"),
            ("https://http://127.0.0.1:8080", "// twice"),
            ("https://api.example.com//wallet", "// twice"),
            ("http://api.example.com", "in the clear to api.example.com"),
            ("http://10.0.0.1", "in the clear"),
            ("http://localhost.example.com", "in the clear"),
            ("http://127.0.0.1.example.com", "in the clear"),
            ("https://me:secret@api.example.com", "before the @"),
            ("https://api.example.com?key=1", "? or #"),
            ("https://api.example.com#x", "? or #"),
            ("https://api.example.com/v1", "ends with /v1"),
            ("https://api.example.com/V2/", "ends with /V2"),
        ] {
            let fault = BaseUrl::parse(text).unwrap_err().to_string();
            assert!(fault.contains(expected), "{text}: {fault}");
            assert!(!fault.contains("secret"), "{fault}");
        }
    }
}
