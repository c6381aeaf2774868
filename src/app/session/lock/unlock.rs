//! Paying is locked and unlocked: by idle time, by a key, by a passphrase.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{LOCKED_MESSAGE, Lock, MAX_RETRY_PAUSE, UNLOCK_WORD, UnlockMethod};
use crate::app::forms;
use crate::app::input::keymap::Command;
use crate::app::model::{Mode, Model, Page};
use crate::app::msg::{Effect, EffectRisk};
use crate::app::pages::Tone;
use crate::app::pages::orders::{prompt, service_address};
use crate::app::request_id::RequestId;
use crate::app::session::events::EventKind;
use crate::domain::{Failure, Timestamp};

pub(in crate::app) fn lock_at_start(model: &mut Model) {
    if model.session.lock.settings.at_start && model.console.read_only.is_none() {
        model.session.lock.locked_since = Some(model.now);
        model.record_event(
            EventKind::Console,
            Tone::Text,
            "paying is locked until the passphrase is entered; monitoring continues".into(),
        );
        open_unlock_prompt(model);
    }
}

pub(in crate::app) fn record_activity(model: &mut Model) {
    model.session.lock.last_key = Some(model.now);
}

pub(in crate::app) fn next_due(model: &Model) -> Option<Timestamp> {
    model.session.lock.locks_at().filter(|_| model.console.read_only.is_none())
}

pub(in crate::app) fn lock_if_idle(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let last = *model.session.lock.last_key.get_or_insert(now);
    // After the clock was set back, the lock would stay open until the clock has caught up.
    if last > now {
        model.session.lock.last_key = Some(now);
    }
    match (next_due(model), model.session.lock.settings.lock_after) {
        (Some(due), Some(after)) if due <= now => {
            let reason = format!(
                "paying was locked after {} without a key press; monitoring continues",
                crate::domain::duration::format_age(after)
            );
            lock_paying(model, reason)
        }
        _ => Vec::new(),
    }
}

/// Locks paying, or opens the unlock prompt.
pub(in crate::app) fn lock_or_open_prompt(model: &mut Model) -> Vec<Effect> {
    if model.console.read_only.is_some() {
        model.notice = Some("this console is read-only; there is nothing to lock".into());
        return Vec::new();
    }
    if model.session.lock.locked_since.is_none() {
        return lock_paying(model, "paying was locked; monitoring continues, and L unlocks paying".into());
    }
    open_unlock_prompt(model);
    Vec::new()
}

fn open_unlock_prompt(model: &mut Model) {
    model.open_over(Mode::Unlock(Box::default()));
}

/// Locks paying. A form is kept as a draft; a review is abandoned, and its keys are released.
fn lock_paying(model: &mut Model, message: String) -> Vec<Effect> {
    model.session.lock.locked_since = Some(model.now);
    let effects = close_paying_modes(model);
    model.record_event(EventKind::Console, Tone::Warn, message.clone());
    model.notice = Some(message);
    effects
}

/// Closes every mode that leads to a change.
#[expect(clippy::wildcard_enum_match_arm, reason = "closed by default: a mode that changes nothing says so here")]
fn close_paying_modes(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    loop {
        match &model.mode {
            Mode::Prompt(prompt) => {
                let asks_to_leave = prompt.subject == prompt::PromptSubject::Quit;
                let prompt = model.close_mode();
                if !asks_to_leave {
                    continue;
                }
                // The prompt whether to quit changes nothing and stays; the mode below it would come back.
                effects.extend(close_paying_modes(model));
                model.open_over(prompt);
                return effects;
            }
            // A template of the form was about to be named.
            Mode::Menu(_) if matches!(model.mode_below(), Mode::Form(_)) => {
                model.close_mode();
            }
            Mode::Form(_) => {
                effects.extend(forms::close_form(model));
                return effects;
            }
            Mode::Browse
            | Mode::Filter { .. }
            | Mode::Help { .. }
            | Mode::Palette(_)
            | Mode::Detail { .. }
            | Mode::Record { .. }
            | Mode::Order { .. }
            | Mode::Line(_)
            | Mode::Chart(_)
            | Mode::Reports(_)
            | Mode::Menu(_)
            | Mode::Export(_)
            | Mode::Receive(_)
            | Mode::Unlock(_) => return effects,
            _ => {
                model.show_mode(Mode::Browse);
                return effects;
            }
        }
    }
}

pub(in crate::app) fn command_refusal(model: &Model, command: Command) -> Option<&'static str> {
    // On the page of the watches these keys make, change and remove watches.
    let is_of_watches =
        model.page == Page::Attention && matches!(command, Command::New | Command::Change | Command::Remove);
    let changes = command.begins_change()
        || matches!(command, Command::Import | Command::Name | Command::Simulate | Command::Remove)
        || matches!(command, Command::Order(order_command) if order_command.is_change());
    (model.session.lock.locked_since.is_some() && changes && !is_of_watches).then_some(LOCKED_MESSAGE)
}

