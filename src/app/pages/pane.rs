//! What a pane is beyond its rows: how keys move in them and open them, and how they are filtered, copied and exported.
//! Each pane implements this once, in the folder of its page, and is named once, in [`registry`](super::registry).

pub(in crate::app) mod view;

use view::PaneView;

use crate::app::input::keymap::{Command, Context};
use crate::app::listing::PaneList;
use crate::app::model::{Mode, Model};
use crate::app::msg::Effect;
use crate::app::overlays::export::ExportList;
use crate::app::overlays::menu::MenuItem;
use crate::domain::history::Scope;

/// Opens the selected row.
pub(in crate::app) type OpenRow = fn(&mut Model) -> Vec<Effect>;

/// The text of a filter, as typed.
pub(in crate::app) type FilterText = for<'a> fn(&'a mut Model) -> &'a mut String;

pub(in crate::app) trait PaneLogic: PaneView {
    /// The list; `None` for a pane of figures.
    fn list<'a>(&self, model: &'a Model) -> Option<&'a dyn PaneList>;

    fn list_mut<'a>(&self, model: &'a mut Model) -> Option<&'a mut dyn PaneList>;

    /// The query for the rows on screen; `None` where all rows are in memory.
    fn query_rows(&self, _model: &mut Model) -> Option<Effect> {
        None
    }

    /// Whether the top of the list shows rows that arrive, and not the row that was first.
    fn follows_newest(&self) -> bool {
        false
    }

    /// Moves in the list, and requests more rows where the window ends.
    fn run_motion(&self, model: &mut Model, command: Command) -> Vec<Effect> {
        let follows = self.follows_newest();
        let is_short = self.list_mut(model).is_some_and(|list| list.run_motion(command, follows));
        is_short.then(|| self.query_rows(model)).flatten().into_iter().collect()
    }

    /// What Enter does; `None` where the rows do not open.
    fn open_row(&self) -> Option<OpenRow> {
        None
    }

    /// Whether nothing selected means all rows, and Enter goes on to the next pane.
    fn leads_to_next_pane(&self) -> bool {
        false
    }

    /// What follows when no row is selected any more.
    fn after_deselection(&self, _model: &mut Model) -> Vec<Effect> {
        Vec::new()
    }

    /// The filter; `None` where the list has none.
    fn filter(&self) -> Option<FilterText> {
        None
    }

    /// What follows when the filter was changed: the list begins anew.
    fn after_filter_change(&self, _model: &mut Model) -> Vec<Effect> {
        Vec::new()
    }

    /// Filters that find rows on screen, the most telling first.
    fn filter_examples(&self, _model: &Model) -> Vec<String> {
        Vec::new()
    }

    /// Whether its rows have a sum below them now.
    fn has_sum(&self, _model: &Model) -> bool {
        false
    }

    /// What can be copied of the selected row, the most wanted first.
    fn copy_items(&self, _model: &Model) -> Vec<MenuItem> {
        Vec::new()
    }

    /// What an export of the list writes; `None` where it is not exported.
    fn exportable_list(&self, _model: &Model) -> Option<ExportList> {
        None
    }

    /// The account or wallet that the selected row names.
    fn scope_of_selected_row(&self, _model: &Model) -> Option<Scope> {
        None
    }

    /// Whether a command is available in this pane, below what is open, or why it is not; `None` if the pane decides
    /// nothing about it. The pane is asked before its page.
    fn availability(&self, _model: &Model, _mode: &Mode, _command: Command) -> Option<Result<(), String>> {
        None
    }

    /// Runs a command that means something of its own in this pane; `None` if it means what it means elsewhere.
    fn run_command(&self, _model: &mut Model, _command: Command) -> Option<Vec<Effect>> {
        None
    }

    /// The keys that the help lists first here, nearest first.
    fn help_contexts(&self) -> &'static [Context] {
        &[]
    }
}

/// Implements the two methods for a list that is always the same.
macro_rules! shows_list {
    ($model:ident => $list:expr) => {
        fn list<'a>(&self, $model: &'a Model) -> Option<&'a dyn PaneList> {
            Some(&$list)
        }

        fn list_mut<'a>(&self, $model: &'a mut Model) -> Option<&'a mut dyn PaneList> {
            Some(&mut $list)
        }
    };
}
pub(super) use shows_list;
