//! A receipt as a page to print: light, without scripts, and without anything that a browser would fetch.

use std::io::{self, Write};

use crate::domain::receipt::{Receipt, ReceiptField, ReceiptRecipient, ReceiptStanding};

const STYLE: &str = "\
:root{color-scheme:light}
body{background:#fff;color:#111;font:11pt/1.45 system-ui,sans-serif;margin:2em auto;max-width:46em;padding:0 1em}
h1{font-size:1.6em;margin:0 0 .3em}
h2{border-bottom:1px solid #999;font-size:1em;margin:1.6em 0 .4em}
.outcome{border-left:.3em solid #1a7f37;margin:.6em 0;padding:.2em .8em}
.open{border-color:#b35900;font-weight:600}
table{border-collapse:collapse;width:100%}
th,td{overflow-wrap:anywhere;padding:.15em .8em .15em 0;text-align:left;vertical-align:top}
th{color:#444;font-weight:400;width:13em}
.list th{border-bottom:1px solid #ccc;width:auto}
.proof{color:#333;font-size:.95em}
@page{margin:18mm}
@media print{body{margin:0;max-width:none;padding:0}tr{break-inside:avoid}}";

pub(super) fn write_page(receipt: &Receipt, mut out: impl Write) -> io::Result<()> {
    let title = escape(receipt.title());
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    // Nothing is fetched and nothing runs, whatever a note or a name contains.
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width\">")?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
    let is_good = receipt.standing == ReceiptStanding::Settled && !receipt.is_imitation;
    let class = if is_good { "outcome" } else { "outcome open" };
    writeln!(out, "<p class=\"{class}\">{}</p>", escape(&receipt.outcome))?;
    for warning in &receipt.warnings {
        writeln!(out, "<p class=\"outcome open\">{}</p>", escape(warning))?;
    }
    for section in &receipt.sections {
        if section.fields.iter().all(|field| field.value.is_none()) {
            continue;
        }
        writeln!(out, "<h2>{}</h2>\n<table>", escape(section.title))?;
        section.fields.iter().try_for_each(|field| write_field(field, &mut out))?;
        writeln!(out, "</table>")?;
    }
    if !receipt.recipients.is_empty() {
        write_recipients(&receipt.recipients, &mut out)?;
    }
    writeln!(out, "<h2>What this shows</h2>")?;
    for sentence in &receipt.proof {
        writeln!(out, "<p class=\"proof\">{}</p>", escape(sentence))?;
    }
    writeln!(out, "</body>\n</html>")?;
    out.flush()
}

fn write_field(field: &ReceiptField, out: &mut impl Write) -> io::Result<()> {
    let Some(value) = &field.value else { return Ok(()) };
    writeln!(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(field.label), escape(value))
}

fn write_recipients(recipients: &[ReceiptRecipient], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<h2>Recipients</h2>\n<table class=\"list\">")?;
    let heads = ["", "Name", "Address", "Amount", "Reference", "Status", "Hash"];
    write!(out, "<tr>")?;
    for head in heads {
        write!(out, "<th scope=\"col\">{head}</th>")?;
    }
    writeln!(out, "</tr>")?;
    for to in recipients {
        let cells = [
            to.number.to_string(),
            to.name.as_ref().or(to.label.as_ref()).map_or_else(String::new, ToString::to_string),
            to.address.to_string(),
            to.amount.to_string(),
            to.reference.as_ref().map_or_else(String::new, ToString::to_string),
            to.standing.word().to_owned(),
            to.hash.as_ref().map_or_else(String::new, ToString::to_string),
        ];
        write!(out, "<tr>")?;
        for cell in &cells {
            write!(out, "<td>{}</td>", escape(cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</table>")
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
