//! The one table of keys, `assets/keys.toml`: footer, help and manual follow it.

mod binding;
mod command;
mod command_words;
mod key_name;

use std::sync::LazyLock;

use binding::parse_bindings;
pub use binding::{Binding, command_of_key, ctrl};
pub use command::{Command, Context};
pub use key_name::key_name;

/// Every key, in the order of the help.
pub static KEY_BINDINGS: LazyLock<Vec<Binding>> =
    LazyLock::new(|| parse_bindings(include_str!("../../../assets/keys.toml")).unwrap_or_default());

#[cfg(test)]
mod tests;
