//! From a key to a command: the key table, modes, input lines, and whether an action is available.

pub(super) mod availability;
pub(super) mod input_line;
pub mod keymap;
pub(super) mod keys;
pub(super) mod mode;
pub(super) mod paste;
pub mod path_completions;
