//! The permission to use the files of the machine that a console runs on.
//!
//! ```text
//!   an operator at the machine:    cli ──HostPermission──▶ Resources ──&HostPermission──▶ any function that opens a path
//!   a visitor over the network:           Resources without one               └─▶ refused with a message
//! ```
//!
//! Every function of `runtime` that opens a file requires the permission, so a console without one reaches no file.

pub use crate::app::session::visit::NO_SHELL_MESSAGE;

/// The permission to use this machine's files. It has no content: owning one is the permission.
#[derive(Debug, Clone)]
pub struct HostPermission(());

impl HostPermission {
    /// The permission of an operator at this machine. A source test verifies that only the command line creates it.
    pub fn for_local_operator() -> Self {
        Self(())
    }
}

/// Shown to a visitor who names a file.
pub const VISITOR_MAY_NOT_USE_FILES: &str = "files belong to the host: visitors have no access to them";

/// Shown to a visitor who wants to open another profile.
pub const VISITOR_MAY_NOT_SWITCH_PROFILE: &str = "profiles belong to the host: visitors can use only this one";

/// Shown to a visitor who names a file of entries to import.
pub(super) const VISITOR_MAY_NOT_IMPORT_FILES: &str =
    "entries without a file are accepted: user ID [NAME], account ID [NAME] or wallet ID CHAIN [ADDRESS]";
