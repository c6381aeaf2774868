//! Operations that exist in version 1 alone.

pub(super) mod blockchains;
