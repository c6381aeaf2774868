//! The page of the first run: an introduction, the demo, and the set-up of a profile with its keys.
//!
//! It is a small pure program beside the console: keys and results go in, actions come out. The rules of its fields are
//! functions that the caller supplies. Secrets are masked, hidden from `Debug`, and leave the page only in the action
//! that stores them.
//!
//! ```text
//!   Start ──s──▶ Service ──AddProfile──▶ Keys ──Store──▶ Done ──Enter──▶ the dashboard
//!     │                                   │ no keyring
//!     d demo, q quit                      ▼
//!                                        Place ──f──▶ Keys with a passphrase
//!                                              ──e──▶ Environment: what to set, and quit
//! ```

pub mod field;
mod setup_action;
#[cfg(test)]
mod tests;
pub mod view;

use crossterm::event::{KeyCode, KeyEvent};

use crate::app::input::keymap::ctrl;
use crate::domain::Appearance;
use field::SetupField;
pub use setup_action::{FieldRules, KeyStoreKind, ProfileDraft, SetupAction, SetupResult};

#[derive(Debug, Clone, PartialEq, Eq)]
enum SetupStage {
    Start,
    Service,
    /// No keyring, for this reason: the operator chooses another key store.
    KeyStoreChoice(String),
    Keys(KeyStoreKind),
    Done,
    /// Shows which environment variables to set.
    Environment,
}

const ENVIRONMENTS: [(Option<&str>, &str); 3] =
    [(Some("mainnet"), "mainnet: real money"), (Some("testnet"), "testnet: test money"), (None, "not set")];

/// The start of the base address, so that it need not be typed.
const HTTPS_PREFIX: &str = "https://";

#[derive(Debug)]
pub struct Welcome {
    appearance: Appearance,
    rules: FieldRules,
    stage: SetupStage,
    profile: Option<ProfileDraft>,
    /// Whether this page wrote the profile, so that it can be corrected here.
    is_profile_written: bool,
    /// The key store that the profile names.
    key_store: Option<KeyStoreKind>,
    name: SetupField,
    base_url: SetupField,
    environment: usize,
    api_key: SetupField,
    wallet_secret: SetupField,
    passphrase: SetupField,
    passphrase_repeat: SetupField,
    focus: usize,
    /// The action under way, during which keys are ignored.
    busy: Option<&'static str>,
    /// A failure that belongs to no field.
    fault: Option<String>,
}

impl Welcome {
    /// Starts without any profile.
    pub fn new(appearance: Appearance, rules: FieldRules) -> Self {
        Self {
            appearance,
            rules,
            stage: SetupStage::Start,
            profile: None,
            is_profile_written: false,
            key_store: None,
            name: SetupField::new_unmasked("main"),
            base_url: SetupField::new_unmasked(HTTPS_PREFIX),
            environment: 0,
            api_key: SetupField::new_masked(),
            wallet_secret: SetupField::new_masked(),
            passphrase: SetupField::new_masked(),
            passphrase_repeat: SetupField::new_masked(),
            focus: 0,
            busy: None,
            fault: None,
        }
    }

    /// Starts with a profile that has no key yet; also returns the first action. `place` is the profile's key store.
    pub fn for_profile_without_key(
        appearance: Appearance,
        rules: FieldRules,
        profile: ProfileDraft,
        place: Option<KeyStoreKind>,
    ) -> (Self, Option<SetupAction>) {
        let mut page = Self { profile: Some(profile), key_store: place, ..Self::new(appearance, rules) };
        let action = page.go_to_keys();
        (page, action)
    }

    pub fn profile(&self) -> Option<&ProfileDraft> {
        self.profile.as_ref()
    }

    pub fn handle_key(&mut self, key: KeyEvent) -> Option<SetupAction> {
        if key == ctrl('c') {
            return Some(SetupAction::Quit);
        }
        // Keys pressed during an action were meant for a page that is not there yet.
        if self.busy.is_some() {
            return None;
        }
        match &self.stage {
            SetupStage::Start => self.handle_start_key(key),
            SetupStage::Service | SetupStage::Keys(_) => self.handle_form_key(key),
            SetupStage::KeyStoreChoice(_) => self.handle_key_store_key(key),
            SetupStage::Done if key.code == KeyCode::Enter => Some(SetupAction::Open),
            SetupStage::Done => (key.code == KeyCode::Char('q')).then_some(SetupAction::Quit),
            SetupStage::Environment => {
                matches!(key.code, KeyCode::Char('q') | KeyCode::Enter).then_some(SetupAction::Quit)
            }
        }
    }

