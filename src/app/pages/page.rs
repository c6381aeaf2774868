//! What a page is beyond its panes: where they stand, and which commands mean something of their own there. Each page
//! implements this once, in its folder, and is named once, in [`registry`](super::registry).

pub(in crate::app) mod view;

use view::PageView;

use crate::app::input::keymap::Command;
use crate::app::model::Model;
use crate::app::msg::Effect;
use crate::app::screen::{Area, Arrangement};

pub(in crate::app) trait PageLogic: PageView {
    /// Where its parts stand while no pane has the page to itself.
    fn arrange(&self, model: &Model, body: Area) -> Arrangement;

    /// Lists its rows anew where what they depend on has changed; after each message, while the page is shown.
    fn rebuild_list(&self, _model: &mut Model) {}

    /// Queries what the page shows of the store. Changes of the journal arrive as messages, and events are recorded here.
    fn query_rows(&self, _model: &mut Model) -> Vec<Effect> {
        Vec::new()
    }

    /// Queries the balances on screen, after some were read.
    fn query_balances(&self, _model: &mut Model) -> Vec<Effect> {
        Vec::new()
    }

    /// Whether a command is available on this page, or why it is not; `None` if the page decides nothing about it.
    fn availability(&self, _model: &Model, _command: Command) -> Option<Result<(), String>> {
        None
    }

    /// Runs a command that means something of its own on this page; `None` if it means what it means elsewhere.
    fn run_command(&self, _model: &mut Model, _command: Command) -> Option<Vec<Effect>> {
        None
    }
}
