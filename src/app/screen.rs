//! Pages, panes and areas of the screen: what a layout is made of. The layout itself is [`layout`](super::layout).

mod area;
mod arrangement;
mod breakpoints;
mod page;

pub use area::{Area, Chrome, Size};
pub use arrangement::{Arrangement, MIN_HEIGHT_WITH_HEADS, PaneArea, list_and_detail, two_stacked_boxes};
pub use breakpoints::{
    DETAIL_MIN_WIDTH, MIN_SCREEN_SIZE, STACKED_MIN_HEIGHT, TALL_MIN_HEIGHT, TWO_COLUMN_MIN_WIDTH, is_too_small,
};
pub use page::{HistoryList, Page, Pane};
