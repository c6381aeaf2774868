//! The sizes of a screen from which on it shows more.

use super::Size;

/// The smallest screen that shows panes.
pub const MIN_SCREEN_SIZE: Size = Size { width: 40, height: 10 };
/// From this height on, a single column shows all panes of the Overview.
pub const STACKED_MIN_HEIGHT: u16 = 20;
/// From this height on, panes stand below one another beside others.
pub const TALL_MIN_HEIGHT: u16 = 30;
/// From this width on, panes are side by side: each is wide enough for the columns that it has alone at 80.
pub const TWO_COLUMN_MIN_WIDTH: u16 = 120;
/// From this width on, a list has its detail beside it and still all of its columns.
pub const DETAIL_MIN_WIDTH: u16 = 190;

pub fn is_too_small(size: Size) -> bool {
    size.width < MIN_SCREEN_SIZE.width || size.height < MIN_SCREEN_SIZE.height
}
