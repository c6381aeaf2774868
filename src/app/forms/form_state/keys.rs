//! Keys and pastes while a form is filled in, and what is checked when a field is left.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Focus, FormAction, FormState, QueuedInput, operation_fields};
use crate::app::forms::field::{self, Field, FieldId};
use crate::app::forms::lookups::{FieldChoice, Picked};
use crate::app::forms::{batch, follow_up, swap};
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::request_id::RequestId;
use crate::domain::address;
use crate::domain::draft::Operation;

/// Reviews the form from any of its fields.
const REVIEW_KEY: KeyEvent = KeyEvent::new(KeyCode::Char('r'), KeyModifiers::CONTROL);

impl FormState {
    /// Reviews the form as the review key does, once the look-up that it needs is answered.
    pub(in crate::app::forms) fn review_when_ready(&mut self) {
        self.queued_input.push(QueuedInput::Key(REVIEW_KEY));
    }

    pub fn handle_key(&mut self, model: &Model, request_id: &mut RequestId, key: KeyEvent) -> FormAction {
        let was_shown = std::mem::take(&mut self.shows_help);
        // Where no text is typed, the key that shows the help elsewhere does so here.
        let is_text = matches!(self.focus, Focus::Field(_)) || self.batch_rows.editing.is_some();
        let asks_for_help = key.code == KeyCode::F(1) || (key.code == KeyCode::Char('?') && !is_text);
        if was_shown || asks_for_help {
            self.shows_help = asks_for_help && !was_shown;
            return FormAction::Stay(Vec::new());
        }
        if key.code == KeyCode::Esc {
            self.queued_input.clear();
        }
        if self.is_awaiting_lookup() {
            self.queued_input.push(QueuedInput::Key(key));
            return FormAction::Stay(Vec::new());
        }
        let step = self.handle_key_now(model, key);
        if let FormAction::Stay(mut effects) = step {
            if self.operation == Operation::Batch {
                batch::update_row_context(model, self);
            }
            effects.extend(self.start_due_lookups(request_id));
            return FormAction::Stay(effects);
        }
        step
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
    fn handle_key_now(&mut self, model: &Model, key: KeyEvent) -> FormAction {
        if self.focus == Focus::Rows && self.batch_rows.editing.is_none() && key == KeyEvent::from(KeyCode::Char('e')) {
            return self.write_errors();
        }
        if self.focus == Focus::Rows
            && let Some(followed) = self.batch_rows.handle_key(key)
        {
            self.error = followed.err();
            return FormAction::Stay(Vec::new());
        }
        let is_review_key = (key.code, key.modifiers) == (REVIEW_KEY.code, REVIEW_KEY.modifiers);
        let leaves_field = matches!(key.code, KeyCode::Enter | KeyCode::Tab | KeyCode::Down) || is_review_key;
        if leaves_field && self.is_lookup_pending(model) {
            self.queued_input.push(QueuedInput::Key(key));
            return FormAction::Stay(Vec::new());
        }
        let choices = self.choices(model);
        // Any key but a second Enter withdraws the request to clear the form.
        self.is_clear_prompted &= key.code == KeyCode::Enter;
        if key.code == KeyCode::Tab && self.complete_path(choices.len()) {
            return FormAction::Stay(Vec::new());
        }
        match key.code {
            KeyCode::Esc if self.highlighted_index.is_some() => {
                (self.highlighted_index, self.pasted_lines) = (None, None);
            }
            KeyCode::Esc => return FormAction::Close,
            KeyCode::BackTab => self.focus_previous(),
            KeyCode::Up => match self.highlighted_index {
                Some(index) => self.highlighted_index = index.checked_sub(1),
                None => self.focus_previous(),
            },
            KeyCode::Down if !choices.is_empty() => {
                let next = self.highlighted_index.map_or(0, |index| index + 1);
                self.highlighted_index = Some(next.min(choices.len() - 1));
            }
            KeyCode::Left if self.focus == Focus::Clear => self.focus = Focus::Review,
            KeyCode::Right if self.focus == Focus::Review => self.focus = Focus::Clear,
            _ if is_review_key => {
                self.take_choice(choices, false);
                return self.submit(model);
            }
            KeyCode::Enter if self.focus == Focus::Review => return self.submit(model),
            KeyCode::Enter if self.focus == Focus::Clear && !self.is_empty() && !self.is_clear_prompted => {
                self.is_clear_prompted = true;
                return FormAction::Stay(Vec::new());
            }
            KeyCode::Enter if self.focus == Focus::Clear => self.clear(),
            KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
                if self.take_choice(choices, key.code == KeyCode::Enter && !self.is_replayed) {
                    return FormAction::Stay(Vec::new());
                }
                self.focus_next(model, key.code);
            }
            _ => self.edit_focused_field(key),
        }
        FormAction::Stay(Vec::new())
    }