/// The effects of a message, without payments while paying is locked. Commands are refused earlier; this is the second
/// line of defence, also for commands that nobody thought of.
pub(in crate::app) fn drop_payments_while_locked(model: &Model, effects: Vec<Effect>) -> Vec<Effect> {
    if model.session.lock.locked_since.is_none() {
        return effects;
    }
    effects.into_iter().filter(|effect| effect.risk() != EffectRisk::Pays).collect()
}

pub(in crate::app) fn handle_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let now = model.now;
    let Mode::Unlock(line) = &mut model.mode else { return Vec::new() };
    match (key.code, key.modifiers) {
        (KeyCode::Esc, _) => close_unlock_prompt(model),
        (KeyCode::Enter, _) if line.busy => {}
        (KeyCode::Enter, _) => return submit_secret(model),
        (KeyCode::Char('u'), KeyModifiers::CONTROL) => line.secret.clear(),
        (KeyCode::Backspace, _) => line.secret.backspace(),
        (KeyCode::Char(character), KeyModifiers::NONE | KeyModifiers::SHIFT) if !line.busy => {
            line.secret.push(character);
        }
        _ => {}
    }
    if let Mode::Unlock(line) = &mut model.mode
        && model.session.lock.next_attempt_at.is_none_or(|until| until <= now)
    {
        line.error = None;
    }
    Vec::new()
}

/// Pastes a passphrase, as from a password manager.
pub(in crate::app) fn paste(model: &mut Model, text: &str) {
    let Mode::Unlock(line) = &mut model.mode else { return };
    if !line.busy {
        text.trim_end_matches(['\r', '\n']).chars().for_each(|character| line.secret.push(character));
    }
}

fn close_unlock_prompt(model: &mut Model) {
    if matches!(model.mode, Mode::Unlock(_)) {
        model.close_mode();
    }
}

fn submit_secret(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let Mode::Unlock(line) = &mut model.mode else { return Vec::new() };
    if let Some(until) = model.session.lock.next_attempt_at.filter(|until| *until > now) {
        let seconds = now.age(until).as_millis().div_ceil(1_000);
        line.error = Some(format!("wait {seconds}s, then type it again"));
        line.secret.clear();
        return Vec::new();
    }
    if line.secret.is_empty() {
        return Vec::new();
    }
    let typed = std::mem::take(&mut line.secret);
    if model.session.lock.settings.unlock_method == UnlockMethod::Word {
        let right = typed.matches_word(UNLOCK_WORD);
        return apply_unlock_attempt(model, right);
    }
    line.busy = true;
    line.error = None;
    vec![Effect::Unlock { secret: typed, request_id: model.session.lock.request_id.advance() }]
}

pub(in crate::app) fn apply_unlock_result(model: &mut Model, request_id: RequestId, result: Result<bool, Failure>) {
    if request_id != model.session.lock.request_id || model.session.lock.locked_since.is_none() {
        return;
    }
    match result {
        Ok(right) => {
            apply_unlock_attempt(model, right);
        }
        Err(failure) => {
            if let Mode::Unlock(line) = &mut model.mode {
                line.busy = false;
                line.error = Some(format!("the passphrase cannot be checked: {failure}"));
            }
        }
    }
}

fn apply_unlock_attempt(model: &mut Model, right: bool) -> Vec<Effect> {
    if right {
        let wrong = std::mem::take(&mut model.session.lock.wrong_attempts);
        model.session.lock = Lock {
            last_key: Some(model.now),
            request_id: model.session.lock.request_id,
            ..Lock::new(model.session.lock.settings)
        };
        close_unlock_prompt(model);
        let before = match wrong {
            0 => String::new(),
            1 => "; 1 failed attempt before".to_owned(),
            more => format!("; {more} failed attempts before"),
        };
        let message = format!("paying is unlocked{before}");
        model.record_event(EventKind::Console, Tone::Text, message.clone());
        model.notice = Some(message);
        // This prompt was held back while paying was locked.
        service_address::prompt_for_service_address(model);
        return Vec::new();
    }
    if model.session.lock.settings.unlock_method == UnlockMethod::Word {
        // The word is on the screen, so a pause would stop nobody; a typing error costs nothing.
        if let Mode::Unlock(line) = &mut model.mode {
            line.error = Some(format!("type {UNLOCK_WORD}"));
        }
        return Vec::new();
    }
    model.session.lock.wrong_attempts = model.session.lock.wrong_attempts.saturating_add(1);
    let pause =
        Duration::from_secs(1_u64 << model.session.lock.wrong_attempts.saturating_sub(1).min(6)).min(MAX_RETRY_PAUSE);
    let until = model.now.plus(pause);
    model.session.lock.next_attempt_at = Some(until);
    model.record_event(EventKind::Console, Tone::Warn, "a wrong passphrase was entered to unlock paying".into());
    if let Mode::Unlock(line) = &mut model.mode {
        line.busy = false;
        line.error = Some(format!("the passphrase is wrong; wait {}s before the next try", pause.as_secs()));
    }
    Vec::new()
}
