//! Pure state transitions of the console: a message changes the model and returns the effects to run.

pub mod absence;
mod appearance;
mod availability;
mod banner;
pub mod book;
pub mod charts;
mod copying;
mod environment;
pub mod events;
pub mod export;
pub mod forms;
mod freshness;
mod gaps;
pub mod initial_sync;
mod input_line;
pub mod keymap;
mod keys;
pub mod link;
pub mod list_filter;
pub mod listing;
pub mod lock;
pub mod look_alikes;
pub mod marked_rows;
pub mod menu;
mod mode;
pub mod model;
pub mod msg;
pub mod orders;
pub mod palette;
pub mod panes;
pub mod poll;
pub mod prices;
pub mod profile_switch;
pub mod qr;
mod queries;
pub mod remote;
pub mod sandbox;
pub mod screen;
pub mod update;
pub mod users;
pub mod veil;
pub mod view;
mod viewport;
pub mod visit;
pub mod watches;
pub mod welcome;

pub use copying::{CopyState, MAX_CLIPBOARD_BYTES as MOST_COPIED};
pub use export::{ClipboardText, ExportProgress, ExportRows, ExportTarget, UserRows};
pub use model::{
    CONFIGURATION_WRITABLE_BY_OTHERS, Identity, Model, Page, READ_ONLY_BY_HOST, READ_ONLY_BY_OPTION, Settings,
};
pub use msg::{Dataset, Effect, HistoryList, Msg, PreparedOrder, RequestId, Size, Snapshot, StoreQuery, StoreResult};
pub use update::{connect, start, update};
pub use view::view;
