//! Who acted: the user, the machine, and the run of the program.

use uuid::Uuid;

use crate::domain::Text;

/// Which console acted, and which operating-system user.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ConsoleIdentity {
    /// The operating system's name for the user.
    pub user: Text,
    pub host: Text,
    /// Distinguishes this run of the program from others, also on the same machine.
    pub run: Uuid,
}
