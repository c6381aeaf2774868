//! Algorithms and rekeying limits. No weak algorithm is offered, and nothing is compressed.

use std::borrow::Cow;
use std::time::Duration;

use russh::keys::{Algorithm, EcdsaCurve};
use russh::server::Config;
use russh::{Limits, MethodSet, Preferred, SshId, cipher, compression, kex, mac};

use super::{HostKey, TimeLimits};

/// Key exchanges, the first of them post-quantum. The last two names are no exchanges: they offer extensions, and the
/// strict key exchange that prevents the Terrapin attack.
const KEY_EXCHANGES: &[kex::Name] = &[
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::EXTENSION_SUPPORT_AS_SERVER,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
];

/// The host's key is of the first kind; visitors may use any.
const HOST_KEY_ALGORITHMS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::SkEd25519,
    Algorithm::SkEcdsaSha2NistP256,
];

/// Both are authenticated ciphers.
const CIPHERS: &[cipher::Name] = &[cipher::CHACHA20_POLY1305, cipher::AES_256_GCM];

/// The protocol requires a list; the ciphers above use none of them.
const MACS: &[mac::Name] = &[mac::HMAC_SHA512_ETM, mac::HMAC_SHA256_ETM];

/// Bytes that a visitor may send before the console reads them. A paste of any size passes, at the console's pace.
const CHANNEL_WINDOW_BYTES: u32 = 64 * 1024;

/// Keep-alives sent to a silent client before the connection is cut.
const MAX_UNANSWERED_KEEP_ALIVES: u32 = 3;

pub(super) fn server_config(host_key: &HostKey, methods: MethodSet, time_limits: &TimeLimits) -> Config {
    Config {
        server_id: SshId::Standard(Cow::Borrowed("SSH-2.0-bursar")),
        methods,
        auth_rejection_time: time_limits.refusal_delay,
        // Every client first tries without credentials, which is no attempt.
        auth_rejection_time_initial: Some(Duration::ZERO),
        keys: vec![host_key.key().clone()],
        certificates: Vec::new(),
        limits: Limits::new(1 << 28, 1 << 28, Duration::from_hours(1)),
        window_size: CHANNEL_WINDOW_BYTES,
        maximum_packet_size: 16 * 1024,
        // Input passes through a pipe of our own, and output is one packet and the end of a visit.
        channel_buffer_size: 1,
        event_buffer_size: 4,
        preferred: Preferred {
            kex: Cow::Borrowed(KEY_EXCHANGES),
            key: Cow::Borrowed(HOST_KEY_ALGORITHMS),
            host_key_certificates: Cow::Borrowed(&[]),
            cipher: Cow::Borrowed(CIPHERS),
            mac: Cow::Borrowed(MACS),
            compression: Cow::Borrowed(&[compression::NONE]),
        },
        max_auth_attempts: super::access::MAX_LOGIN_ATTEMPTS,
        // Idle time-outs belong to the visit.
        inactivity_timeout: None,
        // The last keep-alive due ends the connection instead.
        keepalive_interval: Some(time_limits.silence_time_out / (MAX_UNANSWERED_KEEP_ALIVES + 1)),
        keepalive_max: MAX_UNANSWERED_KEEP_ALIVES as usize,
        nodelay: true,
    }
}
