//! Markets: listed tokens and their blockchains.

pub mod view;
