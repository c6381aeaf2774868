//! What a check found.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckStatus {
    Good,
    Note,
    /// A person has to act.
    Wrong,
}

impl CheckStatus {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Wrong => "wrong",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckResult {
    pub(super) subject: &'static str,
    pub(super) verdict: CheckStatus,
    pub(super) message: String,
}

impl CheckResult {
    pub(super) fn ok(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, verdict: CheckStatus::Good, message: message.into() }
    }

    pub(super) fn note(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, verdict: CheckStatus::Note, message: message.into() }
    }

    pub(super) fn wrong(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, verdict: CheckStatus::Wrong, message: message.into() }
    }
}

/// An error with all its causes.
pub(super) fn error_with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        message = format!("{message}: {source}");
        cause = source.source();
    }
    message
}
