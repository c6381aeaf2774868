//! A receipt as plain text.

use std::io::{self, Write};

use crate::domain::receipt::{Receipt, ReceiptRecipient};
use crate::domain::text::wrap;

const COLUMNS: u16 = 78;
const LABEL_WIDTH: usize = 24;

pub(super) fn write_text(receipt: &Receipt, mut out: impl Write) -> io::Result<()> {
    let title = receipt.title();
    writeln!(out, "{title}\n{}", "=".repeat(title.len()))?;
    for sentence in [&receipt.outcome].into_iter().chain(&receipt.warnings) {
        writeln!(out, "\n{}", wrap(sentence, COLUMNS).join("\n"))?;
    }
    for section in &receipt.sections {
        let fields: Vec<_> =
            section.fields.iter().filter_map(|field| Some((field.label, field.value.as_ref()?))).collect();
        if fields.is_empty() {
            continue;
        }
        writeln!(out, "\n{}", section.title)?;
        for (label, value) in fields {
            // A hash and an address stay whole on one line, however long.
            writeln!(out, "  {label:LABEL_WIDTH$}{value}")?;
        }
    }
    if !receipt.recipients.is_empty() {
        writeln!(out, "\nRecipients")?;
        receipt.recipients.iter().try_for_each(|to| write_recipient(to, &mut out))?;
    }
    writeln!(out, "\nWhat this shows")?;
    for sentence in &receipt.proof {
        writeln!(out, "{}", wrap(sentence, COLUMNS).join("\n"))?;
    }
    out.flush()
}

fn write_recipient(to: &ReceiptRecipient, out: &mut impl Write) -> io::Result<()> {
    let name = to.name.as_ref().or(to.label.as_ref()).map_or_else(String::new, |name| format!("{name}  "));
    writeln!(out, "  {}. {name}{}  {}", to.number, to.amount, to.standing.word())?;
    writeln!(out, "     {}", to.address)?;
    let further = [
        ("Reference", to.reference.as_ref().map(ToString::to_string)),
        ("Transaction", to.transaction.clone()),
        ("Hash", to.hash.as_ref().map(ToString::to_string)),
    ];
    for (label, value) in further.into_iter().filter_map(|(label, value)| Some((label, value?))) {
        writeln!(out, "     {label} {value}")?;
    }
    Ok(())
}
