//! Checks the recipients of a batch while the form is filled in: read from their file, parsed row by row, and judged.

use super::OrderExecutor;
use crate::app::forms::batch::{BatchCheck, CheckedBatch, CheckedRow, RowSource, RowStatus, RowVerdict};
use crate::domain::draft::batch::{
    BatchToken, MAX_ROWS, RecipientFile, RecipientRow, parse_recipient, parse_recipient_file, parse_recipient_lines,
};
use crate::domain::draft::{Batch, BatchFile, Recipient};
use crate::domain::{Amount, Draft, Sender};
use crate::guard::{self, BatchFindings, GuardedBatch, RecipientFindings, Rule, Severity};
use crate::runtime::HostPermission;
use crate::runtime::host_permission::VISITOR_MAY_NOT_USE_FILES;
use crate::runtime::profile_file::ProfileFile;
use crate::runtime::table_file::TableFile;

struct ParsedBatch {
    batch: Batch,
    sender: Sender,
    rows: Vec<CheckedRow>,
    notes: Vec<String>,
}

impl OrderExecutor {
    /// Reads the recipients of a batch and judges each of them; nothing is recorded.
    ///
    /// # Errors
    /// Why the recipients cannot be read, and how to correct it.
    pub(super) async fn check_batch(&self, checking: BatchCheck) -> Result<CheckedBatch, String> {
        let broken = |fault: tokio::task::JoinError| format!("this was interrupted: {fault}");
        let (host, profile_file) = (self.resources.host.clone(), self.resources.profile_file.clone());
        let checked_rows = tokio::task::spawn_blocking(move || read_batch_rows(host.as_ref(), &profile_file, checking))
            .await
            .map_err(broken)??;
        let ParsedBatch { batch, sender, rows, notes } = checked_rows;
        let total = batch.total(sender.amount.decimals());
        let file = batch.file.clone();
        let (Some(total), false) = (total, batch.to.is_empty()) else {
            return Ok(CheckedBatch { rows, file, notes, total, findings: Vec::new() });
        };
        let sender = Sender { amount: total, ..sender };
        let draft = Draft::Batch(batch.clone());
        let facts = self.facts_from_store(&draft, &sender).await.map_err(|reason| reason.to_string())?;
        let now = self.now();
        let judging = tokio::task::spawn_blocking(move || {
            let BatchFindings { findings, rows: judged } =
                guard::judge_batch(&GuardedBatch { request: &batch, sender: &sender, facts: &facts, now });
            let rows = add_findings(rows, &judged);
            CheckedBatch { rows, file, notes, total: Some(total), findings }
        });
        judging.await.map_err(broken)
    }
}

/// Reads the rows from their source and checks each by itself.
fn read_batch_rows(
    host: Option<&HostPermission>,
    profile_file: &ProfileFile,
    checking: BatchCheck,
) -> Result<ParsedBatch, String> {
    let BatchCheck { mut batch, sender, family, rows, unread_source: more } = checking;
    let decimals = sender.amount.decimals();
    let (mut all, mut notes) = (rows, Vec::new());
    match more {
        Some(RowSource::File(line)) => {
            let host = host.ok_or(VISITOR_MAY_NOT_USE_FILES)?;
            let file = TableFile::open_typed_line(host, profile_file, &line)?;
            let RecipientFile { rows, notes: file_notes, mapping } = parse_recipient_file(&file.bytes, &file.mappings)?;
            if !all.is_empty() {
                let count = if all.len() == 1 { "1 row".to_owned() } else { format!("{} rows", all.len()) };
                notes.push(format!("{count} replaced by the file"));
            }
            notes.extend(file_notes);
            notes.extend(file.save_column_mapping(profile_file, mapping.as_ref()));
            all = rows;
            batch.file = Some(BatchFile { name: file.name(), sha256: file.sha256() });
        }
        Some(RowSource::Lines(lines)) => {
            let RecipientFile { rows, notes: line_notes, mapping: _ } = parse_recipient_lines(&lines)?;
            notes.extend(line_notes);
            let most = MAX_ROWS.saturating_sub(all.len());
            if rows.len() > most {
                let (row_count, pasted_count) = (all.len(), rows.len());
                return Err(format!(
                    "a list has {MAX_ROWS} rows at most; this form has {row_count}, and {pasted_count} would be added: split them into several batches"
                ));
            }
            all.extend(rows);
            // The rows no longer match the file.
            batch.file = None;
        }
        None => {}
    }
    let batch_token =
        BatchToken { symbol: &batch.token, token: &sender.token, decimals, blockchain: &batch.blockchain, family };
    let check = |row: RecipientRow| match parse_recipient(&row, &batch_token) {
        Ok(recipient) => {
            let verdict = RowVerdict { status: RowStatus::Valid, message: String::new() };
            CheckedRow { row, recipient: Some(recipient), verdict }
        }
        Err(message) => {
            CheckedRow { row, recipient: None, verdict: RowVerdict { status: RowStatus::Invalid, message } }
        }
    };
    let rows: Vec<CheckedRow> = all.into_iter().map(check).collect();
    let right = rows.iter().filter_map(|row| row.recipient.as_ref());
    batch.to = right.map(|(recipient, _): &(Recipient, Amount)| recipient.clone()).collect();
    Ok(ParsedBatch { batch, sender, rows, notes })
}

/// Adds the guard's findings to the valid rows; `judged` is in their order.
fn add_findings(mut rows: Vec<CheckedRow>, judged: &[RecipientFindings]) -> Vec<CheckedRow> {
    let right = rows.iter_mut().filter(|row| row.recipient.is_some());
    for (row, judged) in right.zip(judged) {
        let gravest = judged.findings.first();
        // A checksum finding concerns the whole file: repeated on every row it would hide findings on single rows.
        let own = judged.findings.iter().find(|finding| finding.rule != Rule::Checksum);
        let word = match own.map(|finding| finding.severity) {
            Some(Severity::Stop) => RowStatus::Invalid,
            Some(Severity::Danger) => RowStatus::Danger,
            Some(Severity::Caution) => RowStatus::Caution,
            Some(Severity::Note) | None if judged.is_first => RowStatus::New,
            Some(Severity::Note) | None => RowStatus::Valid,
        };
        let grave = judged.findings.iter().filter(|finding| finding.severity > Severity::Note);
        let mut messages: Vec<&str> = grave.map(|finding| finding.message.as_str()).collect();
        if messages.is_empty() {
            messages.extend(gravest.map(|finding| finding.message.as_str()));
        }
        row.verdict = RowVerdict { status: word, message: messages.join(" ") };
    }
    rows
}

#[cfg(test)]
mod tests;
