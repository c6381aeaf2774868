//! Alerts for an operator who is not watching the screen, as bytes for the terminal.

use crate::domain::text::is_forbidden_in_text;
use crate::domain::watch::AlertChannels;

/// Most characters of a notification.
const MAX_NOTIFICATION_CHARS: usize = 160;

/// Appends an alert: a bell, a notification by OSC 9, or both. Only between frames, never within one.
pub fn append_alert(alert: AlertChannels, message: &str, out: &mut Vec<u8>) {
    if alert.notification {
        out.extend_from_slice(b"\x1b]9;bursar: ");
        // Text of the service is cleaned much earlier; this removes any byte that could still end the sequence.
        let plain: String = message
            .chars()
            .filter(|c| !is_forbidden_in_text(*c) && !c.is_control())
            .take(MAX_NOTIFICATION_CHARS)
            .collect();
        out.extend_from_slice(plain.as_bytes());
        out.extend_from_slice(b"\x1b\\");
    }
    if alert.bell {
        out.push(b'\x07');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_a_bell_or_a_notification_without_control_bytes() {
        let mut out = Vec::new();
        append_alert(AlertChannels { bell: true, notification: false }, "low", &mut out);
        assert_eq!(out, b"\x07");
        out.clear();
        append_alert(AlertChannels { bell: true, notification: true }, "a\x1b]0;evil\x07b\u{9c}c\u{202e}d", &mut out);
        assert_eq!(out, b"\x1b]9;bursar: a]0;evilbcd\x1b\\\x07");
        out.clear();
        append_alert(AlertChannels { bell: false, notification: true }, &"x".repeat(1_000), &mut out);
        assert_eq!(out.len(), b"\x1b]9;bursar: \x1b\\".len() + MAX_NOTIFICATION_CHARS);
    }
}
