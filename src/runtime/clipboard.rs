//! The terminal's clipboard, written through the terminal itself (OSC 52): it works over SSH and needs no program of the
//! desktop. Nothing says whether the terminal took it, and none is ever asked what it holds.

/// What puts a text on the clipboard of a terminal that understands it; others ignore it.
pub fn write(text: &str) -> Vec<u8> {
    let mut bytes = b"\x1b]52;c;".to_vec();
    base64(text.as_bytes(), &mut bytes);
    bytes.extend_from_slice(b"\x1b\\");
    bytes
}

/// RFC 4648, with padding.
fn base64(data: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for three in data.chunks(3) {
        let byte = |nth: usize| u32::from(three.get(nth).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = usize::try_from(bits >> (18 - 6 * digit) & 0x3f).unwrap_or(0);
            out.push(if digit <= three.len() { DIGITS[value] } else { b'=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_written_as_the_standard_has_it() {
        for (text, digits) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(write(text), format!("\x1b]52;c;{digits}\x1b\\").into_bytes());
        }
        assert_eq!(write("≈ü"), "\x1b]52;c;4omIw7w=\x1b\\".as_bytes());
    }
}
