//! The veil with which a dashboard begins.

use super::Context;
use crate::app::veil::Veil;
use crate::runtime::veil;

/// Whether a dashboard begins veiled: the command line or the profile says so.
pub(super) fn is_wanted(context: &Context, by_profile: bool) -> bool {
    context.veil || by_profile
}

/// The veil of a run, on where it is wanted.
pub(super) fn initial_veil(context: &Context, by_profile: bool) -> Veil {
    veil::new_veil(is_wanted(context, by_profile))
}
