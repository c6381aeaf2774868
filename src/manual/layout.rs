//! Blocks as lines of a width, for a screen.

use super::markdown::{Block, Emphasis, Span};
use crate::domain::text::{Text, wrap};

/// Prose is not set wider than this: longer lines are hard to follow.
const MAX_COLUMNS: u16 = 100;

/// Columns before a table's second column, and before code.
const MAX_TERM_COLUMNS: u16 = 30;
const INDENT: u16 = 2;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    pub is_heading: bool,
    pub indent: u16,
    pub spans: Vec<Span>,
}

impl Line {
    pub fn text(&self) -> String {
        let letters: String = self.spans.iter().map(|span| span.text.as_str()).collect();
        format!("{}{letters}", " ".repeat(usize::from(self.indent)))
    }
}

/// Lays blocks out in lines of at most this many columns; code keeps its lines.
pub fn lay_out(blocks: &[Block], columns: u16) -> Vec<Line> {
    let columns = columns.min(MAX_COLUMNS);
    let mut lines: Vec<Line> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let follows_item = index > 0 && matches!((&blocks[index - 1], block), (Block::Item(_), Block::Item(_)));
        if index > 0 && !follows_item {
            lines.push(Line::default());
        }
        match block {
            Block::Heading(level, spans) => {
                let text = spans.iter().map(|span| span.text.as_str()).collect::<String>();
                let text = if *level == 1 { text.to_uppercase() } else { text };
                lines.push(Line {
                    is_heading: true,
                    indent: 0,
                    spans: vec![Span { emphasis: Emphasis::Strong, text }],
                });
            }
            Block::Paragraph(spans) => lines.extend(wrap_spans(spans, columns, INDENT)),
            Block::Item(spans) => {
                let mut wrapped = wrap_spans(spans, columns, INDENT * 2);
                if let Some(first) = wrapped.first_mut() {
                    first.indent = INDENT;
                    first.spans.insert(0, Span { emphasis: Emphasis::Plain, text: "• ".into() });
                }
                lines.extend(wrapped);
            }
            Block::Code(code) => lines.extend(code.iter().map(|text| Line {
                indent: INDENT * 2,
                spans: vec![Span { emphasis: Emphasis::Code, text: text.clone() }],
                ..Line::default()
            })),
            Block::Table(rows) => lay_out_table(rows, columns, &mut lines),
        }
    }
    lines
}

/// The second column begins behind the widest term; a term that is wider than a third of the page has a line of its own.
fn lay_out_table(rows: &[(Vec<Span>, Vec<Span>)], columns: u16, lines: &mut Vec<Line>) {
    let limit = (columns / 3).min(MAX_TERM_COLUMNS);
    let widths = rows.iter().map(|(term, _)| width(term)).filter(|width| *width <= limit);
    let start = INDENT + widths.max().unwrap_or(limit).max(4) + 2;
    for (term, description) in rows {
        let mut wrapped = wrap_spans(description, columns, start);
        let gap = start.checked_sub(INDENT + width(term)).filter(|gap| *gap >= 2);
        if let (Some(gap), Some(first)) = (gap, wrapped.first_mut()) {
            let blanks = Span { emphasis: Emphasis::Plain, text: " ".repeat(usize::from(gap)) };
            first.indent = INDENT;
            first.spans.splice(0..0, term.iter().cloned().chain([blanks]));
        } else {
            lines.extend(wrap_spans(term, columns, INDENT));
        }
        lines.extend(wrapped);
    }
}

fn width(spans: &[Span]) -> u16 {
    let columns: usize = spans.iter().map(|span| Text::clean(&span.text).display_width()).sum();
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// Wraps letters at blanks. Each line keeps the emphasis of its letters.
fn wrap_spans(spans: &[Span], columns: u16, indent: u16) -> Vec<Line> {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let mut letters = spans.iter().flat_map(|span| span.text.chars().map(|letter| (span.emphasis, letter))).peekable();
    let mut lines = Vec::new();
    for wrapped in wrap(&text, columns.saturating_sub(indent)) {
        let mut line: Vec<Span> = Vec::new();
        // Where a line was broken, a blank is left out.
        while !wrapped.starts_with(' ') && letters.next_if(|(_, letter)| *letter == ' ').is_some() {}
        for (emphasis, letter) in letters.by_ref().take(wrapped.chars().count()) {
            match line.last_mut() {
                Some(last) if last.emphasis == emphasis => last.text.push(letter),
                _ => line.push(Span { emphasis, text: letter.into() }),
            }
        }
        lines.push(Line { indent, spans: line, ..Line::default() });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::markdown::parse;
    use super::*;

    fn lines(text: &str, columns: u16) -> Vec<String> {
        lay_out(&parse(text), columns).iter().map(Line::text).collect()
    }

    #[test]
    fn prose_is_wrapped_and_code_is_not() {
        let text = "# Pay\n\nOne two `three four` five.\n\n```\nbursar export transactions --offline\n```\n";
        let wrapped = lines(text, 16);
        assert_eq!(
            wrapped,
            ["PAY", "", "  One two three", "  four five.", "", "    bursar export transactions --offline"]
        );
        let code = lay_out(&parse(text), 16)[3].spans[0].clone();
        assert_eq!(code, Span { emphasis: Emphasis::Code, text: "four".into() });
    }

    #[test]
    fn a_table_has_its_terms_beside_its_words_or_above_them() {
        let text = "| a | b |\n|---|---|\n| `w` | pay from a wallet |\n| `a very long term` | swap |\n";
        assert_eq!(lines(text, 24), ["  w     pay from a", "        wallet", "  a very long term", "        swap"]);
    }
}
