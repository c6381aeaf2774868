//! The commands with their keys and words, from `assets/keys.toml`: footer, help, palette and manual follow it.

mod binding;
mod command;
mod key_name;

use std::sync::LazyLock;

use binding::parse_bindings;
pub use binding::{Binding, binding_of, command_of_key, ctrl};
pub use command::{Command, Context};
pub use key_name::key_name;

use crate::app::screen::Page;

const KEYS: &str = include_str!("../../../assets/keys.toml");

/// Every command, in the order of the help: the pages stand behind the palette.
#[expect(clippy::expect_used, reason = "a test reads this file, and a program without keys could not even be left")]
pub static KEY_BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| {
    let mut bindings = parse_bindings(KEYS).expect("assets/keys.toml names keys, contexts and commands");
    let palette = bindings.iter().position(|binding| binding.command == Command::Palette);
    let after_palette = palette.map_or(0, |index| index + 1);
    bindings.splice(after_palette..after_palette, Page::ALL.map(Binding::of_page));
    bindings
});

#[cfg(test)]
mod tests;
