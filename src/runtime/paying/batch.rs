//! The recipients of a batch while it is filled in: read from their file, checked row by row, and judged, beside the loop.

use sha2::{Digest, Sha256};

use super::Desk;
use crate::app::forms::batch::{Checked, CheckedRow, Checking, More, Verdict, Word};
use crate::domain::draft::batch::{MOST_ROWS, Paid, Read, Row, read, read_lines, recipient};
use crate::domain::draft::{Batch, BatchFile, Recipient};
use crate::domain::{Amount, Draft, Sender, Text};
use crate::guard::{self, BatchCase, Judged, JudgedRow, Rule, Severity};
use crate::runtime::export::file;
use crate::runtime::host::NO_FILES;
use crate::runtime::{Host, directory};

/// What was read, before it is judged.
struct Found {
    batch: Batch,
    sender: Sender,
    rows: Vec<CheckedRow>,
    notes: Vec<String>,
}

impl Desk {
    /// Reads the recipients of a batch and judges each of them; nothing is recorded.
    ///
    /// # Errors
    /// Why they cannot be read, in words that say what would be right.
    pub(super) async fn check_batch(&self, checking: Checking) -> Result<Checked, String> {
        let broken = |fault: tokio::task::JoinError| format!("this broke off: {fault}");
        let host = self.world.host.clone();
        let read = tokio::task::spawn_blocking(move || rows(host.as_ref(), checking)).await.map_err(broken)??;
        let Found { batch, sender, rows, notes } = read;
        let total = batch.total(sender.amount.decimals());
        let file = batch.file.clone();
        let (Some(total), false) = (total, batch.to.is_empty()) else {
            return Ok(Checked { rows, file, notes, total, findings: Vec::new() });
        };
        let sender = Sender { amount: total, ..sender };
        let draft = Draft::Batch(batch.clone());
        let known = self.known_now(&draft, &sender).await.map_err(|why| why.to_string())?;
        let now = self.now();
        let judging = tokio::task::spawn_blocking(move || {
            let Judged { findings, rows: judged } =
                guard::judge_batch(&BatchCase { says: &batch, sender: &sender, known: &known, now });
            let rows = tell(rows, &judged);
            Checked { rows, file, notes, total: Some(total), findings }
        });
        judging.await.map_err(broken)
    }
}

/// Reads what is to be read, and checks each row by itself.
fn rows(host: Option<&Host>, checking: Checking) -> Result<Found, String> {
    let Checking { mut batch, sender, family, rows, more } = checking;
    let decimals = sender.amount.decimals();
    let (mut all, mut notes) = (rows, Vec::new());
    match more {
        Some(More::File(path)) => {
            let host = host.ok_or(NO_FILES)?;
            let path = file::folder(host, &path);
            let bytes = directory::bytes_of(host, &path)?;
            let Read { rows, notes: said } = read(&bytes)?;
            if !all.is_empty() {
                let count = if all.len() == 1 { "1 row".to_owned() } else { format!("{} rows", all.len()) };
                notes.push(format!("{count} that stood here gave way to the file"));
            }
            notes.extend(said);
            all = rows;
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let sha256 = Text::clean(&hex::encode(Sha256::digest(&bytes)));
            batch.file = Some(BatchFile { name: Text::clean(&name), sha256 });
        }
        Some(More::Lines(lines)) => {
            let Read { rows, notes: said } = read_lines(&lines)?;
            notes.extend(said);
            let most = MOST_ROWS.saturating_sub(all.len());
            if rows.len() > most {
                let (here, came) = (all.len(), rows.len());
                return Err(format!(
                    "a list has {MOST_ROWS} rows at most; {here} stand here, and {came} would be added: pay them by several batches"
                ));
            }
            all.extend(rows);
            // What is paid is not what that file says any more.
            batch.file = None;
        }
        None => {}
    }
    let paid = Paid { symbol: &batch.token, token: &sender.token, decimals, blockchain: &batch.blockchain, family };
    let check = |row: Row| match recipient(&row, &paid) {
        Ok(found) => {
            let verdict = Verdict { word: Word::Right, words: String::new() };
            CheckedRow { row, recipient: Some(found), verdict }
        }
        Err(words) => CheckedRow { row, recipient: None, verdict: Verdict { word: Word::Fails, words } },
    };
    let rows: Vec<CheckedRow> = all.into_iter().map(check).collect();
    let right = rows.iter().filter_map(|row| row.recipient.as_ref());
    batch.to = right.map(|(recipient, _): &(Recipient, Amount)| recipient.clone()).collect();
    Ok(Found { batch, sender, rows, notes })
}

/// What the guard said of the rows that are right, which are judged in their order.
fn tell(mut rows: Vec<CheckedRow>, judged: &[JudgedRow]) -> Vec<CheckedRow> {
    let right = rows.iter_mut().filter(|row| row.recipient.is_some());
    for (row, judged) in right.zip(judged) {
        let gravest = judged.findings.first();
        // A file is written in one case or it is not: said of every row it would drown what is said of one.
        let own = judged.findings.iter().find(|finding| finding.rule != Rule::Checksum);
        let word = match own.map(|finding| finding.severity) {
            Some(Severity::Stop) => Word::Fails,
            Some(Severity::Danger) => Word::Danger,
            Some(Severity::Caution) => Word::Caution,
            Some(Severity::Note) | None if judged.is_first => Word::New,
            Some(Severity::Note) | None => Word::Right,
        };
        let grave = judged.findings.iter().filter(|finding| finding.severity > Severity::Note);
        let mut words: Vec<&str> = grave.map(|finding| finding.words.as_str()).collect();
        if words.is_empty() {
            words.extend(gravest.map(|finding| finding.words.as_str()));
        }
        row.verdict = Verdict { word, words: words.join(" ") };
    }
    rows
}

#[cfg(test)]
mod tests;
