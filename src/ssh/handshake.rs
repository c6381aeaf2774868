//! Follows a client's progress before authentication, from the packets that it sends in the clear.
//!
//! ```text
//!   version line ──▶ packets of the key exchange ──▶ the user reads the fingerprint ──▶ NEWKEYS ──▶ encrypted
//!   Silent           Exchanging                                                        Exchanged
//! ```
//!
//! A program's steps are quick and a person's may take time, so their time-outs differ.

/// `SSH_MSG_NEWKEYS`, which ends a key exchange.
const NEW_KEYS_MESSAGE: u8 = 21;

/// `SSH_MSG_DISCONNECT`, and the reason `SSH_DISCONNECT_BY_APPLICATION`.
const DISCONNECT: u8 = 1;
const BY_APPLICATION: u32 = 11;

/// Bytes of a packet up to its message number: packet length, padding length, message number.
const PACKET_HEAD_BYTES: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum HandshakeProgress {
    /// No packet sent yet.
    #[default]
    Silent,
    /// Exchanging keys, or asking the user whether this is the right host.
    Exchanging,
    /// The keys are agreed. The authentication request is next.
    Exchanged,
}

/// Parses the packets that a client sends in the clear.
#[derive(Debug, Default)]
pub(super) struct Handshake(ParserState);

#[derive(Debug, Default)]
enum ParserState {
    /// Before the end of the version line.
    #[default]
    Version,
    /// The bytes of a packet's head so far.
    Head(Vec<u8>),
    /// Bytes left of a packet's body.
    Body(usize),
    /// The rest is encrypted.
    Encrypted,
}

impl Handshake {
    /// Parses further bytes; returns the client's progress if they begin a packet.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> Option<HandshakeProgress> {
        let mut progress = None;
        while !bytes.is_empty() {
            match &mut self.0 {
                ParserState::Version => {
                    let end = bytes.iter().position(|byte| *byte == b'\n')?;
                    bytes = &bytes[end + 1..];
                    self.0 = ParserState::Head(Vec::with_capacity(PACKET_HEAD_BYTES));
                }
                ParserState::Head(head) => {
                    let (more, rest) = bytes.split_at((PACKET_HEAD_BYTES - head.len()).min(bytes.len()));
                    head.extend_from_slice(more);
                    bytes = rest;
                    let [length @ .., _padding, message] = head.as_slice() else { continue };
                    let Ok(length) = <[u8; 4]>::try_from(length) else { continue };
                    let (length, is_last) = (u32::from_be_bytes(length), *message == NEW_KEYS_MESSAGE);
                    progress = Some(if is_last { HandshakeProgress::Exchanged } else { HandshakeProgress::Exchanging });
                    // Padding length and message number are two bytes of it.
                    let body = usize::try_from(length).unwrap_or(usize::MAX).saturating_sub(2);
                    self.0 = if is_last { ParserState::Encrypted } else { ParserState::Body(body) };
                }
                ParserState::Body(bytes_left) => {
                    let count = (*bytes_left).min(bytes.len());
                    bytes = &bytes[count..];
                    *bytes_left -= count;
                    if *bytes_left == 0 {
                        self.0 = ParserState::Head(Vec::with_capacity(PACKET_HEAD_BYTES));
                    }
                }
                ParserState::Encrypted => return progress,
            }
        }
        progress
    }
}

/// An `SSH_MSG_DISCONNECT` packet in the clear. Clients show its message where they would not show a line of text.
pub(super) fn disconnect_packet(message: &str) -> Vec<u8> {
    let text = |text: &str| [&u32::try_from(text.len()).unwrap_or_default().to_be_bytes(), text.as_bytes()].concat();
    let payload = [&[DISCONNECT][..], &BY_APPLICATION.to_be_bytes(), &text(message), &text("")].concat();
    // At least four bytes of padding, to a multiple of eight.
    let padding = 4 + (8 - (5 + payload.len() + 4) % 8) % 8;
    let length = u32::try_from(1 + payload.len() + padding).unwrap_or_default();
    let count = u8::try_from(padding).unwrap_or_default();
    [&length.to_be_bytes()[..], &[count], &payload, &vec![0; padding]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(message: u8, body: usize) -> Vec<u8> {
        let length = u32::try_from(2 + body).unwrap();
        [&length.to_be_bytes()[..], &[4, message], &vec![message; body]].concat()
    }

    #[test]
    fn it_is_told_how_far_a_client_has_come_however_its_bytes_are_cut() {
        let version = b"SSH-2.0-client\r\n".to_vec();
        let whole = [version.clone(), packet(20, 1_000), packet(30, 40), packet(21, 10), vec![7; 300]].concat();
        for size in [1, 2, 3, 5, 7, 100, 5_000] {
            let mut handshake = Handshake::default();
            let steps: Vec<_> = whole.chunks(size).filter_map(|bytes| handshake.read(bytes)).collect();
            assert!(steps.is_sorted() && steps.last() == Some(&HandshakeProgress::Exchanged), "{size}: {steps:?}");
            let mut handshake = Handshake::default();
            let until = whole.len() - 300 - packet(21, 10).len();
            let steps: Vec<_> = whole[..until].chunks(size).filter_map(|bytes| handshake.read(bytes)).collect();
            assert!(
                steps.iter().all(|progress| *progress == HandshakeProgress::Exchanging) && !steps.is_empty(),
                "{size}"
            );
        }
        let mut silent = Handshake::default();
        assert_eq!(silent.read(&version), None);
        assert_eq!(silent.read(&[0, 0, 0, 1]), None);
    }

    #[test]
    fn nothing_that_a_stranger_sends_upsets_it() {
        for length in [0, 1, 2, u32::MAX] {
            let mut handshake = Handshake::default();
            let bytes_of_stranger = [&b"x\n"[..], &length.to_be_bytes(), &[0, 20], &[0; 50]].concat();
            assert!(handshake.read(&bytes_of_stranger).is_some());
        }
    }

    #[test]
    fn a_farewell_is_a_packet_as_the_protocol_wants_it() {
        for message in ["", "a", "try again", "nothing was received for 15 seconds; log in again"] {
            let packet = disconnect_packet(message);
            let length = u32::from_be_bytes(packet[..4].try_into().unwrap());
            assert_eq!(usize::try_from(length).unwrap() + 4, packet.len());
            assert!(packet.len().is_multiple_of(8) && packet.len() >= 16 && (4..12).contains(&packet[4]), "{message}");
            let mut text = &packet[14..14 + message.len()];
            assert_eq!(std::mem::take(&mut text), message.as_bytes());
        }
    }
}
