//! What is shown over a page: help, palette, menus, charts, details, copying and export.

pub mod chart;
pub(super) mod copying;
pub mod detail;
pub mod directory_record;
pub mod export;
pub mod help;
pub mod import;
pub mod line_prompt;
pub mod menu;
pub mod movement_search;
pub mod naming;
pub mod palette;
pub mod qr;
pub mod receive;
pub mod record;
pub mod reports;
pub mod saved_views;
