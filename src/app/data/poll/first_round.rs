//! The end of the first round of reads. What was computed in its course may lack what came later, and would be repeated
//! only after a pause: the screen would show figures of a part as those of the whole.

use super::due::has_no_pending_read;
use crate::app::data::analyses;
use crate::app::model::Model;

/// Has everything computed again, once, when all that is needed was read.
pub(in crate::app) fn recompute_after_first_round(model: &mut Model) {
    if !model.data.remotes.is_first_round_over && is_round_over(model) {
        model.data.remotes.is_first_round_over = true;
        analyses::recompute_all(model);
    }
}

/// Whether the service answers, and has nothing left that is needed now.
fn is_round_over(model: &Model) -> bool {
    let remotes = &model.data.remotes;
    let is_history_read = remotes.latest.last_success.is_some() && remotes.latest.failure.is_none();
    let is_put_off = remotes.quiet_until.is_some_and(|until| model.now < until);
    is_history_read && !is_put_off && !remotes.are_lists_incomplete && has_no_pending_read(model)
}
