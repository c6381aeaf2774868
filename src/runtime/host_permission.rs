//! The machine that a console runs on, as far as a console may touch it: its files.
//!
//! ```text
//!   whoever sits at the machine:  cli ──Host──▶ World ──&Host──▶ whatever opens a path
//!   a visitor over the network:           World without one      └─▶ is answered in words
//! ```
//!
//! Nothing in this room opens a path without one, so what has none cannot be talked into it.

pub use crate::app::visit::NO_SHELL;

/// The permission to touch the files of this machine. It holds nothing: to have it is all.
#[derive(Debug, Clone)]
pub struct HostPermission(());

impl HostPermission {
    /// The permission of somebody who sits at this machine. Made by the command line alone, as a test of the source
    /// sees to.
    pub fn at_hand() -> Self {
        Self(())
    }
}

/// What somebody is told who names a file where there is none within reach.
pub const NO_FILES: &str = "files belong to the host: visitors have no access to them";

/// What somebody is told who wants to open another profile.
pub const NO_PROFILES: &str = "profiles belong to the host: visitors can use only this one";

/// What somebody is told who names a file of entries where there is none.
pub(super) const NO_IMPORT_FILES: &str =
    "entries without a file are accepted: user ID [NAME], account ID [NAME] or wallet ID CHAIN [ADDRESS]";
