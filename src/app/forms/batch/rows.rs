//! The recipient list of a batch: selection, the row being edited, and the result of the last check.

use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{CheckedBatch, CheckedRow, RowSource, RowStatus, RowVerdict};
use crate::app::forms::field::{Field, FieldId, count_nonblank_lines};
use crate::app::input::path_completions::PathCompletions;
use crate::app::request_id::RequestId;
use crate::domain::csv_table::RefusedRows;
use crate::domain::draft::batch::{RecipientRow, parse_recipient_address};
use crate::domain::draft::{BatchFile, Recipient};
use crate::domain::{Amount, Family, Text, TokenKey, address, amount};
use crate::guard::Finding;

#[derive(Debug, Clone, Default)]
pub struct BatchRows {
    /// The rows, with the verdicts of the last check.
    pub checked_rows: Vec<CheckedRow>,
    /// The selected row; the line below the last row adds one.
    pub selected_index: usize,
    pub editing: Option<RowEditor>,
    /// The file that the rows came from, while they are unchanged.
    pub file: Option<BatchFile>,
    /// How the file was read otherwise than written.
    pub notes: Vec<String>,
    pub total: Option<Amount>,
    pub findings: Vec<Finding>,
    /// Why the rows could not be read or checked.
    pub error: Option<String>,
    pub unread_source: Option<RowSource>,
    /// The path last read, or being read.
    pub read_path: Option<String>,
    pub needs_check: bool,
    /// The check under way. There is one at a time, so that no answer overtakes another.
    pub pending_check: Option<PendingCheck>,
    pub token: Option<TokenKey>,
    /// Fraction digits of the token.
    pub decimals: Option<u8>,
    pub family: Option<Family>,
    /// The name of the chain in requests.
    pub blockchain: Option<Text>,
    pub path_completions: PathCompletions,
    /// Where paths begin while none is typed.
    pub start_folder: String,
    /// The file that rows with a line came from, as typed, and its SHA-256.
    pub source: Option<(String, Text)>,
}

#[derive(Debug, Clone)]
pub struct PendingCheck {
    pub request_id: RequestId,
    pub unread_source: Option<RowSource>,
}

#[derive(Debug, Clone)]
pub struct RowEditor {
    /// The index of the row; `None` for a new one, which goes to the end of the list as it is by then.
    pub index: Option<usize>,
    pub fields: [Field; 3],
    /// Index of the focused field.
    pub focused_index: usize,
}

impl RowEditor {
    fn is_empty(&self) -> bool {
        self.fields.iter().all(|field| field.value().is_empty())
    }
}

impl BatchRows {
    /// Rows with the recipients of an earlier batch, to be checked as new ones.
    pub fn from_recipients(recipients: &[Recipient]) -> Self {
        let row = |to: &Recipient| RecipientRow {
            address: to.address.to_string(),
            amount: to.amount.to_string(),
            label: to.label.as_ref().map_or_else(String::new, ToString::to_string),
            ..RecipientRow::default()
        };
        Self::unchecked(recipients.iter().map(row))
    }

    /// Rows that are about to be checked.
    pub fn unchecked(rows: impl Iterator<Item = RecipientRow>) -> Self {
        let unchecked = |row| CheckedRow { row, recipient: None, verdict: RowVerdict::unchecked() };
        Self { checked_rows: rows.map(unchecked).collect(), needs_check: true, ..Self::default() }
    }

    pub fn count(&self) -> usize {
        self.checked_rows.len()
    }

    pub fn count_with_status(&self, word: RowStatus) -> usize {
        self.checked_rows.iter().filter(|row| row.verdict.status == word).count()
    }

    /// Whether the verdicts are not final: rows are still to be read or checked, or are being.
    pub fn is_check_pending(&self) -> bool {
        self.pending_check.is_some() || self.needs_check || self.unread_source.is_some()
    }

    /// Whether the list may be changed. An error says why not: rows still to be read could overwrite the change or be
    /// lost in part.
    pub fn check_editable(&self) -> Result<(), String> {
        match (&self.pending_check, &self.unread_source) {
            (Some(PendingCheck { unread_source: Some(_), .. }), _) | (Some(_), Some(_)) => {
                Err("the rows are still being read; try again in a moment".into())
            }
            (None, Some(_)) => Err("choose wallet and token first; the earlier rows are then read".into()),
            (_, None) => Ok(()),
        }
    }

    pub fn to_rows(&self) -> Vec<RecipientRow> {
        self.checked_rows.iter().map(|row| row.row.clone()).collect()
    }

    /// Resumes a restored draft: a check under way when the form was closed is not answered, and is requested again.
    pub fn resume(&mut self) {
        if let Some(PendingCheck { unread_source: Some(more), .. }) = self.pending_check.take() {
            self.unread_source = Some(more);
        }
        self.needs_check |= self.count() > 0;
    }