    pub fn paste(&mut self, text: &str) {
        if self.busy.is_none()
            && let Some(field) = self.focused_field()
        {
            // A whole address replaces the prefilled scheme.
            if field.text() == HTTPS_PREFIX && text.contains("://") {
                field.clear();
            }
            field.paste(text);
        }
    }

    pub fn apply_result(&mut self, reply: SetupResult) -> Option<SetupAction> {
        self.busy = None;
        match reply {
            SetupResult::Added(Ok(())) => {
                let (name, base_url) = (self.name.text().to_owned(), self.base_url.text().to_owned());
                self.profile = Some(ProfileDraft { name, base_url });
                self.is_profile_written = true;
                self.go_to_keys()
            }
            SetupResult::Keyring(Ok(())) => {
                self.show_stage(SetupStage::Keys(KeyStoreKind::Keyring));
                None
            }
            SetupResult::Keyring(Err(message)) => {
                self.show_stage(SetupStage::KeyStoreChoice(message));
                None
            }
            SetupResult::Stored(Ok(())) => {
                self.show_stage(SetupStage::Done);
                None
            }
            SetupResult::Environment(Ok(())) => {
                self.show_stage(SetupStage::Environment);
                None
            }
            SetupResult::Added(Err(message)) => {
                // The profile that this page wrote before was removed for the new one.
                self.profile = self.profile.take().filter(|_| !self.is_profile_written);
                self.fault = Some(message);
                None
            }
            SetupResult::Stored(Err(message)) | SetupResult::Environment(Err(message)) => {
                self.fault = Some(message);
                None
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
    fn handle_start_key(&mut self, key: KeyEvent) -> Option<SetupAction> {
        match key.code {
            KeyCode::Char('d') => Some(SetupAction::Demo),
            KeyCode::Char('q') => Some(SetupAction::Quit),
            KeyCode::Char('s') if self.profile.is_some() => self.go_to_keys(),
            KeyCode::Char('s') => {
                self.show_stage(SetupStage::Service);
                None
            }
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys have no meaning here")]
    fn handle_key_store_key(&mut self, key: KeyEvent) -> Option<SetupAction> {
        match key.code {
            KeyCode::Char('f') => {
                self.show_stage(SetupStage::Keys(KeyStoreKind::File));
                None
            }
            KeyCode::Char('e') => {
                self.busy = Some("saving…");
                Some(SetupAction::UseEnvironment)
            }
            KeyCode::Char('r') => Some(self.look_for_keyring()),
            KeyCode::Esc => {
                self.go_back();
                None
            }
            _ => None,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other keys edit the text")]
    fn handle_form_key(&mut self, key: KeyEvent) -> Option<SetupAction> {
        self.fault = None;
        match key.code {
            KeyCode::Esc => self.go_back(),
            KeyCode::BackTab | KeyCode::Up => self.focus = self.focus.saturating_sub(1),
            KeyCode::Tab | KeyCode::Down | KeyCode::Enter if self.focus < self.last_field_index() => self.leave_field(),
            KeyCode::Enter => return self.submit(),
            KeyCode::Left | KeyCode::Right | KeyCode::Char(' ') if self.focused_field().is_none() => {
                let step = if key.code == KeyCode::Left { ENVIRONMENTS.len() - 1 } else { 1 };
                self.environment = (self.environment + step) % ENVIRONMENTS.len();
            }
            _ => {
                if let Some(field) = self.focused_field() {
                    field.handle_key(key);
                }
                // A typed scheme replaces the prefilled one.
                if let Some(typed) =
                    self.base_url.text().strip_prefix(HTTPS_PREFIX).filter(|typed| typed.ends_with("://"))
                {
                    self.base_url = SetupField::new_unmasked(typed);
                }
            }
        }
        None
    }

    /// Moves to the next field, unless this one has a fault.
    fn leave_field(&mut self) {
        if self.check_field(self.focus) {
            self.focus += 1;
        }
    }

    fn submit(&mut self) -> Option<SetupAction> {
        // The first field with a fault gets the focus.
        if let Some(wrong) = (0..=self.last_field_index()).find(|field| !self.check_field(*field)) {
            self.focus = wrong;
            return None;
        }
        let SetupStage::Keys(place) = self.stage else {
            self.busy = Some("writing the profile…");
            let environment = ENVIRONMENTS[self.environment].0;
            let (name, base_url) = (self.name.text().to_owned(), self.base_url.text().to_owned());
            return Some(SetupAction::AddProfile { name, base_url, environment });
        };
        self.busy = Some(match place {
            KeyStoreKind::Keyring => "trying the key, then waiting for the keyring, which may ask for its password…",
            KeyStoreKind::File => "trying the key, then sealing the file…",
        });
        Some(SetupAction::Store {
            key_store: place,
            api_key: self.api_key.secret(),
            wallet_secret: (!self.wallet_secret.text().is_empty()).then(|| self.wallet_secret.secret()),
            passphrase: (place == KeyStoreKind::File).then(|| self.passphrase.secret()),
        })
    }

    fn check_field(&mut self, index: usize) -> bool {
        let fault = self.field_fault(index);
        let right = fault.is_none();
        if let Some(field) = self.field(index) {
            field.fault = fault;
        }
        right
    }

    fn field_fault(&self, index: usize) -> Option<String> {
        let FieldRules { name, base_url, api_key, wallet_secret, passphrase } = self.rules;
        match (&self.stage, index) {
            (SetupStage::Service, 0) => name(self.name.text()),
            (SetupStage::Service, 1) => base_url(self.base_url.text()),
            (SetupStage::Keys(_), 0) => api_key(self.api_key.text()),
            (SetupStage::Keys(_), 1) if self.wallet_secret.text().is_empty() => None,
            (SetupStage::Keys(_), 1) => wallet_secret(self.wallet_secret.text()),
            (SetupStage::Keys(KeyStoreKind::File), 2) => passphrase(self.passphrase.text()),
            (SetupStage::Keys(KeyStoreKind::File), 3) => (self.passphrase_repeat.text() != self.passphrase.text())
                .then(|| "the passphrases differ; type the same passphrase again".to_owned()),
            _ => None,
        }
    }

    /// The focused text field; `None` where a choice has the focus.
    fn focused_field(&mut self) -> Option<&mut SetupField> {
        self.field(self.focus)
    }

    fn field(&mut self, index: usize) -> Option<&mut SetupField> {
        match (&self.stage, index) {
            (SetupStage::Service, 0) => Some(&mut self.name),
            (SetupStage::Service, 1) => Some(&mut self.base_url),
            (SetupStage::Keys(_), 0) => Some(&mut self.api_key),
            (SetupStage::Keys(_), 1) => Some(&mut self.wallet_secret),
            (SetupStage::Keys(KeyStoreKind::File), 2) => Some(&mut self.passphrase),
            (SetupStage::Keys(KeyStoreKind::File), 3) => Some(&mut self.passphrase_repeat),
            _ => None,
        }
    }

    fn last_field_index(&self) -> usize {
        match self.stage {
            SetupStage::Service => 2,
            SetupStage::Keys(KeyStoreKind::File) => 3,
            SetupStage::Keys(KeyStoreKind::Keyring) => 1,
            SetupStage::Start | SetupStage::KeyStoreChoice(_) | SetupStage::Done | SetupStage::Environment => 0,
        }
    }

    /// Moves on to the keys: to the encrypted file if the profile names it, otherwise to the keyring, if there is one.
    fn go_to_keys(&mut self) -> Option<SetupAction> {
        if self.key_store == Some(KeyStoreKind::File) {
            self.show_stage(SetupStage::Keys(KeyStoreKind::File));
            return None;
        }
        Some(self.look_for_keyring())
    }

    fn look_for_keyring(&mut self) -> SetupAction {
        self.busy = Some("looking for the keyring, which may ask for its password…");
        SetupAction::LookForKeyring
    }

    /// Goes back: from the keys of a profile written here to its service, for corrections; from elsewhere to the start.
    fn go_back(&mut self) {
        let is_behind = matches!(self.stage, SetupStage::Keys(_) | SetupStage::KeyStoreChoice(_));
        self.show_stage(if is_behind && self.is_profile_written { SetupStage::Service } else { SetupStage::Start });
    }

    fn show_stage(&mut self, stage: SetupStage) {
        self.stage = stage;
        self.focus = 0;
        self.fault = None;
        for secret in [&mut self.api_key, &mut self.wallet_secret, &mut self.passphrase, &mut self.passphrase_repeat] {
            secret.clear();
        }
    }
}
