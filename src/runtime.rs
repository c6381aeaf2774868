//! The only place where anything happens.

pub mod clock;
pub mod encoder;
pub mod input;
