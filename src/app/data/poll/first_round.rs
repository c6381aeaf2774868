//! The end of the first round of reads. What was computed in its course may lack what came later, and would be repeated
//! only after a pause: the screen would show figures of a part as those of the whole.

use super::due::is_quiet;
use crate::app::data::analyses;
use crate::app::model::Model;

/// Has everything computed again, once, when the history has been read and no read is under way or due.
pub(in crate::app) fn recompute_after_first_round(model: &mut Model) {
    let has_read = model.data.remotes.latest.last_success.is_some();
    if !model.data.remotes.is_first_round_over && has_read && is_quiet(model) {
        model.data.remotes.is_first_round_over = true;
        analyses::recompute_all(model);
    }
}
