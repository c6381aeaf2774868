//! The initial veil of a dashboard.

use super::CommandContext;
use crate::app::session::veil::Veil;
use crate::runtime::veil;

pub(super) fn is_veil_on(context: &CommandContext, by_profile: bool) -> bool {
    context.veil || by_profile
}

pub(super) fn initial_veil(context: &CommandContext, by_profile: bool) -> Veil {
    veil::new_veil(is_veil_on(context, by_profile))
}
