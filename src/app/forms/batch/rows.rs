//! The list of recipients while it is filled in: what is selected, what is typed into a row, what was said of each.

use super::{CheckedBatch, CheckedRow, RowSource, RowStatus, RowVerdict};
use crate::app::forms::field::{Field, FieldId, lines};
use crate::app::forms::lookups::{FieldChoice, Picked};
use crate::app::key::{Key, KeyCode};
use crate::app::msg::RequestId;
use crate::domain::draft::BatchFile;
use crate::domain::draft::batch::{Row, check_request_address};
use crate::domain::{Amount, Family, Text, TokenKey, address, amount};
use crate::guard::Finding;

/// The recipients of a form.
#[derive(Debug, Clone, Default)]
pub struct BatchRows {
    /// The rows, with what was said of them when they were last checked.
    pub checked: Vec<CheckedRow>,
    /// Which of them is selected; the line below the last one adds another.
    pub at: usize,
    /// The row that is typed.
    pub editing: Option<Editing>,
    /// The file that they came from, as long as they are what it says.
    pub file: Option<BatchFile>,
    /// What was understood otherwise than it is called in that file.
    pub notes: Vec<String>,
    /// The sum of those that are right.
    pub total: Option<Amount>,
    /// What the guard says of all of them together.
    pub findings: Vec<Finding>,
    /// Why they could not be read or checked.
    pub told: Option<String>,
    /// Further rows that are to be read.
    pub more: Option<RowSource>,
    /// The path that was read last, or is being read.
    pub read_path: Option<String>,
    /// Whether they are to be checked anew.
    pub needs_check: bool,
    /// The question that is not answered yet. There is one at a time, so that no answer overtakes another.
    pub pending_check: Option<PendingCheck>,
    /// The chosen token.
    pub token: Option<TokenKey>,
    /// Its fraction digits.
    pub decimals: Option<u8>,
    /// How addresses of the chain are written, where that is known.
    pub family: Option<Family>,
    /// The word for the chain in requests.
    pub blockchain: Option<Text>,
    /// Paths that may be meant.
    pub paths: PathCompletions,
}

/// A question about the rows.
#[derive(Debug, Clone)]
pub struct PendingCheck {
    /// Its turn.
    pub turn: RequestId,
    /// What is read for it, beside the rows that there were.
    pub more: Option<RowSource>,
}

/// A row that is typed.
#[derive(Debug, Clone)]
pub struct Editing {
    /// Which row; none for a new one, which comes behind the last, however many there are by then.
    pub index: Option<usize>,
    /// Its address, amount and label.
    pub fields: [Field; 3],
    /// Which of them has the cursor.
    pub at: usize,
}

impl Editing {
    /// Whether nothing is typed.
    fn is_empty(&self) -> bool {
        self.fields.iter().all(|field| field.value().is_empty())
    }
}

/// Paths that complete what is typed.
#[derive(Debug, Clone, Default)]
pub struct PathCompletions {
    /// The turn of the newest question.
    pub turn: RequestId,
    /// What it was about.
    pub prefix: Option<String>,
    /// What was found for it: folders end in a slash.
    pub found: Vec<String>,
}

impl PathCompletions {
    /// What completes the path.
    pub fn choices(&self, typed: &str) -> Vec<FieldChoice> {
        // A whole path needs no completing.
        let is_whole = |path: &&String| path.as_str() == typed;
        if typed.is_empty() || self.found.iter().any(|path| is_whole(&path)) {
            return Vec::new();
        }
        let choice = |path: &String| {
            let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path).to_owned();
            let about = if path.ends_with('/') { "folder" } else { "file" };
            FieldChoice { text: path.clone(), name, detail: about.to_owned(), take: Picked::TextOnly }
        };
        self.found.iter().filter(|path| path.starts_with(typed)).map(choice).collect()
    }
}