    /// Whether the choices of the focused field are still being looked up, so that no key can choose among them.
    fn is_lookup_pending(&self, model: &Model) -> bool {
        let picked = &self.selection;
        match self.focused_field() {
            Some(FieldId::Wallet) => {
                picked.wallet.is_none() && self.wallet_matches.filter.as_deref() != Some(self.value(FieldId::Wallet))
            }
            Some(FieldId::Token) => {
                let of = picked.wallet.as_ref().filter(|_| picked.token.is_none() && self.has_field(FieldId::Wallet));
                of.is_some_and(|wallet| self.holdings.wallet.as_ref() != Some(&wallet.id))
            }
            Some(FieldId::BuyToken) => swap::is_awaiting_pairs(model),
            _ => false,
        }
    }

    /// Takes the highlighted choice, or a single one that is left, or with `takes_first` the first one for an empty
    /// field that says so; but the beginning of an address never picks a recipient, and an optional field is not filled
    /// in unasked. Returns whether the field goes on, as a folder does.
    fn take_choice(&mut self, choices: Vec<FieldChoice>, takes_first: bool) -> bool {
        let is_required =
            |slot| matches!(slot, FieldId::Wallet | FieldId::Token | FieldId::Account | FieldId::BuyToken);
        let is_meant = |slot| slot != FieldId::Recipient && (is_required(slot) || !self.value(slot).is_empty());
        let takes_default =
            |slot| choices.len() == 1 && is_meant(slot) || takes_first && self.offers_first_choice(slot);
        let default = self.focused_field().is_some_and(takes_default).then_some(0);
        let chosen = self.highlighted_index.or(default).and_then(|index| choices.into_iter().nth(index));
        let (Some(slot), Some(choice)) = (self.focused_field(), chosen) else { return false };
        self.apply_choice(slot, &choice.text, choice.picked);
        slot == FieldId::File && choice.text.ends_with('/')
    }

    /// Whether Enter in this field takes the first wallet or token that is listed.
    pub(super) fn offers_first_choice(&self, slot: FieldId) -> bool {
        matches!(slot, FieldId::Wallet | FieldId::Token)
            && self.operation.moves_money()
            && self.focused_field() == Some(slot)
            && self.value(slot).is_empty()
    }

    /// Completes the path of a file as far as it is certain, or else goes into the list of several; returns whether the
    /// key is used up.
    fn complete_path(&mut self, choices: usize) -> bool {
        if self.focused_field() != Some(FieldId::File) || self.highlighted_index.is_some() {
            return false;
        }
        let typed = self.value(FieldId::File);
        if typed.is_empty() || choices < 2 {
            return false;
        }
        match self.batch_rows.path_completions.shared_prefix(typed).map(str::to_owned) {
            Some(longer) => self.apply_choice(FieldId::File, &longer, Picked::TextOnly),
            None => self.highlighted_index = Some(0),
        }
        true
    }

    fn write_errors(&mut self) -> FormAction {
        let refused_rows = self.batch_rows.refused_rows();
        self.error = match (&refused_rows, &self.batch_rows.source) {
            (Some(_), _) => None,
            (None, Some(_)) => Some("no row of the file fails, so there are no errors to write".into()),
            (None, None) => Some("only the failed rows of a file are written to a file of errors".into()),
        };
        FormAction::Stay(
            refused_rows.map(|refused_rows| Effect::WriteErrors(Box::new(refused_rows))).into_iter().collect(),
        )
    }

    fn edit_focused_field(&mut self, key: KeyEvent) {
        let Focus::Field(index) = self.focus else { return };
        let Some(slot) = self.fields.get(index).map(|field| field.id) else { return };
        let is_settled = follow_up::is_fixed_field(self, slot);
        let Some(field) = self.fields.get_mut(index) else { return };
        if is_settled {
            field.error = Some(follow_up::FIXED_FIELD_ERROR.into());
        } else if field.handle_key(key) == Some(true) {
            self.clear_choice(slot);
        }
    }

    pub fn paste(&mut self, request_id: &mut RequestId, text: &str) -> Result<Vec<Effect>, String> {
        self.shows_help = false;
        if self.is_awaiting_lookup() {
            self.queued_input.push(QueuedInput::Paste(text.to_owned()));
            return Ok(Vec::new());
        }
        let index = match self.focus {
            Focus::Field(index) => index,
            Focus::Rows => {
                self.batch_rows.paste(text)?;
                return Ok(self.start_due_lookups(request_id));
            }
            Focus::Review | Focus::Clear => return Err("select a field to paste into".into()),
        };
        if self.focused_field().is_some_and(|slot| follow_up::is_fixed_field(self, slot)) {
            return Err(follow_up::FIXED_FIELD_ERROR.into());
        }
        let several = field::count_nonblank_lines(text) > 1 && address::parse_grouped(text).is_none();
        match (self.operation, self.focused_field()) {
            (Operation::Withdraw, Some(FieldId::Recipient)) if several => {
                (self.pasted_lines, self.highlighted_index) = (Some(text.to_owned()), Some(0));
                return Ok(Vec::new());
            }
            (Operation::Batch, Some(FieldId::File | FieldId::Note | FieldId::Reference)) if several => {
                self.batch_rows.paste(text)?;
                self.focus = Focus::Rows;
                return Ok(self.start_due_lookups(request_id));
            }
            _ => {}
        }
        if let Some(field) = self.fields.get_mut(index) {
            let slot = field.id;
            field.paste(text)?;
            self.clear_choice(slot);
        }
        Ok(self.start_due_lookups(request_id))
    }