    /// Takes the result of a check; returns why a file could not be read.
    pub fn apply_check_result(
        &mut self,
        request_id: RequestId,
        result: Result<CheckedBatch, String>,
    ) -> Option<String> {
        let pending_check = self.pending_check.take_if(|pending_check| pending_check.request_id == request_id)?;
        // Rows that changed since are checked again: this result is of the earlier rows.
        if pending_check.unread_source.is_none() && self.needs_check {
            return None;
        }
        match result {
            Ok(CheckedBatch { rows, file, notes, total, findings }) => {
                if let (Some(RowSource::File(typed)), Some(file)) = (pending_check.unread_source, &file) {
                    self.source = Some((typed, file.sha256.clone()));
                }
                (self.checked_rows, self.file, self.total, self.findings) = (rows, file, total, findings);
                // Notes are about a file that was read; a second check of its rows has none to add.
                if !notes.is_empty() || self.file.is_none() {
                    self.notes = notes;
                }
                self.error = None;
                let is_new = self.editing.as_ref().is_some_and(|editing| editing.index.is_none());
                self.selected_index =
                    if is_new { self.checked_rows.len() } else { self.selected_index.min(self.checked_rows.len()) };
                None
            }
            Err(reason) => {
                // Unchanged rows of another file are not those of the path just entered. Typed rows stay.
                if matches!(pending_check.unread_source, Some(RowSource::File(_))) && self.file.take().is_some() {
                    (self.checked_rows, self.notes, self.findings) = Default::default();
                    (self.total, self.selected_index) = (None, 0);
                }
                self.error = Some(reason.clone());
                // An empty list needs no check, and the result of a check would replace this message.
                self.needs_check &= !self.checked_rows.is_empty();
                // The same path is read again when the cursor leaves the field again.
                self.read_path = None;
                matches!(pending_check.unread_source, Some(RowSource::File(_))).then_some(reason)
            }
        }
    }

    /// The rows of the file that fail, with their reasons.
    pub fn refused_rows(&self) -> Option<RefusedRows> {
        let (typed, sha256) = self.source.clone()?;
        let failed = self.checked_rows.iter().filter(|checked_row| checked_row.verdict.status == RowStatus::Invalid);
        let reasons =
            failed.filter_map(|checked_row| Some((checked_row.row.line?, checked_row.verdict.message.clone())));
        let reasons: BTreeMap<u64, String> = reasons.collect();
        (!reasons.is_empty()).then_some(RefusedRows { typed, sha256, reasons })
    }

    /// The rows differ from those checked, and from the file.
    fn mark_changed(&mut self) {
        self.needs_check = true;
        self.file = None;
        self.error = None;
    }

