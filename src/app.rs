//! Pure state transitions of the console: a message changes the model and returns the effects to run.

pub mod approvals;
pub mod data;
pub mod forms;
pub mod input;
pub mod layout;
pub mod list_filter;
pub mod listing;
pub mod marked_rows;
pub mod model;
pub mod msg;
pub mod orders;
pub mod overlays;
pub mod pages;
pub mod request_id;
pub mod screen;
pub mod session;
pub mod transaction_text;
pub mod update;
pub mod view;
mod viewport;

pub use data::poll::{Dataset, Snapshot};
pub use input::path_completions::PathKind;
pub use model::{Model, Page, ProfileIdentity, Settings};
pub use msg::{Effect, Msg, PreparedOrder, StoreQuery, StoreResult};
pub use overlays::copying::{CopyState, MAX_CLIPBOARD_BYTES as MOST_COPIED};
pub use overlays::export::{ClipboardText, ExportProgress, ExportRows, ExportTarget};
pub use request_id::RequestId;
pub use screen::{HistoryList, Size};
pub use update::{connect, start, update};
pub use view::view;
