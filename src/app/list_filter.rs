//! Filters on lists.

pub mod completions;
pub(super) mod context;
pub(super) mod examples;
pub mod filter_line;
pub(super) mod filter_text;
pub mod view;
