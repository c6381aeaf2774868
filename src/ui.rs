//! Drawing primitives that views share. Nothing here depends on the model.

pub mod chart;
pub mod chrome;
pub mod day_chart;
pub mod figure;
pub mod glyphs;
pub mod paint;
pub mod row;
pub mod table;
pub mod theme;

pub use row::Row;
pub use theme::Theme;
