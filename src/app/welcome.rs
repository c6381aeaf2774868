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

use super::keymap::ctrl;
use crate::domain::Appearance;
use field::SetupField;
pub use setup_action::{FieldRules, KeyStoreKind, ProfileDraft, SetupAction, SetupResult};

#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    Start,
    Service,
    /// No keyring, for this reason: the operator chooses another key store.
    Place(String),
    Keys(KeyStoreKind),
    Done,
    /// Shows which environment variables to set.
    Environment,
}

const ENVIRONMENTS: [(Option<&str>, &str); 3] =
    [(Some("mainnet"), "mainnet: real money"), (Some("testnet"), "testnet: test money"), (None, "not set")];

/// The start of the base address, so that it need not be typed.
const SCHEME: &str = "https://";

#[derive(Debug)]
pub struct Welcome {
    looks: Appearance,
    rules: FieldRules,
    stage: Stage,
    profile: Option<ProfileDraft>,
    /// Whether this page wrote the profile, so that it can be corrected here.
    written: bool,
    /// The key store that the profile names.
    place: Option<KeyStoreKind>,
    name: SetupField,
    base_url: SetupField,
    environment: usize,
    api_key: SetupField,
    wallet_secret: SetupField,
    passphrase: SetupField,
    again: SetupField,
    focus: usize,
    /// The action under way, during which keys are ignored.
    busy: Option<&'static str>,
    /// A failure that belongs to no field.
    fault: Option<String>,
}

impl Welcome {
    /// Starts without any profile.
    pub fn new(looks: Appearance, rules: FieldRules) -> Self {
        Self {
            looks,
            rules,
            stage: Stage::Start,
            profile: None,
            written: false,
            place: None,
            name: SetupField::with_text("main"),
            base_url: SetupField::with_text(SCHEME),
            environment: 0,
            api_key: SetupField::masked(),
            wallet_secret: SetupField::masked(),
            passphrase: SetupField::masked(),
            again: SetupField::masked(),
            focus: 0,
            busy: None,
            fault: None,
        }
    }

    /// Starts with a profile that has no key yet; also returns the first action. `place` is the profile's key store.
    pub fn at_keys(
        looks: Appearance,
        rules: FieldRules,
        profile: ProfileDraft,
        place: Option<KeyStoreKind>,
    ) -> (Self, Option<SetupAction>) {
        let mut page = Self { profile: Some(profile), place, ..Self::new(looks, rules) };
        let deed = page.want_keys();
        (page, deed)
    }

    pub fn profile(&self) -> Option<&ProfileDraft> {
        self.profile.as_ref()
    }

    pub fn key(&mut self, key: KeyEvent) -> Option<SetupAction> {
        if key == ctrl('c') {
            return Some(SetupAction::Quit);
        }
        // Keys pressed during an action were meant for a page that is not there yet.
        if self.busy.is_some() {
            return None;
        }
        match &self.stage {
            Stage::Start => self.key_at_start(key),
            Stage::Service | Stage::Keys(_) => self.key_in_form(key),
            Stage::Place(_) => self.key_at_place(key),
            Stage::Done => match key.code {
                KeyCode::Enter => Some(SetupAction::Open),
                KeyCode::Char('q') => Some(SetupAction::Quit),
                _ => None,
            },
            Stage::Environment => matches!(key.code, KeyCode::Char('q') | KeyCode::Enter).then_some(SetupAction::Quit),
        }
    }

    pub fn paste(&mut self, text: &str) {
        if self.busy.is_none()
            && let Some(field) = self.focused()
        {
            // A whole address replaces the prefilled scheme.
            if field.text() == SCHEME && text.contains("://") {
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
                self.written = true;
                self.want_keys()
            }
            SetupResult::Keyring(Ok(())) => {
                self.turn_to(Stage::Keys(KeyStoreKind::Keyring));
                None
            }
            SetupResult::Keyring(Err(words)) => {
                self.turn_to(Stage::Place(words));
                None
            }
            SetupResult::Stored(Ok(())) => {
                self.turn_to(Stage::Done);
                None
            }
            SetupResult::Environment(Ok(())) => {
                self.turn_to(Stage::Environment);
                None
            }
            SetupResult::Added(Err(words)) => {
                // The profile that this page wrote before was removed for the new one.
                self.profile = self.profile.take().filter(|_| !self.written);
                self.fault = Some(words);
                None
            }
            SetupResult::Stored(Err(words)) | SetupResult::Environment(Err(words)) => {
                self.fault = Some(words);
                None
            }
        }
    }

    fn key_at_start(&mut self, key: KeyEvent) -> Option<SetupAction> {
        match key.code {
            KeyCode::Char('d') => Some(SetupAction::Demo),
            KeyCode::Char('q') => Some(SetupAction::Quit),
            KeyCode::Char('s') if self.profile.is_some() => self.want_keys(),
            KeyCode::Char('s') => {
                self.turn_to(Stage::Service);
                None
            }
            _ => None,
        }
    }