    /// Handles a key. `None`: the key leaves the list. An error: the key is not followed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
    pub fn handle_key(&mut self, key: KeyEvent) -> Option<Result<(), String>> {
        if self.editing.is_some() {
            return Some(self.handle_editor_key(key));
        }
        let last = self.checked_rows.len();
        let has_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.selected_index = (self.selected_index + 1).min(last),
            KeyCode::Up if self.selected_index == 0 => return None,
            KeyCode::Up | KeyCode::Char('k') => self.selected_index = self.selected_index.saturating_sub(1),
            KeyCode::PageDown => self.selected_index = (self.selected_index + 10).min(last),
            KeyCode::PageUp => self.selected_index = self.selected_index.saturating_sub(10),
            KeyCode::Home | KeyCode::Char('g') => self.selected_index = 0,
            KeyCode::End | KeyCode::Char('G') => self.selected_index = last,
            KeyCode::Enter => return Some(self.edit_row(self.selected_index)),
            KeyCode::Char('a') if !has_ctrl => return Some(self.edit_row(last)),
            KeyCode::Char('f') if !has_ctrl => self.select_next_invalid(),
            KeyCode::Char('x') | KeyCode::Delete if self.selected_index < last && !has_ctrl => {
                if let Err(reason) = self.check_editable() {
                    return Some(Err(reason));
                }
                self.checked_rows.remove(self.selected_index);
                self.mark_changed();
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Selects the next row that fails, wrapping around.
    fn select_next_invalid(&mut self) {
        let is_invalid =
            |index: &usize| self.checked_rows.get(*index).is_some_and(|row| row.verdict.status == RowStatus::Invalid);
        let (behind, before) = (self.selected_index + 1..self.checked_rows.len(), 0..self.selected_index);
        if let Some(index) = behind.chain(before).find(is_invalid) {
            self.selected_index = index;
        }
    }

    /// Opens a row for editing; behind the last one, a new row.
    fn edit_row(&mut self, index: usize) -> Result<(), String> {
        let row = self.checked_rows.get(index).map(|checked| checked.row.clone());
        let index = row.is_some().then_some(index);
        if index.is_some() {
            self.check_editable()?;
        }
        let row = row.unwrap_or_default();
        let field = |slot, value: &str| {
            let mut field = Field::new(slot);
            field.set_value(value);
            field
        };
        let fields = [
            field(FieldId::Recipient, &row.address),
            field(FieldId::Amount, &row.amount),
            field(FieldId::Label, &row.label),
        ];
        self.selected_index = index.unwrap_or(self.checked_rows.len());
        self.editing = Some(RowEditor { index, fields, focused_index: 0 });
        Ok(())
    }

    /// The fault of the focused field alone: the row as a whole is checked once it is saved. An empty row has no fault.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other fields are on other forms")]
    fn focused_field_error(&self) -> Option<String> {
        let editing = self.editing.as_ref().filter(|editing| !editing.is_empty())?;
        let field = editing.fields.get(editing.focused_index)?;
        match field.id {
            FieldId::Recipient => {
                let whole = address::parse_grouped(field.value()).unwrap_or_else(|| field.value().to_owned());
                parse_recipient_address(&whole, self.family, self.blockchain.as_deref()?).err()
            }
            FieldId::Amount => match Amount::parse(field.value(), self.decimals?) {
                Ok(amount) => amount.is_zero().then(|| "pay an amount greater than zero, or remove the row".into()),
                Err(error) => Some(error.to_string()),
            },
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
    fn handle_editor_key(&mut self, key: KeyEvent) -> Result<(), String> {
        let fault = self.focused_field_error();
        let Some(editing) = &mut self.editing else { return Ok(()) };
        let last = editing.fields.len() - 1;
        match key.code {
            KeyCode::Esc => self.editing = None,
            KeyCode::BackTab | KeyCode::Up => editing.focused_index = editing.focused_index.saturating_sub(1),
            KeyCode::Enter if editing.focused_index == last => return self.save_edited_row(),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
                if let Some(field) = editing.fields.get_mut(editing.focused_index) {
                    let had_commas = amount::without_thousands_separators(field.value()).is_some();
                    if field.id == FieldId::Amount && had_commas {
                        // The amount as understood is shown first, and checked when the cursor leaves the field.
                        field.offer_plain_amount(key.code == KeyCode::Enter);
                        return Ok(());
                    }
                    field.error.clone_from(&fault);
                }
                if fault.is_none() {
                    editing.focused_index = (editing.focused_index + 1).min(last);
                }
            }
            _ => {
                if let Some(field) = editing.fields.get_mut(editing.focused_index) {
                    field.handle_key(key);
                }
            }
        }
        Ok(())
    }

    fn save_edited_row(&mut self) -> Result<(), String> {
        self.check_editable()?;
        let Some(RowEditor { index, fields: [address, amount, label], .. }) = self.editing.take() else {
            return Ok(());
        };
        let text = |field: &Field| field.value().to_owned();
        let whole = |field: &Field| address::parse_grouped(field.value()).unwrap_or_else(|| text(field));
        let before = index.and_then(|index| self.checked_rows.get(index)).map(|checked| checked.row.clone());
        let row = RecipientRow {
            address: whole(&address),
            amount: text(&amount),
            label: text(&label),
            fault: None,
            // The token stated in the file stays, whatever else is edited.
            ..before.clone().unwrap_or_default()
        };
        if row.is_empty() {
            return Ok(());
        }
        // The next key may add another row.
        self.selected_index = index.unwrap_or(self.checked_rows.len()) + 1;
        // An unchanged row keeps its verdict.
        if before.is_some_and(|before| before == RecipientRow { fault: before.fault.clone(), ..row.clone() }) {
            return Ok(());
        }
        let checked = CheckedRow { row, recipient: None, verdict: RowVerdict::unchecked() };
        match index.and_then(|index| self.checked_rows.get_mut(index)) {
            Some(place) => *place = checked,
            None => self.checked_rows.push(checked),
        }
        self.mark_changed();
        Ok(())
    }

    /// Pastes text; an error says why it was not taken.
    pub fn paste(&mut self, text: &str) -> Result<(), String> {
        let is_address = address::parse_grouped(text).is_some();
        let several = !is_address && count_nonblank_lines(text) > 1;
        match &mut self.editing {
            Some(editing) if !several => match editing.fields.get_mut(editing.focused_index) {
                Some(field) => field.paste(text),
                None => Ok(()),
            },
            Some(editing) if !editing.is_empty() => {
                Err("finish the row that you are typing, or discard it with Esc; then paste the lines".into())
            }
            _ => {
                self.check_editable()?;
                self.editing = None;
                self.unread_source = Some(RowSource::Lines(text.to_owned()));
                Ok(())
            }
        }
    }
}
