//! The body of an answer, read up to a limit and no further.

use reqwest::Response;

use super::Limits;
use super::client::failure_from_http_error;
use crate::domain::{Failure, FailureReason};

/// Reads the decoded body, and stops as soon as it exceeds the limit: a small compressed body can unfold into a
/// thousand times its size, so that the announced length proves nothing.
pub(super) async fn read_limited(mut response: Response, limits: &Limits) -> Result<String, Failure> {
    let too_large = || Failure::from_read(FailureReason::TooLarge, &format!("more than {} bytes", limits.body));
    if response.content_length().is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limits.body))
    {
        return Err(too_large());
    }
    let mut body: Vec<u8> = Vec::new();
    while let Some(chunk) =
        response.chunk().await.map_err(|error| failure_from_http_error(&error, FailureReason::ConnectionLost))?
    {
        if body.len().saturating_add(chunk.len()) > limits.body {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    // An invalid UTF-8 byte spoils its field, not the page.
    let text = String::from_utf8(body).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Refuses a body whose objects and arrays are nested too deeply, before anything recurses into them.
pub(super) fn check_depth(body: &str, deepest: usize) -> Result<(), Failure> {
    let mut depth = 0_usize;
    let mut rest = body.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'"' => rest = skip_json_string(rest),
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                if depth > deepest {
                    let detail = format!("nested deeper than {deepest} levels");
                    return Err(Failure::from_read(FailureReason::NotUnderstood, &detail));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// The rest after the end of a text; empty if it has no end.
fn skip_json_string(mut text: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', text) {
        let is_end = text.get(at) == Some(&b'"');
        // An escaped character is skipped together with its backslash.
        text = text.get(at + if is_end { 1 } else { 2 }..).unwrap_or_default();
        if is_end {
            return text;
        }
    }
    &[]
}
