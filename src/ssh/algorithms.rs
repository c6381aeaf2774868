//! Which algorithms are spoken, and for how long one set of keys is used. No weak one is offered, and nothing is compressed.

use std::borrow::Cow;
use std::time::Duration;

use russh::keys::{Algorithm, EcdsaCurve};
use russh::server::Config;
use russh::{Limits, MethodSet, Preferred, SshId, cipher, compression, kex, mac};

use super::{HostKey, Timing};

/// Key exchanges: the first holds against quantum computers, too. The last two names are no exchanges: they offer word of
/// extensions, and the strict order that stops the Terrapin attack.
const EXCHANGES: &[kex::Name] = &[
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::EXTENSION_SUPPORT_AS_SERVER,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
];

/// The host's key is the first; visitors may show any of them.
const KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::SkEd25519,
    Algorithm::SkEcdsaSha2NistP256,
];

/// Both bring their own proof of integrity.
const CIPHERS: &[cipher::Name] = &[cipher::CHACHA20_POLY1305, cipher::AES_256_GCM];

/// Named because the protocol wants names; the ciphers above need none.
const INTEGRITY: &[mac::Name] = &[mac::HMAC_SHA512_ETM, mac::HMAC_SHA256_ETM];

/// How much a visitor may send before it is taken in. A paste of any size goes through; it waits its turn.
const WINDOW: u32 = 64 * 1024;

/// How often a silent client is asked whether it is there, before it is given up.
const ASKED: u32 = 3;

/// How the library is to speak.
pub(super) fn config(host_key: &HostKey, methods: MethodSet, timing: &Timing) -> Config {
    Config {
        server_id: SshId::Standard(Cow::Borrowed("SSH-2.0-bursar")),
        methods,
        auth_rejection_time: timing.refusal,
        // Every client asks first without anything; that is no attempt.
        auth_rejection_time_initial: Some(Duration::ZERO),
        keys: vec![host_key.key().clone()],
        certificates: Vec::new(),
        limits: Limits::new(1 << 28, 1 << 28, Duration::from_hours(1)),
        window_size: WINDOW,
        maximum_packet_size: 16 * 1024,
        // What comes in goes through a pipe of ours, and what goes out is one parcel and what ends a visit.
        channel_buffer_size: 1,
        event_buffer_size: 4,
        preferred: Preferred {
            kex: Cow::Borrowed(EXCHANGES),
            key: Cow::Borrowed(KEYS),
            host_key_certificates: Cow::Borrowed(&[]),
            cipher: Cow::Borrowed(CIPHERS),
            mac: Cow::Borrowed(INTEGRITY),
            compression: Cow::Borrowed(&[compression::NONE]),
        },
        max_auth_attempts: super::access::MOST_ATTEMPTS,
        // How long somebody may be idle is the visit's affair, not the line's.
        inactivity_timeout: None,
        // The last time that it is due it ends the connection instead.
        keepalive_interval: Some(timing.silence / (ASKED + 1)),
        keepalive_max: ASKED as usize,
        nodelay: true,
    }
}
