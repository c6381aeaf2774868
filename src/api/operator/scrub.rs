//! Takes a secret out of what a service said, also where JSON spells it with escapes.

/// The shortest text that is taken out. A shorter one keeps no secret, and would be found in the middle of words.
const SHORTEST: usize = 8;

/// The text, with `mark` wherever it says the secret, as it stands or with its characters escaped as JSON may do
/// (`\/`, `\u002B`).
pub(super) fn without(text: String, secret: &str, mark: &str) -> String {
    if secret.len() < SHORTEST || !secret.is_ascii() {
        return text;
    }
    let meant = meaning(&text);
    let spoken: String = meant.iter().map(|(_, character)| *character).collect();
    if !spoken.contains(secret) {
        return text;
    }
    // In `spoken` a character may be longer than a byte, so positions are counted in characters on both sides.
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    let mut counted = (0, 0);
    for (at, found) in spoken.match_indices(secret) {
        let first = counted.1 + spoken[counted.0..at].chars().count();
        let next = first + found.chars().count();
        counted = (at + found.len(), next);
        let from = meant.get(first).map_or(text.len(), |(offset, _)| *offset);
        kept.push_str(&text[done..from]);
        kept.push_str(mark);
        done = meant.get(next).map_or(text.len(), |(offset, _)| *offset);
    }
    kept.push_str(&text[done..]);
    kept
}

/// Each character that a JSON reader would see, with the offset at which its spelling begins.
fn meaning(text: &str) -> Vec<(usize, char)> {
    let mut meant = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let (spelled, seen) = escape(&text[at..]).unwrap_or((character.len_utf8(), character));
        meant.push((at, seen));
        at += spelled;
    }
    meant
}

/// The escape at the beginning of a text: how long it is, and the character that it means.
fn escape(text: &str) -> Option<(usize, char)> {
    let rest = text.strip_prefix('\\')?;
    match rest.bytes().next()? {
        b'/' => Some((2, '/')),
        b'"' => Some((2, '"')),
        b'\\' => Some((2, '\\')),
        b'u' => {
            let digits = rest.get(1..5).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((6, char::from_u32(code)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_taken_out_however_it_is_spelled() {
        for (text, left) in [
            ("nothing of the kind", "nothing of the kind"),
            ("sk/live+\"42", "(key)"),
            ("é sk/live+\"42 and sk/live+\"42é", "é (key) and (key)é"),
            (r#"{"a":"sk\/live\u002B\"42"}"#, r#"{"a":"(key)"}"#),
            (r#"{"a":"\u0073k\u002flive+\u002242\n"}"#, r#"{"a":"(key)\n"}"#),
            (r"sk/live+\\42", r"sk/live+\\42"),
            ("sk/live+\"4", "sk/live+\"4"),
            (r"\u00e9\ud800 sk/live+\u00", r"\u00e9\ud800 sk/live+\u00"),
            ("trailing \\", "trailing \\"),
        ] {
            assert_eq!(without(text.to_owned(), "sk/live+\"42", "(key)"), left, "{text}");
        }
        // Too short to be a secret, and part of every answer.
        assert_eq!(without("data".into(), "a", "(key)"), "data");
    }
}
