//! Figures of few and of many, side by side.

use std::io::{Write, stdout};

/// A line of what a benchmark tells.
pub(crate) fn line(words: &str) {
    let mut out = stdout();
    writeln!(out, "{words}").unwrap();
}

/// The line above the figures: what they count, and how many few and many are.
pub(crate) fn heads(what: &str, [few, many]: [u64; 2]) {
    line(&format!("{what:<44} {few:>12} {many:>12} {:>8}", "times"));
}

/// A figure of both, and how many times the many cost.
pub(crate) fn tell(what: &str, [few, many]: [u64; 2]) {
    let hundredths = many * 100 / few.max(1);
    line(&format!("{what:<44} {few:>12} {many:>12} {:>5}.{:02}", hundredths / 100, hundredths % 100));
}
