//! Writes transactions as double-entry books for hledger or beancount.
//!
//! Both read the same names of accounts and commodities. Entries are written as rows are read, oldest first; what is said
//! of an account stands before its first use, dated before everything, so that nothing needs to be known in advance.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::io::{self, Write};

use crate::domain::bookkeeping::{BooksEntry, BooksTransfer, UnbookedRows};
use crate::domain::{Amount, BooksFormat};

/// Before any transaction of any chain.
const OPENING_DATE: &str = "1970-01-01";

#[derive(Debug)]
pub struct BooksWriter<W: Write> {
    format: BooksFormat,
    out: W,
    declared: HashSet<String>,
}

impl<W: Write> BooksWriter<W> {
    /// `is_part` where these are not all transactions since the first one.
    pub fn new(format: BooksFormat, is_part: bool, mut out: W) -> io::Result<Self> {
        let program = match format {
            BooksFormat::Hledger => "hledger",
            BooksFormat::Beancount => "beancount",
        };
        writeln!(out, "; Transactions as the wallet service reported them, as books for {program}, in UTC.")?;
        writeln!(out, "; Movements between own wallets whose other row is missing stand in Assets:Bursar:Transit.")?;
        if is_part {
            writeln!(
                out,
                "; Only a part of the history: a balance is what these transactions changed, not what is held."
            )?;
        }
        if format == BooksFormat::Hledger {
            writeln!(out, "\ndecimal-mark .")?;
        }
        Ok(Self { format, out, declared: HashSet::new() })
    }

    pub fn write_entry(&mut self, entry: &BooksEntry) -> io::Result<()> {
        writeln!(self.out)?;
        for movement in &entry.movements {
            for (account, _) in movement.postings() {
                self.declare_account(account)?;
            }
            self.declare_commodity(&movement.commodity)?;
        }
        let flag = if entry.is_pending { '!' } else { '*' };
        let date = entry.at.format("%Y-%m-%d");
        match self.format {
            BooksFormat::Hledger => writeln!(self.out, "{date} {flag} {}", hledger_description(&entry.payee))?,
            BooksFormat::Beancount => writeln!(self.out, "{date} {flag} {} \"\"", beancount_string(&entry.payee))?,
        }
        for (name, value) in &entry.tags {
            match self.format {
                BooksFormat::Hledger => writeln!(self.out, "    ; {name}:{}", hledger_tag_value(value))?,
                BooksFormat::Beancount => writeln!(self.out, "  {name}: {}", beancount_string(value))?,
            }
        }
        for movement in &entry.movements {
            self.write_movement(movement)?;
        }
        Ok(())
    }

    /// Ends the books with what has no entry.
    pub fn finish(mut self, unbooked: &UnbookedRows) -> io::Result<()> {
        let UnbookedRows { imitations, failed, expected, unclear, empty } = *unbooked;
        let reasons = [
            (imitations, "of tokens that imitate others"),
            (failed, "failed"),
            (expected, "incoming and not settled yet"),
            (unclear, "without an exact amount or with an unknown status: the balances lack them"),
            (empty, "that moved nothing"),
        ];
        writeln!(self.out)?;
        for (count, reason) in reasons.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(self.out, "; Rows left out: {count}, {reason}")?;
        }
        self.out.flush()
    }

    fn declare_account(&mut self, account: &str) -> io::Result<()> {
        if !self.declared.insert(account.to_owned()) {
            return Ok(());
        }
        match self.format {
            BooksFormat::Hledger => writeln!(self.out, "account {account}"),
            BooksFormat::Beancount => writeln!(self.out, "{OPENING_DATE} open {account}"),
        }
    }

    /// Hledger needs no declaration, and one would set how many digits it shows.
    fn declare_commodity(&mut self, commodity: &str) -> io::Result<()> {
        if self.format == BooksFormat::Hledger || !self.declared.insert(commodity.to_owned()) {
            return Ok(());
        }
        writeln!(self.out, "{OPENING_DATE} commodity {commodity}")
    }

    fn write_movement(&mut self, movement: &BooksTransfer) -> io::Result<()> {
        let amount = self.amount_text(movement.amount, &movement.commodity);
        let cost = movement.cost.as_ref().map(|(amount, commodity)| self.amount_text(*amount, commodity));
        let cost = cost.map_or_else(String::new, |cost| format!(" @@ {cost}"));
        for (account, leaves) in movement.postings() {
            let sign = if leaves { "-" } else { "" };
            writeln!(self.out, "    {account}  {sign}{amount}{cost}")?;
        }
        Ok(())
    }

    fn amount_text(&self, amount: Amount, commodity: &str) -> String {
        let is_bare = commodity.bytes().all(|byte| byte.is_ascii_uppercase());
        match self.format {
            BooksFormat::Hledger if !is_bare => format!("{amount} \"{commodity}\""),
            BooksFormat::Hledger | BooksFormat::Beancount => format!("{amount} {commodity}"),
        }
    }
}

/// A description ends at a semicolon, has a payee before a bar, and may begin with a status or a code.
fn hledger_description(text: &str) -> String {
    let text = text.replace(';', ",").replace('|', "/");
    let text = text.trim_start_matches(|first: char| "()*!=\"".contains(first) || first.is_whitespace());
    if text.is_empty() { "Unknown".into() } else { text.to_owned() }
}

/// A value ends at a comma, and brackets in a comment may hold a date.
fn hledger_tag_value(text: &str) -> String {
    text.replace(',', ";").replace('[', "(").replace(']', ")")
}

fn beancount_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
