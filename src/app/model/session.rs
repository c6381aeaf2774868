//! What lasts for this run of the program, whatever page is shown.

use crate::app::session::absence::AbsenceTracker;
use crate::app::session::lock::Lock;
use crate::app::session::veil::Veil;
use crate::app::session::views::SavedViews;
use crate::app::session::watches::WatchList;

#[derive(Debug)]
pub struct SessionState {
    pub views: SavedViews,
    pub watches: WatchList,
    pub absence: AbsenceTracker,
    pub veil: Veil,
    pub lock: Lock,
}
