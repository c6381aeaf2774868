//! Figures of few and of many, side by side, and of any numbers between them.

use std::io::{Write, stdout};

/// A line of what a benchmark tells.
pub(crate) fn line(text: &str) {
    let mut out = stdout();
    writeln!(out, "{text}").unwrap();
}

/// The line above the figures: what they count, and how many each of them is of, the fewest first.
pub(crate) fn heads<const N: usize>(label: &str, sizes: [u64; N]) {
    line(&format!("{label:<44}{} {:>8}", columns(sizes), "times"));
}

/// A figure of each, and how many times the many cost.
pub(crate) fn tell<const N: usize>(label: &str, figures: [u64; N]) {
    let [few, many] = [figures.first(), figures.last()].map(|figure| figure.copied().unwrap_or_default());
    let hundredths = many * 100 / few.max(1);
    line(&format!("{label:<44}{} {:>5}.{:02}", columns(figures), hundredths / 100, hundredths % 100));
}

fn columns<const N: usize>(figures: [u64; N]) -> String {
    figures.map(|figure| format!(" {figure:>12}")).concat()
}
