//! Blocks as a part of a manual page.

use std::fmt::Write;

use super::markdown::{Block, Emphasis, Span};

/// The blocks in the macros of `man`. The title of a chapter is a section, other headings are its subsections.
pub fn render(blocks: &[Block]) -> String {
    let mut page = String::new();
    for block in blocks {
        match block {
            Block::Heading(1, spans) => writeln!(page, ".SH \"{}\"", plain(spans).to_uppercase()),
            Block::Heading(_, spans) => writeln!(page, ".SS \"{}\"", plain(spans)),
            Block::Paragraph(spans) => writeln!(page, ".PP\n{}", marked(spans)),
            Block::Item(spans) => writeln!(page, ".IP \\(bu 2\n{}", marked(spans)),
            Block::Code(code) => {
                let code: Vec<String> = code.iter().map(|line| escape(line)).collect();
                writeln!(page, ".PP\n.RS 4\n.nf\n{}\n.fi\n.RE", code.join("\n"))
            }
            Block::Table(rows) => rows
                .iter()
                .try_for_each(|(term, description)| writeln!(page, ".TP\n{}\n{}", marked(term), marked(description))),
        }
        .unwrap_or_default();
    }
    page
}

fn plain(spans: &[Span]) -> String {
    escape(&spans.iter().map(|span| span.text.as_str()).collect::<String>()).replace('"', "\\(dq")
}

fn marked(spans: &[Span]) -> String {
    let mut line = String::new();
    for span in spans {
        let text = escape(&span.text);
        let (before, after) = match span.emphasis {
            Emphasis::Plain => ("", ""),
            Emphasis::Code | Emphasis::Strong => ("\\fB", "\\fR"),
            Emphasis::Link => ("\\fI", "\\fR"),
        };
        line.extend([before, &text, after]);
    }
    line
}

/// A line that begins with a point or an apostrophe would be a request, a backslash an escape, and hyphens would be typeset.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::markdown::parse;
    use super::*;

    #[test]
    fn blocks_become_macros_and_nothing_becomes_one_by_accident() {
        let text = "# Pay\n\n'a' \\ `--b`\n\n```\n.c\n```\n- d\n\n| k | v |\n|---|---|\n| `w` | pay |\n";
        assert_eq!(
            render(&parse(text)),
            ".SH \"PAY\"\n.PP\n\\&'a' \\e \\fB\\-\\-b\\fR\n.PP\n.RS 4\n.nf\n\\&.c\n.fi\n.RE\n.IP \\(bu 2\nd\n.TP\n\
             \\fBw\\fR\npay\n"
        );
    }
}
