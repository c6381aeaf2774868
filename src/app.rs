//! What the console decides: pure.

pub mod key;

pub use key::{Key, KeyCode};
