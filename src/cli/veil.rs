//! The initial veil of a dashboard.

use super::Context;
use crate::app::veil::Veil;
use crate::runtime::veil;

pub(super) fn is_wanted(context: &Context, by_profile: bool) -> bool {
    context.veil || by_profile
}

pub(super) fn initial_veil(context: &Context, by_profile: bool) -> Veil {
    veil::new_veil(is_wanted(context, by_profile))
}
