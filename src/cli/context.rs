//! What every command is given, and how it ends.

use super::logging::LogLevel;
use crate::config::{Config, ConfigError, Environment, Overrides};

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, or because the operator left.
    Normally,
    /// The report was written, but what it reports may be old or incomplete.
    WithTrouble,
    /// The report is complete, and something in it needs a person.
    NeedsPerson,
    BySignal(u8),
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Self::Normally => 0,
            Self::WithTrouble => 1,
            Self::NeedsPerson => 3,
            Self::BySignal(signal) => signal.saturating_add(128),
        }
    }
}

/// What every command is given.
#[derive(Clone)]
pub(super) struct CommandContext {
    pub(super) overrides: Overrides,
    pub(super) environment: Environment,
    pub(super) veil: bool,
    pub(super) log_level: Option<LogLevel>,
}

impl CommandContext {
    pub(super) fn config(&self) -> Result<Config, ConfigError> {
        Config::resolve(self.overrides.clone(), &self.environment)
    }
}
