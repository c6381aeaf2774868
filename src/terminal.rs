//! What a terminal is told and tells: the same for the local one and an SSH channel.
//!
//! ```text
//!   bytes ──▶ input ──▶ keys, pastes, reports
//!   bytes ◀── pump ◀── encoder ◀── frames
//! ```
//!
//! Keys, modes and attributes have crossterm's names. The parser, the differences between frames and their pace are our
//! own: no crate has them for bytes of a channel.
//!
//! Nothing here reads, writes or waits: bytes and times come in, bytes and deadlines go out.

pub mod alert;
pub mod clipboard;
pub mod encoder;
pub mod input;
pub mod modes;
pub mod pump;

pub use encoder::{ColorDepth, Dialect};