    /// Takes the queued input for replay.
    pub(in crate::app::forms) fn take_queued_input(&mut self) -> Vec<QueuedInput> {
        std::mem::take(&mut self.queued_input)
    }

    /// Queues the rest behind a key that waits again. Behind a key that was refused the rest is dropped: it would go
    /// into another field than it was meant for.
    pub(in crate::app::forms) fn requeue_input(&mut self, rest: impl Iterator<Item = QueuedInput>) -> bool {
        let is_refused = match self.focus {
            Focus::Field(index) => self.fields.get(index).is_some_and(|field| field.error.is_some()),
            Focus::Rows | Focus::Review | Focus::Clear => false,
        };
        if self.is_awaiting_lookup() {
            self.queued_input.extend(rest);
        } else if is_refused && rest.count() > 0 {
            self.error = Some("keys typed after this field were ignored: correct this field first".into());
        } else {
            return false;
        }
        true
    }

    /// Moves to the next focus if the field is valid. Enter accepts an offered amount. Only Down goes into an empty
    /// reference, which few payments need: the others would pay for it with a key each. Enter goes past a recipient that
    /// the form was opened with, if it is valid.
    fn focus_next(&mut self, model: &Model, key: KeyCode) {
        self.highlighted_index = None;
        self.focus = match self.focus {
            Focus::Field(mut index) => {
                if !self.check_field(model, index, key == KeyCode::Enter) {
                    return;
                }
                let is_passed = |field: &Field| field.id == FieldId::Reference && field.value().is_empty();
                if key != KeyCode::Down
                    && self.operation.moves_money()
                    && self.fields.get(index + 1).is_some_and(is_passed)
                {
                    index += 1;
                }
                if key == KeyCode::Enter
                    && self.is_prefilled_recipient(index + 1)
                    && self.check_field(model, index + 1, false)
                {
                    index += 1;
                }
                if index + 1 < self.fields.len() {
                    Focus::Field(index + 1)
                } else if self.operation == Operation::Batch {
                    Focus::Rows
                } else {
                    Focus::Review
                }
            }
            Focus::Rows => Focus::Review,
            Focus::Review | Focus::Clear => Focus::Clear,
        };
    }

    /// Whether a field is a recipient that the form was opened with.
    fn is_prefilled_recipient(&self, index: usize) -> bool {
        let recipient = self.initial_values.get(index).filter(|recipient| !recipient.is_empty());
        let is_given =
            |field: &Field| field.id == FieldId::Recipient && Some(field.value()) == recipient.map(String::as_str);
        self.fields.get(index).is_some_and(is_given)
    }

    fn focus_previous(&mut self) {
        self.highlighted_index = None;
        self.focus = match self.focus {
            Focus::Field(index) => Focus::Field(index.saturating_sub(1)),
            Focus::Review if self.operation == Operation::Batch => Focus::Rows,
            Focus::Rows | Focus::Review => Focus::Field(self.fields.len().saturating_sub(1)),
            Focus::Clear => Focus::Review,
        };
    }

    /// Checks a field; returns whether it is valid.
    fn check_field(&mut self, model: &Model, index: usize, takes: bool) -> bool {
        let Some(slot) = self.fields.get(index).map(|field| field.id) else { return true };
        if self.fields.get_mut(index).is_some_and(|field| field.offer_plain_amount(takes)) {
            return false;
        }
        let result = operation_fields::check_field(model, self, slot);
        match result {
            Ok(Some((text, take))) => self.apply_choice(slot, &text, take),
            Ok(None) => {}
            Err(message) => {
                if let Some(field) = self.fields.get_mut(index) {
                    field.error = Some(message);
                }
                return false;
            }
        }
        if let Some(field) = self.fields.get_mut(index) {
            field.error = None;
        }
        true
    }

    /// Checks every field and makes the draft; the cursor goes to the first field that is invalid.
    pub fn submit(&mut self, model: &Model) -> FormAction {
        for index in 0..self.fields.len() {
            if !self.check_field(model, index, false) {
                self.focus = Focus::Field(index);
                return FormAction::Stay(Vec::new());
            }
        }
        match operation_fields::build_draft(model, self) {
            Ok((draft, sender)) => FormAction::Submit(Box::new(draft), sender.map(Box::new)),
            Err((stop, message)) => {
                self.focus = stop;
                self.highlighted_index = None;
                match stop {
                    Focus::Field(index) => {
                        if let Some(field) = self.fields.get_mut(index) {
                            field.error = Some(message);
                        }
                    }
                    Focus::Rows | Focus::Review | Focus::Clear => self.error = Some(message),
                }
                FormAction::Stay(Vec::new())
            }
        }
    }
}
