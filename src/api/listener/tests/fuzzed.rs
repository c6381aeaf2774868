//! Signatures of any form: an event is heard if its body was signed with the secret, and not otherwise.

use hmac::{Hmac, KeyInit, Mac};
use hyper::HeaderMap;
use hyper::header::HeaderValue;
use sha2::Sha256;

use super::{EXAMPLE_SIGNATURE, NOW, SignatureScheme, event_topic, signature};
use crate::domain::Text;
use crate::fuzzing::{choice, target, text};

const SCHEMES: [SignatureScheme; 2] = [SignatureScheme::TimestampBody, SignatureScheme::Body];

/// What the sender signs, as bytes.
fn hmac_of(scheme: SignatureScheme, timestamp: &str, body: &[u8]) -> Vec<u8> {
    let stamped = [timestamp.as_bytes(), b".", body].concat();
    let mut code = Hmac::<Sha256>::new_from_slice(b"secret").unwrap();
    code.update(if scheme == SignatureScheme::Body { body } else { &stamped });
    code.finalize().into_bytes().to_vec()
}

fn is_accepted(scheme: SignatureScheme, header: &[u8], timestamp: &[u8], body: &[u8]) -> bool {
    let mut headers = HeaderMap::new();
    for (name, value) in [("x-webhook-signature", header), ("x-webhook-timestamp", timestamp)] {
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.insert(name, value);
        }
    }
    let signature = signature(scheme);
    signature.read_claim(&headers, NOW).is_ok_and(|claim| signature.verify(&claim, body).is_ok())
}

#[test]
fn an_event_is_heard_if_and_only_if_its_very_bytes_were_signed() {
    let right = [b"\0".as_slice(), EXAMPLE_SIGNATURE.as_bytes(), b"\n1767614400\n{\"a\":1}"].concat();
    let prefixed =
        [b"\0sha256=".as_slice(), EXAMPLE_SIGNATURE.to_uppercase().as_bytes(), b"\n1767614400\n{\"a\":1}"].concat();
    let seeds: [&[u8]; 6] = [
        &right,
        &prefixed,
        b"\x01\n\n{\"topic\":\"wallets:deposit.success\"}",
        b"\0sha256=sha256=00\n+1767614400\n",
        b"\0\n-1\n{\"event\":[]}",
        b"\0ff\n99999999999999999999\n\n\n",
    ];
    target(&seeds, |input| {
        let (scheme, rest) = choice(input, 2);
        let scheme = SCHEMES[scheme];
        let mut parts = rest.splitn(3, |byte| *byte == b'\n');
        let [header, timestamp, body] = [(); 3].map(|()| parts.next().unwrap_or_default());
        let seconds = text(timestamp).parse::<i64>().unwrap_or(0);
        let is_now = scheme == SignatureScheme::Body || (NOW.millis() / 1_000 - seconds).abs() <= 300;
        let written = header.strip_prefix(b"sha256=").unwrap_or(header);
        let is_right = hex::decode(written).ok() == Some(hmac_of(scheme, text(timestamp), body));
        let is_plain = HeaderValue::from_bytes(timestamp).is_ok_and(|value| value.to_str().is_ok());
        if scheme == SignatureScheme::Body || is_plain {
            assert_eq!(is_accepted(scheme, header, timestamp, body), is_right && is_now, "{}", input.escape_ascii());
        }
        // Whatever the body is, it is heard when it is signed, and not when anything of it is another.
        let stamp = b"1767614400";
        let code = hex::encode(hmac_of(scheme, text(stamp), body));
        assert!(is_accepted(scheme, code.as_bytes(), stamp, body));
        assert!(!is_accepted(scheme, code.as_bytes(), stamp, &[body, b" "].concat()));
        assert!(!is_accepted(scheme, &code.as_bytes()[..62], stamp, body));
        if scheme == SignatureScheme::TimestampBody {
            assert!(!is_accepted(scheme, code.as_bytes(), b"1767614401", body));
        }
        if let Some(topic) = event_topic(&String::from_utf8_lossy(body)) {
            assert!(topic.chars().count() <= 60 && Text::clean(&topic) == topic, "{topic}");
        }
    });
}
