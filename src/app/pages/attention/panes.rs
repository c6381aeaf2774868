//! The panes of what needs a person, and of the watches.

use super::{open_item, open_selected_watch};
use crate::app::input::keymap::Context;
use crate::app::listing::PaneList;
use crate::app::model::Model;
use crate::app::pages::pane::{OpenRow, PaneLogic, shows_list};

pub struct AttentionPane;
pub struct WatchesPane;

impl PaneLogic for AttentionPane {
    shows_list!(model => model.pages.attention.listing);

    fn open_row(&self) -> Option<OpenRow> {
        Some(open_item)
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Attention]
    }
}

impl PaneLogic for WatchesPane {
    shows_list!(model => model.session.watches.listing);

    fn open_row(&self) -> Option<OpenRow> {
        Some(open_selected_watch)
    }

    fn help_contexts(&self) -> &'static [Context] {
        &[Context::Attention]
    }
}