impl BatchRows {
    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.checked.len()
    }

    /// How many of them stand so.
    pub fn count_with_status(&self, word: RowStatus) -> usize {
        self.checked.iter().filter(|row| row.verdict.status == word).count()
    }

    /// Whether what is said of them is not the last word: they are to be read or checked, or are being.
    pub fn is_check_pending(&self) -> bool {
        self.pending_check.is_some() || self.needs_check || self.more.is_some()
    }

    /// Whether the list may be changed: not while further rows come, which would take the place of what is changed, or of
    /// which a part would be lost.
    ///
    /// # Errors
    /// Why not.
    pub fn may_change(&self) -> Result<(), String> {
        match (&self.pending_check, &self.more) {
            (Some(PendingCheck { more: Some(_), .. }), _) | (Some(_), Some(_)) => {
                Err("the rows are still being read; try again in a moment".into())
            }
            (None, Some(_)) => Err("choose wallet and token first; the earlier rows are then read".into()),
            (_, None) => Ok(()),
        }
    }

    /// The rows as they are written.
    pub fn to_rows(&self) -> Vec<Row> {
        self.checked.iter().map(|row| row.row.clone()).collect()
    }

    /// The form is taken up again: what was asked when it was closed is answered to nobody, and is asked anew.
    pub fn resume(&mut self) {
        if let Some(PendingCheck { more: Some(more), .. }) = self.pending_check.take() {
            self.more = Some(more);
        }
        self.needs_check |= self.count() > 0;
    }

    /// They were read and checked, or could not be; gives back why a file could not be read.
    pub fn apply_checked(&mut self, turn: RequestId, result: Result<CheckedBatch, String>) -> Option<String> {
        let awaited = self.pending_check.take_if(|awaited| awaited.turn == turn)?;
        // Rows that were changed since are checked anew: what is said here is of others.
        if awaited.more.is_none() && self.needs_check {
            return None;
        }
        match result {
            Ok(CheckedBatch { rows, file, notes, total, findings }) => {
                (self.checked, self.file, self.total, self.findings) = (rows, file, total, findings);
                // Notes are of a file that was read; rows that are checked again have none to add.
                if !notes.is_empty() || self.file.is_none() {
                    self.notes = notes;
                }
                self.told = None;
                let adds = self.editing.as_ref().is_some_and(|editing| editing.index.is_none());
                self.at = if adds { self.checked.len() } else { self.at.min(self.checked.len()) };
                None
            }
            Err(why) => {
                // Rows that are just what another file says are not what is named now. What was typed stays.
                if matches!(awaited.more, Some(RowSource::File(_))) && self.file.take().is_some() {
                    (self.checked, self.notes, self.findings) = Default::default();
                    (self.total, self.at) = (None, 0);
                }
                self.told = Some(why.clone());
                // Of no rows there is nothing to check, which would put other words in the place of these.
                self.needs_check &= !self.checked.is_empty();
                // The same path is read again when it is left again.
                self.read_path = None;
                matches!(awaited.more, Some(RowSource::File(_))).then_some(why)
            }
        }
    }

    /// They are not what was checked, nor what a file says.
    fn changed(&mut self) {
        self.needs_check = true;
        self.file = None;
        self.told = None;
    }

    /// A key while the list has the cursor; `None` for one that leads out of it, an error for one that is not followed.
    pub fn key(&mut self, key: Key) -> Option<Result<(), String>> {
        if self.editing.is_some() {
            return Some(self.edit(key));
        }
        let last = self.checked.len();
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.at = (self.at + 1).min(last),
            KeyCode::Up if self.at == 0 => return None,
            KeyCode::Up | KeyCode::Char('k') => self.at = self.at.saturating_sub(1),
            KeyCode::PageDown => self.at = (self.at + 10).min(last),
            KeyCode::PageUp => self.at = self.at.saturating_sub(10),
            KeyCode::Home | KeyCode::Char('g') => self.at = 0,
            KeyCode::End | KeyCode::Char('G') => self.at = last,
            KeyCode::Enter => return Some(self.open(self.at)),
            KeyCode::Char('a') if !key.ctrl => return Some(self.open(last)),
            KeyCode::Char('f') if !key.ctrl => self.find_fault(),
            KeyCode::Char('x') | KeyCode::Delete if self.at < last && !key.ctrl => {
                if let Err(why) = self.may_change() {
                    return Some(Err(why));
                }
                self.checked.remove(self.at);
                self.changed();
            }
            _ => return None,
        }
        Some(Ok(()))
    }

    /// To the next row that fails, from the selected one on and around.
    fn find_fault(&mut self) {
        let fails =
            |index: &usize| self.checked.get(*index).is_some_and(|row| row.verdict.status == RowStatus::Invalid);
        let (behind, before) = (self.at + 1..self.checked.len(), 0..self.at);
        if let Some(index) = behind.chain(before).find(fails) {
            self.at = index;
        }
    }

    /// Opens a row to be typed; behind the last one, a new one.
    fn open(&mut self, index: usize) -> Result<(), String> {
        let row = self.checked.get(index).map(|checked| checked.row.clone());
        let index = row.is_some().then_some(index);
        if index.is_some() {
            self.may_change()?;
        }
        let row = row.unwrap_or_default();
        let field = |slot, value: &str| {
            let mut field = Field::new(slot);
            field.set(value);
            field
        };
        let fields = [
            field(FieldId::Recipient, &row.address),
            field(FieldId::Amount, &row.amount),
            field(FieldId::Label, &row.label),
        ];
        self.at = index.unwrap_or(self.checked.len());
        self.editing = Some(Editing { index, fields, at: 0 });
        Ok(())
    }

    /// What is wrong with the field that has the cursor, by itself: the row as a whole is checked when it is taken. A row
    /// in which nothing stands is left as it is.
    fn fault_typed(&self) -> Option<String> {
        let editing = self.editing.as_ref().filter(|editing| !editing.is_empty())?;
        let field = editing.fields.get(editing.at)?;
        match field.slot {
            FieldId::Recipient => {
                let whole = address::parse_grouped(field.value()).unwrap_or_else(|| field.value().to_owned());
                check_request_address(&whole, self.family, self.blockchain.as_deref()?).err()
            }
            FieldId::Amount => match Amount::parse(field.value(), self.decimals?) {
                Ok(amount) => amount.is_zero().then(|| "pay an amount greater than zero, or remove the row".into()),
                Err(error) => Some(error.to_string()),
            },
            _ => None,
        }
    }

    fn edit(&mut self, key: Key) -> Result<(), String> {
        let fault = self.fault_typed();
        let Some(editing) = &mut self.editing else { return Ok(()) };
        let last = editing.fields.len() - 1;
        match key.code {
            KeyCode::Esc => self.editing = None,
            KeyCode::BackTab | KeyCode::Up => editing.at = editing.at.saturating_sub(1),
            KeyCode::Enter if editing.at == last => return self.done(),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
                if let Some(field) = editing.fields.get_mut(editing.at) {
                    let had_commas = amount::without_thousands_separators(field.value()).is_some();
                    if field.slot == FieldId::Amount && had_commas {
                        // What it was read as is shown first, and checked when it is left.
                        field.suggest_amount(key.code == KeyCode::Enter);
                        return Ok(());
                    }
                    field.error.clone_from(&fault);
                }
                if fault.is_none() {
                    editing.at = (editing.at + 1).min(last);
                }
            }
            _ => {
                if let Some(field) = editing.fields.get_mut(editing.at) {
                    field.key(key);
                }
            }
        }
        Ok(())
    }

    /// What was typed stands in the list.
    fn done(&mut self) -> Result<(), String> {
        self.may_change()?;
        let Some(Editing { index, fields: [address, amount, label], .. }) = self.editing.take() else { return Ok(()) };
        let text = |field: &Field| field.value().to_owned();
        let whole = |field: &Field| address::parse_grouped(field.value()).unwrap_or_else(|| text(field));
        let before = index.and_then(|index| self.checked.get(index)).map(|checked| checked.row.clone());
        let row = Row {
            address: whole(&address),
            amount: text(&amount),
            label: text(&label),
            fault: None,
            // What a file says of the token stays said, whatever else is typed.
            ..before.clone().unwrap_or_default()
        };
        if row.is_empty() {
            return Ok(());
        }
        // Whoever adds one row may add another.
        self.at = index.unwrap_or(self.checked.len()) + 1;
        // A row that is left as it was is as wrong as it was.
        if before.is_some_and(|before| before == Row { fault: before.fault.clone(), ..row.clone() }) {
            return Ok(());
        }
        let verdict = RowVerdict { status: RowStatus::Valid, words: String::new() };
        let checked = CheckedRow { row, recipient: None, verdict };
        match index.and_then(|index| self.checked.get_mut(index)) {
            Some(place) => *place = checked,
            None => self.checked.push(checked),
        }
        self.changed();
        Ok(())
    }

    /// Text was pasted while the list has the cursor.
    ///
    /// # Errors
    /// Why it was not taken.
    pub fn paste(&mut self, text: &str) -> Result<(), String> {
        let is_address = address::parse_grouped(text).is_some();
        let several = !is_address && lines(text) > 1;
        match &mut self.editing {
            Some(editing) if !several => match editing.fields.get_mut(editing.at) {
                Some(field) => field.paste(text),
                None => Ok(()),
            },
            Some(editing) if !editing.is_empty() => {
                Err("finish the row that you are typing, or discard it with Esc; then paste the lines".into())
            }
            _ => {
                self.may_change()?;
                self.editing = None;
                self.more = Some(RowSource::Lines(text.to_owned()));
                Ok(())
            }
        }
    }
}
