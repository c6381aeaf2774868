//! The part of Markdown in which the manual is written: headings, paragraphs, lists, tables of two columns, code.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emphasis {
    Plain,
    Code,
    Strong,
    Link,
}

/// Letters with their emphasis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub emphasis: Emphasis,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// With its level, from 1.
    Heading(usize, Vec<Span>),
    Paragraph(Vec<Span>),
    Item(Vec<Span>),
    /// The rows of a table without its head.
    Table(Vec<(Vec<Span>, Vec<Span>)>),
    Code(Vec<String>),
}

/// The blocks of a text. Comments are left out.
pub fn parse(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut prose: Vec<&str> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let starts_block = line.is_empty() || line.starts_with(['#', '|', '<']) || line.starts_with("```");
        if starts_block || line.starts_with("- ") {
            flush_prose(&mut prose, &mut blocks);
        }
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```")).map(str::to_owned);
            blocks.push(Block::Code(code.collect()));
        } else if let Some(heading) = line.strip_prefix('#') {
            let title = heading.trim_start_matches('#');
            blocks.push(Block::Heading(1 + heading.len() - title.len(), parse_spans(title.trim())));
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            blocks.push(Block::Table(rows.into_iter().skip(2).filter_map(parse_row).collect()));
        } else if !starts_block {
            prose.push(line);
        }
    }
    flush_prose(&mut prose, &mut blocks);
    blocks
}

fn flush_prose(prose: &mut Vec<&str>, blocks: &mut Vec<Block>) {
    let Some(first) = prose.first() else { return };
    let is_item = first.starts_with("- ");
    let text = prose.iter().map(|line| line.trim_start_matches("- ").trim()).collect::<Vec<_>>().join(" ");
    let spans = parse_spans(&text);
    blocks.push(if is_item { Block::Item(spans) } else { Block::Paragraph(spans) });
    prose.clear();
}

fn parse_row(line: &str) -> Option<(Vec<Span>, Vec<Span>)> {
    let cells = line.trim_matches('|').replace("\\|", "\u{0}");
    let (term, description) = cells.split_once('|')?;
    let spans = |cell: &str| parse_spans(&cell.trim().replace('\u{0}', "|"));
    Some((spans(term), spans(description)))
}

/// Letters with emphasis: `code`, **strong**, `[link](address)`; the address of a link is left out.
pub fn parse_spans(text: &str) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (emphasis, inside, after) = next_emphasis(rest).unwrap_or((Emphasis::Plain, "", rest));
        if emphasis == Emphasis::Plain {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let end = rest[first..].find(['`', '*', '[']).map_or(rest.len(), |at| first + at);
            match spans.last_mut() {
                Some(last) if last.emphasis == Emphasis::Plain => last.text.push_str(&rest[..end]),
                _ => spans.push(Span { emphasis, text: rest[..end].to_owned() }),
            }
            rest = &rest[end..];
        } else {
            spans.push(Span { emphasis, text: inside.to_owned() });
            rest = after;
        }
    }
    spans
}

/// The emphasis with which a text begins, what it encloses, and what follows.
fn next_emphasis(text: &str) -> Option<(Emphasis, &str, &str)> {
    if let Some(rest) = text.strip_prefix("`` ") {
        let (inside, after) = rest.split_once(" ``")?;
        return Some((Emphasis::Code, inside, after));
    }
    if let Some(rest) = text.strip_prefix('`') {
        let (inside, after) = rest.split_once('`')?;
        return Some((Emphasis::Code, inside, after));
    }
    if let Some(rest) = text.strip_prefix("**") {
        let (inside, after) = rest.split_once("**")?;
        return Some((Emphasis::Strong, inside, after));
    }
    if let Some(rest) = text.strip_prefix('*') {
        let (inside, after) = rest.split_once('*')?;
        return Some((Emphasis::Strong, inside, after));
    }
    let (inside, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = rest.split_once(')')?;
    Some((Emphasis::Link, inside, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Span {
        Span { emphasis: Emphasis::Plain, text: text.into() }
    }

    #[test]
    fn blocks_are_told_apart() {
        let text = "# Pay\n\nTwo lines\nof `w`.\n- an item\n  that goes on\n- another\n\n| Key | Does |\n|---|---|\n\
                    | `a` | *b* \\| c |\n<!-- a comment -->\n```sh\nbursar\n\n# end\n```\n## More\n";
        let code = |text: &str| Span { emphasis: Emphasis::Code, text: text.into() };
        let strong = Span { emphasis: Emphasis::Strong, text: "b".into() };
        assert_eq!(
            parse(text),
            [
                Block::Heading(1, vec![plain("Pay")]),
                Block::Paragraph(vec![plain("Two lines of "), code("w"), plain(".")]),
                Block::Item(vec![plain("an item that goes on")]),
                Block::Item(vec![plain("another")]),
                Block::Table(vec![(vec![code("a")], vec![strong, plain(" | c")])]),
                Block::Code(vec!["bursar".into(), String::new(), "# end".into()]),
                Block::Heading(2, vec![plain("More")]),
            ]
        );
    }

    #[test]
    fn a_mark_that_nothing_closes_is_a_letter() {
        assert_eq!(parse_spans("2 * 3 [sic"), [plain("2 * 3 [sic")]);
        let link = Span { emphasis: Emphasis::Link, text: "Pay".into() };
        assert_eq!(parse_spans("see [Pay](pay.md)."), [plain("see "), link, plain(".")]);
    }
}
