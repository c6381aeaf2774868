//! The payment lock: an unattended console cannot pay, while monitoring continues.
//!
//! ```text
//!            idle for `LockSettings::after`, or L   L, then the passphrase
//!   open ──────────────────────────────▶ locked ────────────────────────────▶ open
//!            a form is kept as a draft             each wrong one: a longer wait
//! ```
//!
//! The passphrase is checked by the runtime, which alone reaches the stored keys. Without a passphrase, a word shown on
//! the screen unlocks: that stops a cat, and nobody else, and the screen warns about it.
//!
//! A console with a passphrase of its own (`lock_passphrase`) starts locked and asks for it at once: a restart unlocks
//! nothing. Other consoles start open, because starting one needs what opens its keys. So a locked console opens no
//! other profile, which would end the lock and the pauses after wrong attempts; and where the desktop's keyring is open
//! and no passphrase is set, only a locked desktop prevents payments.

mod secret_input;
mod unlock;
pub mod view;

use std::time::Duration;

use crate::app::request_id::RequestId;
use crate::domain::Timestamp;

pub use secret_input::SecretInput;
pub(in crate::app) use unlock::{
    apply_unlock_result, command_refusal, drop_payments_while_locked, handle_key, lock_at_start, lock_if_idle,
    lock_or_open_prompt, next_due, paste, record_activity,
};

pub const LOCKED_MESSAGE: &str = "paying is locked; press L to unlock";

/// The word that unlocks where no passphrase is set.
pub const UNLOCK_WORD: &str = "unlock";

const MAX_RETRY_PAUSE: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnlockMethod {
    /// By a word shown on the screen: anybody at the keyboard can unlock.
    #[default]
    Word,
    /// By the passphrase of the sealed file, or of the console.
    Passphrase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LockSettings {
    /// Idle time after which paying is locked; `None` for never.
    pub lock_after: Option<Duration>,
    pub unlock_method: UnlockMethod,
    pub at_start: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Lock {
    settings: LockSettings,
    locked_since: Option<Timestamp>,
    last_key: Option<Timestamp>,
    wrong_attempts: u32,
    next_attempt_at: Option<Timestamp>,
    request_id: RequestId,
}

#[derive(Debug, Clone, Default)]
pub struct UnlockPrompt {
    pub secret: SecretInput,
    /// What was wrong with the last attempt.
    pub error: Option<String>,
    pub busy: bool,
}

impl Lock {
    /// Open; `lock_at_start` locks it where the settings require that.
    pub fn new(settings: LockSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    pub fn locked_since(&self) -> Option<Timestamp> {
        self.locked_since
    }

    pub fn unlock_method(&self) -> UnlockMethod {
        self.settings.unlock_method
    }

    fn locks_at(&self) -> Option<Timestamp> {
        let after = self.settings.lock_after.filter(|_| self.locked_since.is_none())?;
        Some(self.last_key?.plus(after))
    }
}

#[cfg(test)]
mod tests;
