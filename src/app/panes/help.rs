//! The help, from the table of keys.

pub mod view;
