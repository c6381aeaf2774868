//! Markets: listed tokens and their blockchains.

mod layout;
pub(in crate::app) mod page;
pub mod panes;
pub mod state;
pub mod view;
