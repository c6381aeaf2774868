//! What the console decides, purely: a message changes the model and says what is to be done.

mod ask;
mod banner;
mod copying;
pub mod exporting;
pub mod filtering;
pub mod first_read;
mod fitting;
pub mod forms;
mod freshness;
pub mod key;
pub mod keymap;
mod keys;
mod line;
pub mod link;
pub mod listing;
pub mod marks;
pub mod menu;
mod mode;
pub mod model;
pub mod msg;
pub mod orders;
pub mod panes;
pub mod poll;
pub mod qr;
pub mod remote;
pub mod screen;
pub mod update;
pub mod users;
pub mod view;
pub mod welcome;

pub use exporting::{Rows, Written};
pub use key::{Key, KeyCode};
pub use model::{Identity, Model, Page, Settings, TOLD_TO_READ, ThemeName};
pub use msg::{Answer, Dataset, Effect, HistoryList, Msg, Prepared, Question, Size, Snapshot, Turn};
pub use update::{connect, start, update};
pub use view::view;
