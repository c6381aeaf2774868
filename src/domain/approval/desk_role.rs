//! What a console may do with payments that need approval.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeskRole {
    /// It proposes, approves and releases.
    #[default]
    Both,
    /// It proposes and approves, and never sends: its API key need only read.
    Propose,
    /// It approves and releases what others proposed, and drafts nothing itself.
    Release,
}

impl DeskRole {
    pub const ALL: [(&'static str, Self); 3] =
        [("both", Self::Both), ("propose", Self::Propose), ("release", Self::Release)];

    pub fn config_name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Propose => "propose",
            Self::Release => "release",
        }
    }
}
