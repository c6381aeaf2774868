//! Paint, and the pieces that views share. Nothing here knows the model.

pub mod chrome;
pub mod figure;
pub mod paint;
pub mod theme;

pub use theme::Theme;
