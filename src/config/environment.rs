//! The environment variables, as a value.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use secrecy::SecretString;

use crate::domain::ThemeName;

#[derive(Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} is not valid UTF-8 text; set it again")]
pub struct NotUtf8 {
    pub name: &'static str,
}

impl Environment {
    /// The value of a variable; an empty one counts as not set.
    fn get_non_empty(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// An empty text counts as not set.
    pub fn text(&self, name: &'static str) -> Result<Option<String>, NotUtf8> {
        self.get_non_empty(name).map(|value| value.to_str().map(str::to_owned).ok_or(NotUtf8 { name })).transpose()
    }

    /// A secret. The environment itself keeps it for as long as the process lives.
    pub(super) fn secret_variable(&self, name: &'static str) -> Result<Option<SecretString>, NotUtf8> {
        Ok(self.text(name)?.map(SecretString::from))
    }

    /// Whether a variable has a value, valid UTF-8 or not.
    pub fn is_set(&self, name: &str) -> bool {
        self.get_non_empty(name).is_some()
    }

    /// A path in any encoding; an empty one counts as not set.
    pub(super) fn path_variable(&self, name: &str) -> Option<PathBuf> {
        self.get_non_empty(name).map(PathBuf::from)
    }

    /// The theme without colours where `NO_COLOR` is set (no-color.org) or the terminal has none.
    pub(super) fn theme(&self) -> Option<ThemeName> {
        let colourless = matches!(self.get_non_empty("TERM").and_then(OsStr::to_str), Some("dumb" | "vt100" | "vt220"));
        (self.get_non_empty("NO_COLOR").is_some() || colourless).then_some(ThemeName::Plain)
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl std::fmt::Debug for Environment {
    /// Names only: the values include keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
