//! The veil with which a dashboard begins.

use uuid::Uuid;

use super::Context;
use crate::app::veil::{Veil, VeilKey};

/// Whether a dashboard begins veiled: the command line or the profile says so.
pub(super) fn is_wanted(context: &Context, by_profile: bool) -> bool {
    context.veil || by_profile
}

/// The veil of a run, on where it is wanted. Its key is new each time, and kept nowhere.
pub(super) fn veil(context: &Context, by_profile: bool) -> Veil {
    let mut key = [0; 32];
    for half in key.chunks_exact_mut(16) {
        half.copy_from_slice(Uuid::new_v4().as_bytes());
    }
    Veil::new(is_wanted(context, by_profile), VeilKey::new(key))
}
