//! The raw JSON of a transaction: read from the service on demand, since a cache of a million raw texts would be many
//! times the size of one of parsed rows.

mod read;

use crate::app::request_id::RequestId;
use crate::domain::text::is_forbidden_in_text;
use crate::domain::{Failure, Timestamp};
pub(in crate::app) use read::{apply_raw_json, toggle_raw_json};

/// The name of the first line of the JSON.
pub(super) const RAW_JSON_TITLE: &str = "As JSON";

#[derive(Debug, Clone, Default)]
pub struct RawJson {
    pub seq: Option<i64>,
    /// The newest request; older answers are ignored.
    pub request_id: RequestId,
    pub state: RawJsonState,
}

#[derive(Debug, Clone, Default)]
pub enum RawJsonState {
    #[default]
    Loading,
    Loaded(Vec<String>, Timestamp),
    /// The service does not list the transaction where it was listed before.
    Missing,
    Failed(Failure),
}

/// JSON laid out with one member on each line; no value is changed.
fn format_json_lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    let push = |lines: &mut Vec<String>, character: char| {
        let character = if is_forbidden_in_text(character) { '\u{fffd}' } else { character };
        if let Some(line) = lines.last_mut() {
            line.push(character);
        }
    };
    for character in text.chars() {
        if inside {
            push(&mut lines, character);
            inside = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '"' => {
                inside = true;
                push(&mut lines, character);
            }
            '{' | '[' => {
                push(&mut lines, character);
                depth += 1;
                lines.push("  ".repeat(depth));
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                // An empty object or list stays on one line.
                if lines.last().is_some_and(|line| line.trim().is_empty()) && lines.len() > 1 {
                    lines.pop();
                    if lines.last().is_none_or(|line| !line.ends_with(['{', '['])) {
                        lines.push("  ".repeat(depth));
                    }
                } else {
                    lines.push("  ".repeat(depth));
                }
                push(&mut lines, character);
            }
            ',' => {
                push(&mut lines, character);
                lines.push("  ".repeat(depth));
            }
            ':' => {
                push(&mut lines, ':');
                push(&mut lines, ' ');
            }
            blank if blank.is_whitespace() => {}
            other => push(&mut lines, other),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::format_json_lines;

    #[test]
    fn a_text_is_laid_out_and_not_changed() {
        let text = r#"{"id": "a{,:\"b", "amount":{"raw":"1","x":[ ]},"n":1.10e+2,"list":[1,{"y":null}],"e":{}}"#;
        assert_eq!(
            format_json_lines(text),
            [
                "{",
                r#"  "id": "a{,:\"b","#,
                r#"  "amount": {"#,
                r#"    "raw": "1","#,
                r#"    "x": []"#,
                "  },",
                r#"  "n": 1.10e+2,"#,
                r#"  "list": ["#,
                "    1,",
                "    {",
                r#"      "y": null"#,
                "    }",
                "  ],",
                r#"  "e": {}"#,
                "}",
            ]
        );
        assert_eq!(format_json_lines("\"\u{202e}\u{1b}[31m\""), ["\"\u{fffd}\u{fffd}[31m\""]);
    }
}
