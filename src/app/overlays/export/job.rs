//! An export as it runs: where it goes, and how far it is.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportTarget {
    /// A new file in this folder, as typed.
    Folder(String),
    Clipboard,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportProgress {
    /// Rows written so far, and rows in all.
    Running {
        rows: u64,
        total: u64,
    },
    Finished {
        rows: u64,
        path: String,
    },
    Clipboard(ClipboardText),
    /// The export was stopped, and its file removed.
    Stopped,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipboardText {
    pub rows: u64,
    pub bytes: usize,
    /// `None` if it is larger than terminals accept.
    pub text: Option<String>,
}
