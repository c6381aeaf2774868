//! The veil with which a dashboard begins.

use uuid::Uuid;

use super::Context;
use crate::app::veil::{Veil, VeilKey};

/// The veil of a run, on where the command line or the profile says so. Its key is new each time, and kept nowhere.
pub(super) fn veil(context: &Context, by_profile: bool) -> Veil {
    let mut key = [0; 32];
    for half in key.chunks_exact_mut(16) {
        half.copy_from_slice(Uuid::new_v4().as_bytes());
    }
    Veil::new(context.veil || by_profile, VeilKey::new(key))
}