    fn key_at_place(&mut self, key: KeyEvent) -> Option<SetupAction> {
        match key.code {
            KeyCode::Char('f') => {
                self.turn_to(Stage::Keys(KeyStoreKind::File));
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

    fn key_in_form(&mut self, key: KeyEvent) -> Option<SetupAction> {
        self.fault = None;
        match key.code {
            KeyCode::Esc => self.go_back(),
            KeyCode::BackTab | KeyCode::Up => self.focus = self.focus.saturating_sub(1),
            KeyCode::Tab | KeyCode::Down | KeyCode::Enter if self.focus < self.last() => self.leave(),
            KeyCode::Enter => return self.submit(),
            KeyCode::Left | KeyCode::Right | KeyCode::Char(' ') if self.focused().is_none() => {
                let step = if key.code == KeyCode::Left { ENVIRONMENTS.len() - 1 } else { 1 };
                self.environment = (self.environment + step) % ENVIRONMENTS.len();
            }
            _ => {
                if let Some(field) = self.focused() {
                    field.key(key);
                }
                // A typed scheme replaces the prefilled one.
                if let Some(typed) = self.base_url.text().strip_prefix(SCHEME).filter(|typed| typed.ends_with("://")) {
                    self.base_url = SetupField::with_text(typed);
                }
            }
        }
        None
    }

    /// Moves to the next field, unless this one has a fault.
    fn leave(&mut self) {
        if self.is_right(self.focus) {
            self.focus += 1;
        }
    }

    fn submit(&mut self) -> Option<SetupAction> {
        // The first field with a fault gets the focus.
        if let Some(wrong) = (0..=self.last()).find(|field| !self.is_right(*field)) {
            self.focus = wrong;
            return None;
        }
        let Stage::Keys(place) = self.stage else {
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
            place,
            api_key: self.api_key.secret(),
            wallet_secret: (!self.wallet_secret.text().is_empty()).then(|| self.wallet_secret.secret()),
            passphrase: (place == KeyStoreKind::File).then(|| self.passphrase.secret()),
        })
    }

    fn is_right(&mut self, index: usize) -> bool {
        let fault = self.fault_of(index);
        let right = fault.is_none();
        if let Some(field) = self.field(index) {
            field.fault = fault;
        }
        right
    }

    fn fault_of(&self, index: usize) -> Option<String> {
        let FieldRules { name, base_url, api_key, wallet_secret, passphrase } = self.rules;
        match (&self.stage, index) {
            (Stage::Service, 0) => name(self.name.text()),
            (Stage::Service, 1) => base_url(self.base_url.text()),
            (Stage::Keys(_), 0) => api_key(self.api_key.text()),
            (Stage::Keys(_), 1) if self.wallet_secret.text().is_empty() => None,
            (Stage::Keys(_), 1) => wallet_secret(self.wallet_secret.text()),
            (Stage::Keys(KeyStoreKind::File), 2) => passphrase(self.passphrase.text()),
            (Stage::Keys(KeyStoreKind::File), 3) => (self.again.text() != self.passphrase.text())
                .then(|| "the passphrases differ; type the same passphrase again".to_owned()),
            _ => None,
        }
    }

    /// The focused text field; `None` where a choice has the focus.
    fn focused(&mut self) -> Option<&mut SetupField> {
        self.field(self.focus)
    }

    fn field(&mut self, index: usize) -> Option<&mut SetupField> {
        match (&self.stage, index) {
            (Stage::Service, 0) => Some(&mut self.name),
            (Stage::Service, 1) => Some(&mut self.base_url),
            (Stage::Keys(_), 0) => Some(&mut self.api_key),
            (Stage::Keys(_), 1) => Some(&mut self.wallet_secret),
            (Stage::Keys(KeyStoreKind::File), 2) => Some(&mut self.passphrase),
            (Stage::Keys(KeyStoreKind::File), 3) => Some(&mut self.again),
            _ => None,
        }
    }

    fn last(&self) -> usize {
        match self.stage {
            Stage::Service => 2,
            Stage::Keys(KeyStoreKind::File) => 3,
            Stage::Keys(KeyStoreKind::Keyring) => 1,
            _ => 0,
        }
    }

    /// Moves on to the keys: to the encrypted file if the profile names it, otherwise to the keyring, if there is one.
    fn want_keys(&mut self) -> Option<SetupAction> {
        if self.place == Some(KeyStoreKind::File) {
            self.turn_to(Stage::Keys(KeyStoreKind::File));
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
        let is_behind = matches!(self.stage, Stage::Keys(_) | Stage::Place(_));
        self.turn_to(if is_behind && self.written { Stage::Service } else { Stage::Start });
    }

    fn turn_to(&mut self, stage: Stage) {
        self.stage = stage;
        self.focus = 0;
        self.fault = None;
        for secret in [&mut self.api_key, &mut self.wallet_secret, &mut self.passphrase, &mut self.again] {
            secret.clear();
        }
    }
}
