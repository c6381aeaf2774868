//! Pages, a folder each: what their panes hold and show.

pub mod attention;
pub mod book;
pub mod events;
pub mod holdings;
pub mod markets;
pub mod orders;
pub mod overview;
pub(in crate::app) mod page;
pub(in crate::app) mod pane;
pub(in crate::app) mod registry;
mod text;
pub mod transactions;
pub mod users;
pub mod view;
pub mod welcome;

pub use text::{Tone, group_thousands};
